"""Jobs on two lines whose changeovers depend on what came before: the cheapest next job leads into dear ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import add
from string import ascii_uppercase

from evaluator import *

from .optima import Optima

DESCRIPTION = "Can the model divide and order jobs on two lines so that all is done as early as it can be?"
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """{jobs} jobs, {names}, are to be done on two lines that are alike. Each job is done on one of them, and a line does one job at a time. These are the minutes that each job takes:

    {minutes}

Before each job a line is set up. How many minutes that takes depends on the job that the line did before; this table has a row for each job that was done before, a column for each job that is
to be done next, and a row "first" for the job that a line does first:

{table}

Divide the jobs between the lines and choose their order on each, so that the line that is done last is done as early as possible, counted from the beginning of the first setups. Setups and
jobs follow each other without a break. Work it out without running any code. It passes only if no other choice is done earlier. End your reply with a line that begins with "Answer:" and has the
jobs of one line in their order, a slash, and those of the other line, such as "Answer: {example}"."""

NEVER = 10**6


@dataclass(frozen=True)
class Plant:
    """The minutes of each job, of the setups from one job (row) to another, and of the setups of first jobs."""

    minutes: tuple[int, ...]
    setups: tuple[tuple[int, ...], ...]
    first: tuple[int, ...]

    def ends(self, order: Sequence[int]) -> int:
        """When a line is done."""
        setups = sum(self.setups[one][two] for one, two in pairwise(order))
        return sum(self.minutes[job] for job in order) + setups + (self.first[order[0]] if order else 0)

    def greedy(self) -> list[list[int]]:
        """The lines, if the one that is free first always takes the job with the shortest setup."""
        lines: list[list[int]] = [[], []]
        while left := [job for job in range(len(self.minutes)) if job not in lines[0] + lines[1]]:
            line = min(lines, key=self.ends)
            setups = self.setups[line[-1]] if line else self.first
            line.append(min(left, key=setups.__getitem__))
        return lines


@dataclass(frozen=True)
class Changeovers(Optima[Plant]):
    """Plants with so many jobs of `low` to `high` minutes and setups of 1 to `most`. Taken are those where the greedy way is a share of
    `miss` too late at least."""

    jobs: int
    low: int
    high: int
    most: int
    miss: float

    WORD = r"(?<![a-z])[A-Z](?![a-z])|[/|;]"

    def drawn(self, chance: random.Random) -> Plant:
        jobs = range(self.jobs)
        minutes = tuple(chance.randint(self.low, self.high) for _ in jobs)
        setups = tuple(tuple(0 if a == b else chance.randint(1, self.most) for b in jobs) for a in jobs)
        return Plant(minutes, setups, tuple(chance.randint(1, self.most) for _ in jobs))

    def misleads(self, plant: Plant, least: int) -> bool:
        return max(map(plant.ends, plant.greedy())) >= least * (1 + self.miss)

    def best(self, plant: Plant) -> list[str]:
        """When each set of jobs is done by one line, by the job that is last; then the best set and its rest."""
        columns = list(zip(*plant.setups, strict=True))
        never = [NEVER] * self.jobs
        done = [never]
        for mask in range(1, 1 << self.jobs):
            its = list(never)
            for job, column in enumerate(columns):
                if mask >> job & 1:
                    rest = mask ^ 1 << job
                    setup = min(map(add, done[rest], column)) if rest else plant.first[job]
                    its[job] = setup + plant.minutes[job]
            done.append(its)
        every = (1 << self.jobs) - 1
        ends = [0, *map(min, done[1:])]
        mask = min(range(1 << self.jobs - 1), key=lambda mask: max(ends[mask], ends[every ^ mask]))
        lines = []
        for left in (mask, every ^ mask):
            order: list[int] = []
            while left:
                ends_at = [*done[left]]
                if order:
                    ends_at = [end + row[order[0]] for end, row in zip(ends_at, plant.setups, strict=True)]
                order.insert(0, ends_at.index(min(ends_at)))
                left ^= 1 << order[0]
            lines.append([ascii_uppercase[job] for job in order])
        return [*lines[0], "/", *lines[1]]

    def cost(self, plant: Plant, words: Sequence[str]) -> int | None:
        lines: list[list[int]] = [[]]
        for word in words:
            if word in ascii_uppercase:
                lines[-1].append(ascii_uppercase.index(word))
            else:
                lines.append([])
        if len(lines) != 2 or sorted(lines[0] + lines[1]) != list(range(self.jobs)):
            return None
        return max(map(plant.ends, lines))

    def asked(self, puzzles: Sequence[Plant]) -> str:
        (plant,) = puzzles
        names = ascii_uppercase[: self.jobs]
        rows = [f"    {'':>5}{''.join(f'{name:>4}' for name in names)}"]
        for name, row in zip(("first", *names), (plant.first, *plant.setups), strict=True):
            cells = ("." if name == other else str(each) for other, each in zip(names, row, strict=True))
            rows.append(f"    {name:>5}{''.join(f'{cell:>4}' for cell in cells)}")
        return PROMPT.format(
            jobs=self.jobs,
            names=f"{names[0]} to {names[-1]}",
            minutes=", ".join(f"{name} {each}" for name, each in zip(names, plant.minutes, strict=True)),
            table="\n".join(rows),
            example=f"{' '.join(names[::2])} / {' '.join(names[1::2])}",
        )


TASK = Changeovers("changeovers", count=1, jobs=13, low=5, high=20, most=25, miss=0.05)
build = TASK.build
