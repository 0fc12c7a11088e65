"""Right and wrong work on data_barbs: the sectors are read from the picture, or taken the wrong way round."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from evaluator import Call

from ..data_barbs import BEHIND, EDGE, LETTERS, SIZE, STAFF, Barbs, chart, picture, wear
from .digitised import work
from .pixels import Pixels

NEAR = (-2, 0, 2)
Spots = tuple[tuple[float, float], ...]


def _spots(sector: int, along: range | tuple[int, ...], aside: range | tuple[int, ...]) -> Spots:
    """Places from the middle of a staff that points to a sector."""
    angle = math.radians(22.5 * sector - 90)
    cos, sin = math.cos(angle), math.sin(angle)
    return tuple((a * cos - b * sin, a * sin + b * cos) for a in along for b in aside)


DISCS = tuple(_spots(n, tuple(a - BEHIND for a in NEAR), NEAR) for n in range(16))
_END = range(STAFF - BEHIND - 6, STAFF - BEHIND + 6, 2)
SIDES = tuple((_spots(n, _END, range(-12, -3, 2)), _spots(n, _END, range(4, 13, 2))) for n in range(16))


@cache
def _read(seed: int) -> Barbs:
    """Sectors and sides from the pixels: where the disc lies, and on which side of the far end is more ink."""
    pixels, found = Pixels(picture(seed)), {}
    for at, barb in chart(seed).items():
        x, y = EDGE + SIZE * (LETTERS.index(at[0]) + 0.5), EDGE + SIZE * (int(at[1:]) - 0.5)

        def dark(spots: Spots, x: float = x, y: float = y) -> int:
            return sum(pixels.is_dark(x + a, y + b) for a, b in spots)

        sector = max(range(16), key=lambda n: dark(DISCS[n]))
        left, right = map(dark, SIDES[sector])
        found[at] = replace(barb, sector=sector, side=1 if right > left else -1)
    return found


def right(seed: int) -> list[object]:
    return [work(wear(seed, _read(seed))), work(wear(seed, chart(seed)), "**", ",")]


def wrong(seed: int) -> list[object]:
    barbs = chart(seed)
    one = barbs["H8"]
    off = {**barbs, "H8": replace(one, sector=(one.sector + 1) % 16)}
    less = {**barbs, "H8": replace(one, longs=one.longs + 1)}
    return [
        work(wear(seed, off)),
        work(wear(seed, less)),
        work(wear(seed, {**barbs, "H8": replace(one, side=-one.side)})),
        work(wear(seed, {at: replace(barb, sector=(barb.sector + 8) % 16) for at, barb in barbs.items()})),
        work(wear(seed, {at: replace(barb, shorts=0) for at, barb in barbs.items()})),
        [Call("shell", command="ls"), "There is no chart in the folder."],
    ]
