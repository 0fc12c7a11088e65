"""A log of 252 small flags in a wavering hand, turned and turned over, and a tariff: what does each office take?"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .drawing import Canvas
from .hand import Hand, Strokes, flag

DESCRIPTION = (
    "Can an agent read a log of small flags, turned and turned over, and charge each parcel by a tariff?"
)
TAGS = ["hard", "vision", "agent"]

COLUMNS, ROWS, ACROSS, DOWN, EDGE, TOP = 18, 14, 50, 48, 34, 98
HAND, CLASSES = Hand(unit=7.5, waver=0.22, lean=9), 16
LETTERS = "ABCDEFGHIJKLMNOPQR"
ZONES = 9
OFFICES = (
    "ALSTON",
    "BEDALE",
    "CATTERICK",
    "DENT",
    "EGTON",
    "FELTON",
    "GUISLEY",
    "HEXHAM",
    "ILKLEY",
    "KELD",
    "LEYBURN",
    "MASHAM",
)
TASK = f"""The picture shows the log of a post office. At its top is a flag in sixteen positions, the classes 1 to 16: from 1 on each of the first eight is the one before turned clockwise by 45 degrees; 9 is 1 as seen in a mirror, and from there
on each is again the one before turned clockwise by 45 degrees. Below the line, in the columns A to {LETTERS[-1]} and the rows 1 to {ROWS}, stands the class of a parcel at each place. The flags at the top are exact, those of the parcels written by hand:
their strokes waver, and each leans to either side by up to {HAND.lean} degrees.

In your folder, parcels.csv says of the parcel at each place from which office it comes, to which zone it goes and how many ounces it weighs; tariff.csv says how many pence an ounce costs in each class, for each of the {ZONES} zones.

How many pence do the parcels of each office cost? {ending(OFFICES)}"""

Log = Mapping[str, int]


@cache
def position(number: int) -> Strokes:
    """The flag of a class: turned by eighths, and from 9 on mirrored before."""
    turn = math.radians(45 * ((number - 1) % 8))
    cos, sin = math.cos(turn), math.sin(turn)
    return tuple(
        tuple((x * cos - y * sin, x * sin + y * cos) for x, y in stroke)
        for stroke in flag(4 if number > CLASSES // 2 else 0)
    )


@cache
def log(seed: int) -> Log:
    """The class of the parcel at each place, from 1."""
    chance = random.Random(f"flags {OTHER + seed}")
    return {f"{column}{row}": chance.randint(1, CLASSES) for row in range(1, ROWS + 1) for column in LETTERS}


@cache
def picture(seed: int) -> bytes:
    """The log."""
    chance, wide = random.Random(f"flags hand {seed}"), EDGE + ACROSS * COLUMNS
    canvas = Canvas(wide + 8, TOP + DOWN * ROWS + 4)
    for n in range(CLASSES):
        x = EDGE + (wide - EDGE) / CLASSES * (n + 0.5)
        HAND.write(canvas, x, 20, position(n + 1), None)
        canvas.text(x, 48, str(n + 1), "#2060d0")
    canvas.rectangle(8, 62, wide, 64)
    for at, number in log(seed).items():
        column, row = LETTERS.index(at[0]), int(at[1:]) - 1
        x, y = EDGE + ACROSS * (column + 0.5), TOP + DOWN * (row + 0.5)
        HAND.write(canvas, x + chance.uniform(-5, 5), y + chance.uniform(-5, 5), position(number), chance)
        if not row:
            canvas.text(x, TOP - 18, at[0], "#c81e1e")
        if not column:
            canvas.text(EDGE / 2, y, at[1:], "#c81e1e")
    return canvas.png()


@cache
def parcels(seed: int) -> Mapping[str, tuple[str, int, int]]:
    """The office, the zone and the weight of each parcel."""
    chance, places = random.Random(f"flags parcels {seed}"), list(log(seed))
    offices = chance.sample(OFFICES * (len(places) // len(OFFICES)), len(places))
    return {
        at: (office, chance.randint(1, ZONES), chance.randint(11, 99))
        for at, office in zip(places, offices, strict=True)
    }


@cache
def tariff(seed: int) -> Mapping[tuple[int, int], int]:
    """The price of an ounce for each class and zone; no two are the same."""
    prices = iter(random.Random(f"flags tariff {seed}").sample(range(21, 240), CLASSES * ZONES))
    return {(number, zone): next(prices) for number in range(1, CLASSES + 1) for zone in range(1, ZONES + 1)}


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    prices = ((number, zone, pence) for (number, zone), pence in tariff(seed).items())
    return {
        "parcels.csv": table("place,office,zone,ounces", ((at, *its) for at, its in parcels(seed).items())),
        "tariff.csv": table("class,zone,pence", prices),
    }


def cost(seed: int, classes: Log) -> dict[str, int]:
    """The answers if these classes are read."""
    found = dict.fromkeys(OFFICES, 0)
    for at, (office, zone, ounces) in parcels(seed).items():
        found[office] += tariff(seed)[classes[at], zone] * ounces
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return cost(seed, log(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
