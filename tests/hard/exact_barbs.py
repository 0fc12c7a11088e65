"""A field of a thousand arrows with one barb each: how many are left in each row after two steps?"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point
from .sheets import lines, numbers, paste

DESCRIPTION = "Can the model move many small arrows two steps on by rules, and count those that are left?"
TAGS = ["hard", "vision", "rules"]

EDGE, INK = 40, "#26242c"
SHAFT, BARB = 7.5, 8.5  # pixels from the middle to the tip, and along the barb
WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # clockwise from the right
QUESTION = """The picture shows a field of {side} rows and {side} columns; the blue lines after every fifth of them help with counting. In many of the squares lies an arrow, which points to one of eight sides: up, down, to the left or right, or
aslant between them. Each arrow has one barb only, a stroke half as long as its shaft that goes from the tip backwards, at its left or at its right as seen in the direction in which it points.

1. All arrows move by one square in their direction at the same time (aslant means by one row and one column). Those that leave the field are lost. They do not hinder each other on the way.
2. Where two or more arrows arrive in the same square, all of these are lost.
3. Each arrow that is left turns by 45 degrees to the side of its barb: clockwise if the barb is at its right, counterclockwise if it is at its left. The barb stays at this side.
4. Then all arrows move by one square once more, as in 1, and are lost as in 2.

How many arrows are left in each row? End your reply with {side} lines such as

1: 12
2: 7"""

Arrow = tuple[int, int]  # the number of its way, and 1 or -1 for a barb at its right or left


@dataclass(frozen=True)
class Barbs:
    """`side` by `side` squares of `size` pixels, of which the part `full` bear arrows."""

    side: int
    size: int
    full: float

    @cache  # noqa: B019 - there is one of them
    def arrows(self, seed: int) -> dict[tuple[int, int], Arrow]:
        """The arrows by row and column, from 0."""
        chance = random.Random(f"barbs {seed}")
        squares = [(y, x) for y in range(self.side) for x in range(self.side)]
        chosen = sorted(chance.sample(squares, round(self.full * len(squares))))
        return {at: (chance.randrange(8), chance.choice((1, -1))) for at in chosen}

    def moved(self, arrows: Iterable[tuple[tuple[int, int], Arrow]]) -> dict[tuple[int, int], Arrow]:
        """The arrows after a step."""
        found: dict[tuple[int, int], list[Arrow]] = {}
        for (y, x), arrow in arrows:
            down, over = WAYS[arrow[0]]
            if 0 <= y + down < self.side and 0 <= x + over < self.side:
                found.setdefault((y + down, x + over), []).append(arrow)
        return {at: its[0] for at, its in found.items() if len(its) == 1}

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of arrows by row."""
        once = self.moved(self.arrows(seed).items())
        twice = self.moved((at, ((way + barb) % 8, barb)) for at, (way, barb) in once.items())
        rows = [y for y, _ in twice]
        return {str(y + 1): rows.count(y) for y in range(self.side)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        size, wide = self.size, self.side * self.size
        canvas = Canvas(EDGE + wide + 8, EDGE + wide + 8)
        for (y, x), arrow in self.arrows(seed).items():
            paste(canvas, tile(arrow, size), EDGE + x * size, EDGE + y * size)
        lines(canvas, EDGE, EDGE, self.side, self.side, size)
        numbers(canvas, EDGE, EDGE, self.side, self.side, size)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(side=self.side), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def strokes(arrow: Arrow, size: int) -> list[list[Point]]:
    """The shaft and the barb of an arrow in a square of `size` pixels."""
    way, barb = arrow
    middle = size / 2 + 0.5

    def on(at: Point, degrees: float, far: float) -> Point:
        angle = math.radians(degrees)
        return at[0] + far * math.cos(angle), at[1] + far * math.sin(angle)

    tip = on((middle, middle), 45 * way, SHAFT)
    return [[on(tip, 45 * way + 180, 2 * SHAFT), tip], [tip, on(tip, 45 * way + 180 - 42 * barb, BARB)]]


@cache
def tile(arrow: Arrow, size: int) -> Canvas:
    """A square with an arrow."""
    canvas = Canvas(size, size)
    for stroke in strokes(arrow, size):
        canvas.line(stroke, 2.4, INK)
    return canvas


TASK = Barbs(side=40, size=24, full=0.7)
build = TASK.build
