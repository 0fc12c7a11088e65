"""A field of sixteen hundred black and white squares: the rectangle in which black outnumbers white the most."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers
from .squares import field_of

DESCRIPTION = "Can the model find the rectangle of a drawn field in which black outnumbers white the most?"
TAGS = ["hard", "vision", "counting"]

QUESTION = """The picture shows a field of {rows} rows (1 at the top) and {columns} columns (1 at the left) of black and white squares.

The surplus of a rectangle of whole squares is the number of its black squares less the number of its white ones. Find a rectangle whose surplus is the largest of all rectangles in the field. Any rectangle with the
largest surplus is right; one with less is not.

End your reply with one line with its first row, its first column, its last row and its last column, such as

RECTANGLE: 3 17 20 31"""

Rectangle = tuple[int, int, int, int]  # first row, first column, last row, last column, counted from 1


@dataclass(frozen=True)
class Surplus:
    """A field of `rows` by `columns` squares of `size` pixels, with `black` black ones in each row."""

    rows: int
    columns: int
    size: int
    black: int

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> tuple[tuple[int, ...], ...]:
        """The squares, 1 for black."""
        chance, row = random.Random(f"surplus {seed}"), [1] * self.black + [0] * (self.columns - self.black)
        return tuple(tuple(chance.sample(row, self.columns)) for _ in range(self.rows))

    def surplus(self, seed: int, rectangle: Rectangle) -> int | None:
        """The surplus of a rectangle; None if it does not lie in the field."""
        top, left, bottom, right = rectangle
        if not (1 <= top <= bottom <= self.rows and 1 <= left <= right <= self.columns):
            return None
        black = sum(sum(row[left - 1 : right]) for row in self.field(seed)[top - 1 : bottom])
        return 2 * black - (bottom - top + 1) * (right - left + 1)

    @cache  # noqa: B019 - as above
    def best(self, seed: int) -> int:
        """The largest surplus: for each first and last row, the best run of columns."""
        field, best = self.field(seed), -1
        for top in range(self.rows):
            sums = [0] * self.columns
            for row in field[top:]:
                sums = [total + 2 * cell - 1 for total, cell in zip(sums, row, strict=True)]
                run = 0
                for total in sums:
                    run = run + total if run > 0 else total
                    if run > best:
                        best = run
        return best

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        return field_of(self.field(seed), self.size).png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(rows=self.rows, columns=self.columns)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed with the largest surplus; the score is the surplus as a share of it."""
        said = re.findall(r"\d+", answers(reply, {"RECTANGLE": ""}).get("RECTANGLE", ""))
        if len(said) != 4 or any(len(each) > 3 for each in said):
            return Score(0, False), f"no rectangle: {' '.join(said)[:80]!r}"
        top, left, bottom, right = map(int, said)
        surplus, best = self.surplus(seed, (top, left, bottom, right)), self.best(seed)
        if surplus is None:
            return Score(0, False), f"not a rectangle of the field: {said}"
        return Score(
            max(0, surplus) / best, surplus == best
        ), f"a surplus of {surplus}; the largest is {best}"


TASK = Surplus(rows=40, columns=42, size=23, black=20)
build = TASK.build
