"""A tray of 252 crystals, drawn turned in any way and half of them mirrored, is to be added to a program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial

from evaluator import *

from .extended import OTHER, work
from .look_mirrored import LETTERS, Mirrors

DESCRIPTION = (
    "Can an agent add a tray of crystals to a program, of which it must see which ones are mirrored?"
)
TAGS = ["hard", "vision", "agent"]

SHEET = Mirrors(columns=18, rows=14, size=58, unit=6, least=110, most=142)
COMMAND = "python3 trays.py"
QUESTION = """In this folder is trays, a small Python program about crystals of eight forms, each of which is right or left; README.md has its rules. The picture shows a new tray, which is not in the folder. Add it under the name vault, as trays/vault.txt.

The top of the picture shows the right crystals of the forms 1 to 8, from left to right, as they are. Below are the fields of the tray, with the columns A to R and the rows 1 to 14. Each field holds a crystal, turned by any angle. A crystal is right if turning alone brings it to the form at the top. It is
left if it is mirrored besides, as if seen from the back of the paper: no turning would bring it there. No form is its own mirror image, and none is that of another.

Everything in README.md must go on to hold, for the other trays as well. Hidden commands ask for every field, and all their answers must be right. The program is run as `python3 trays.py` in this folder."""

Fields = Sequence[Sequence[int]]


@cache
def fields(seed: int) -> Fields:
    """The tray as its file has it."""
    sheet = SHEET.sheet(OTHER + seed)
    its = [(-1 if each.mirrored else 1) * (each.sign + 1) for each in sheet.values()]
    return [its[n : n + SHEET.columns] for n in range(0, len(its), SHEET.columns)]


def told(entry: int) -> str:
    """What a field holds."""
    return f"form {abs(entry)} {'right' if entry > 0 else 'left'}"


@cache
def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Every field, sums over many of them, and the old trays."""
    tray, chance = fields(seed), random.Random(f"extend plate {seed}")
    scripts = [
        [
            (f"at vault {LETTERS[x]}{y + 1}", told(each))
            for y in (top, top + 1)
            for x, each in enumerate(tray[y])
        ]
        for top in range(0, SHEET.rows, 2)
    ]
    every = [each for row in tray for each in row]
    sums = [(f"COUNT vault {n}", f"right {every.count(n)} left {every.count(-n)}") for n in range(1, 9)]
    for _ in range(12):
        (a, b), (c, d) = (sorted(chance.sample(range(most), 2)) for most in (SHEET.columns, SHEET.rows))
        part = [1 if each > 0 else -1 for row in tray[c : d + 1] for each in row[a : b + 1]]
        sums.append((f"turn Vault {LETTERS[b]}{c + 1} {LETTERS[a].lower()}{d + 1}", str(sum(part))))
    lines = [*tray, *zip(*tray, strict=True)]
    pairs = sum(line[n] + line[n + 1] == 0 for line in lines for n in range(len(line) - 1))
    listed = ("list", f"attic 4x3, cellar 5x2, vault {SHEET.columns}x{SHEET.rows}")
    scripts += [[*sums, ("pairs vault", str(pairs))], [*OLD, listed]]
    return [tuple("\n".join(side) for side in zip(*its, strict=True)) for its in scripts]  # type: ignore[misc]


OLD = [
    ("at attic b1", "form 1 left"),
    ("at ATTIC C1", "empty"),
    ("count attic 1", "right 3 left 2"),
    ("turn attic d3 B1", "0"),
    ("pairs attic", "4"),
    ("pairs cellar", "6"),
]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(SHEET.picture, OTHER + seed)
    return work("extend_plate", picture, QUESTION, COMMAND, partial(cases, seed))
