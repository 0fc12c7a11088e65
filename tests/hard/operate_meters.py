"""Meters that were read by hand in an unknown script: the bills' file is to be brought up to date."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .look_numerals import Numerals
from .photographed import OTHER, as_rows, judge_rows, pictured, shown

DESCRIPTION = "Can an agent bring a file of bills up to date by a photographed sheet of handwritten numbers?"
TAGS = ["hard", "vision", "agent"]

SHEET = Numerals(rows=12, columns=12, wide=1070, high=1000, unit=8.4, waver=0.16, lean=9)
FULL = 10_000  # where a meter begins again
QUESTION = """The picture is a photograph of the sheet on which our meters were read, with twelve rows, A to L, of twelve numbers: the numbers of row A are, from left to right, the readings of the meters A1 to A12, and so on. They are written in a made-up script. Each number of four digits is one sign: a long
upright staff with strokes for its digits in four places. The top of the sheet shows the digits 1 to 9 as they are written for units, which is at the right of the staff, at its top. Tens are at the left of the top, as in a mirror; hundreds are at the right of the bottom, turned upside down as
in a mirror that lies below; thousands are at the left of the bottom, mirrored both ways. An empty place is the digit 0. At the right end of this legend stand, as examples, the digit 1 alone as 1, as 10, as 100 and as 1000. The signs are written by hand: strokes lean and waver a little.

In the folder, before.txt has a line for each meter with its reading a year ago, and bills.txt a line for each meter with a question mark, such as `C7 ?`. Replace each question mark by what was used in this year: the reading on the sheet minus the one a year ago, plus 10000 if that is below 0 (the meter began again at 0). The picture is not in the folder;
you have a shell. All lines must be right."""


@cache
def readings(seed: int) -> Mapping[str, int]:
    """What is on the sheet, by meter."""
    rows = SHEET.sheet(OTHER + seed)
    return {f"{row}{n}": number for row, numbers in rows.items() for n, number in enumerate(numbers, 1)}


@cache
def before(seed: int) -> Mapping[str, int]:
    """The readings a year ago."""
    chance = random.Random(f"meters {seed}")
    return {name: chance.randrange(FULL) for name in readings(seed)}


def bills(seed: int, read: Mapping[str, int]) -> dict[str, str]:
    """The lines of bills.txt, if this was read."""
    return {name: str((number - before(seed)[name]) % FULL) for name, number in read.items()}


def wanted(seed: int) -> dict[str, str]:
    """The right lines."""
    return bills(seed, readings(seed))


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    old = {name: str(number) for name, number in before(seed).items()}
    return {"before.txt": as_rows(old), "bills.txt": as_rows(dict.fromkeys(old, "?"))}


def picture(seed: int) -> bytes:
    """The sheet."""
    return SHEET.picture(OTHER + seed)


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("bills.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
