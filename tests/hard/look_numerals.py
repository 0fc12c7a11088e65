"""A sheet of numbers in an unknown hand, four digits to a sign: the sum of each row."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point

DESCRIPTION = "Can the model read a sheet of numbers that are written in strokes about a staff?"
TAGS = ["hard", "vision", "reading"]

LETTERS = "ABCDEFGHIJKLMNOP"
EDGE, TOP = 40, 116  # pixels: of the names of rows; of the legend
# Strokes of units beside a staff from (0, 0) down to (0, 6); a place of a digit is 2 wide and 2 high.
STROKES: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (((0, 0), (2, 0)),),
    (((0, 2), (2, 2)),),
    (((0, 0), (2, 2)),),
    (((0, 2), (2, 0)),),
    (((0, 0), (2, 0), (0, 2)),),
    (((2, 0), (2, 2)),),
    (((0, 0), (2, 0), (2, 2)),),
    (((0, 2), (2, 2), (2, 0)),),
    (((0, 0), (2, 0), (2, 2), (0, 2)),),
    (((0, 2), (2, 2), (0, 0)),),
    (((0, 1), (2, 1)),),
    (((0, 0), (2, 1), (0, 2)),),
)
QUESTION = """The picture shows numbers of four digits in a made-up script. Each number is one sign: a long upright staff with strokes for its digits in four places. The top of the picture shows
the digits 1 to 9 as they are written for units, which is at the right of the staff, at its top. Tens are at the left of the top, as in a mirror; hundreds are at the right of the bottom, turned upside down as in a
mirror that lies below; thousands are at the left of the bottom, mirrored both ways. An empty place is the digit 0. At the right end of the legend stand, as examples, the digit 1 alone as
1, as 10, as 100 and as 1000. The signs are written by hand: strokes lean and waver a little.

Below the line are {rows} rows, A to {last}, of {columns} numbers. What is the sum of each row? End your reply with {rows} lines such as

A: 41203"""


@dataclass(frozen=True)
class Numerals:
    """`rows` of `columns` signs; `unit` pixels, of which strokes waver by the part `waver` at most."""

    rows: int
    columns: int
    wide: int
    high: int
    unit: float
    waver: float
    lean: float  # degrees

    @cache  # noqa: B019 - there is one of them
    def digits(self, seed: int) -> list[int]:
        """Which strokes are the digits 1 to 9."""
        return random.Random(f"numerals digits {seed}").sample(range(len(STROKES)), 9)

    @cache  # noqa: B019 - as above
    def sheet(self, seed: int) -> dict[str, list[int]]:
        """The numbers of each row."""
        chance = random.Random(f"numerals {seed}")
        return {
            name: [chance.randrange(10_000) for _ in range(self.columns)] for name in LETTERS[: self.rows]
        }

    def sign(
        self, canvas: Canvas, x: float, y: float, places: list[int], chance: random.Random | None
    ) -> None:
        """Write strokes for units, tens, hundreds and thousands (-1: none) about a point, by hand or exactly."""
        lean = math.radians(chance.uniform(-self.lean, self.lean)) if chance else 0
        cos, sin = math.cos(lean) * self.unit, math.sin(lean) * self.unit

        def at(point: Point) -> Point:
            a, b = (each + (chance.uniform(-self.waver, self.waver) if chance else 0) for each in point)
            return x + a * cos - b * sin, y + a * sin + b * cos

        canvas.line([at((0, -3)), at((0, 3))], 2.4)
        for place, strokes in enumerate(places):
            for stroke in STROKES[strokes] if strokes >= 0 else ():
                # points on the staff stay there, others are mirrored to their place
                turned = [(-a if place % 2 else a, 3 - b if place > 1 else b - 3) for a, b in stroke]
                canvas.line([at(point) for point in turned], 2.4)

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend and the sheet."""
        canvas, digits = Canvas(self.wide, self.high), self.digits(seed)
        apart = (self.wide - 40) / 14.5
        for n, strokes in enumerate(digits):
            self.sign(canvas, 40 + apart * n, 44, [strokes], None)
            canvas.text(40 + apart * n, 90, str(n + 1))
        for n in range(4):
            x = 40 + apart * (n + 10)
            self.sign(canvas, x, 44, [-1] * n + [digits[0]], None)
            canvas.text(x, 90, str(10**n))
        canvas.rectangle(10, TOP - 8, self.wide - 10, TOP - 6, "#1c1c1c")
        chance = random.Random(f"numerals hand {seed}")
        for row, (name, numbers) in enumerate(self.sheet(seed).items()):
            y = TOP + (self.high - TOP) / self.rows * (row + 0.5)
            canvas.text(EDGE / 2, y, name, "#c81e1e")
            for column, number in enumerate(numbers):
                x = EDGE + (self.wide - EDGE) / self.columns * (column + 0.5)
                places = [digits[int(each) - 1] if each != "0" else -1 for each in f"{number:04}"[::-1]]
                self.sign(canvas, x + chance.uniform(-7, 7), y + chance.uniform(-3, 3), places, chance)
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, int]:
        """The sums."""
        return {name: sum(numbers) for name, numbers in self.sheet(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(rows=self.rows, columns=self.columns, last=LETTERS[self.rows - 1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Numerals(rows=12, columns=9, wide=900, high=1080, unit=9, waver=0.16, lean=9)
build = TASK.build
