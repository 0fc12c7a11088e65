"""Two thousand cells without a mark to count by: the squares of the lengths of all runs, in four directions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas
from .mosaic import lay

DESCRIPTION = "Can the model measure all runs of a field of cells in a picture, in four directions?"
TAGS = ["hard", "vision", "statistics"]

EDGE = 16  # pixels around the field
TINTS = ("#f4f1e8", "#2c2b33")  # white and black
# A cell's line in each direction is a sum of these shares of its row and its column.
DIRECTIONS = {"ROWS": (1, 0), "COLUMNS": (0, 1), "FALLING": (1, -1), "RISING": (1, 1)}
QUESTION = """The picture shows a field of {side} rows and {side} columns of cells, white or black, between thin lines.

A run is a line of neighbouring cells of one colour in one direction that cannot be made longer at either end; it may be a single cell. There are four directions: ROWS, COLUMNS, FALLING (diagonals from upper left to
lower right) and RISING (diagonals from lower left to upper right). All diagonals count, also those at the corners that have a single cell.

For each direction and each colour, what is the sum of the squares of the lengths of all runs? End your reply with eight lines (here with made-up numbers):

WHITE ROWS: 3041
WHITE COLUMNS: 2950
WHITE FALLING: 3000
WHITE RISING: 3000
BLACK ROWS: 3000
BLACK COLUMNS: 3000
BLACK FALLING: 3000
BLACK RISING: 3000"""


@dataclass(frozen=True)
class Runs:
    """A square field of `side` cells of `size` pixels, of which the part `alike` is copied from a neighbour."""

    side: int
    size: int
    alike: float

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> list[list[int]]:
        """The cells, 1 for black."""
        chance = random.Random(f"runs {seed}")
        field = [[chance.randrange(2) for _ in range(self.side)] for _ in range(self.side)]
        for y in range(1, self.side):
            for x in range(1, self.side):
                if chance.random() < self.alike:
                    field[y][x] = chance.choice((field[y - 1][x], field[y][x - 1], field[y - 1][x - 1]))
        return field

    @cache  # noqa: B019 - as above
    def wanted(self, seed: int) -> dict[str, int]:
        """The sums by colour and direction."""
        field, found = self.field(seed), {}
        for name, (down, across) in DIRECTIONS.items():
            lines: dict[int, list[int]] = {}
            for y, row in enumerate(field):
                for x, cell in enumerate(row):
                    lines.setdefault(down * y + across * x, []).append(cell)
            for tint, word in enumerate(("WHITE", "BLACK")):
                found[f"{word} {name}"] = squares(lines.values(), tint)
        return found

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        tiles = []
        for tint in TINTS:
            tile = Canvas(self.size, self.size, tint)
            tile.rectangle(0, 0, self.size, 1, "#94949c")
            tile.rectangle(0, 0, 1, self.size, "#94949c")
            tiles.append(tile)
        wide = self.side * self.size
        canvas = Canvas(wide + 2 * EDGE, wide + 2 * EDGE)
        lay(canvas, EDGE, EDGE, ([tiles[cell] for cell in row] for row in self.field(seed)))
        canvas.rectangle(EDGE, EDGE + wide, EDGE + wide + 1, EDGE + wide + 1, "#94949c")
        canvas.rectangle(EDGE + wide, EDGE, EDGE + wide + 1, EDGE + wide, "#94949c")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(side=self.side), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def squares(lines: Iterable[list[int]], tint: int) -> int:
    """The sum of the squares of the lengths of the runs of a tint."""
    return sum(len([*run]) ** 2 for line in lines for each, run in groupby(line) if each == tint)


TASK = Runs(side=46, size=21, alike=0.35)
build = TASK.build
