"""Right and wrong replies to exact_barbs: the strokes are read from the picture, and each square asks who comes."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

from ..exact_barbs import EDGE, SHAFT, TASK
from .pixels import Pixels

Arrow = tuple[int, int, int, int]  # row, column, degrees clockwise from the right, and to which side it turns


@cache
def _arrows(seed: int) -> tuple[Arrow, ...]:
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    found = []
    for y in range(TASK.side):
        for x in range(TASK.side):
            middle = EDGE + (x + 0.5) * size + 0.5, EDGE + (y + 0.5) * size + 0.5

            def dark(degrees: float, far: float, aside: float, middle: tuple[float, float] = middle) -> bool:
                cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
                return pixels.is_dark(
                    middle[0] + far * cos - aside * sin, middle[1] + far * sin + aside * cos
                )

            for degrees in range(0, 360, 45):
                if dark(degrees, 5, 0) and dark(degrees, -5, 0) and dark(degrees, 0, 0):
                    for side in (1, -1):
                        # two points on the barb, four and five pixels from the tip
                        if all(dark(degrees, SHAFT - far * 0.743, side * far * 0.669) for far in (4.5, 6.5)):
                            found.append((y, x, degrees, side))
    return tuple(found)


def _moved(arrows: tuple[Arrow, ...], *, merged: bool = False) -> tuple[Arrow, ...]:
    gone = []
    for y, x, degrees, side in arrows:
        angle = math.radians(degrees)
        gone.append((y + round(math.sin(angle)), x + round(math.cos(angle)), degrees, side))
    count = Counter(each[:2] for each in gone)
    inside = range(TASK.side)
    kept = (each for each in gone if each[0] in inside and each[1] in inside)
    if merged:
        return tuple({each[:2]: each for each in kept}.values())
    return tuple(each for each in kept if count[each[:2]] == 1)


def _said(seed: int, *, side: int = 1, merged: bool = False, late: int = 0) -> str:
    once = _moved(_arrows(seed), merged=merged)
    twice = _moved(tuple((y, x, d + 45 * side * barb, barb) for y, x, d, barb in once), merged=merged)
    rows = Counter(each[0] for each in twice)
    rows[TASK.side - 1] += late
    return "\n".join(f"{y + 1}: {rows[y]}" for y in range(TASK.side))


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [f"Row by row.\n\n{said}", "\n".join(f"- **{each}**" for each in said.split("\n"))]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, side=-1),
        _said(seed, side=0),
        _said(seed, merged=True),
        _said(seed, late=1),
        said.rsplit("\n", 1)[0],
        "No arrow is left.",
    ]
