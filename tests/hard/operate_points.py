"""The panel of a signal box with fifteen hundred sets of points: their positions, for the new control system."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .drawing import INK, Canvas, Point
from .mosaic import lay
from .photographed import as_rows, judge_rows, pictured, shown
from .stamps import BLUE, EDGE, stamp

DESCRIPTION = "Can an agent take down the positions of many points by a photograph of a panel?"
TAGS = ["hard", "vision", "agent"]

COLUMNS, ROWS, SIZE, THICK = 40, 38, 25, 2.4
QUESTION = f"""The picture is a photograph of the panel of a signal box, in which blue lines after every fifth row and column, and their numbers, help with counting. It has {ROWS} rows, 1 to {ROWS} from top to bottom, of {COLUMNS} squares each. Black lines are tracks. Each square is a set of points that joins the
middles of its four sides two by two, in one of three positions:

X: left with right, and top with bottom; the two tracks cross.
A: left with top, and right with bottom, by two arcs.
B: left with bottom, and right with top, by two arcs.

In the folder, points.txt has a line for each row, its number and a word of {COLUMNS} letters for its squares from left to right: the positions as the control system believes them to be, which is wrong in many places. Correct points.txt so that it has the
positions that the photograph shows. The picture is not in the folder; you have a shell. All lines must be right."""


@cache
def panel(seed: int) -> Sequence[str]:
    """The rows."""
    chance = random.Random(f"points of a panel {seed}")
    return ["".join(chance.choices("XAB", (2, 3, 3), k=COLUMNS)) for _ in range(ROWS)]


def believed(seed: int) -> list[str]:
    """The rows as they stand in the folder, which have nothing to do with the right ones."""
    chance = random.Random(f"points of a control system {seed}")
    return ["".join(chance.choices("XAB", (2, 3, 3), k=COLUMNS)) for _ in range(ROWS)]


def numbered(rows: Sequence[str]) -> dict[str, str]:
    """The lines of points.txt."""
    return {str(n): row for n, row in enumerate(rows, 1)}


def wanted(seed: int) -> Mapping[str, str]:
    """The right ones."""
    return numbered(panel(seed))


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    return {"points.txt": as_rows(numbered(believed(seed)))}


@cache
def square(position: str) -> Canvas:
    """A set of points."""
    canvas, half = Canvas(SIZE, SIZE, "#ffffff"), SIZE / 2

    def arc(x: float, y: float, begin: float) -> list[Point]:
        turns = (math.radians(begin + 9 * n) for n in range(11))
        return [(x + half * math.cos(turn), y + half * math.sin(turn)) for turn in turns]

    ways: dict[str, list[list[Point]]] = {
        "X": [[(0, half), (SIZE, half)], [(half, 0), (half, SIZE)]],
        "A": [arc(0, 0, 0), arc(SIZE, SIZE, 180)],
        "B": [arc(0, SIZE, 270), arc(SIZE, 0, 90)],
    }
    for way in ways[position]:
        canvas.line(way, THICK, INK)
    return canvas


@cache
def picture(seed: int) -> bytes:
    """The photograph."""
    wide, high = SIZE * COLUMNS, SIZE * ROWS
    canvas = Canvas(EDGE + wide + 8, EDGE + high + 8)
    lay(canvas, EDGE, EDGE, [[square(position) for position in row] for row in panel(seed)])
    for n in range(0, COLUMNS + 1, 5):
        stamp(canvas, EDGE + n * SIZE, EDGE, Canvas(1, high, BLUE))
    for n in {*range(0, ROWS + 1, 5), ROWS}:
        stamp(canvas, EDGE, EDGE + n * SIZE, Canvas(wide, 1, BLUE))
    for n in range(5, COLUMNS + 1, 5):
        canvas.text(EDGE + (n - 0.5) * SIZE, EDGE / 2, str(n), BLUE)
        if n <= ROWS:
            canvas.text(EDGE / 2, EDGE + (n - 0.5) * SIZE, str(n), BLUE)
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("points.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
