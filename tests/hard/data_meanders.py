"""A map of sixty ditches that cross each other, and a table of their gates: what does each farm owe?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .drawing import INK, Canvas, Point
from .hand import pen
from .look_tracks import EDGE, ENDS, INWARD, NAME, STUB, Tracks, track

DESCRIPTION = "Can an agent follow the ditches of a map from gate to gate, and share out what they cost?"
TAGS = ["hard", "vision", "agent"]

# As in look_tracks, without lines between tiles.
BOARD = Tracks(columns=15, rows=15, side=58, asked=10_000)
FARMS = ("ASHBY", "BARROW", "COLNE", "DERWENT", "EDALE", "FOXTON", "GLOSSOP", "HATHER", "IRBY", "KILBURN")
TASK = f"""The picture is a map of ditches between gates. The gates lie at the four sides of the map; their names are T1 to T{2 * BOARD.columns} along the top and B1 to B{2 * BOARD.columns} along the bottom, from left to right, L1 to
L{2 * BOARD.rows} along the left and R1 to R{2 * BOARD.rows} along the right, from top to bottom; only every second name is written. Each ditch joins two gates, and has no corner, fork or end inside. Where two ditches cross (never at
a sharp angle, and never three at one point) each goes on smoothly. There may be rings without a gate, too; they do not matter.

In your folder, gates.csv says of each gate to which farm it belongs, and how many inches wide it is. What is due for a ditch is the product of the widths of its two gates, in pence; and a farm pays for each of its gates what
is due for the ditch that ends there, even if it pays twice for the same ditch.

How many pence does each farm pay? {ending(FARMS)}"""

Ditches = Mapping[str, str]


@cache
def ditches(seed: int) -> Ditches:
    """The gate at the other end for each gate."""
    found = BOARD.wanted(OTHER + seed)
    return {**found, **{other: one for one, other in found.items()}}


@cache
def gates(seed: int) -> Mapping[str, tuple[str, int]]:
    """The farm and the width of each gate; no two are as wide."""
    chance, names = random.Random(f"meanders {seed}"), list(BOARD.outer().values())
    order = "TBLR"
    names.sort(key=lambda name: (order.index(name[0]), int(name[1:])))
    farms = chance.sample(FARMS * (len(names) // len(FARMS)), len(names))
    return dict(zip(names, zip(farms, chance.sample(range(31, 300), len(names)), strict=True), strict=True))


@cache
def picture(seed: int) -> bytes:
    """The map."""
    side, ink = BOARD.side, bytes.fromhex(INK[1:]) * 2
    canvas = Canvas(BOARD.columns * side + 2 * EDGE, BOARD.rows * side + 2 * EDGE)

    def at(column: int, row: int, point: Point) -> Point:
        return EDGE + side * (column + point[0] / 3), EDGE + side * (row + point[1] / 3)

    for (column, row), tile in BOARD.board(OTHER + seed).items():
        for pair in tile:
            pen(canvas, [at(column, row, step) for step in track(*pair, 14)], ink)
    for (column, row, end), name in BOARD.outer().items():
        (x, y), (u, v) = at(column, row, ENDS[end]), INWARD[end]
        pen(canvas, [(x, y), (x - STUB * u, y - STUB * v)], ink)
        if int(name[1:]) % 2:
            away = STUB + (11 if v else 24)
            canvas.text(x - away * u, y - away * v, name, NAME)
    return canvas.png()


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    return {"gates.csv": table("gate,farm,inches", ((name, *its) for name, its in gates(seed).items()))}


def paid(seed: int, other: Ditches) -> dict[str, int]:
    """What the farms pay if these are the ditches."""
    found = dict.fromkeys(FARMS, 0)
    for name, (farm, wide) in gates(seed).items():
        found[farm] += wide * gates(seed)[other[name]][1]
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return paid(seed, ditches(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
