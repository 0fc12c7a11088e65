"""A page of 110 numbers in an unknown script and a wavering hand, and a table of prices: what did each depot spend?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .look_numerals import LETTERS, Numerals

DESCRIPTION = (
    "Can an agent read a page of numbers in an unknown hand, and balance the books of each depot by it?"
)
TAGS = ["hard", "vision", "agent"]

PAGE = Numerals(rows=11, columns=10, wide=1000, high=1000, unit=9, waver=0.19, lean=11)
DEPOTS = ("ALDOW", "BIRKNEY", "CORVE", "DUNMERE", "ELSHAM", "FARROW", "GANNICK", "HOLME", "IBSTOCK", "JARROW")
TASK = f"""The picture shows a page of a stock book, with numbers of four digits in a made-up script. Each number is one sign: a long upright staff with strokes for its digits in four places. The top of the page shows the
digits 1 to 9 as they are written for units, which is at the right of the staff, at its top. Tens are at the left of the top, as in a mirror; hundreds are at the right of the bottom, turned upside down as in
a mirror that lies below; thousands are at the left of the bottom, mirrored both ways. An empty place is the digit 0. At the right end of the legend stand, as examples, the digit 1 alone as 1, as 10, as 100
and as 1000. The signs of the legend are exact; those below the line are written by hand: strokes lean and waver a little.

Below the line are the rows A to {LETTERS[PAGE.rows - 1]} with {PAGE.columns} numbers each, C3 being the third of row C: how many pieces came into a depot or went out of it. In your folder, entries.csv says of each number which depot it concerns,
whether the pieces came in or went out, and what one piece is worth, in pence.

How many pence is all worth that came into each depot, less all that went out? Say a number below zero, such as -12345, where more went out. {ending(DEPOTS)}"""

Numbers = Mapping[str, int]


@cache
def page(seed: int) -> Numbers:
    """The number of each place."""
    rows = PAGE.sheet(OTHER + seed).items()
    return {f"{row}{n}": number for row, numbers in rows for n, number in enumerate(numbers, 1)}


def picture(seed: int) -> bytes:
    """The page."""
    return PAGE.picture(OTHER + seed)


@cache
def entries(seed: int) -> Mapping[str, tuple[str, str, int]]:
    """Depot, way and worth of a piece."""
    chance, places = random.Random(f"handwriting {seed}"), list(page(seed))
    depots = chance.sample(DEPOTS * (len(places) // len(DEPOTS)), len(places))
    return {
        at: (depot, chance.choice(["in", "in", "out"]), chance.randint(11, 99))
        for at, depot in zip(places, depots, strict=True)
    }


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    lines = ((at, *its) for at, its in entries(seed).items())
    return {"entries.csv": table("place,depot,way,pence_a_piece", lines)}


def balance(seed: int, numbers: Numbers) -> dict[str, int]:
    """The answers if these numbers are read."""
    found = dict.fromkeys(DEPOTS, 0)
    for at, (depot, way, pence) in entries(seed).items():
        found[depot] += numbers[at] * pence * (1 if way == "in" else -1)
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return balance(seed, page(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
