"""A map of two dozen ragged shires on a fine grid: how far each is from a square, by its perimeter and its area."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from functools import cache, partial
from heapq import heappop, heappush
from itertools import product

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas
from .mosaic import lay

DESCRIPTION = "Can the model measure the areas and the perimeters of ragged shires on a map?"
TAGS = ["hard", "vision", "geometry"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE = 14  # pixels around the map
FINE, BORDER = "#cdd3da", "#1a1a20"
QUESTION = """The picture shows a map of {count} shires, {first} to {last}, on a grid of squares. Bold black lines are borders, thin grey lines only help with counting. A shire is all that can be reached from its letter without crossing a border, through the
sides of squares.

For each shire let a be its area in squares, and p its perimeter: the length of all its borders in sides of squares, also along the edge of the map and, if there are any, around other shires that it encloses. Compute p squared less 16 times
a, which is 0 for a square. End your reply with {count} lines such as

A: 1424
B: 900"""

Cell = tuple[int, int]
BESIDE = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class Shires:
    """A map of `columns` by `rows` squares of `size` pixels; shires begin on `across` by `down` places."""

    columns: int
    rows: int
    size: int
    across: int
    down: int

    @property
    def names(self) -> str:
        """The shires' letters."""
        return LETTERS[: self.across * self.down]

    @cache  # noqa: B019 - there is one of them
    def map(self, seed: int) -> tuple[dict[str, Cell], dict[Cell, str]]:
        """The square of each letter, and the shire of each square: each takes the lightest square beside it in turn."""
        chance = random.Random(f"shires {seed}")
        begins: dict[str, Cell] = {}
        for n, name in enumerate(self.names):
            x, y = n % self.across + chance.uniform(0.2, 0.8), n // self.across + chance.uniform(0.2, 0.8)
            begins[name] = int(x * self.columns / self.across), int(y * self.rows / self.down)
        weights = {cell: chance.random() for cell in product(range(self.columns), range(self.rows))}
        shires = {cell: name for name, cell in begins.items()}
        edges = {name: [(0.0, cell)] for name, cell in begins.items()}
        turns = deque(self.names)
        while turns:
            name = turns.popleft()
            edge = edges[name]
            while edge:
                weight, (x, y) = heappop(edge)
                own = sum(shires.get((x + a, y + b)) == name for a, b in BESIDE)
                if own > 1 and weight < 1:  # later, since shires shall be ragged
                    heappush(edge, (weight + 1, (x, y)))
                elif shires.setdefault((x, y), name) == name:
                    for at in ((x + a, y + b) for a, b in BESIDE):
                        if at in weights and at not in shires:
                            heappush(edge, (weights[at], at))
                    turns.append(name)
                    break
        return begins, shires

    @cache  # noqa: B019 - as above
    def wanted(self, seed: int) -> dict[str, int]:
        """The number of each shire."""
        _, shires = self.map(seed)
        area, perimeter = dict.fromkeys(self.names, 0), dict.fromkeys(self.names, 0)
        for (x, y), name in shires.items():
            area[name] += 1
            perimeter[name] += sum(shires.get((x + a, y + b)) != name for a, b in BESIDE)
        return {name: perimeter[name] ** 2 - 16 * area[name] for name in self.names}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The map."""
        size, (begins, shires) = self.size, self.map(seed)
        canvas = Canvas(2 * EDGE + self.columns * size, 2 * EDGE + self.rows * size)

        def tile(x: int, y: int) -> Canvas:
            here, before, above, across = (
                shires.get((x - a, y - b)) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1))
            )
            left, top = here != before, here != above
            return self._tile(left, top, left or top or here != across)

        lay(canvas, EDGE, EDGE, ([tile(x, y) for x in range(self.columns)] for y in range(self.rows)))
        right, low = EDGE + self.columns * size, EDGE + self.rows * size
        for y in range(EDGE, low + 3):
            canvas.span(y, EDGE if y >= low else right, right + 3, BORDER)
        for name, (x, y) in begins.items():
            canvas.text(EDGE + (x + 0.5) * size + 1, EDGE + (y + 0.5) * size + 1, name, "#c81e1e")
        return canvas.png()

    @cache  # noqa: B019 - as above
    def _tile(self, left: bool, top: bool, corner: bool) -> Canvas:
        """A square with lines or borders at its left and its top, and what else there is of borders between these."""
        tile, size = Canvas(self.size, self.size), self.size
        tile.rectangle(0, 0, size, 1, FINE)
        tile.rectangle(0, 0, 1, size, FINE)
        for drawn, right, low in ((left, 3, size), (top, size, 3), (corner, 3, 3)):
            if drawn:
                tile.rectangle(0, 0, right, low, BORDER)
        return tile

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(count=len(self.names), first=self.names[0], last=self.names[-1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Shires(columns=64, rows=58, size=16, across=6, down=4)
build = TASK.build
