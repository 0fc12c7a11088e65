"""The map of a cave of a thousand cells, some of whose walls are wrong, and the drawing it was typed from."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .drawing import Canvas
from .mended import mended, program

DESCRIPTION = "Can an agent mend the walls of a map by a fine drawing of it?"
TAGS = ["hard", "vision", "agent"]

WIDE, HIGH, CELL, EDGE = 40, 26, 25, 36  # cells; pixels
# the part of the sides between cells that are walls; sides that the map has wrong
FULL, WRONG = 0.5, 60
INK, POST, NAME = "#1c1c1c", "#9aa2ac", "#c81e1e"
COMMAND = "python3 cave.py"
TASK = f"""cave (README.md) is the core of a game. Players write: "The cave is not the one of your drawing! I walk through walls, and where I should come through there are some." The drawing is the
picture; it is not in the folder. It is right, but whoever typed map.txt from it left out walls, and put others where there are none. Mend map.txt by the drawing: hidden commands decide, and every wall must be right. The rest of the program
is right.

The drawing shows the {WIDE} columns and {HIGH} rows of cells from above. Grey dots are the corners of the cells; a black line between two of them is a wall, and where there is no line there is none. Walls stand all around. The
numbers at the sides count the columns and rows."""
Wall = tuple[
    int, int, int
]  # 0 for the right side of a cell and 1 for its lower one; its column and row, from 0


def sides() -> list[Wall]:
    """All sides between two cells."""
    found = [(0, x, y) for y in range(HIGH) for x in range(WIDE - 1)]
    return found + [(1, x, y) for y in range(HIGH - 1) for x in range(WIDE)]


@cache
def walls(seed: int) -> frozenset[Wall]:
    """The walls inside."""
    chance = random.Random(f"walls {seed}")
    return frozenset(side for side in sides() if chance.random() < FULL)


@cache
def typed(seed: int) -> frozenset[Wall]:
    """The walls of the map as it is."""
    return walls(seed) ^ set(random.Random(f"walls typed {seed}").sample(sides(), WRONG))


def map_of(its: frozenset[Wall]) -> str:
    """The file of a map."""
    lines = [
        list("+ " * WIDE + "+") if n % 2 == 0 else list(" " * (2 * WIDE + 1)) for n in range(2 * HIGH + 1)
    ]
    for way, x, y in its:
        lines[2 * y + 1 + way][2 * x + 2 - way] = "-" if way else "|"
    for x in range(WIDE):
        lines[0][2 * x + 1] = lines[-1][2 * x + 1] = "-"
    for y in range(HIGH):
        lines[2 * y + 1][0] = lines[2 * y + 1][-1] = "|"
    return "".join("".join(line) + "\n" for line in lines)


@cache
def picture(seed: int) -> bytes:
    """The drawing."""
    canvas = Canvas(2 * EDGE + WIDE * CELL, 2 * EDGE + HIGH * CELL)

    def bar(left: int, top: int, right: int, bottom: int, colour: str = INK) -> None:
        """Two pixels about the way from a corner to a corner."""
        for y in range(EDGE + CELL * top - 1, EDGE + CELL * bottom + 1):
            canvas.span(y, EDGE + CELL * left - 1, EDGE + CELL * right + 1, colour)

    for way, x, y in walls(seed):
        bar(x + 1 - way, y + way, x + 1, y + 1)
    for line in ((0, 0, WIDE, 0), (0, 0, 0, HIGH), (WIDE, 0, WIDE, HIGH), (0, HIGH, WIDE, HIGH)):
        bar(*line)
    for y in range(HIGH + 1):
        for x in range(WIDE + 1):
            at, top = EDGE + CELL * x, EDGE + CELL * y
            for row in range(top - 2, top + 2):
                canvas.span(row, at - 2, at + 2, POST)
    for n in range(5, WIDE + 1, 5):
        for middle in (EDGE / 2, canvas.height - EDGE / 2):
            canvas.text(EDGE + CELL * (n - 0.5), middle, str(n), NAME)
    for n in range(5, HIGH + 1, 5):
        for middle in (EDGE / 2, canvas.width - EDGE / 2):
            canvas.text(middle, EDGE + CELL * (n - 0.5), str(n), NAME)
    return canvas.png()


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its map."""
    return {**program("repair_walls"), "map.txt": map_of(typed(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """A look at each cell, and walks."""
    chance, its = random.Random(f"walls cases {seed}"), walls(seed)
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

    def is_open(x: int, y: int, side: str) -> bool:
        a, b = x + steps[side][0], y + steps[side][1]
        way = int(side in "NS")
        return 0 <= a < WIDE and 0 <= b < HIGH and (way, min(x, a), min(y, b)) not in its

    cells = [(x, y) for y in range(HIGH) for x in range(WIDE)]
    looks = [f"look {x + 1} {y + 1}\n" for x, y in cells]
    seen = ["".join(side for side in steps if is_open(x, y, side)) or "none" for x, y in cells]
    walks, ends = [], []
    for begin in chance.sample(cells, 120):
        (x, y), walled, moves = begin, 0, "".join(chance.choices("NESW", k=60))
        for move in moves:
            if is_open(x, y, move):
                x, y = x + steps[move][0], y + steps[move][1]
            else:
                walled += 1
        walks.append(f"walk {begin[0] + 1} {begin[1] + 1} {moves}\n")
        ends.append(f"{x + 1} {y + 1} {walled}")
    return [("".join(looks), "\n".join(seen)), ("".join(walks), "\n".join(ends))]


def build(seed: int) -> Node:
    """The test of a seed."""
    return mended(partial(picture, seed), partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
