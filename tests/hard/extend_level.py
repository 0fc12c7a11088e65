"""A level of a game, drawn as fifteen hundred arrows, is to be added to a program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial

from evaluator import *

from .concurrent_arrows import RUNS, WAYS, Waits
from .extended import OTHER, work

DESCRIPTION = "Can an agent add a level to a game, whose fifteen hundred currents are drawn as arrows?"
TAGS = ["hard", "vision", "agent"]

FIELD = Waits(rows=36, columns=42, size=22, running=0.08)
SIGNS = "63214789o"  # of the ways, and of a pool
COMMAND = "python3 drift.py"
QUESTION = """In this folder is drift, a small Python program for a game in which leaves drift on water; README.md has its rules. The picture shows a new level, which is not in the folder. Add it under the name delta, as levels/delta.txt.

The level has 36 rows and 42 columns of squares; blue lines and numbers count every fifth. An arrow is the current of its square: it points to the one of the eight squares around it to which it carries a leaf. A black disc is a pool.

Everything in README.md must go on to hold, for the other levels as well. Hidden commands try every square, and all their answers must be right. The program is run as `python3 drift.py` in this folder."""


@cache
def rows(seed: int) -> Sequence[str]:
    """The level as its file has it."""
    return ["".join(SIGNS[way] for way in row) for row in FIELD.field(OTHER + seed)]


def ended(level: Sequence[str], row: int, column: int) -> str:
    """How a leaf ends, followed by the file, not by the ways."""
    after: dict[tuple[int, int], int] = {}
    while (row, column) not in after:
        after[row, column] = len(after)
        if level[row][column] == "o":
            return f"pool {row + 1} {column + 1} after {len(after) - 1}"
        key = int(level[row][column]) - 1
        row, column = row + 1 - key // 3, column + key % 3 - 1
    return f"whirl after {len(after)}"


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Every square alone, leaves that drift far, and the old levels."""
    level, field, chance = rows(seed), FIELD.field(OTHER + seed), random.Random(f"extend level {seed}")
    scripts = []
    for first in range(0, FIELD.rows, 4):
        script = []
        for y in range(first, first + 4):
            for x, way in enumerate(field[y]):
                to = "pool" if way == RUNS else f"{y + WAYS[way][1] + 1} {x + WAYS[way][0] + 1}"
                script.append((f"step delta {y + 1} {x + 1}", to))
        scripts.append(script)
    far = []
    for _ in range(60):
        y, x = chance.randrange(FIELD.rows), chance.randrange(FIELD.columns)
        far.append((f"Drift DELTA {y + 1} {x + 1}", ended(level, y, x)))
    pools = sum(row.count("o") for row in level)
    calm = [
        (f"calm delta {y + 1}", str(sum(ended(level, y, x)[0] == "p" for x in range(FIELD.columns))))
        for y in range(0, FIELD.rows, 5)
    ]
    listed = ("list", f"brook 4x6 2, delta {FIELD.rows}x{FIELD.columns} {pools}, pond 3x3 1")
    scripts += [[*far, *calm], [*OLD, listed]]
    return [tuple("\n".join(side) for side in zip(*script, strict=True)) for script in scripts]  # type: ignore[misc]


OLD = [
    ("step brook 1 4", "2 5"),
    ("step brook 1 5", "bank"),
    ("step brook 1 6", "pool"),
    ("drift brook 3 1", "bank after 6"),
    ("drift pond 2 1", "pool 2 2 after 3"),
    ("calm pond 1", "2"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(FIELD.picture, OTHER + seed)
    return work("extend_level", picture, QUESTION, COMMAND, partial(cases, seed))
