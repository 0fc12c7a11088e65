"""A maze that falls apart into several parts, and letters to be assigned to them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .answers import judge_all, same_words
from .drawing import Canvas

DESCRIPTION = "Can the model tell from a drawn maze which places can be reached from which?"
TAGS = ["hard", "vision", "tracing"]

WIDE, HIGH, CELL, EDGE = 34, 26, 29, 20
DOORS, LETTERS = 7, "ABCDEFGHIJKLMN"
QUESTION = f"""The picture shows a maze from above. Black lines are walls, which nobody can pass. {DOORS} places in it are marked by red numbers, 1 to
{DOORS}, and {len(LETTERS)} by blue letters, A to {LETTERS[-1]}. Each letter can be reached from exactly one of the numbers: the others are behind walls, whatever way
one takes. Some ways are blind, and no way leads around the outer wall.

From which number can each letter be reached? End your reply with {len(LETTERS)} lines such as

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


def near(cell: Cell) -> list[Cell]:
    """The neighbours of a cell."""
    x, y = cell
    return [
        (a, b) for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if 0 <= a < WIDE and 0 <= b < HIGH
    ]


def maze(seed: int) -> Maze:
    """Trees that grow into each other until the whole area is full; each has one number and two letters."""
    chance = random.Random(f"maze {seed}")
    while True:
        cells = [(x, y) for y in range(HIGH) for x in range(WIDE)]
        roots = chance.sample(cells, DOORS)
        part = {root: str(number) for number, root in enumerate(roots, 1)}
        open_sides: set[tuple[Cell, Cell]] = set()
        tips = {number: [root] for number, root in zip(part.values(), roots, strict=True)}
        deep = dict.fromkeys(roots, 0)
        while any(tips.values()):
            number = chance.choice([each for each, its in tips.items() if its])
            # mostly the newest cell goes on, so that ways are long
            place = -1 if chance.random() < 0.8 else chance.randrange(len(tips[number]))
            cell = tips[number][place]
            free = [each for each in near(cell) if each not in part]
            if not free:
                tips[number].pop(place)
                continue
            step = chance.choice(free)
            part[step], deep[step] = number, deep[cell] + 1
            open_sides |= {(cell, step), (step, cell)}
            tips[number].append(step)
        sizes = [list(part.values()).count(number) for number in tips]
        if min(sizes) < WIDE * HIGH // (2 * DOORS):
            continue
        places: list[Cell] = []
        for number in tips:
            far = [cell for cell in cells if part[cell] == number and deep[cell] >= 18]
            places += chance.sample(far, min(len(far), len(LETTERS) // DOORS))
        if len(places) == len(LETTERS):
            chance.shuffle(places)
            numbers = dict(zip(tips, roots, strict=True))
            return Maze(frozenset(open_sides), numbers, dict(zip(LETTERS, places, strict=True)), part)


def wanted(seed: int) -> dict[str, str]:
    """The number of each letter."""
    found = maze(seed)
    return {letter: found.part[cell] for letter, cell in found.letters.items()}


def picture(seed: int) -> bytes:
    """The maze from above."""
    found = maze(seed)
    canvas = Canvas(2 * EDGE + CELL * WIDE, 2 * EDGE + CELL * HIGH)

    def wall(left: float, top: float, right: float, bottom: float) -> None:
        canvas.rectangle(
            EDGE + CELL * left - 1.5,
            EDGE + CELL * top - 1.5,
            EDGE + CELL * right + 1.5,
            EDGE + CELL * bottom + 1.5,
        )

    for y in range(HIGH):
        for x in range(WIDE):
            if ((x, y), (x + 1, y)) not in found.open:
                wall(x + 1, y, x + 1, y + 1)
            if ((x, y), (x, y + 1)) not in found.open:
                wall(x, y + 1, x + 1, y + 1)
    wall(0, 0, WIDE, 0)
    wall(0, 0, 0, HIGH)
    for named, colour in ((found.numbers, "#c81e1e"), (found.letters, "#1f4fc8")):
        for name, (x, y) in named.items():
            canvas.text(EDGE + CELL * (x + 0.5), EDGE + CELL * (y + 0.5), name, colour)
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), same_words))
    )
