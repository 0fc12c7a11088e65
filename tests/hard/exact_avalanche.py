"""Grains on cells with limits and pointers, that collapse in waves and turn their pointers: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model follow avalanches of grains over cells that turn their pointers, with every grain in its place?"
TAGS = ["hard", "reasoning", "game"]

WAYS = "nesw"
STEPS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
MOST_WAVES = 60  # after one load
Place = tuple[int, int]
PROMPT = """A table has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells. A cell holds grains and has a pointer that points up (n), right (e),
down (s) or left (w): 3e is a cell with 3 grains whose pointer points to the right. At the start:

{start}

Each cell has a limit, which never changes:

{limits}

{count} loads of {load} grains are dropped one after the other, each onto one cell. After each load there are waves, as long as there is any cell that
holds as many grains as its limit, or more. In a wave all cells that hold their limit or more at the beginning of the wave collapse at the same
time. A cell that collapses gives away all grains that it held at the beginning of the wave, one by one: the first to the neighbour that its
pointer points to; then the pointer is turned by a quarter, the next grain goes to the neighbour that it points to now, the pointer is turned again,
and so on; it is turned after the last grain too, and stays so. In the waves 1, 3, 5 and so on after a load pointers are turned clockwise (n, e, s, w, n), in
the waves 2, 4, 6 and so on the other way (n, w, s, e, n). Grains that cells get in a wave stay there and count from the next
wave on. Grains that are given over the edge of the table are lost.

The cells of the loads in their order, as row,column:

{loads}

{ending}"""


@dataclass
class Table:
    """Grains and pointers of cells, and their limits."""

    grains: dict[Place, int]
    points: dict[Place, int]
    limits: dict[Place, int]

    def drop(self, place: Place, load: int) -> int:
        """Drop a load; the number of cells that collapse, or -1 if it has no end in time."""
        self.grains[place] += load
        collapsed = 0
        for wave in range(1, MOST_WAVES):
            full = [(each, count) for each, count in self.grains.items() if count >= self.limits[each]]
            if not full:
                return collapsed
            collapsed += len(full)
            for each, _ in full:
                self.grains[each] = 0
            for each, count in full:
                self._give(each, count, 1 if wave % 2 else -1)
        return -1

    def _give(self, place: Place, count: int, turn: int) -> None:
        for _ in range(count):
            down, right = STEPS[WAYS[self.points[place]]]
            to = place[0] + down, place[1] + right
            if to in self.grains:
                self.grains[to] += 1
            self.points[place] = (self.points[place] + turn) % 4

    def rows(self, size: int) -> tuple[str, ...]:
        """Grains and pointers as the prompt writes them."""
        side = range(size)
        return tuple(" ".join(f"{self.grains[r, c]}{WAYS[self.points[r, c]]}" for c in side) for r in side)


@dataclass(frozen=True)
class Avalanches:
    """Tables of `size` rows and columns; `asked`: the loads after which the table is asked for; `collapses`: the
    fewest and the most in all; `quiet`: the most loads after which fewer than three cells collapse."""

    size: int
    load: int
    asked: tuple[int, ...]
    collapses: tuple[int, int]
    quiet: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(
        self, seed: int
    ) -> tuple[tuple[str, ...], dict[Place, int], list[Place], dict[str, tuple[str, ...]]]:
        """The table at the start, the limits, the cells of the loads, and the tables asked for."""
        places = [(row, column) for row in range(self.size) for column in range(self.size)]
        for attempt in range(10_000):
            chance = random.Random(f"avalanche {seed} {attempt}")
            limits = {each: chance.choice((3, 3, 4, 5)) for each in places}
            grains = {each: chance.randrange(limits[each]) for each in places}
            table = Table(grains, {each: chance.randrange(4) for each in places}, limits)
            start, found, counts, loads = table.rows(self.size), {}, list[int](), list[Place]()
            for number in range(1, self.asked[-1] + 1):
                loads.append((chance.randrange(1, self.size - 1), chance.randrange(1, self.size - 1)))
                counts.append(table.drop(loads[-1], self.load))
                if number in self.asked:
                    found[f"After load {number}"] = table.rows(self.size)
            enough = self.collapses[0] <= sum(counts) <= self.collapses[1]
            if min(counts) >= 0 and enough and sum(each < 3 for each in counts) <= self.quiet:
                return start, limits, loads, found
        raise ValueError(f"no table for seed {seed}")

    def wanted(self, seed: int) -> dict[str, tuple[str, ...]]:
        """The tables asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, limits, loads, _ = self.puzzle(seed)
        side = range(self.size)
        question = PROMPT.format(
            size=self.size,
            start="\n".join(f"    {row}" for row in start),
            limits="\n".join("    " + " ".join(str(limits[row, column]) for column in side) for row in side),
            count=len(loads),
            load=self.load,
            loads="    " + "  ".join(f"{row + 1},{column + 1}" for row, column in loads),
            ending=ending("load", self.asked, f"the {self.size} rows of the table as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Avalanches(size=10, load=6, asked=(6, 12, 18, 24), collapses=(700, 850), quiet=4)
build = TASK.build
