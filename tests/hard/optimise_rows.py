"""Two cloths of rows of squares: the best way to pair each row of one with a row of the other."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers
from .squares import field_of

DESCRIPTION = "Can the model pair the rows of a drawn field of squares in the best way?"
TAGS = ["hard", "vision", "matching"]

QUESTION = """The picture shows a field of {rows} rows (1 at the top) and {columns} columns of black and white squares.

Pair each of the rows 1 to {half} with one of the rows {next} to {rows}, each with another one. The worth of a pair is the number of columns in which its two rows have squares of the same colour. The sum of all
worths has to be as large as possible; any pairing with the largest sum is right.

End your reply with one line with the partners of the rows 1 to {half}, in this order, such as

PARTNERS: {sample}"""

Field = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Pairings:
    """Two times `half` rows of `columns` squares of `size` pixels, all at random: nothing is planted."""

    half: int
    columns: int
    size: int

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> Field:
        """The squares, 1 for black."""
        chance = random.Random(f"paired rows {seed}")
        return tuple(tuple(chance.choices((0, 1), k=self.columns)) for _ in range(2 * self.half))

    def worth(self, seed: int) -> tuple[tuple[int, ...], ...]:
        """What each row of the upper half is worth with each one of the lower."""
        field = self.field(seed)
        lower = field[self.half :]
        return tuple(
            tuple(sum(a == b for a, b in zip(one, other, strict=True)) for other in lower)
            for one in field[: self.half]
        )

    @cache  # noqa: B019 - as above
    def best(self, seed: int) -> tuple[int, tuple[int, ...]]:
        """The largest sum, and the partners that have it."""
        worth = self.worth(seed)
        partners = assigned(worth)
        return sum(worth[n][partner] for n, partner in enumerate(partners)), partners

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        return field_of(self.field(seed), self.size).png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        half = self.half
        sample = " ".join(map(str, [half + 3, 2 * half - 1, half + 8, "..."]))
        question = QUESTION.format(
            rows=2 * half, columns=self.columns, half=half, next=half + 1, sample=sample
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(self.judge, seed))
        )

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed with the largest sum; the score is the sum as a share of it."""
        said = re.findall(r"\d+", answers(reply, {"PARTNERS": ""}).get("PARTNERS", ""))
        if sorted(said) != sorted(str(n) for n in range(self.half + 1, 2 * self.half + 1)):
            return Score(0, False), f"no pairing: {' '.join(said)[:80]!r}"
        total = sum(row[int(each) - self.half - 1] for row, each in zip(self.worth(seed), said, strict=True))
        best = self.best(seed)[0]
        return Score(total / best, total == best), f"a sum of {total}; the largest is {best}"


def assigned(worth: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The columns for the rows with the largest sum: row after row is added by a cheapest way of changes, where prices
    of rows and columns keep all costs above 0."""
    size = len(worth)
    rows, columns = [0] * (size + 1), [0] * (size + 1)
    owner = [size] * (size + 1)  # of each column; the last column stands for none
    for new in range(size):
        owner[size], at = new, size
        least, before, done = [size**4] * size, [size] * size, [False] * (size + 1)
        while owner[at] != size:
            done[at] = True
            row = owner[at]
            for n in range(size):
                cost = -worth[row][n] - rows[row] - columns[n]
                if not done[n] and cost < least[n]:
                    least[n], before[n] = cost, at
            step, ahead = min((least[n], n) for n in range(size) if not done[n])
            for n in range(size + 1):
                if done[n]:
                    rows[owner[n]] += step
                    columns[n] -= step
                elif n < size:
                    least[n] -= step
            at = ahead
        while at != size:
            owner[at] = owner[before[at]]
            at = before[at]
    return tuple(owner.index(n) for n in range(size))


TASK = Pairings(half=20, columns=50, size=20)
build = TASK.build
