"""A field cut up by straight lines: how many parts have three corners, four, five and so on?"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point

DESCRIPTION = "Can the model count the parts into which lines cut a field, by their corners?"
TAGS = ["hard", "vision", "counting"]

EDGE = 20
KINDS = {"TRIANGLES": 3, "QUADRILATERALS": 4, "PENTAGONS": 5, "HEXAGONS": 6, "LARGER": 7}
QUESTION = """The picture shows a rectangular frame and {lines} straight lines, each of which leads from one side of the frame to another. Together they cut the field
within the frame into parts: polygons with no line inside. The smallest ones are some 10 pixels wide, and never do three lines meet in one point.

How many parts are triangles, quadrilaterals (of any form), pentagons, hexagons, and polygons with seven or more corners (LARGER)? A corner of the
frame is also a corner of the part that lies there. End your reply with these five lines, with the right numbers:

TRIANGLES: 901
QUADRILATERALS: 902
PENTAGONS: 903
HEXAGONS: 904
LARGER: 905"""

Ring = list[Point]


@dataclass(frozen=True)
class Faces:
    """A frame of `wide` by `high` pixels with lines. `side`, `width`: the least of a side and of a part, in pixels."""

    lines: int
    wide: int
    high: int
    side: float
    width: float

    def on_frame(self, chance: random.Random) -> tuple[int, Point]:
        """A side of the frame and a point of it."""
        side, part = chance.randrange(4), chance.uniform(0.04, 0.96)
        x, y = self.wide * part, self.high * part
        return side, ((x, 0), (self.wide, y), (x, self.high), (0, y))[side]

    @cache  # noqa: B019 - there is one of them
    def cut(self, seed: int) -> tuple[tuple[tuple[Point, Point], ...], tuple[Ring, ...]]:
        """The lines and the parts of a seed."""
        chance = random.Random(f"faces {seed}")
        lines: list[tuple[Point, Point]] = []
        parts: list[Ring] = [[(0, 0), (self.wide, 0), (self.wide, self.high), (0, self.high)]]
        while len(lines) < self.lines:
            (one, begin), (other, end) = self.on_frame(chance), self.on_frame(chance)
            if one != other and math.dist(begin, end) > 0.6 * self.wide:
                new: list[Ring] = []
                for part in parts:
                    found = halves(part, begin, end)
                    if len(found) > 1 and not all(self.is_plain(ring) for ring in found):
                        break
                    new += found
                else:
                    lines.append((begin, end))
                    parts = new
        return tuple(lines), tuple(parts)

    def is_plain(self, ring: Ring) -> bool:
        """Whether a part is neither narrow nor has a short side."""
        sides = [math.dist(a, b) for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)]
        doubled = abs(sum(a * d - b * c for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True)))
        return min(sides) >= self.side and 2 * doubled / sum(sides) >= self.width

    def wanted(self, seed: int) -> dict[str, int]:
        """How many parts there are of each kind."""
        numbers = Counter(min(7, len(ring)) for ring in self.cut(seed)[1])
        return {kind: numbers[corners] for kind, corners in KINDS.items()}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The frame and the lines."""
        canvas = Canvas(self.wide + 2 * EDGE, self.high + 2 * EDGE)
        canvas.rectangle(EDGE - 2, EDGE - 2, EDGE + self.wide + 2, EDGE + self.high + 2, "#1c1c1c")
        canvas.rectangle(EDGE + 1, EDGE + 1, EDGE + self.wide - 1, EDGE + self.high - 1, "#ffffff")
        for line in self.cut(seed)[0]:
            canvas.line([(EDGE + x, EDGE + y) for x, y in line], 2)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(lines=self.lines), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def halves(ring: Ring, begin: Point, end: Point) -> list[Ring]:
    """The two parts of a convex part on both sides of a line, or itself where the line does not cross it."""
    (ax, ay), (bx, by) = begin, end
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in ring]
    if min(sides) >= 0 or max(sides) <= 0:
        return [ring]
    found: tuple[Ring, Ring] = ([], [])
    for n, (here, side) in enumerate(zip(ring, sides, strict=True)):
        there, other = ring[n - len(ring) + 1], sides[n - len(ring) + 1]
        found[side < 0].append(here)
        if (side < 0) != (other < 0):
            part = side / (side - other)
            at = here[0] + part * (there[0] - here[0]), here[1] + part * (there[1] - here[1])
            found[0].append(at)
            found[1].append(at)
    return [*found]


TASK = Faces(lines=22, wide=1040, high=980, side=15, width=11)
build = TASK.build
