"""Right and wrong replies to look_rings. Which ring lies above is read from the pixels beside each crossing."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

from ..look_rings import GAP, TASK, THICK, Ring
from .pixels import Pixels

Pairs = dict[tuple[str, str], int]
AWAY = THICK / 2 + GAP / 2  # from a crossing to where the lower ring is interrupted


def _lit(pixels: Pixels, ring: Ring, at: tuple[float, float]) -> int:
    """How many of the points beside a crossing, along a ring, are not dark."""
    out = ring.angle(at)
    ways = [(n * -math.sin(out), n * math.cos(out)) for n in (-AWAY - 0.7, -AWAY, AWAY, AWAY + 0.7)]
    return sum(not pixels.is_dark(at[0] + dx, at[1] + dy) for dx, dy in ways)


@cache
def _above(seed: int) -> Pairs:
    """How often the first ring of a pair that crosses lies above the other."""
    pixels, rings, names = Pixels(TASK.picture(seed)), TASK.heap(seed).rings, TASK.names(seed)
    found: Counter[tuple[str, str]] = Counter()
    for n, one in enumerate(rings):
        points = [one.point(k * math.pi / 450) for k in range(901)]
        for m, other in enumerate(rings[:n]):
            sides = [math.dist((other.x, other.y), at) - other.radius for at in points]
            for k in range(900):
                if (sides[k] < 0) != (sides[k + 1] < 0):
                    at = points[k] if abs(sides[k]) < abs(sides[k + 1]) else points[k + 1]
                    upper = _lit(pixels, one, at) < _lit(pixels, other, at)
                    found[names[n], names[m]] += upper
                    found[names[m], names[n]] += not upper
    return dict(found)


def _said(linked: set[tuple[str, str]], mark: str = "", between: str = " ") -> str:
    both = {*linked, *((b, a) for a, b in linked)}
    return "Ring by ring:\n\n" + "\n".join(
        f"{mark}{name}{mark}: {between.join(sorted(b for a, b in both if a == name)) or 'none'}"
        for name in sorted(TASK.names(1))
    )


def right(seed: int) -> list[str]:
    linked = {pair for pair, number in _above(seed).items() if number == 1}
    return [_said(linked), _said(linked, "**", ", ")]


def wrong(seed: int) -> list[str]:
    above = _above(seed)
    linked = {pair for pair, number in above.items() if number == 1 and pair[0] < pair[1]}
    last = max(linked)
    free = {pair for pair, number in above.items() if number == 2}
    return [
        _said(linked - {last}),
        _said(linked | {min(free)}),
        _said({*above}),
        _said(free),
        "None of the rings can be taken away.",
    ]
