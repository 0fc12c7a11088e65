"""Right and wrong work on data_meanders: dues ditch by ditch, and ditches that were mixed up where they cross."""

from __future__ import annotations

from functools import cache

from evaluator import Call

from ..data_meanders import BOARD, FARMS, OTHER, Ditches, ditches, gates, paid
from .digitised import said, work


@cache
def _followed(seed: int) -> Ditches:
    """The ends of pieces are joined tile by tile, in whatever order, until only those at the sides are left."""
    end_of: dict[object, object] = {}
    for (column, row), tile in BOARD.board(OTHER + seed).items():
        for pair in tile:
            # a place between tiles is named as it is seen from the upper or left one of them
            ends = [min((column, row, end), BOARD.beyond((column, row, end))) for end in pair]
            one, other = (end_of.pop(end, end) for end in ends)
            if one == ends[1]:
                continue  # a ring
            end_of[one], end_of[other] = other, one
    names = {min(place, BOARD.beyond(place)): name for place, name in BOARD.outer().items()}
    return {names[one]: names[other] for one, other in end_of.items()}  # type: ignore[index]


def _by_ditch(seed: int) -> dict[str, int]:
    found = dict.fromkeys(FARMS, 0)
    for pair in {frozenset(pair) for pair in _followed(seed).items()}:
        (farm, wide), (other, broad) = (gates(seed)[name] for name in pair)
        found[farm] += wide * broad
        found[other] += wide * broad
    return found


def _mixed(seed: int, count: int) -> Ditches:
    """Ditches that were followed wrongly where they cross."""
    pairs = sorted({tuple(sorted(pair)) for pair in ditches(seed).items()})
    found = dict(ditches(seed))
    for (a, b), (c, d) in zip(pairs[: 2 * count : 2], pairs[1 : 2 * count : 2], strict=True):
        found |= {a: d, d: a, b: c, c: b}
    return found


def right(seed: int) -> list[object]:
    return [work(_by_ditch(seed)), work(paid(seed, _followed(seed)), "**", ",")]


def wrong(seed: int) -> list[object]:
    names = list(gates(seed))
    return [
        work(paid(seed, _mixed(seed, 1))),
        work(paid(seed, _mixed(seed, 12))),
        work(paid(seed, dict(zip(names, names[::-1], strict=True)))),
        [said(dict(list(_by_ditch(seed).items())[:-1]))],
        [Call("shell", command="cat gates.csv"), "The ditches cannot be told apart."],
    ]
