"""A patch panel of thin crossing cables in a photograph: the switch's configuration, socket by socket."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .drawing import Canvas, Point
from .hand import pen
from .look_tracks import EDGE, ENDS, INWARD, STUB, Tracks, track
from .photographed import OTHER, as_rows, judge_rows, pictured, shown

DESCRIPTION = "Can an agent configure a switch by a photograph of its tangled cables?"
TAGS = ["hard", "vision", "agent"]

BOARD = Tracks(columns=14, rows=13, side=66, asked=10_000)
INK, NAME, GROUND = "#1c1c1c", "#c81e1e", "#f4f1ea"
QUESTION = f"""The picture is a photograph of our patch panel. Its cables, all of the same colour, come out at the four sides; these ends are the sockets T1 to T{2 * BOARD.columns} along the top and B1 to B{2 * BOARD.columns} along the bottom, from left to right,
L1 to L{2 * BOARD.rows} along the left and R1 to R{2 * BOARD.rows} along the right, from top to bottom; only every second name is printed. Each cable joins two sockets. Cables bend smoothly: where two cross, each goes on smoothly; they have no corners, forks or ends
inside of the picture, and touch nowhere else. There may be closed loops (rubber bands), which mean nothing.

In the folder, devices.txt has a line for each socket: the socket, the device that is wired to it, and the device's number. switch.txt has a line for each socket as well, with dashes instead of what is lost. Replace the dashes, so that each line is

SOCKET DEVICE NUMBER

where DEVICE is the device at the other end of the socket's cable, and NUMBER is the number of the device at this end plus that of the device at the other end. Keep to one line for each socket. The picture is not in the folder; you have a shell. All lines must be right."""
KINDS = ("srv", "cam", "phone", "print", "door", "ap", "nas", "desk")


@cache
def cables(seed: int) -> Mapping[str, str]:
    """The socket at the other end of each socket's cable."""
    one_way = BOARD.wanted(OTHER + seed)
    return {**one_way, **{other: one for one, other in one_way.items()}}


def sockets() -> list[str]:
    """The names, side by side."""
    return sorted(BOARD.outer().values(), key=lambda name: (name[0], int(name[1:])))


@cache
def devices(seed: int) -> Mapping[str, tuple[str, int]]:
    """The device behind each socket, and its number."""
    chance, names = random.Random(f"patch {seed}"), sockets()
    marks, numbers = chance.sample(range(100, 1000), len(names)), chance.sample(range(1000, 9000), len(names))
    return {
        name: (f"{chance.choice(KINDS)}{mark}", number)
        for name, mark, number in zip(names, marks, numbers, strict=True)
    }


def lines(seed: int, joined: Mapping[str, str]) -> dict[str, str]:
    """The lines of switch.txt by socket, if these sockets are joined."""
    at = devices(seed)
    return {
        name: f"{at[joined[name]][0]} {at[name][1] + at[joined[name]][1]}"
        for name in sockets()
        if name in joined
    }


def wanted(seed: int) -> dict[str, str]:
    """The right ones."""
    return lines(seed, cables(seed))


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    known = {name: f"{device} {number}" for name, (device, number) in devices(seed).items()}
    return {"devices.txt": as_rows(known), "switch.txt": as_rows(dict.fromkeys(known, "- -"))}


def drawn(board: Tracks, seed: int, ground: str, steps: int = 12) -> Canvas:
    """The tracks of a board without the lines between its tiles, and the names of every second end."""
    side, ink = board.side, bytes.fromhex(INK[1:]) * 2
    canvas = Canvas(board.columns * side + 2 * EDGE, board.rows * side + 2 * EDGE, ground)

    def at(column: int, row: int, point: Point) -> Point:
        return EDGE + side * (column + point[0] / 3), EDGE + side * (row + point[1] / 3)

    for (column, row), tile in board.board(seed).items():
        for pair in tile:
            pen(canvas, [at(column, row, step) for step in track(*pair, steps)], ink)
    for (column, row, end), name in board.outer().items():
        (x, y), (u, v) = at(column, row, ENDS[end]), INWARD[end]
        pen(canvas, [(x, y), (x - STUB * u, y - STUB * v)], ink)
        if int(name[1:]) % 2:
            away = STUB + (11 if v else 24)
            canvas.text(x - away * u, y - away * v, name, NAME)
    return canvas


@cache
def picture(seed: int) -> bytes:
    """The photograph."""
    return drawn(BOARD, OTHER + seed, GROUND).png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("switch.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
