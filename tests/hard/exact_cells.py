"""A field of fifteen hundred cells in a picture: how many are black, row by row, after one step?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas

DESCRIPTION = "Can the model take a cellular automaton, given as a picture, one step further?"
TAGS = ["hard", "vision", "rules"]

EDGE = 34  # pixels before the first row and column
QUESTION = """The picture shows a field of {rows} rows and {columns} columns of cells, black or white. The eight cells around a cell are its neighbours; what lies outside of the field is white. In one step all cells change at the
same time:

1. A black cell stays black if {stay} of its neighbours are black.
2. A white cell becomes black if {born} of its neighbours are black.
3. All other cells are white then.

How many black cells has each row after one step? End your reply with {rows} lines such as

1: 12
2: 7"""


@dataclass(frozen=True)
class Cells:
    """A field of `rows` by `columns` cells of `size` pixels."""

    rows: int
    columns: int
    size: int

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> tuple[tuple[int, ...], ...]:
        """The cells at first, 1 for black."""
        chance = random.Random(f"cells {seed}")
        return tuple(
            tuple(int(chance.random() < 0.42) for _ in range(self.columns)) for _ in range(self.rows)
        )

    def rules(self, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """With how many black neighbours a cell stays black, and with how many it becomes black."""
        chance = random.Random(f"rules {seed}")
        stay, born = (tuple(sorted(chance.sample(range(1, 7), 3))) for _ in range(2))
        return stay, born

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of black cells by row."""
        field, (stay, born) = self.field(seed), self.rules(seed)
        found = {}
        for y in range(self.rows):
            near = [row for row in range(max(0, y - 1), min(self.rows, y + 2))]
            number = 0
            for x, cell in enumerate(field[y]):
                around = sum(sum(field[row][max(0, x - 1) : x + 2]) for row in near) - cell
                number += around in (stay if cell else born)
            found[str(y + 1)] = number
        return found

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field, with a blue line after every fifth row and column, and their numbers."""
        wide, high, size = self.columns * self.size, self.rows * self.size, self.size
        canvas = Canvas(EDGE + wide + 8, EDGE + high + 8)
        for y, row in enumerate(self.field(seed)):
            for x, cell in enumerate(row):
                if cell:
                    left, top = EDGE + x * size, EDGE + y * size
                    canvas.rectangle(left, top, left + size, top + size, "#26242c")
        for count, across in ((self.columns, True), (self.rows, False)):
            for place in range(count + 1):
                at, bold = EDGE + place * size, place % 5 == 0
                half, colour = (1.0, "#2060d0") if bold else (0.5, "#b0b0b0")
                if across:
                    canvas.rectangle(at - half, EDGE, at + half, EDGE + high, colour)
                else:
                    canvas.rectangle(EDGE, at - half, EDGE + wide, at + half, colour)
                if bold and place:
                    label = (at - size / 2, EDGE / 2) if across else (EDGE / 2, at - size / 2)
                    canvas.text(*label, str(place), "#2060d0")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        stay, born = (
            " or ".join((", ".join(map(str, each[:-1])), str(each[-1]))) for each in self.rules(seed)
        )
        question = QUESTION.format(rows=self.rows, columns=self.columns, stay=stay, born=born)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Cells(rows=36, columns=42, size=24)
build = TASK.build
