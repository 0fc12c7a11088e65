"""Right and wrong rows for optimise_between."""

from __future__ import annotations

from itertools import islice

from ..optimise_between import TASK
from .optima import exchanged, right_forms, spoiled, with_first


def right(seed: int) -> list[str]:
    return right_forms(TASK, seed)


def wrong(seed: int) -> list[str]:
    wishes, best = TASK.puzzles(seed)[0]
    near = islice(exchanged(TASK, seed), 2)
    return [*with_first(TASK, seed, TASK.greedy(wishes), sorted(best), *near), *spoiled(TASK, seed)]
