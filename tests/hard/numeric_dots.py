"""Eighteen hundred dots and rings strewn over a table of cells: how both counts vary together, by row and by column."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from evaluator import *

from .answers import judge_all, same_number
from .drawing import INK, Canvas
from .mosaic import Mark, mark, stamp

DESCRIPTION = "Can the model count hundreds of strewn dots and rings by cell, and compute with the counts?"
TAGS = ["hard", "vision", "statistics"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEFT, TOP = 30, 30  # pixels
APART, AWAY = 11, 8  # pixels from the middle of a dot to another one, and to a line
QUESTION = """The picture shows a table of {rows} rows, A to {last}, and {columns} columns, 1 to {columns}. In each of its cells lie dots (filled) and rings (hollow); none lies on a line.

For each row let x be the number of dots and y the number of rings of a cell, and compute {columns} times the sum of all x * y less the sum of all x times the sum of all y, over the row's {columns} cells. For each column
compute likewise {rows} times the sum of all x * y less the sum of all x times the sum of all y, over the column's {rows} cells. These numbers can be negative.

End your reply with {count} lines, first for the rows and then for the columns, such as

A: 173
1: -94"""

Counts = dict[tuple[int, int], tuple[int, int]]  # dots and rings by row and column


@dataclass(frozen=True)
class Dots:
    """`rows` by `columns` cells of `size` pixels, each with `least` to `most` dots and as many rings."""

    rows: int
    columns: int
    size: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def counts(self, seed: int) -> Counts:
        """How many there are in each cell."""
        chance = random.Random(f"dots {seed}")
        cells = product(range(self.rows), range(self.columns))
        return {
            cell: (chance.randint(self.least, self.most), chance.randint(self.least, self.most))
            for cell in cells
        }

    def lines(self) -> dict[str, list[tuple[int, int]]]:
        """The cells of each row and column by its name."""
        rows, columns = range(self.rows), range(self.columns)
        found = {LETTERS[row]: [(row, column) for column in columns] for row in rows}
        return found | {str(column + 1): [(row, column) for row in rows] for column in columns}

    def wanted(self, seed: int) -> dict[str, int]:
        """The numbers by row and column."""
        counts, found = self.counts(seed), {}
        for name, cells in self.lines().items():
            dots, rings = zip(*(counts[cell] for cell in cells), strict=True)
            products = sum(x * y for x, y in zip(dots, rings, strict=True))
            found[name] = len(cells) * products - sum(dots) * sum(rings)
        return found

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The table."""
        wide, high = self.columns * self.size, self.rows * self.size
        canvas, chance = Canvas(LEFT + wide + 12, TOP + high + 12), random.Random(f"dots places {seed}")
        for row in range(self.rows + 1):
            y = TOP + row * self.size
            canvas.span(y, LEFT, LEFT + wide + 1, "#7d8fb3")
            if row < self.rows:
                canvas.text(LEFT / 2, y + self.size / 2, LETTERS[row], "#2c4f94")
        for y in range(TOP, TOP + high):
            for column in range(self.columns + 1):
                canvas.span(y, LEFT + column * self.size, LEFT + column * self.size + 1, "#7d8fb3")
        for column in range(self.columns):
            canvas.text(LEFT + (column + 0.5) * self.size, TOP / 2, str(column + 1), "#2c4f94")
        dot, hole = _disc(4.4), _disc(2.4)
        for (row, column), (dots, rings) in self.counts(seed).items():
            for n, (x, y) in enumerate(self._places(chance, dots + rings)):
                at = LEFT + column * self.size + x, TOP + row * self.size + y
                stamp(canvas, *at, dot, INK)
                if n >= dots:
                    stamp(canvas, *at, hole, "#ffffff")
        return canvas.png()

    def _places(self, chance: random.Random, number: int) -> list[tuple[int, int]]:
        """So many places in a cell, apart from each other."""
        found: list[tuple[int, int]] = []
        free = self.size - 2 * AWAY + 1
        while len(found) < number:
            x, y = AWAY + int(chance.random() * free), AWAY + int(chance.random() * free)
            if all((x - a) ** 2 + (y - b) ** 2 >= APART**2 for a, b in found):
                found.append((x, y))
        return found

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            rows=self.rows, columns=self.columns, last=LETTERS[self.rows - 1], count=self.rows + self.columns
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def _disc(radius: float) -> Mark:
    drawn = Canvas(13, 13)
    drawn.disc(6.5, 6.5, radius)
    return mark(drawn, 6, 6)


TASK = Dots(rows=10, columns=11, size=94, least=3, most=14)
build = TASK.build
