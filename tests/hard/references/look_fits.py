"""Right and wrong replies to look_fits: a piece fits if its sides, one after the other, are as long as those of the hole."""

from __future__ import annotations

import math
from functools import cache

from ..look_fits import LETTERS, TASK, corners


def _sides(ring: list[tuple[float, float]]) -> list[float]:
    """The length of each side, and of the way across each corner."""
    count = len(ring)
    return [math.dist(ring[n], ring[(n + step) % count]) for n in range(count) for step in (1, 2)]


def _unlike(one: list[float], other: list[float]) -> float:
    """By how much the sides differ, in the best of all turns."""
    return min(
        sum(abs(a - b) for a, b in zip(one, other[turn:] + other[:turn], strict=True))
        for turn in range(0, len(other), 2)
    )


@cache
def _measured(seed: int) -> tuple[list[str], list[str], list[str]]:
    """For each hole the letter that fits best, the one that fits second best, and the best of those turned over."""
    scene = TASK.scene(seed)
    holes = TASK.holes
    turned = [corners(shape, 0, 0, turn) for shape, turn in zip(scene.shapes, scene.turns, strict=False)][
        :holes
    ]
    pieces = {
        letter: corners(shape, 0, 0, turn)
        for letter, shape, turn in zip(scene.letters, scene.shapes, scene.turns[holes:], strict=True)
    }
    best, second, over = [], [], []
    for hole in turned:
        its = _sides(hole)
        order = sorted(pieces, key=lambda letter: _unlike(its, _sides(pieces[letter])))
        best.append(order[0])
        second.append(order[1])
        over.append(min(pieces, key=lambda letter: _unlike(its, _sides(pieces[letter][::-1]))))
    return best, second, over


def _said(letters: list[str], mark: str = "") -> str:
    lines = (f"{mark}{n}{mark}: {letter}" for n, letter in enumerate(letters, 1))
    return "I compared the corners.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    best, _, _ = _measured(seed)
    return [_said(best), _said([letter.lower() for letter in best], "**")]


def wrong(seed: int) -> list[str]:
    best, second, over = _measured(seed)
    return [
        _said([second[0], *best[1:]]),
        _said(over),
        _said(second),
        _said([best[1], best[0], *best[2:]]),
        _said(best[:-1]),
        _said(list(LETTERS[: TASK.holes])),
        "None of them fits.",
    ]
