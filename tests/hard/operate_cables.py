"""A patch panel whose file of links is lost: photographs show the cables, and a log what was changed afterwards."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .data_scans import FLIPS, Page
from .drawing import Point
from .look_tracks import EDGE, ENDS, INWARD, STUB, Tracks, track

DESCRIPTION = (
    "Can an agent follow cables through photographs, and bring a file of links up to date by them and a log?"
)
TAGS = ["hard", "vision", "agent"]
REQUIRES = ["chromium"]

PANELS, OTHER = "AB", 3_000_000  # the boards are not those of look_tracks
BOARD = Tracks(columns=24, rows=22, side=60, asked=10_000)
THICK, INK, NAME = 2, "#1c1c1c", "#c81e1e"
KINDS = ("move", "swap", "cut", "undo")
QUESTION = """links.txt, the list of all cables of a patch panel, is lost. Photographs of its two parts, panelA.png and panelB.png, show how they were plugged before the last changes; changes.log has these changes, and README.md
says how both are read. Write links.txt as README.md says, as all cables are after the changes; every line is checked, and all must be right. You have a shell with Python (numpy, scipy, Pillow), and a browser in which you see
pictures of this folder."""
README = """# The panel

- A photograph shows cables of one colour. They come out at the four sides, and their ends are named from T1 along the top and B1 along the bottom, from left to right, from L1 along the left and R1 along the right, from top
  to bottom; only every second name is printed, in red. End T7 of panelB.png is socket BT7. All of these ends are plugged. There may be rings without ends, too; they belong to no cable.
- Cables bend smoothly: none has a corner, a fork or an end inside. Where two cross (never at a sharp angle, and never three at one point) each goes on smoothly. They touch nowhere else. No cable goes from one photograph to another.
- Photographs were taken carelessly: they may be upside down or seen from behind, are askew, and have specks. Specks may bite into cables.
- changes.log has a change a line, in the order in which they were made:
  - `move AL5 BT9`: the end that was plugged into AL5 was plugged into BT9 instead. If BT9 was taken, nothing was changed (nor if AL5 was free).
  - `swap AL5 BT9`: the ends in both sockets change places. If one of them was free, nothing was changed.
  - `cut AL5`: the cable with an end in AL5 was taken out, so that its other socket is free, too. If AL5 was free, nothing was changed.
  - `undo`: the last line that is not an undo and was not taken back yet is taken back, even if it had changed nothing: all is as it was before that line. Where there is none, nothing was changed.
- links.txt has a line for each cable that is left: its two sockets, in whatever order, with a blank between them, such as `AL9 AT12`. The order of the lines does not matter.
"""
Links = frozenset[frozenset[str]]


@cache
def plugged(seed: int) -> Mapping[str, str]:
    """The other socket of each, as photographed."""
    found: dict[str, str] = {}
    for n, panel in enumerate(PANELS):
        for one, other in BOARD.wanted(OTHER + 10 * seed + n).items():
            found |= {panel + one: panel + other, panel + other: panel + one}
    return found


@cache
def changes(seed: int) -> Sequence[str]:
    """The log."""
    chance, sockets = random.Random(f"cables {seed}"), sorted(plugged(seed))
    found = []
    for _ in range(160):
        kind = chance.choice(["move"] * 5 + ["swap"] * 6 + ["cut"] + ["undo"] * 4)
        found.append(" ".join([kind, *chance.sample(sockets, {"undo": 0, "cut": 1}.get(kind, 2))]))
    return found


def after(begin: Mapping[str, str], log: Sequence[str], kinds: Sequence[str] = KINDS) -> dict[str, str]:
    """What is plugged after the changes; other kinds than these are passed over."""
    states = [dict(begin)]
    for line in log:
        kind, *at = line.split()
        now = dict(states[-1])
        if kind not in kinds:
            continue
        if kind == "undo":
            if len(states) > 1:
                states.pop()
            continue
        if kind == "cut" and at[0] in now:
            del now[now.pop(at[0])]
        elif kind == "swap" and at[0] in now and at[1] in now:
            if now[at[0]] != at[1]:
                one, other = now[at[0]], now[at[1]]
                now |= {at[0]: other, other: at[0], at[1]: one, one: at[1]}
        elif kind == "move" and at[0] in now and at[1] not in now:
            end = now.pop(at[0])
            now |= {at[1]: end, end: at[1]}
        states.append(now)
    return states[-1]


def links_of(now: Mapping[str, str]) -> Links:
    """The cables."""
    return frozenset(frozenset(pair) for pair in now.items())


def photograph(seed: int, panel: int) -> bytes:
    """A part of the panel."""
    own, side = OTHER + 10 * seed + panel, BOARD.side
    chance = random.Random(f"cables photograph {own}")
    page = Page(BOARD.columns * side + 2 * EDGE + 40, BOARD.rows * side + 2 * EDGE + 40, "#f4f1ea")
    page.flip, page.askew = FLIPS[(panel + seed) % 4], chance.choice([-1, 1]) * chance.uniform(0.02, 0.05)
    page.wave = chance.uniform(4, 7)

    def at(column: int, row: int, point: Point) -> Point:
        return EDGE + 20 + side * (column + point[0] / 3), EDGE + 20 + side * (row + point[1] / 3)

    for (column, row), tile in BOARD.board(own).items():
        for pair in tile:
            page.line([at(column, row, step) for step in track(*pair, 10)], THICK)
    for (column, row, end), name in BOARD.outer().items():
        (x, y), (u, v) = at(column, row, ENDS[end]), INWARD[end]
        page.line([(x, y), (x - STUB * u, y - STUB * v)], THICK)
        if int(name[1:]) % 2:
            away = STUB + (12 if v else 26)
            page.name(x - away * u, y - away * v, name, NAME)
    for colour, count in (("#f4f1ea", 9000), (INK, 7000)):
        for _ in range(count):
            x, y = chance.uniform(0, page.width), chance.uniform(0, page.height)
            page.rectangle(x, y, x + chance.uniform(1, 2.4), y + chance.uniform(1, 2.4), colour)
    return page.png()


@cache
def files_of(seed: int) -> Mapping[str, str | bytes]:
    """The folder."""
    photographs = {f"panel{panel}.png": photograph(seed, n) for n, panel in enumerate(PANELS)}
    return {"README.md": README, "changes.log": "\n".join([*changes(seed), ""]), **photographs}


def judge(seed: int, said: str) -> tuple[Score, str]:
    """The share of cables that are right; one too many counts like one that lacks."""
    lines = [line.split() for line in said[:50_000].upper().splitlines() if line.strip()]
    wanted, found = links_of(after(plugged(seed), changes(seed))), {frozenset(line) for line in lines}
    right, every = len(wanted & found), len(wanted | found)
    is_right = right == every and len(lines) == len(wanted)
    told = f"{right} of {len(wanted)} cables are right, {len(lines)} lines"
    return Score(1.0 if is_right else min(0.99, right / every), is_right), told


def build(seed: int) -> Node:
    """The test of a seed."""
    work = (
        Files(partial(files_of, seed))
        >> QUESTION
        >> AgentRun([Shell(), Browser()], max_turns=40, time_limit_s=3600)
    )
    return work >> "head -c 50000 links.txt" >> TerminalRun(time_limit_s=10) >> PyFunc(partial(judge, seed))
