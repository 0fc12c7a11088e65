"""A matrix of fifteen hundred turned triangles: it is multiplied by a row of digits, and its turn by the result."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point
from .mosaic import lay

DESCRIPTION = "Can the model read a matrix of turned triangles, and compute with the whole of it?"
TAGS = ["hard", "vision", "algebra"]

LEFT, TOP, MARGIN = 14, 78, 3  # pixels: before and above the tiles; around a triangle on its tile
CORNERS: tuple[Point, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))  # where the right angle is; the value less 1
QUESTION = """The picture shows {rows} rows of {columns} tiles. A tile holds a triangle that fills one half of it, and its value is 1, 2, 3 or 4 by the corner that is filled, as the four tiles at the top show. Above each column stands a
digit.

The total of a row is the sum, over all its tiles, of the tile's value times the digit above the tile. The result of a column is the sum, over all its tiles, of the tile's value times the total of the tile's row.

What are the results of the columns, 1 to {columns} from left to right? End your reply with {columns} lines such as

1: 47210
2: 50304"""


@dataclass(frozen=True)
class Triangles:
    """`rows` by `columns` tiles of `size` pixels."""

    rows: int
    columns: int
    size: int

    @cache  # noqa: B019 - there is one of them
    def matrix(self, seed: int) -> list[list[int]]:
        """The values row by row."""
        chance = random.Random(f"triangles {seed}")
        return [[chance.randint(1, 4) for _ in range(self.columns)] for _ in range(self.rows)]

    @cache  # noqa: B019 - as above
    def digits(self, seed: int) -> list[int]:
        """The digits above the columns."""
        chance = random.Random(f"triangles digits {seed}")
        return [chance.randint(1, 9) for _ in range(self.columns)]

    @cache  # noqa: B019 - as above
    def wanted(self, seed: int) -> dict[str, int]:
        """The results by the number of the column."""
        results = [0] * self.columns
        for row in self.matrix(seed):
            total = sum(value * digit for value, digit in zip(row, self.digits(seed), strict=True))
            for column, value in enumerate(row):
                results[column] += value * total
        return {str(column): each for column, each in enumerate(results, 1)}

    def tile(self, value: int) -> Canvas:
        """A tile, with a line at its left and its top."""
        tile = Canvas(self.size, self.size)
        tile.rectangle(0, 0, self.size, 1, "#b8b8b8")
        tile.rectangle(0, 0, 1, self.size, "#b8b8b8")
        low, high = MARGIN, self.size + 1 - MARGIN
        ring = [(x * (high - low) + low, y * (high - low) + low) for x, y in CORNERS]
        opposite = (value + 1) % 4  # the corner that is left out
        tile.area([[point for n, point in enumerate(ring) if n != opposite]], "#2a3f74")
        return tile

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The legend, the digits and the tiles."""
        size = self.size
        canvas = Canvas(2 * LEFT + self.columns * size, TOP + self.rows * size + 10)
        tiles = {value: self.tile(value) for value in range(1, 5)}
        for value, tile in tiles.items():
            left = LEFT + (value - 1) * 90
            lay(canvas, left, 10, [[tile]])
            canvas.text(left + size + 22, 10 + size / 2, f"= {value}")
        for column, digit in enumerate(self.digits(seed)):
            canvas.text(LEFT + (column + 0.5) * size, TOP - 14, str(digit), "#b01818")
        lay(canvas, LEFT, TOP, ([tiles[value] for value in row] for row in self.matrix(seed)))
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(rows=self.rows, columns=self.columns), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )

    def corner(self, row: int, column: int, corner: Point) -> Point:
        """A point well inside a tile's corner in the picture."""
        x, y = ((0.25, 0.75)[round(side)] * self.size for side in corner)
        return LEFT + column * self.size + x, TOP + row * self.size + y


TASK = Triangles(rows=38, columns=40, size=24)
build = TASK.build
