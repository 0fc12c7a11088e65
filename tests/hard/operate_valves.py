"""Pipes that cross each other in a plan, with valves on them: what the control system must know of each pipe."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .drawing import Point, circle
from .look_tracks import EDGE, Place, Tile, Tracks, track
from .operate_patch import GROUND, INK, drawn
from .photographed import OTHER, as_rows, judge_rows, pictured, shown

DESCRIPTION = (
    "Can an agent write down where pipes lead and which valves they have, by a plan on which they cross?"
)
TAGS = ["hard", "vision", "agent"]

BOARD = Tracks(columns=13, rows=12, side=72, asked=10_000)
OTHERS = 2 * OTHER  # not the boards of operate_patch
# Of the pieces with room for a valve; from a valve to other pipes, in thirds of a tile; of a piece.
FULL, CLEAR, STEPS = 0.48, 0.42, 12
RADIUS, TURNED = 5.5, {"O": "O", "C": "C", ">": "<", "<": ">"}
QUESTION = f"""The picture is a plan of our pipes as they are now. They leave it at its four sides, at the ends T1 to T{2 * BOARD.columns} along the top and B1 to B{2 * BOARD.columns} along the bottom, from left to right, L1 to L{2 * BOARD.rows} along the left and R1 to R{2 * BOARD.rows} along the right, from top
to bottom; only every second name is written. Each pipe leads from one end to another one. Pipes bend smoothly: where two cross, each goes on smoothly, and they have nothing to do with each other. There are no corners or forks. Closed loops are not asked for.

Small signs on the pipes are valves: an empty circle is an open valve (O), a filled circle a closed one (C), and a filled triangle is a non-return valve, which lets water flow only in the direction in which it points.

In the folder, pipes.txt has a line for each pipe: one of its ends and two question marks. Replace the first one by the pipe's other end, and the second one by its valves in the order in which one meets them on the way from the end that begins the line to the other end:
O and C as above, > for a non-return valve that points in the direction of this way, and < for one that points against it; or a single - if there is no valve. A line could be `L7 B12 O>C<`. The picture is not in the folder; you have a shell. All lines must be right."""
Valve = tuple[
    int, bool, str
]  # the step at which it is, whether it points to the second end of the piece, and its kind


def room(tile: Tile, pair: tuple[int, int]) -> int | None:
    """The step of a piece that is furthest from all other pipes; None if there is not enough room."""
    others = [step for way in tile if way != pair for step in track(*way, STEPS)]
    steps = track(*pair, STEPS)
    far, best = max((min(math.dist(steps[n], each) for each in others), n) for n in range(4, STEPS - 3))
    return best if far >= CLEAR else None


@cache
def valves(seed: int) -> Mapping[tuple[int, int, tuple[int, int]], Valve]:
    """The valves by column, row and piece."""
    chance, found = random.Random(f"valves {seed}"), {}
    for (column, row), tile in BOARD.board(OTHERS + seed).items():
        for pair in tile:
            step = room(tile, pair)
            if chance.random() < FULL and step is not None:
                found[column, row, pair] = step, chance.random() < 0.5, chance.choice("OC>>")
    return found


def followed(seed: int, begin: Place) -> tuple[Place, str]:
    """Where a pipe comes out, and its valves on the way."""
    board, place, met = BOARD.board(OTHERS + seed), begin, ""
    while True:
        at = place[:2]
        pair = next(pair for pair in board[at] if place[2] in pair)
        if (*at, pair) in valves(seed):
            _, forward, kind = valves(seed)[*at, pair]
            met += kind if forward == (place[2] == pair[0]) else TURNED[kind]
        last = (*at, sum(pair) - place[2])
        place = BOARD.beyond(last)
        if place[:2] not in board:
            return last, met or "-"


@cache
def begins(seed: int) -> Sequence[str]:
    """The ends that begin the lines."""
    return sorted(BOARD.wanted(OTHERS + seed), key=lambda name: (name[0], int(name[1:])))


@cache
def wanted(seed: int) -> Mapping[str, str]:
    """The right lines."""
    outer = BOARD.outer()
    places, found = {name: place for place, name in outer.items()}, {}
    for name in begins(seed):
        last, met = followed(seed, places[name])
        found[name] = f"{outer[last]} {met}"
    return found


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    return {"pipes.txt": as_rows(dict.fromkeys(begins(seed), "? ?"))}


@cache
def picture(seed: int) -> bytes:
    """The plan."""
    canvas = drawn(BOARD, OTHERS + seed, GROUND, STEPS)
    for (column, row, pair), (step, forward, kind) in valves(seed).items():

        def at(point: Point, column: int = column, row: int = row) -> Point:
            return EDGE + BOARD.side * (column + point[0] / 3), EDGE + BOARD.side * (row + point[1] / 3)

        (ax, ay), (x, y), (bx, by) = (at(each) for each in track(*pair, STEPS)[step - 1 : step + 2])
        far = math.dist((ax, ay), (bx, by)) * (1 if forward else -1)
        u, v = (bx - ax) / far, (by - ay) / far
        if kind == ">":
            base = [(x - 5 * u - side * v, y - 5 * v + side * u) for side in (-5, 5)]
            canvas.area([[(x + 9 * u, y + 9 * v), *base]], INK)
        else:
            canvas.area([circle(x, y, RADIUS, 24)], INK)
            canvas.area([circle(x, y, RADIUS - 2, 24)], GROUND if kind == "O" else INK)
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("pipes.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
