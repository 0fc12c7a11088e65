"""Right and wrong lines for optimise_changeovers."""

from __future__ import annotations

from itertools import islice
from string import ascii_uppercase

from ..optimise_changeovers import TASK
from .optima import exchanged, right_forms, spoiled, with_first


def right(seed: int) -> list[str]:
    return right_forms(TASK, seed)


def wrong(seed: int) -> list[str]:
    plant, best = TASK.puzzles(seed)[0]
    one, two = ([ascii_uppercase[job] for job in line] for line in plant.greedy())
    near = islice(exchanged(TASK, seed), 2)
    together = [word for word in best if word != "/"]
    return [*with_first(TASK, seed, [*one, "/", *two], together, *near), *spoiled(TASK, seed)]
