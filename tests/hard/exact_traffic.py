"""Cars of four directions on a dense town without edges, all of which move, wait and turn at once: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model move a hundred cars of a crowded town at once, turn after turn, with every car in its place?"
TAGS = ["hard", "reasoning", "game"]

WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
RIGHT = dict(zip("nesw", "eswn", strict=True))
Town = tuple[str, ...]
PROMPT = """A town has {size} rows (1 is the top) and {size} columns (1 is at the left) of crossings. A crossing is empty, which is written as a dot, or holds one
car, which is written as the letter of the way it goes: n is up, e is right, s is down, w is left. The town has no edge: the crossing after
the last one of a row is the first one of this row, and likewise in columns, both ways. A capital (N, E, S, W) is a car that goes that
way too, and stood still in the turn before. At the start:

{start}

In each turn all cars act at the same time:
- A car can go on if the next crossing in its way is empty at the beginning of the turn. If several cars could go to the same crossing, only one of
  them goes on: in turns 1, 3, 5 and so on the one that comes first in the order n, e, s, w, in turns 2, 4, 6 and so on the one that comes first in
  the order w, s, e, n. Capitals and small letters are alike in this.
- A car that goes on moves by one crossing, and its letter is a small one afterwards.
- A car that does not go on stays where it is. A small letter becomes a capital. A capital becomes the small letter of the way
  to the right of its own: N becomes e, E becomes s, S becomes w, W becomes n.

{ending}"""


@dataclass(frozen=True)
class Traffic:
    """Towns of `size` rows and columns with so many cars; `asked`: the turns after which the town is asked for."""

    size: int
    cars: int
    asked: tuple[int, ...]

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[Town, dict[str, Town]]:
        """The town at the start, and those asked for."""
        chance = random.Random(f"traffic {seed}")
        cells = [(row, column) for row in range(self.size) for column in range(self.size)]
        cars = {cell: chance.choice("nesw") for cell in chance.sample(cells, self.cars)}
        start, found = self.drawn(cars), {}
        for turn in range(1, self.asked[-1] + 1):
            cars = self.after(cars, turn)
            if turn in self.asked:
                found[f"After turn {turn}"] = self.drawn(cars)
        return start, found

    def drawn(self, cars: dict[tuple[int, int], str]) -> Town:
        """The rows of a town."""
        side = range(self.size)
        return tuple("".join(cars.get((row, column), ".") for column in side) for row in side)

    def after(self, cars: dict[tuple[int, int], str], turn: int) -> dict[tuple[int, int], str]:
        """The cars after a turn."""
        wishes: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for (row, column), car in cars.items():
            down, right = WAYS[car.lower()]
            ahead = (row + down) % self.size, (column + right) % self.size
            if ahead not in cars:
                wishes.setdefault(ahead, []).append((row, column))
        order = "nesw" if turn % 2 else "wsen"
        new, gone = {}, set()
        for ahead, cells in wishes.items():
            first = min(cells, key=lambda cell: order.index(cars[cell].lower()))
            new[ahead] = cars[first].lower()
            gone.add(first)
        for cell, car in cars.items():
            if cell not in gone:
                new[cell] = car.upper() if car.islower() else RIGHT[car.lower()]
        return new

    def wanted(self, seed: int) -> dict[str, Town]:
        """The towns asked for."""
        return self.puzzle(seed)[1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = PROMPT.format(
            size=self.size,
            start="\n".join(f"    {row}" for row in self.puzzle(seed)[0]),
            ending=ending("turn", self.asked, f"the {self.size} rows of the town as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Traffic(size=14, cars=90, asked=(8, 16, 24, 32))
build = TASK.build
