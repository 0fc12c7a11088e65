"""The board of a game of marbles with many wrong arrows, and a picture of the right one."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .drawing import Canvas
from .exact_barbs import EDGE, Arrow, tile
from .mended import mended, program
from .sheets import lines, numbers, paste

DESCRIPTION = "Can an agent mend a board of arrows with barbs by a picture of it?"
TAGS = ["hard", "vision", "agent"]

COLUMNS, ROWS, SIZE, FULL = 32, 30, 24, 0.75  # squares; pixels; the part that bears arrows
WRONG = 56  # arrows
NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WAYS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
COMMAND = "python3 marbles.py"
TASK = f"""marbles (README.md) plays a game on a board of arrows. A player writes: "Your board is not the one of the box. Many arrows turn the wrong way, and some point in a wrong direction. Look at this picture
of the board in the box." The picture is right; it is not in the folder. Mend board.txt by it: hidden commands decide, and every square must be right. The rest of the program is right.

The picture shows the {COLUMNS} columns and {ROWS} rows of squares; the blue lines after every fifth of them help with counting. Each arrow points to one of eight sides: up, down, to the left or right, or aslant between them. It has one
barb only, a stroke half as long as its shaft that goes from the tip backwards, at its left or at its right as seen in the direction in which it points."""
Board = tuple[
    tuple[Arrow | None, ...], ...
]  # where an arrow points, clockwise from the top, and 1 for a barb at its right


@cache
def board(seed: int) -> Board:
    """The arrows row by row."""
    chance = random.Random(f"marbles {seed}")
    return tuple(
        tuple(
            (chance.randrange(8), chance.choice((1, -1))) if chance.random() < FULL else None
            for _ in range(COLUMNS)
        )
        for _ in range(ROWS)
    )


@cache
def damaged(seed: int) -> Board:
    """The arrows as they are: one in three of the wrong ones points elsewhere, the others have the wrong barb."""
    chance, found = random.Random(f"marbles damaged {seed}"), [list(row) for row in board(seed)]
    places = [(y, x) for y in range(ROWS) for x in range(COLUMNS) if found[y][x]]
    for n, (y, x) in enumerate(chance.sample(places, WRONG)):
        way, barb = found[y][x] or (0, 0)
        found[y][x] = (way, -barb) if n % 3 else ((way + chance.choice((1, 4, 7))) % 8, barb)
    return tuple(map(tuple, found))


def table(its: Sequence[Sequence[Arrow | None]]) -> str:
    """The file of a board."""
    return "".join(
        "".join(f"{each[0]}{'+' if each[1] > 0 else '-'}" if each else ".." for each in row) + "\n"
        for row in its
    )


@cache
def picture(seed: int) -> bytes:
    """The right board."""
    canvas = Canvas(EDGE + COLUMNS * SIZE + 10, EDGE + ROWS * SIZE + 10)
    for y, row in enumerate(board(seed)):
        for x, arrow in enumerate(row):
            if arrow:  # tiles count their ways from the right
                paste(canvas, tile(((arrow[0] - 2) % 8, arrow[1]), SIZE), EDGE + x * SIZE, EDGE + y * SIZE)
    lines(canvas, EDGE, EDGE, COLUMNS, ROWS, SIZE)
    numbers(canvas, EDGE, EDGE, COLUMNS, ROWS, SIZE)
    return canvas.png()


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its board."""
    return {**program("repair_marbles"), "board.txt": table(damaged(seed))}


def dropped(its: Board, column: int, row: int, steps: int) -> str:
    """Where a marble is then."""
    turned: dict[tuple[int, int], int] = {}  # how often the arrow of a square has turned
    x, y, way = column - 1, row - 1, 2
    for _ in range(steps):
        arrow = its[y][x]
        if arrow:
            way = (arrow[0] + arrow[1] * turned.get((x, y), 0)) % 8
            turned[x, y] = turned.get((x, y), 0) + 1
        x, y = x + WAYS[way][0], y + WAYS[way][1]
        if not (0 <= x < COLUMNS and 0 <= y < ROWS):
            return "out"
    return f"{x + 1} {y + 1}"


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All squares, and marbles."""
    its, chance = board(seed), random.Random(f"marbles cases {seed}")
    squares = [(x, y) for y in range(ROWS) for x in range(COLUMNS)]
    shown = [its[y][x] for x, y in squares]
    seen = [NAMES[each[0]] + "-+"[each[1] > 0] if each else "empty" for each in shown]
    drops = [(x + 1, y + 1, chance.choice((3, 5, 8, 40))) for x, y in chance.sample(squares, 200)]
    return [
        ("".join(f"show {x + 1} {y + 1}\n" for x, y in squares), "\n".join(seen)),
        (
            "".join(f"drop {x} {y} {n}\n" for x, y, n in drops),
            "\n".join(dropped(its, *each) for each in drops),
        ),
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    return mended(partial(picture, seed), partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
