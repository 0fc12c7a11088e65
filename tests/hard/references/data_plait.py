"""Right and wrong work on data_plait: meetings are read from the picture, and threads followed one by one."""

from __future__ import annotations

from functools import cache

from evaluator import Call

from ..data_plait import (
    ACROSS,
    DOWN,
    EDGE,
    LEVELS,
    THREADS,
    TOP,
    WEAVERS,
    Plait,
    bottom,
    earned,
    first,
    picture,
    top,
)
from .digitised import work
from .pixels import Pixels


@cache
def _read(seed: int) -> Plait:
    """Threads cross where there is ink in the middle of a meeting."""
    pixels = Pixels(picture(seed))
    return [
        [
            pixels.is_dark(EDGE + ACROSS * (left + 0.5), TOP + DOWN * (level + 0.5))
            for left in range(first(level), THREADS - 1, 2)
        ]
        for level in range(LEVELS)
    ]


def _followed(seed: int) -> dict[str, int]:
    """Each thread from the top to the bottom."""
    found = dict.fromkeys(WEAVERS, 0)
    for place, (weaver, yards) in enumerate(top(seed)):
        at = place
        for level, its in enumerate(_read(seed)):
            n, is_right = divmod(at - first(level), 2)
            if 0 <= n < len(its) and its[n]:
                at += -1 if is_right else 1
        found[weaver] += yards * bottom(seed)[at]
    return found


def _slip(seed: int, level: int, n: int) -> Plait:
    """One meeting that was read wrongly."""
    met = [list(its) for its in _read(seed)]
    met[level][n] = not met[level][n]
    return met


def right(seed: int) -> list[object]:
    return [work(_followed(seed)), work(earned(seed, _read(seed)), "**", ",")]


def wrong(seed: int) -> list[object]:
    met = _read(seed)
    return [
        work(earned(seed, _slip(seed, 17, 9))),
        work(earned(seed, [[not each for each in its] for its in met])),
        work(earned(seed, [[False for _ in its] for its in met])),
        work(earned(seed, met[:-1])),
        [Call("shell", command="cat top.csv"), "The threads cannot be followed."],
    ]
