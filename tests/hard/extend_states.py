"""A machine of states, whose fifty-two arrows cross on a whiteboard, is to be added to a program."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .drawing import Canvas, Point
from .extended import OTHER, work
from .hand import pen
from .look_tracks import ENDS, INWARD, Tracks, track

DESCRIPTION = "Can an agent add a machine to a program, whose arrows it must follow through a drawing?"
TAGS = ["hard", "vision", "agent"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE, STUB, FAR, LABEL = (
    44,
    8,
    17,
    "#c81e1e",
)  # pixels: to the board; of a line outside of it, and a longer one
BOARD = Tracks(columns=14, rows=12, side=72, asked=10_000)
COMMAND = "python3 relay.py"
QUESTION = """In this folder is relay, a small Python program that runs machines of states; README.md has its rules. The picture shows a whiteboard with a new machine, which is not in the folder. Add it under the name signal, as machines/signal.txt.

The machine has the 26 states A to Z and the inputs 0 and 1; its start is {start}. Each of its 52 arrows is a thin black line between two red labels at the sides of the picture. A label of a letter and a digit, such as {start}0, is where
an arrow begins: the one that leaves state {start} with input 0. The label at its other end is the letter alone of the state to which it leads. Several arrows may lead to the same state, and an arrow may lead back to its own.
Lines bend smoothly, without corners or forks; where two cross, steeply, each goes on smoothly, and they touch nowhere else. Closed rings belong to no arrow. At the top and at the bottom the labels stand in two rows.

Everything in README.md must go on to hold, for the other machines as well. Hidden commands try every arrow, and all their answers must be right. The program is run as `python3 relay.py` in this folder."""

Arrows = Mapping[tuple[str, str], str]


@dataclass(frozen=True)
class Drawn:
    """The machine, and what is written at each end of a track."""

    start: str
    arrows: Arrows
    labels: Mapping[str, str]


@cache
def drawn(seed: int) -> Drawn:
    """The whiteboard of a seed."""
    chance = random.Random(f"extend states {seed}")
    leaving = [letter + digit for letter in LETTERS for digit in "01"]
    chance.shuffle(leaving)
    arrows, labels = {}, {}
    for name, ends in zip(leaving, BOARD.wanted(OTHER + seed).items(), strict=True):
        to = chance.choice(LETTERS)
        begin, end = chance.sample(ends, 2)
        arrows[name[0], name[1]] = labels[end] = to
        labels[begin] = name
    return Drawn(chance.choice(LETTERS), arrows, labels)


def at(place: tuple[int, ...], point: Point) -> Point:
    """Where a point of a tile is in the picture."""
    return EDGE + BOARD.side * (place[0] + point[0] / 3), EDGE + BOARD.side * (place[1] + point[1] / 3)


@cache
def picture(seed: int) -> bytes:
    """The whiteboard."""
    canvas = Canvas(BOARD.columns * BOARD.side + 2 * EDGE, BOARD.rows * BOARD.side + 2 * EDGE)
    ink, labels = bytes.fromhex("1c1c1c") * 2, drawn(seed).labels
    for place, tile in BOARD.board(OTHER + seed).items():
        for pair in tile:
            pen(canvas, [at(place, step) for step in track(*pair, 14)], ink)
    for (column, row, end), name in BOARD.outer().items():
        (x, y), (u, v) = at((column, row), ENDS[end]), INWARD[end]
        stub = FAR + STUB if v and int(name[1:]) % 2 == 0 else STUB
        pen(canvas, [(x, y), (x - stub * u, y - stub * v)], ink)
        away = stub + (9 if v else 4)
        canvas.text(x - away * u, y - away * v, labels[name], LABEL, 2, 0.5 if v else (1 + u) / 2)
    return canvas.png()


def listed(machine: str, arrows: Arrows, start: str) -> str:
    """The file of a machine."""
    lines = [f"{state} {given} {to}" for (state, given), to in arrows.items()]
    return "\n".join([f"# {machine}", f"start {start}", *lines, ""])


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Each arrow alone, long ways, arrows into states, and the machines that were there before."""
    found, chance = drawn(seed), random.Random(f"extend states cases {seed}")
    scripts: list[list[tuple[str, str]]] = [
        [(f"from signal {a} {n}", f"{a} {found.arrows[a, n]}") for a in half for n in "01"]
        for half in (LETTERS[:9], LETTERS[9:18], LETTERS[18:])
    ]
    into = []
    for state in LETTERS:
        here = sorted(f"{a}:{n}" for (a, n), to in found.arrows.items() if to == state)
        into.append((f"INTO signal {state.lower()}", " ".join(here) or "none"))
    scripts.append(into)
    runs = []
    for _ in range(6):
        inputs, passed = "".join(chance.choice("01") for _ in range(30)), [found.start]
        for given in inputs:
            passed.append(found.arrows[passed[-1], given])
        runs.append((f"run signal {inputs}", " ".join(passed)))
    scripts += [runs, [*OLD, ("list", "door 3, lift 5, signal 26")]]
    return [tuple("\n".join(side) for side in zip(*script, strict=True)) for script in scripts]  # type: ignore[misc]


OLD = [
    ("run door 1101", "IDLE OPEN SHUT IDLE OPEN"),
    ("into door open", "IDLE:1 OPEN:0 SHUT:1"),
    ("run lift 11022", "LOW RISE HIGH SINK HALT HALT"),
    ("way lift LOW HALT", "12"),
    ("way lift high high", "-"),
    ("way door SHUT OPEN", "1"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    question = QUESTION.format(start=drawn(seed).start)
    return work("extend_states", partial(picture, seed), question, COMMAND, partial(cases, seed))
