"""A tablet of turned and mirrored signs that was copied with many mistakes, and a drawing of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .look_mirrored import LETTERS, Mirrors
from .mended import mended, program

DESCRIPTION = "Can an agent mend a table of signs by a sheet on which they are turned and mirrored?"
TAGS = ["hard", "vision", "agent"]

OTHER = 5_000_000  # the sheets are not those of look_mirrored
SHEET = Mirrors(columns=18, rows=13, size=58, unit=6, least=105, most=129)
OVER, OTHERS = 56, 8  # entries that say wrongly whether the sign is mirrored, and those of another sign
SYLLABLES = ("ka", "mo", "ti", "lu", "se", "ro", "ni", "du")
COMMAND = "python3 tablet.py"
TASK = f"""tablet (README.md) reads an old tablet aloud. A scholar writes: "Your program reads nonsense. Whoever copied the tablet into tablet.txt did not see which signs are mirrored, and took some for others. I send you my
drawing." The drawing is the picture, and right; it is not in the folder. Mend tablet.txt by it: hidden commands decide, and every entry must be right. The rest of the program is right.

The top of the drawing shows the eight signs as they are, number 1 to 8 from left to right. Below, on a sheet with the columns A to {LETTERS[SHEET.columns - 1]} and the rows 1 to {SHEET.rows}, each field holds one of these signs, turned by any angle. About half of
them are mirrored besides, as if seen from the back of the paper: no turning would bring them to the form at the top."""
Table = tuple[tuple[str, ...], ...]


@cache
def entries(seed: int) -> Table:
    """The right entries row by row."""
    found = [f"{each.sign + 1}{'m' * each.mirrored}" for each in SHEET.sheet(OTHER + seed).values()]
    return tuple(tuple(found[n : n + SHEET.columns]) for n in range(0, len(found), SHEET.columns))


@cache
def copied(seed: int) -> Table:
    """The entries as they are."""
    chance, found = random.Random(f"glyphs {seed}"), [list(row) for row in entries(seed)]
    places = [(y, x) for y in range(SHEET.rows) for x in range(SHEET.columns)]
    for n, (y, x) in enumerate(chance.sample(places, OVER + OTHERS)):
        sign, mark = found[y][x][0], found[y][x][1:]
        if n < OVER:
            found[y][x] = sign + ("" if mark else "m")
        else:
            found[y][x] = chance.choice([each for each in "12345678" if each != sign]) + mark
    return tuple(map(tuple, found))


def table(rows: Sequence[Sequence[str]]) -> str:
    """The file of entries."""
    return "".join(" ".join(row) + "\n" for row in rows)


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its table."""
    return {**program("repair_glyphs"), "tablet.txt": table(copied(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All rows, all columns, and the counts."""
    rows = entries(seed)
    columns = list(zip(*rows, strict=True))

    def aloud(row: Sequence[str]) -> str:
        return "-".join(SYLLABLES[int(each[0]) - 1][:: -1 if len(each) > 1 else 1] for each in row)

    every = Counter(each for row in rows for each in row)
    counts = " ".join(str(every[f"{n}{mark}"]) for mark in ("", "m") for n in range(1, 9))
    return [
        ("".join(f"row {n + 1}\n" for n in range(len(rows))), "\n".join(map(aloud, rows))),
        ("".join(f"column {LETTERS[n]}\n" for n in range(len(columns))), "\n".join(map(aloud, columns))),
        ("count\n", counts),
    ]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(SHEET.picture, OTHER + seed)
    return mended(picture, partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
