"""The draft of a cloth and the cloth itself, with some faults: where are they?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas

DESCRIPTION = "Can the model find the few faults of a woven cloth by its draft?"
TAGS = ["hard", "vision", "patterns"]

EDGE, FINE, BROAD, DARK = 34, "#b4b4b4", "#2563c9", "#26262c"
QUESTION = """The picture shows a weaver's draft. Its large field is the cloth, {columns} columns by {rows} rows: a dark square means that the upright thread of the column lies
above the level thread of the row, a light square that it lies below. Every fifth line is blue, in order to help with counting. The other fields say how the cloth should have been woven:

- Above the cloth, the dark square in each column says on which of the shafts 1 to {shafts} (the rows of that field, from top to bottom) its thread is.
- At the right of the cloth, the dark square in each row says which of the treadles 1 to {shafts} (the columns of that field, from left to right) was pressed for it.
- The field at the top right says which shafts each treadle lifts: those with a dark square in the treadle's column, where rows are shafts as at its left.

In each row of the cloth, the threads on the lifted shafts should lie above and all others below. The draft is right, but the cloth has some faults: single squares that
are dark but should be light, or the other way around.

Which squares are wrong? End your reply with two lines, their number and their places (row and column, both counted from 1 at the top left), such as

NUMBER: 3
FAULTS: R4C17 R20C3 R33C28"""

Square = tuple[int, int]  # row and column, from 0


@dataclass(frozen=True)
class Cloth:
    """The shaft of each column, the treadle of each row, what each treadle lifts, and the faults."""

    threading: tuple[int, ...]
    treadling: tuple[int, ...]
    lifts: tuple[frozenset[int], ...]
    faults: frozenset[Square]

    def should_be_dark(self, row: int, column: int) -> bool:
        """What the draft says."""
        return self.threading[column] in self.lifts[self.treadling[row]]


def spread(chance: random.Random, number: int, of: int) -> tuple[int, ...]:
    """So many of the numbers below `of`, no two neighbours alike, each about as often as the others."""
    found: list[int] = []
    while len(found) < number:
        rest = [n for n in range(of) if found.count(n) <= len(found) // of and found[-1:] != [n]]
        found.append(chance.choice(rest))
    return tuple(found)


@dataclass(frozen=True)
class Looms:
    """Cloths of `columns` by `rows` squares of `size` pixels, with from `least` to `most` faults."""

    columns: int
    rows: int
    shafts: int
    size: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def cloth(self, seed: int) -> Cloth:
        """The cloth of a seed."""
        chance = random.Random(f"weave {seed}")
        lifts: list[frozenset[int]] = []
        while len(lifts) < self.shafts:
            new = frozenset(
                chance.sample(range(self.shafts), chance.randint(self.shafts // 2 - 1, self.shafts // 2 + 1))
            )
            if all(len(new ^ each) > 1 for each in lifts):
                lifts.append(new)
        squares = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        return Cloth(
            spread(chance, self.columns, self.shafts),
            spread(chance, self.rows, self.shafts),
            tuple(lifts),
            frozenset(chance.sample(squares, chance.randint(self.least, self.most))),
        )

    @property
    def corner(self) -> tuple[int, int]:
        """The left and the top of the cloth."""
        return EDGE, 8 + self.size * self.shafts + EDGE

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The draft and the cloth."""
        cloth, size, (left, top) = self.cloth(seed), self.size, self.corner
        right = left + size * self.columns + 12
        canvas = Canvas(right + size * self.shafts + 8, top + size * self.rows + 8)

        def field(left: int, top: int, columns: int, rows: int, dark: set[Square]) -> None:
            for row, column in dark:
                for y in range(top + size * row, top + size * (row + 1)):
                    canvas.span(y, left + size * column, left + size * (column + 1), DARK)
            for fives in (False, True):
                colour, thick = (BROAD, 2) if fives else (FINE, 1)
                for x in (left + size * n for n in range(columns + 1) if (n % 5 == 0) == fives):
                    for y in range(top, top + size * rows + thick):
                        canvas.span(y, x, x + thick, colour)
                for y in (top + size * n for n in range(rows + 1) if (n % 5 == 0) == fives):
                    for each in range(y, y + thick):
                        canvas.span(each, left, left + size * columns + thick, colour)

        field(left, 8, self.columns, self.shafts, {(shaft, n) for n, shaft in enumerate(cloth.threading)})
        field(right, 8, self.shafts, self.shafts, {(s, n) for n, its in enumerate(cloth.lifts) for s in its})
        field(right, top, self.shafts, self.rows, {*enumerate(cloth.treadling)})
        squares = {(row, column) for row in range(self.rows) for column in range(self.columns)}
        dark = {each for each in squares if cloth.should_be_dark(*each) != (each in cloth.faults)}
        field(left, top, self.columns, self.rows, dark)
        for n in range(5, self.rows + 1, 5):
            canvas.text(left - 5, top + size * (n - 0.5), str(n), BROAD, 2, 1)
        for n in range(5, self.columns + 1, 5):
            canvas.text(left + size * (n - 0.5), top - EDGE / 2, str(n), BROAD)
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The answers of a seed."""
        faults = [f"R{row + 1}C{column + 1}" for row, column in sorted(self.cloth(seed).faults)]
        return {"NUMBER": [str(len(faults))], "FAULTS": faults}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(columns=self.columns, rows=self.rows, shafts=self.shafts)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


TASK = Looms(columns=40, rows=40, shafts=6, size=21, least=9, most=15)
build = TASK.build
