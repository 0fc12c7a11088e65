"""Right and wrong placements for optimise_queens."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..optimise_queens import TASK, attacks


def _said(columns: Sequence[int], line: str = "Columns: {}", sign: str = " ") -> str:
    return "By trial and error.\n\n" + line.format(sign.join(str(each + 1) for each in columns))


def _in_order(seed: int) -> list[int]:
    """Each row's free square that the fewest queens above attack."""
    free, _ = TASK.planted(seed)
    placed: list[int] = []
    for row, its in enumerate(free):
        hit = [sum(attacks(row, column, n, at) for n, at in enumerate(placed)) for column in its]
        placed.append(its[hit.index(min(hit))])
    return placed


def _repaired(seed: int, steps: int = 4000) -> list[int]:
    """The usual local search: a queen that is attacked goes to its row's square that is attacked least. The best
    of it all in which a queen is still attacked."""
    free, _ = TASK.planted(seed)
    chance = random.Random(seed)
    placed = [chance.choice(its) for its in free]
    best, least = list(placed), TASK.size + 1
    for _ in range(steps):
        bad = [
            row
            for row, at in enumerate(placed)
            if any(n != row and attacks(row, at, n, its) for n, its in enumerate(placed))
        ]
        if not bad:
            break
        if len(bad) < least:
            best, least = list(placed), len(bad)
        row = chance.choice(bad)
        hit = {
            column: sum(n != row and attacks(row, column, n, at) for n, at in enumerate(placed))
            for column in free[row]
        }
        placed[row] = min(hit, key=lambda column: (hit[column], chance.random()))
        if chance.random() < 0.1:
            placed[row] = chance.choice(free[row])
    return best


def right(seed: int) -> list[str]:
    _, placed = TASK.planted(seed)
    return [_said(placed), _said(placed, "- **Columns:** {}", ", ")]


def wrong(seed: int) -> list[str]:
    free, planted = TASK.planted(seed)
    placed = list(planted)
    moved = [next(each for each in free[0] if each != placed[0]), *placed[1:]]
    beside = [each for each in range(TASK.size) if each not in free[0]]
    return [
        _said(_in_order(seed)),
        _said(_repaired(seed)),
        _said(moved),
        _said([beside[0], *placed[1:]]),
        _said(placed[:-1]),
        _said([each - 1 for each in placed]),
        "There is no such placement.",
    ]
