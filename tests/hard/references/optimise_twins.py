"""Right and wrong replies to optimise_twins: the squares are read from the picture."""

from __future__ import annotations

from functools import cache

from ..optimise_twins import TASK, Field, Twins, largest
from ..squares import EDGE
from .pixels import Pixels


@cache
def _seen(seed: int) -> Field:
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    return tuple(
        tuple(
            int(pixels.is_dark(EDGE + (x + 0.5) * size, EDGE + (y + 0.5) * size)) for x in range(TASK.columns)
        )
        for y in range(TASK.rows)
    )


def _said(twins: Twins) -> str:
    return f"The same pattern:\n\nTWINS: {' '.join(map(str, twins))}"


def right(seed: int) -> list[str]:
    a, b, c, d, high, wide = largest(_seen(seed))[1]
    return [_said((a, b, c, d, high, wide)), f"**Twins:** ({c}, {d}), ({a}, {b}), {high} x {wide}"]


def wrong(seed: int) -> list[str]:
    a, b, c, d, high, wide = largest(_seen(seed))[1]
    return [
        _said((a, b, c, d, high, wide - 1)),
        _said((a, b, c, d, high, wide + 1)),
        _said((a, b, a, b, high, wide)),
        _said((b, a, d, c, high, wide)),
        _said((a, b, c + 1, d, high, wide)),
        "TWINS: none",
    ]
