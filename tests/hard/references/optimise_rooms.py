"""Right and wrong choices for optimise_rooms."""

from __future__ import annotations

from itertools import islice

from ..optimise_rooms import TASK
from .optima import exchanged, right_forms, spoiled, with_first


def right(seed: int) -> list[str]:
    return right_forms(TASK, seed)


def wrong(seed: int) -> list[str]:
    house, _ = TASK.puzzles(seed)[0]
    near = islice(exchanged(TASK, seed), 2)
    return [*with_first(TASK, seed, TASK.tried(house), *near), *spoiled(TASK, seed)]
