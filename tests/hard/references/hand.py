"""Signs written by hand, read back: the sign that fits the ink best, among all written without wavering."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..drawing import Canvas
from ..hand import Hand, Strokes
from .pixels import Pixels

SIDE = 28  # of the square of bits in whose middle signs are compared
_BITS = bytes(49 if value < 90 else 48 for value in range(256))


class Reader:
    """Reads the signs of a hand, which lean a little or not."""

    def __init__(
        self, hand: Hand, signs: Mapping[str, Strokes], leaning: tuple[float, ...] = (-7, 0, 7)
    ) -> None:
        self.shapes: list[tuple[int, int, str]] = []
        for name, sign in signs.items():
            for degrees in leaning:
                canvas = Canvas(SIDE, SIDE)
                Hand(hand.unit, 0, 0).write(canvas, SIDE / 2, SIDE / 2, _turned(sign, degrees), None)
                ink = _middle(canvas.rows)
                self.shapes.append((ink, ~_thick(ink), name))

    def read(self, pixels: Pixels, x: float, y: float, wide: int, high: int) -> str:
        """The sign whose ink lies in `wide` by `high` pixels about a point."""
        begin = (int(y) - high // 2) * pixels.wide + 1 + 3 * (int(x) - wide // 2)
        ends = range(begin, begin + high * pixels.wide, pixels.wide)
        ink = _middle([pixels.rows[at : at + 3 * wide] for at in ends])
        beyond = ~_thick(ink)
        return min(
            (4 * ((ink & far).bit_count() + (shape & beyond).bit_count()) + (ink ^ shape).bit_count(), name)
            for shape, far, name in self.shapes
        )[1]


def _turned(sign: Strokes, degrees: float) -> Strokes:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple(tuple((x * cos - y * sin, x * sin + y * cos) for x, y in stroke) for stroke in sign)


def _middle(rows: Sequence[bytes | bytearray]) -> int:
    """The dark pixels of rows as bits, moved to the middle of the square."""
    lines = [int(row[::3].translate(_BITS), 2) for row in rows]
    while not lines[0]:
        lines.pop(0)
    while not lines[-1]:
        lines.pop()
    every = 0
    for line in lines:
        every |= line
    low = (every & -every).bit_length() - 1
    left, ink = (SIDE - every.bit_length() + low) // 2, 0
    for line in lines:
        ink = ink << SIDE | line >> low << left
    return ink << SIDE * ((SIDE - len(lines)) // 2)


def _thick(ink: int) -> int:
    """The bits, and those beside them."""
    ink |= ink << 1 | ink >> 1
    return ink | ink << SIDE | ink >> SIDE
