"""A field of two thousand squares: the largest rectangle that occurs twice in it."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, product

from evaluator import *

from .answers import answers
from .squares import field_of

DESCRIPTION = "Can the model find the largest pattern that occurs twice in a drawn field of squares?"
TAGS = ["hard", "vision", "patterns"]

# Heights and widths of which each rectangle of more than FEWEST squares holds one.
PROBES, FEWEST = ((1, 24), (2, 12), (3, 8), (5, 5), (8, 3), (12, 2), (24, 1)), 30
QUESTION = """The picture shows a field of {rows} rows (1 at the top) and {columns} columns (1 at the left) of black and white squares.

Find two rectangles of whole squares, of the same height and width, at two different places of the field, with the same pattern: square by square they have the same colours, without being turned or mirrored. They may
overlap. Their area has to be the largest for which there are such rectangles; any two of that area are right.

End your reply with one line of six numbers: row and column of the upper left corner of the one, row and column of the upper left corner of the other, and how many rows and columns they have, such as

TWINS: 3 17 21 40 5 6"""

Field = tuple[tuple[int, ...], ...]
Twins = tuple[int, int, int, int, int, int]  # row, column, row, column, height, width


@dataclass(frozen=True)
class Fields:
    """A field of `rows` by `columns` squares of `size` pixels; `blocks` blocks of `high` by `wide` occur twice, but
    for `flips` inner squares of each."""

    rows: int
    columns: int
    size: int
    blocks: int
    high: int
    wide: int
    flips: int

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> Field:
        """The squares, 1 for black, with blocks that are copied with some faults."""
        chance = random.Random(f"twins {seed}")
        places: list[tuple[int, int]] = []
        field = [[chance.randrange(2) for _ in range(self.columns)] for _ in range(self.rows)]
        while len(places) < 2 * self.blocks:
            at = chance.randrange(self.rows - self.high + 1), chance.randrange(self.columns - self.wide + 1)
            if all(abs(at[0] - y) >= self.high or abs(at[1] - x) >= self.wide for y, x in places):
                places.append(at)
            elif chance.random() < 0.01:
                places.clear()  # no room is left: begin again
        for one, other in zip(places[::2], places[1::2], strict=True):
            squares = [*product(range(self.high), range(self.wide))]
            inner = [*product(range(2, self.high - 2), range(2, self.wide - 2))]
            faults = chance.sample(inner, self.flips)
            for y, x in squares:
                field[other[0] + y][other[1] + x] = field[one[0] + y][one[1] + x] ^ ((y, x) in faults)
        return tuple(map(tuple, field))

    def area(self, seed: int, twins: Twins) -> int | None:
        """The area of two rectangles; None if they are not in the field, or not two, or not equal."""
        field, (a, b, c, d, high, wide) = self.field(seed), twins
        if (a, b) == (c, d) or high < 1 or wide < 1 or min(a, b, c, d) < 1:
            return None
        if max(a, c) + high - 1 > self.rows or max(b, d) + wide - 1 > self.columns:
            return None
        same = (
            field[a + y - 1][b - 1 : b - 1 + wide] == field[c + y - 1][d - 1 : d - 1 + wide]
            for y in range(high)
        )
        return high * wide if all(same) else None

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
        """Passed with the largest area; the score is the area as a share of it."""
        said = re.findall(r"\d+", answers(reply, {"TWINS": ""}).get("TWINS", ""))
        if len(said) != 6 or any(len(each) > 3 for each in said):
            return Score(0, False), f"no twins: {' '.join(said)[:80]!r}"
        a, b, c, d, high, wide = map(int, said)
        area, best = self.area(seed, (a, b, c, d, high, wide)), largest(self.field(seed))[0]
        if area is None:
            return Score(0, False), f"not equal, or not in the field: {said}"
        return Score(area / best, area == best), f"an area of {area}; the largest is {best}"


@cache
def largest(field: Field) -> tuple[int, Twins]:
    """The largest area, and twins that have it: the distances at which a probe occurs again, and then for each of them
    the largest rectangle of squares that are the same at that distance."""
    rows, columns = len(field), len(field[0])
    away: set[tuple[int, int]] = set()
    for high, wide in PROBES:
        places: defaultdict[tuple[tuple[int, ...], ...], list[tuple[int, int]]] = defaultdict(list)
        runs = [[row[x : x + wide] for x in range(columns - wide + 1)] for row in field]
        for y in range(rows - high + 1):
            for x, pattern in enumerate(zip(*runs[y : y + high], strict=True)):
                places[pattern].append((y, x))
        for its in places.values():
            away.update((c - a, d - b) for (a, b), (c, d) in combinations(its, 2))
    best = (0, (0, 0, 0, 0, 0, 0))
    for down, across in away:
        best = max(best, _at(field, down, across))
    assert best[0] > FEWEST
    return best


def _at(field: Field, down: int, across: int) -> tuple[int, Twins]:
    """The largest twins of which one is `down` rows and `across` columns from the other."""
    best = (0, (0, 0, 0, 0, 0, 0))
    first, last = max(0, -across), len(field[0]) - max(0, across)
    heights = [0] * len(field[0])
    for y in range(len(field) - down):
        below = field[y + down]
        stack: list[tuple[int, int]] = []  # where columns of a height begin
        for x in range(first, last + 1):
            if x < last:
                heights[x] = heights[x] + 1 if field[y][x] == below[x + across] else 0
            high, begin = heights[x] if x < last else 0, x
            while stack and stack[-1][1] >= high:
                begin, tall = stack.pop()
                if tall * (x - begin) > best[0]:
                    top = y - tall + 2
                    best = (
                        tall * (x - begin),
                        (top, begin + 1, top + down, begin + 1 + across, tall, x - begin),
                    )
            stack.append((begin, high))
    return best


TASK = Fields(rows=44, columns=50, size=20, blocks=5, high=9, wide=10, flips=3)
build = TASK.build
