"""A hall of thin walls, fifteen hundred of which are there or lacking, is to be added to a program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial

from evaluator import *

from .drawing import INK, Canvas
from .extended import work

DESCRIPTION = "Can an agent add a hall to a program, whose thin walls stand as only a plan shows?"
TAGS = ["hard", "vision", "agent"]

ROWS, COLUMNS, SIZE, EDGE = 26, 30, 34, 36  # SIZE, EDGE: pixels
WALLS = 0.45  # the part of the places between two squares
LABEL, POST = "#2060d0", "#9aa4b4"
COMMAND = "python3 rover.py"
QUESTION = """In this folder is rover, a small Python program about halls with walls; README.md has its rules. The picture shows the plan of a new hall, which is not in the folder. Add it under the name depot, as halls/depot.txt.

The hall has 26 rows and 30 columns of squares; north is at the top, and blue numbers count every fifth row and column. Black lines are walls: each is one side of a square long, or several such sides in a row. A small grey post stands at each corner of squares, also behind walls; posts are no walls.
Walls stand at random: some squares may be closed all round.

Everything in README.md must go on to hold, for the other halls as well. Hidden commands try every side of every square, and all their answers must be right. The program is run as `python3 rover.py` in this folder."""


@cache
def hall(seed: int) -> Sequence[str]:
    """The hall as its file has it."""
    chance = random.Random(f"extend walls {seed}")
    return [
        "".join(
            ".esb"[
                (x < COLUMNS - 1 and chance.random() < WALLS) + 2 * (y < ROWS - 1 and chance.random() < WALLS)
            ]
            for x in range(COLUMNS)
        )
        for y in range(ROWS)
    ]


@cache
def picture(seed: int) -> bytes:
    """The plan."""
    canvas = Canvas(COLUMNS * SIZE + EDGE + 12, ROWS * SIZE + EDGE + 12)

    def box(x: int, y: int, wide: int, high: int, colour: str = INK) -> None:
        for row in range(y, y + high):
            canvas.span(row, x, x + wide, colour)

    for y in range(1, ROWS):
        for x in range(1, COLUMNS):
            box(EDGE + x * SIZE - 2, EDGE + y * SIZE - 2, 4, 4, POST)
    for y, row in enumerate(hall(seed)):
        for x, sign in enumerate(row):
            left, top = EDGE + x * SIZE - 1, EDGE + y * SIZE - 1
            if sign in "eb":
                box(left + SIZE, top, 2, SIZE + 2)
            if sign in "sb":
                box(left, top + SIZE, SIZE + 2, 2)
    for x in (0, COLUMNS):
        box(EDGE + x * SIZE - 1, EDGE - 1, 2, ROWS * SIZE + 2)
    for y in (0, ROWS):
        box(EDGE - 1, EDGE + y * SIZE - 1, COLUMNS * SIZE + 2, 2)
    for n in range(5, COLUMNS + 1, 5):
        canvas.text(EDGE + (n - 0.5) * SIZE, EDGE / 2, str(n), LABEL)
    for n in range(5, ROWS + 1, 5):
        canvas.text(EDGE / 2, EDGE + (n - 0.5) * SIZE, str(n), LABEL)
    return canvas.png()


def ahead(plan: Sequence[str], x: int, y: int) -> dict[str, tuple[int, int]]:
    """The squares beside one that no wall keeps away, by their direction."""
    found = {}
    if y and plan[y - 1][x] in ".e":
        found["n"] = x, y - 1
    if x + 1 < COLUMNS and plan[y][x] in ".s":
        found["e"] = x + 1, y
    if y + 1 < ROWS and plan[y][x] in ".e":
        found["s"] = x, y + 1
    if x and plan[y][x - 1] in ".s":
        found["w"] = x - 1, y
    return found


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Every square alone, long ways, and the old halls."""
    plan, chance = hall(seed), random.Random(f"extend walls cases {seed}")
    scripts = [
        [
            (f"open depot {y + 1} {x + 1}", "".join(ahead(plan, x, y)) or "none")
            for y in (top, top + 1)
            for x in range(COLUMNS)
        ]
        for top in range(0, ROWS, 2)
    ]
    ways = []
    for _ in range(30):
        x, y, way = chance.randrange(COLUMNS), chance.randrange(ROWS), "".join(chance.choices("nesw", k=40))
        asked = f"Drive DEPOT {y + 1} {x + 1} {way}"
        for each in way:
            x, y = ahead(plan, x, y).get(each, (x, y))
        ways.append((asked, f"{y + 1} {x + 1}"))
    walls = sum({".": 0, "e": 1, "s": 1, "b": 2}[sign] for row in plan for sign in row)
    listed = ("list", f"barn 3x4 3, depot {ROWS}x{COLUMNS} {walls}, shed 2x2 1")
    scripts += [ways, [*OLD, listed]]
    return [tuple("\n".join(side) for side in zip(*its, strict=True)) for its in scripts]  # type: ignore[misc]


OLD = [
    ("open barn 2 2", "new"),
    ("open shed 1 1", "s"),
    ("drive barn 1 1 essew", "2 2"),
    ("roll barn 3 2 nesw", "3 2"),
    ("reach barn 3 4", "12"),
    ("reach shed 1 1", "4"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    return work("extend_walls", partial(picture, seed), QUESTION, COMMAND, partial(cases, seed))
