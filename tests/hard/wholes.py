"""Searches for whole numbers near to fractions: all in their order, and small steps as long as they help."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, count


def outwards(middle: Fraction | float) -> Iterator[int]:
    """All whole numbers, the nearest first."""
    nearest = round(middle)
    side = 1 if middle > nearest else -1
    yield nearest
    for step in count(1):
        yield nearest + side * step
        yield nearest - side * step


def improved(whole: Sequence[int], value: Callable[[Sequence[int]], int]) -> list[int]:
    """The same, changed by 1 in one or two places as long as that makes the value smaller."""
    best = list(whole)
    signs = [(n, sign) for n in range(len(best)) for sign in (1, -1)]
    while True:
        near = []
        for steps in [*((each,) for each in signs), *combinations(signs, 2)]:
            moved = list(best)
            for n, sign in steps:
                moved[n] += sign
            near.append(moved)
        better = min(near, key=value)
        if value(better) >= value(best):
            return best
        best = better
