"""A maze that falls apart into several parts, and letters to be assigned to them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words
from .drawing import Canvas

DESCRIPTION = "Can the model tell from a drawn maze which places can be reached from which?"
TAGS = ["hard", "vision", "tracing"]

EDGE = 20
QUESTION = """The picture shows a maze from above. Black lines are walls, which nobody can pass. {doors} places in it are marked by red numbers, 1 to
{doors}, and {count} by blue letters, A to {last}. Each letter can be reached from exactly one of the numbers: the others are behind walls, whatever way
one takes. Some ways are blind, and no way leads around the outer wall.

From which number can each letter be reached? End your reply with {count} lines such as

A: 3
B: 1"""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Maze:
    """Open sides between cells, and where numbers and letters stand."""

    open: frozenset[tuple[Cell, Cell]]
    numbers: dict[str, Cell]
    letters: dict[str, Cell]
    part: dict[Cell, str]  # the number of each cell's part


@dataclass(frozen=True)
class Mazes:
    """Mazes of `wide` by `high` cells of `cell` pixels, in as many parts as `doors`, with two of `letters` in each."""

    wide: int
    high: int
    cell: int
    doors: int
    letters: str
    scale: int = 2  # of the signs
    wall: float = 3.0  # pixels

    def near(self, cell: Cell) -> list[Cell]:
        """The neighbours of a cell."""
        x, y = cell
        return [
            (a, b)
            for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if 0 <= a < self.wide and 0 <= b < self.high
        ]

    @cache  # noqa: B019 - there are two of them
    def maze(self, seed: int) -> Maze:
        """Trees that grow into each other until the whole area is full; each has one number and two letters."""
        chance = random.Random(f"maze {seed}")
        while True:
            cells = [(x, y) for y in range(self.high) for x in range(self.wide)]
            roots = chance.sample(cells, self.doors)
            part = {root: str(number) for number, root in enumerate(roots, 1)}
            open_sides: set[tuple[Cell, Cell]] = set()
            tips = {number: [root] for number, root in zip(part.values(), roots, strict=True)}
            deep = dict.fromkeys(roots, 0)
            while any(tips.values()):
                number = chance.choice([each for each, its in tips.items() if its])
                # mostly the newest cell goes on, so that ways are long
                place = -1 if chance.random() < 0.8 else chance.randrange(len(tips[number]))
                cell = tips[number][place]
                free = [each for each in self.near(cell) if each not in part]
                if not free:
                    tips[number].pop(place)
                    continue
                step = chance.choice(free)
                part[step], deep[step] = number, deep[cell] + 1
                open_sides |= {(cell, step), (step, cell)}
                tips[number].append(step)
            sizes = [list(part.values()).count(number) for number in tips]
            if min(sizes) < self.wide * self.high // (2 * self.doors):
                continue
            places: list[Cell] = []
            for number in tips:
                far = [cell for cell in cells if part[cell] == number and deep[cell] >= 18]
                places += chance.sample(far, min(len(far), len(self.letters) // self.doors))
            if len(places) == len(self.letters):
                chance.shuffle(places)
                numbers = dict(zip(tips, roots, strict=True))
                letters = dict(zip(self.letters, places, strict=True))
                return Maze(frozenset(open_sides), numbers, letters, part)

    def wanted(self, seed: int) -> dict[str, str]:
        """The number of each letter."""
        found = self.maze(seed)
        return {letter: found.part[cell] for letter, cell in found.letters.items()}

    def picture(self, seed: int) -> bytes:
        """The maze from above."""
        found, size = self.maze(seed), self.cell
        canvas = Canvas(2 * EDGE + size * self.wide, 2 * EDGE + size * self.high)
        half = self.wall / 2

        def wall(left: float, top: float, right: float, bottom: float) -> None:
            canvas.rectangle(
                EDGE + size * left - half,
                EDGE + size * top - half,
                EDGE + size * right + half,
                EDGE + size * bottom + half,
            )

        for y in range(self.high):
            for x in range(self.wide):
                if ((x, y), (x + 1, y)) not in found.open:
                    wall(x + 1, y, x + 1, y + 1)
                if ((x, y), (x, y + 1)) not in found.open:
                    wall(x, y + 1, x + 1, y + 1)
        wall(0, 0, self.wide, 0)
        wall(0, 0, 0, self.high)
        for named, colour in ((found.numbers, "#c81e1e"), (found.letters, "#1f4fc8")):
            for name, (x, y) in named.items():
                canvas.text(EDGE + size * (x + 0.5), EDGE + size * (y + 0.5), name, colour, self.scale)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(doors=self.doors, count=len(self.letters), last=self.letters[-1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


TASK = Mazes(wide=34, high=26, cell=29, doors=7, letters="ABCDEFGHIJKLMN")
build = TASK.build
