"""Right and wrong trips for optimise_wrapped."""

from __future__ import annotations

from itertools import islice

from ..optimise_wrapped import TASK
from .optima import exchanged, right_forms, said, spoiled, with_first


def _nearest(seed: int) -> list[str]:
    """The trip that always goes on to the nearest place."""
    ways = TASK.ways(TASK.puzzles(seed)[0][0].places)
    trip = [0]
    while len(trip) < len(ways):
        trip.append(min((n for n in range(len(ways)) if n not in trip), key=ways[trip[-1]].__getitem__))
    return [str(n + 1) for n in trip]


def right(seed: int) -> list[str]:
    trip = TASK.puzzles(seed)[0][1]
    return [*right_forms(TASK, seed), said(TASK, [[*trip, trip[0]][::-1]], sign=" → ")]


def wrong(seed: int) -> list[str]:
    near = islice(exchanged(TASK, seed), 2)
    return [*with_first(TASK, seed, _nearest(seed), *near), *spoiled(TASK, seed)]
