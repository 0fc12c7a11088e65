"""A sheet of signs that are turned in any way, and some of them over: which are mirrored?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import INK, Canvas, Point

DESCRIPTION = "Can the model tell which signs, turned in any way, are mirrored?"
TAGS = ["hard", "vision", "orientation"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE, TOP = 34, 120  # pixels: of the names of columns and rows; above the sheet, for the legend
LINE = "#c4c4c4"
# Strokes on a field of 4 by 6 about the middle. Turned over, none of them is another one or itself.
SIGNS: tuple[tuple[tuple[Point, ...], ...], ...] = (
    (((-2, 3), (-2, -3), (2, -3)), ((-2, 0), (1, 0))),
    (((2, -3), (2, 3), (-2, 3), (-2, 1)), ((0, -1), (2, -1))),
    (((-2, 3), (-2, -3), (2, -3), (2, 0), (-2, 0)), ((0, 0), (2, 3))),
    (((1, 3), (1, -3), (-2, 1), (2, 1)),),
    (((2, -2), (2, -3), (-2, -3), (-2, 3), (2, 3), (2, 0), (0, 0)),),
    (((-2, -3), (2, -3), (-2, 3), (0, 3)), ((-1, 0), (1, 0))),
    (((-2, -3), (-2, 1), (2, 1), (2, -1)), ((2, 1), (2, 3), (0, 3))),
    (((-2, 3), (0, -3), (2, 3)), ((-1, 0), (2, 0), (2, -2))),
)
QUESTION = """The top of the picture shows {signs} signs as they are. Below, on a sheet with the columns A to {last} and the rows 1 to {rows}, each field holds one of
these signs, turned by any angle. Some signs are mirrored besides, as if seen from the back of the paper: no turning would bring them to the
form at the top.

Which fields hold a mirrored sign? End your reply with two lines, their number and their names (column and row), such as

NUMBER: 3
MIRRORED: A14 D2 J9"""


@dataclass(frozen=True)
class Field:
    """What a field holds."""

    sign: int
    turn: float
    mirrored: bool


@dataclass(frozen=True)
class Mirrors:
    """A sheet of `columns` by `rows` fields of `size` pixels, from `least` to `most` of which hold a mirrored sign."""

    columns: int
    rows: int
    size: int
    unit: float  # pixels of a step of the strokes
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def sheet(self, seed: int) -> dict[str, Field]:
        """The fields by name."""
        chance = random.Random(f"mirrored {seed}")
        names = [f"{column}{row}" for row in range(1, self.rows + 1) for column in LETTERS[: self.columns]]
        over = set(chance.sample(names, chance.randint(self.least, self.most)))
        return {
            name: Field(chance.randrange(len(SIGNS)), chance.uniform(0, 360), name in over) for name in names
        }

    def draw(self, canvas: Canvas, x: float, y: float, field: Field) -> None:
        """A sign about a point."""
        cos, sin = math.cos(math.radians(field.turn)), math.sin(math.radians(field.turn))
        side = -self.unit if field.mirrored else self.unit
        for stroke in SIGNS[field.sign]:
            steps = [(side * across, self.unit * down) for across, down in stroke]
            canvas.line([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in steps], 3)

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend and the sheet."""
        wide, high = EDGE + self.size * self.columns, TOP + self.size * self.rows
        canvas = Canvas(wide + 10, high + 10)
        apart = wide / len(SIGNS)
        for n in range(len(SIGNS)):
            self.draw(canvas, apart * (n + 0.5), 44, Field(n, 0, False))
        canvas.rectangle(10, 87, wide, 89, INK)
        for n in range(self.columns + 1):
            at = EDGE + self.size * n
            canvas.rectangle(at - 0.5, TOP, at + 0.5, high, LINE)
        for n in range(self.rows + 1):
            at = TOP + self.size * n
            canvas.rectangle(EDGE, at - 0.5, wide, at + 0.5, LINE)
        for name, field in self.sheet(seed).items():
            column, row = LETTERS.index(name[0]), int(name[1:])
            x, y = EDGE + self.size * (column + 0.5), TOP + self.size * (row - 0.5)
            self.draw(canvas, x, y, field)
            if row == 1:
                canvas.text(x, TOP - 14, name[0])
            if column == 0:
                canvas.text(EDGE / 2, y, str(row))
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The answers of a seed."""
        places = [name for name, field in self.sheet(seed).items() if field.mirrored]
        return {"NUMBER": [str(len(places))], "MIRRORED": places}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(signs=len(SIGNS), last=LETTERS[self.columns - 1], rows=self.rows)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


TASK = Mirrors(columns=18, rows=12, size=68, unit=7, least=32, most=48)
build = TASK.build
