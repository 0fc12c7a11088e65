"""Pictures drawn in plain Python: the same bytes of pixels on every machine, without a library."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
INK = "#1c1c1c"

# Five columns for each sign, the lowest bit at the top.
FONT = {
    "0": "3e5149453e", "1": "00427f4000", "2": "4261514946", "3": "2141454b31", "4": "1814127f10",
    "5": "2745454539", "6": "3c4a494930", "7": "0171090503", "8": "3649494936", "9": "064949291e",
    "A": "7e1111117e", "B": "7f49494936", "C": "3e41414122", "D": "7f4141221c", "E": "7f49494941",
    "F": "7f09090901", "G": "3e4149497a", "H": "7f0808087f", "I": "00417f4100", "J": "2040413f01",
    "K": "7f08142241", "L": "7f40404040", "M": "7f020c027f", "N": "7f0408107f", "O": "3e4141413e",
    "P": "7f09090906", "Q": "3e4151215e", "R": "7f09192946", "S": "4649494931", "T": "01017f0101",
    "U": "3f4040403f", "V": "1f2040201f", "W": "3f4038403f", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543", " ": "0000000000", ".": "0060600000", "-": "0808080808", "+": "08083e0808",
    ":": "0036360000", "(": "001c224100", ")": "0041221c00", "=": "1414141414", "&": "3649552250",
}  # fmt: skip


class Canvas:
    """Pixels from the left top; colours are #rrggbb. What is outside is left out."""

    def __init__(self, width: int, height: int, ground: str = "#ffffff") -> None:
        self.width, self.height = width, height
        self.rows = [bytearray(bytes.fromhex(ground[1:]) * width) for _ in range(height)]

    def span(self, y: int, left: int, right: int, colour: str) -> None:
        """Columns left to right, without the last, of row y."""
        left, right = max(0, left), min(self.width, right)
        if 0 <= y < self.height and left < right:
            self.rows[y][3 * left : 3 * right] = bytes.fromhex(colour[1:]) * (right - left)

    def area(self, rings: Sequence[Sequence[Point]], colour: str) -> None:
        """What is inside an odd number of closed polygons: every pixel whose centre is."""
        edges = [
            (a, b) for ring in rings for a, b in zip(ring, [*ring[1:], ring[0]], strict=True) if a[1] != b[1]
        ]
        ys = [y for ring in rings for _, y in ring]
        for row in range(max(0, math.ceil(min(ys) - 0.5)), min(self.height, math.ceil(max(ys) - 0.5))):
            y = row + 0.5
            cuts = sorted(
                a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                for a, b in edges
                if (a[1] <= y) != (b[1] <= y)
            )
            for left, right in zip(cuts[::2], cuts[1::2], strict=True):
                self.span(row, math.ceil(left - 0.5), math.ceil(right - 0.5), colour)

    def rectangle(self, left: float, top: float, right: float, bottom: float, colour: str = INK) -> None:
        """A filled rectangle."""
        self.area([[(left, top), (right, top), (right, bottom), (left, bottom)]], colour)

    def disc(self, x: float, y: float, radius: float, colour: str = INK) -> None:
        """A filled circle."""
        self.area([circle(x, y, radius)], colour)

    def line(self, points: Sequence[Point], thick: float = 2, colour: str = INK) -> None:
        """A line through the points, with round ends."""
        for (ax, ay), (bx, by) in pairwise(points):
            length = math.hypot(bx - ax, by - ay)
            if length:
                dx, dy = (by - ay) / length * thick / 2, (ax - bx) / length * thick / 2
                ring = [(ax + dx, ay + dy), (bx + dx, by + dy), (bx - dx, by - dy), (ax - dx, ay - dy)]
                self.area([ring], colour)
        if thick > 2:
            for x, y in points:
                self.area([circle(x, y, thick / 2, 16)], colour)

    def text(
        self, x: float, y: float, text: str, colour: str = INK, scale: int = 2, anchor: float = 0.5
    ) -> None:
        """Text in capitals about height y; `anchor`: 0 begins at x, 0.5 is about it, 1 ends there."""
        left = round(x - anchor * (6 * len(text) - 1) * scale)
        top = round(y - 3.5 * scale)
        for place, sign in enumerate(text):
            for column, bits in enumerate(bytes.fromhex(FONT[sign])):
                for row in range(8):
                    if bits >> row & 1:
                        at = left + (6 * place + column) * scale
                        for each in range(scale):
                            self.span(top + row * scale + each, at, at + scale, colour)

    def png(self) -> bytes:
        """The picture as a file."""
        parts = (
            (b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(b"".join(b"\0" + row for row in self.rows), 6)),
            (b"IEND", b""),
        )
        chunks = (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
            for kind, body in parts
        )
        return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def circle(x: float, y: float, radius: float, corners: int = 64, turn: float = 0) -> list[Point]:
    """The corners of a regular polygon, the first at `turn` degrees, clockwise from the right."""
    angles = (math.radians(turn + 360 * each / corners) for each in range(corners))
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
