"""A cloth that a loom wove by a rule nobody knows, with squares dyed afterwards: the rule's inputs and the faults."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas
from .sheets import field, numbers

DESCRIPTION = (
    "Can the model infer the rule of a woven pattern from the cloth, and find the squares that break it?"
)
TAGS = ["hard", "vision", "patterns"]

EDGE = 36
# Rows up and columns to the right of each square that may be an input.
PLACES = {
    "A": (2, -1), "B": (2, 0), "C": (2, 1), "D": (1, -2), "E": (1, -1), "F": (1, 0), "G": (1, 1), "H": (1, 2),
}  # fmt: skip
INPUTS, APART = 3, 5
QUESTION = """The picture shows a cloth of {rows} rows and {columns} columns of squares. A loom wove it row by row from the top. The first two rows were free. From then on each square x was made black or white by the colours of three of the eight
squares A to H in the two rows above it:

    . A B C .
    D E F G H
    . . x . .

Which three, and which colour x has for each of the eight cases, is unknown, but the same for the whole cloth; all three matter. The cloth is a tube: column 1 is at the right of column {columns}.

After the cloth was woven, {least} to {most} single squares were changed from black to white or from white to black, so they are faults in the finished pattern and nothing below follows from them. None is in the first two rows, and any two are at least {apart} rows
or at least {apart} columns apart (around the tube, too).

Find the three inputs and all faults. End your reply with three lines, the inputs, the number of faults, and their places (row and column, both counted from 1 at the top left), such as

INPUTS: A F H
NUMBER: 3
FAULTS: R4C17 R20C3 R33C28"""


@dataclass(frozen=True)
class Looms:
    """Cloths of `columns` by `rows` squares of `size` pixels, with `least` to `most` faults."""

    columns: int
    rows: int
    size: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def cloth(self, seed: int) -> tuple[str, list[int], list[tuple[int, int]]]:
        """The inputs, the rows as they were woven (column 1 is the lowest bit), and the faults from 0."""
        chance, wide = random.Random(f"loom {seed}"), self.columns
        while True:
            inputs = "".join(sorted(chance.sample(list(PLACES), INPUTS)))
            table = chance.sample((0, 0, 0, 0, 1, 1, 1, 1), 8)
            if any(all(table[n] == table[n ^ bit] for n in range(8)) for bit in (1, 2, 4)):
                continue
            rows, seen = [chance.getrandbits(wide) for _ in range(2)], [0] * 8
            for _ in range(self.rows - 2):
                above, row = [self.input(rows, len(rows), name) for name in inputs], 0
                for case, colour in enumerate(table):
                    where = (1 << wide) - 1
                    for bit, squares in enumerate(above):
                        where &= squares if case >> bit & 1 else ~squares
                    seen[case] += where.bit_count()
                    row |= where * colour
                rows.append(row)
            if min(seen) > wide * self.rows / 16 and self._is_varied(rows):
                return inputs, rows, self._faults(chance)

    def input(self, rows: list[int], y: int, name: str) -> int:
        """For the squares of row y: the squares in one place above them."""
        up, over = PLACES[name]
        row, by = rows[y - up], over % self.columns
        return row >> by | row << self.columns - by & (1 << self.columns) - 1

    def _is_varied(self, rows: list[int]) -> bool:
        """Whether no input could stand in for another."""
        for one, other in combinations(PLACES, 2):
            unlike = sum(
                (self.input(rows, y, one) ^ self.input(rows, y, other)).bit_count()
                for y in range(2, self.rows)
            )
            if not 0.3 < unlike / (self.columns * self.rows) < 0.7:
                return False
        return True

    def _faults(self, chance: random.Random) -> list[tuple[int, int]]:
        """Places apart from each other."""
        number, found = chance.randint(self.least, self.most), list[tuple[int, int]]()
        while len(found) < number:
            y, x = chance.randrange(2, self.rows), chance.randrange(self.columns)
            if all(
                abs(y - b) >= APART or min((x - a) % self.columns, (a - x) % self.columns) >= APART
                for b, a in found
            ):
                found.append((y, x))
        return sorted(found)

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The cloth with its faults."""
        _, rows, faults = self.cloth(seed)
        canvas = Canvas(EDGE + self.columns * self.size + 10, EDGE + self.rows * self.size + 10)
        shown = [
            [row >> x & 1 ^ ((y, x) in faults) for x in range(self.columns)] for y, row in enumerate(rows)
        ]
        field(canvas, EDGE, EDGE, shown, self.size)
        numbers(canvas, EDGE, EDGE, self.columns, self.rows, self.size)
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The inputs, the number of faults and their places."""
        inputs, _, faults = self.cloth(seed)
        places = [f"R{y + 1}C{x + 1}" for y, x in faults]
        return {"INPUTS": list(inputs), "NUMBER": [str(len(faults))], "FAULTS": places}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            rows=self.rows, columns=self.columns, least=self.least, most=self.most, apart=APART
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


TASK = Looms(columns=47, rows=43, size=21, least=14, most=22)
build = TASK.build
