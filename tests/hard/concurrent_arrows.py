"""A field of eighteen hundred threads, each waiting for a neighbour: which of them never go on?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import INK, Canvas
from .stamps import sheet, square

DESCRIPTION = "Can the model tell how many threads of a drawn field of waits are deadlocked, row by row?"
TAGS = ["hard", "vision", "locks"]

WAYS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]  # columns and rows
RUNS = len(WAYS)  # of a thread that waits for none
QUESTION = """Each square of the picture, in {rows} rows and {columns} columns, is a thread. An arrow means that the thread waits for its neighbour in that direction, one of eight, and goes on only when that
one has finished. A thread with a disc runs, and finishes. Threads that wait, directly or through others, for a thread with a disc will finish as well; all others are deadlocked, whether they are part of a circle
of threads that wait for each other or only wait for one. The blue lines after every fifth row and column help with counting.

How many threads of each row are deadlocked? End your reply with {rows} lines such as

1: 12
2: 7"""

Field = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Waits:
    """A field of `rows` by `columns` threads of `size` pixels, of which the part `running` runs."""

    rows: int
    columns: int
    size: int
    running: float

    @cache  # noqa: B019 - there is one of them
    def field(self, seed: int) -> Field:
        """The way of each thread. Two that wait for each other are rare, so that chains are long."""
        chance = random.Random(f"arrows {seed}")
        while True:
            rows: list[list[int]] = []
            for y in range(self.rows):
                rows.append([])
                for x in range(self.columns):
                    ways = [
                        n
                        for n, (a, b) in enumerate(WAYS)
                        if 0 <= x + a < self.columns and 0 <= y + b < self.rows
                    ]
                    calm = [
                        n
                        for n in ways
                        if WAYS[n] not in ((-1, 0), (-1, -1), (0, -1), (1, -1))
                        or rows[y + WAYS[n][1]][x + WAYS[n][0]] != (n + 4) % RUNS
                    ]
                    one = chance.choice(calm if calm and chance.random() < 0.9 else ways)
                    rows[y].append(RUNS if chance.random() < self.running else one)
            field = tuple(map(tuple, rows))
            if 0.4 < sum(map(sum, stuck(field))) / self.rows / self.columns < 0.6:
                return field

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of deadlocked threads by row."""
        return {str(y): sum(row) for y, row in enumerate(stuck(self.field(seed)), 1)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        return sheet(self.field(seed), [sign(way, self.size) for way in range(RUNS + 1)]).png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(rows=self.rows, columns=self.columns)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def sign(way: int, size: int) -> Canvas:
    """An arrow, or a disc, in a square."""
    canvas, middle = square(size), size / 2
    if way == RUNS:
        canvas.disc(middle, middle, 5, INK)
        return canvas
    angle = math.atan2(WAYS[way][1], WAYS[way][0])
    cos, sin = math.cos(angle), math.sin(angle)

    def at(along: float, across: float) -> tuple[float, float]:
        return middle + along * cos - across * sin, middle + along * sin + across * cos

    canvas.line([at(-8, 0), at(3, 0)], 2.2)
    canvas.area([[at(8, 0), at(1, 4.5), at(1, -4.5)]], INK)
    return canvas


def stuck(field: Field) -> list[list[bool]]:
    """Which threads are deadlocked: all those that no chain of waits joins to a running one."""
    ends: dict[tuple[int, int], bool] = {}
    for y, row in enumerate(field):
        for x in range(len(row)):
            at, chain = (x, y), []
            while at not in ends:
                ends[at] = True  # for now: who comes back here goes round in a circle
                chain.append(at)
                way = field[at[1]][at[0]]
                if way == RUNS:
                    ends[at] = False
                    break
                at = at[0] + WAYS[way][0], at[1] + WAYS[way][1]
            ends.update(dict.fromkeys(chain, ends[at]))
    return [[ends[x, y] for x in range(len(row))] for y, row in enumerate(field)]


TASK = Waits(rows=42, columns=44, size=22, running=0.08)
build = TASK.build
