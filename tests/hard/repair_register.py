"""A register keyed with many wrong digits, and the handwritten page that it was keyed from."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .look_numerals import LETTERS, Numerals
from .mended import mended, program

DESCRIPTION = "Can an agent mend a register by a page written by hand in a made-up script?"
TAGS = ["hard", "vision", "agent"]

OTHER = 5_000_000  # the pages are not those of look_numerals
PAGE = Numerals(rows=11, columns=10, wide=1040, high=996, unit=8, waver=0.22, lean=12)
WRONG = 64  # digits that were keyed wrongly
COMMAND = "python3 stockbook.py"
TASK = f"""stockbook (README.md) answers questions about an old stock book. A user writes: "The sums are wrong. The clerk who keyed the page could hardly read the script: in many places he took a digit for
another one. I send you a copy of the page." The page is the picture, and right; it is not in the folder. Mend register.txt by it: hidden questions decide, and every digit must be right. The rest of the program
is right.

The page shows numbers of four digits in a made-up script. Each number is one sign: a long upright staff with strokes for its digits in four places. The top of the page shows the digits 1 to 9 as they are written for
units, which is at the right of the staff, at its top. Tens are at the left of the top, as in a mirror; hundreds are at the right of the bottom, turned upside down as in a mirror that lies below; thousands are at the left of
the bottom, mirrored both ways. An empty place is the digit 0. At the right end of the legend stand, as examples, the digit 1 alone as 1, as 10, as 100 and as 1000. The signs are written by hand: strokes lean and waver
a little. Below the line are {PAGE.rows} rows, A to {LETTERS[PAGE.rows - 1]}, of {PAGE.columns} numbers."""
Register = tuple[tuple[str, ...], ...]


@cache
def register(seed: int) -> Register:
    """The right numbers, of four digits each."""
    return tuple(tuple(f"{number:04}" for number in row) for row in PAGE.sheet(OTHER + seed).values())


@cache
def keyed(seed: int) -> Register:
    """The numbers as they are."""
    chance, found = random.Random(f"register {seed}"), [list(row) for row in register(seed)]
    places = [(y, x, at) for y in range(PAGE.rows) for x in range(PAGE.columns) for at in range(4)]
    for y, x, at in chance.sample(places, WRONG):
        number = found[y][x]
        other = chance.choice([each for each in "0123456789" if each != number[at]])
        found[y][x] = number[:at] + other + number[at + 1 :]
    return tuple(map(tuple, found))


def table(rows: Sequence[Sequence[str]]) -> str:
    """The file of numbers."""
    return "".join(" ".join(row) + "\n" for row in rows)


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its register."""
    return {**program("repair_register"), "register.txt": table(keyed(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """All entries, and sums."""
    rows = [[int(number) for number in row] for row in register(seed)]
    limits = range(0, 10_000, 400)
    every = [number for row in rows for number in row]
    asked = [
        {f"entry {LETTERS[y]}{x + 1}": number for y, row in enumerate(rows) for x, number in enumerate(row)},
        {f"row {LETTERS[y]}": sum(row) for y, row in enumerate(rows)},
        {f"column {x + 1}": sum(column) for x, column in enumerate(zip(*rows, strict=True))},
        {f"above {limit}": sum(number > limit for number in every) for limit in limits},
    ]
    return [("".join(f"{each}\n" for each in its), "\n".join(map(str, its.values()))) for its in asked]


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(PAGE.picture, OTHER + seed)
    return mended(picture, partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
