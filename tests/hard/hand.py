"""Small signs written by hand: digits, and a flag whose eight positions are the digits 1 to 8."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from .drawing import Canvas, Point

Strokes = tuple[tuple[Point, ...], ...]

# From the middle of a sign, 2 wide and 3 high.
DIGITS: dict[str, Strokes] = {
    "0": (((-0.5, -1.5), (0.5, -1.5), (1, -0.7), (1, 0.7), (0.5, 1.5), (-0.5, 1.5), (-1, 0.7), (-1, -0.7), (-0.5, -1.5)),),
    "1": (((-0.6, -0.7), (0.2, -1.5), (0.2, 1.5)),),
    "2": (((-1, -0.8), (-0.5, -1.5), (0.5, -1.5), (1, -0.7), (-1, 1.5), (1, 1.5)),),
    "3": (((-1, -1.2), (-0.4, -1.5), (0.5, -1.5), (0.9, -0.8), (0, -0.1), (1, 0.6), (0.5, 1.5), (-0.5, 1.5), (-1, 1.1)),),
    "4": (((0.4, 1.5), (0.4, -1.5), (-1, 0.6), (1, 0.6)),),
    "5": (((0.9, -1.5), (-0.8, -1.5), (-0.9, -0.2), (0.3, -0.3), (1, 0.5), (0.4, 1.5), (-1, 1.3)),),
    "6": (((0.7, -1.5), (-0.5, -0.6), (-1, 0.6), (-0.4, 1.5), (0.4, 1.5), (1, 0.7), (0.4, 0), (-0.8, 0.3)),),
    "7": (((-1, -1.5), (1, -1.5), (-0.3, 1.5)),),
    "8": (((0, -0.1), (-0.8, -0.8), (-0.3, -1.5), (0.4, -1.5), (0.8, -0.8), (0, -0.1), (1, 0.8), (0.4, 1.5),
           (-0.4, 1.5), (-1, 0.8), (0, -0.1)),),
    "9": (((0.8, -0.4), (0.2, 0.1), (-0.5, 0), (-1, -0.7), (-0.4, -1.5), (0.4, -1.5), (0.9, -0.7), (0.7, 0.6), (-0.2, 1.5)),),
}  # fmt: skip
_FLAG: Strokes = (((-0.7, 1.25), (-0.7, -1.25), (0.8, -1.25)), ((-0.7, 0), (0.4, 0)))


def flag(position: int) -> Strokes:
    """The flag in one of eight positions, 0 to 7: turned by quarters, and from 4 on mirrored before."""

    def at(x: float, y: float) -> Point:
        x = -x if position > 3 else x
        for _ in range(position % 4):
            x, y = -y, x
        return x, y

    return tuple(tuple(at(*point) for point in stroke) for stroke in _FLAG)


@dataclass(frozen=True)
class Hand:
    """How signs are written: `unit` pixels; points waver by `waver` units, signs lean by `lean` degrees at most."""

    unit: float
    waver: float
    lean: float

    def write(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        sign: Strokes,
        chance: random.Random | None,
        ink: str = "#1c1c1c",
    ) -> None:
        """One sign about a point, exactly if there is no chance."""
        turn = math.radians(chance.uniform(-self.lean, self.lean)) if chance else 0
        cos, sin, waver = math.cos(turn) * self.unit, math.sin(turn) * self.unit, self.waver if chance else 0
        draw = chance.random if chance else float
        for stroke in sign:
            points = []
            for a, b in stroke:
                a, b = a + (2 * draw() - 1) * waver, b + (2 * draw() - 1) * waver
                points.append((x + a * cos - b * sin, y + a * sin + b * cos))
            pen(canvas, points, bytes.fromhex(ink[1:]) * 2)


def pen(canvas: Canvas, points: list[Point], ink: bytes) -> None:
    """A line through points within the picture, with a pen of two by two pixels."""
    rows, (x, y) = canvas.rows, points[0]
    for a, b in points[1:]:
        steps = math.ceil(max(abs(a - x), abs(b - y), 1) / 1.5)
        across, down = (a - x) / steps, (b - y) / steps
        for step in range(steps + 1):
            at, row = 3 * int(x + step * across), int(y + step * down)
            rows[row - 1][at - 3 : at + 3] = ink
            rows[row][at - 3 : at + 3] = ink
        x, y = a, b
