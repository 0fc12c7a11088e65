"""Which arcs are drawn, read from the pixels."""

from __future__ import annotations

import math

from ..arcs import Arc
from .pixels import Pixels

ORDER = (8, 5, 11, 3, 13, 6, 10, 4, 12, 7, 9)  # points of an arc to look at, of seventeen


def is_drawn(pixels: Pixels, arc: Arc, sides: tuple[int, int]) -> bool:
    """Whether the arc is dark all along, and has its head: an arrow that is broad beside its way."""
    (ax, ay), (bx, by) = arc.begin, arc.end
    for n in ORDER:
        t = n / 16
        side = 4 * t * (1 - t) * arc.bow
        x, y = ax + t * (bx - ax) + side * (ay - by), ay + t * (by - ay) + side * (bx - ax)
        if not (0 < x < sides[0] and 0 < y < sides[1] and pixels.is_dark(x, y)):
            return False
    angle = math.atan2(by - ay, bx - ax) - math.atan(4 * arc.bow)
    cos, sin = math.cos(angle), math.sin(angle)
    return all(pixels.is_dark(bx - 8 * cos - w * sin, by - 8 * sin + w * cos) for w in (-2.2, 2.2))
