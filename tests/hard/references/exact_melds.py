"""Right and wrong values for exact_melds; here each meld is taken or not, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ..exact_melds import TASK, Meld, Tile, greedy, melds, worth
from .lines import near_misses, right_forms


def _best(hand: Sequence[Tile], left: Sequence[Meld], chosen: tuple[Meld, ...] = ()) -> int:
    if not left:
        return worth(chosen, hand)
    meld, *rest = left
    without = [each for each in rest if not set(each[1]) & set(meld[1])]
    return max(_best(hand, rest, chosen), _best(hand, without, (*chosen, meld)))


@cache
def _values(seed: int, kinds: tuple[str, ...] = ("set", "run", "stair")) -> dict[str, int]:
    hands = (hand for hand, _ in TASK.puzzle(seed))
    its = ((hand, [each for each in melds(hand, TASK.highest) if each[0] in kinds]) for hand in hands)
    return {f"H{n}": _best(hand, found) for n, (hand, found) in enumerate(its, 1)}


def right(seed: int) -> list[str]:
    return right_forms(_values(seed))


def wrong(seed: int) -> list[str]:
    """The best melds first; no stairs; one layout a little less than the best; a point too much."""
    good = TASK.wanted(seed)
    return near_misses(
        good,
        {f"H{n}": greedy(hand, TASK.highest) for n, (hand, _) in enumerate(TASK.puzzle(seed), 1)},
        _values(seed, ("set", "run")),
        {**good, "H11": good["H11"] - 1},
        {**good, "H5": good["H5"] + 1},
    )
