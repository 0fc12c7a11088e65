"""A map of 928 fields between hedges, and a table of what each is worth: what do the twelve farms pay?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .drawing import Canvas

DESCRIPTION = (
    "Can an agent tell from a map of hedges which fields belong together, and tax the farms by a table?"
)
TAGS = ["hard", "vision", "agent"]

WIDE, HIGH, SIZE, COUNT = 32, 29, 31, 12  # fields; pixels of a side; farms with a number
MOST, AMONG = 56, 16  # fields of a farm; how many of the largest farms may have a number
LOOSE = 0.12  # the part of the hedges inside of farms that is gone
EDGE, LABEL = 32, 15
FARMS = tuple(map(str, range(1, COUNT + 1)))
TASK = f"""The picture is a map of {WIDE} columns and {HIGH} rows of square fields, all of the same size; their numbers stand above and at the left. Black lines are hedges, each along a whole side of a field. Where there is no
hedge between two fields that lie beside each other, one can walk from the one to the other. (There are no lines but hedges: a blank place as large as four fields is four fields.) In one field of each of
{COUNT} farms stands the farm's number, in red; all fields that can be reached from there without passing a hedge belong to this farm. No farm has two numbers, and many fields belong to none of these farms.

In your folder, fields.csv says for each field, by its column and row, how many pence it is taxed with.

How many pence does each farm pay for all of its fields? {ending(FARMS)}"""

Cell = tuple[int, int]
Side = tuple[Cell, Cell]


@dataclass(frozen=True)
class Land:
    """Sides without a hedge, where the farms' numbers stand, and the farm of each field that has one."""

    open: frozenset[Side]
    numbers: Mapping[str, Cell]
    farm: Mapping[Cell, str]


def sides() -> list[Side]:
    """All sides between two fields, the left or upper one first."""
    right = [((x, y), (x + 1, y)) for y in range(HIGH) for x in range(WIDE - 1)]
    return right + [((x, y), (x, y + 1)) for y in range(HIGH - 1) for x in range(WIDE)]


@cache
def land(seed: int) -> Land:
    """Fields are joined in any order, as long as none of the parts becomes too large."""
    chance, every = random.Random(f"hedges land {OTHER + seed}"), sides()
    part = {(x, y): [(x, y)] for y in range(HIGH) for x in range(WIDE)}
    gone = set[Side]()
    for one, other in chance.sample(every, len(every)):
        large, small = sorted((part[one], part[other]), key=len, reverse=True)
        if large is not small and len(large) + len(small) <= MOST:
            large += small
            part.update(dict.fromkeys(small, large))
            gone.add((one, other))
        elif large is small and chance.random() < LOOSE:
            gone.add((one, other))
    found = sorted({id(its): its for its in part.values()}.values(), key=len)[-AMONG:]
    chosen = dict(zip(FARMS, chance.sample(found, COUNT), strict=True))
    numbers = {name: chance.choice(its) for name, its in chosen.items()}
    return Land(frozenset(gone), numbers, {at: name for name, its in chosen.items() for at in its})


@cache
def picture(seed: int) -> bytes:
    """The map."""
    size, found = SIZE, land(seed)
    right, bottom = EDGE + size * WIDE, EDGE + size * HIGH
    canvas = Canvas(right + 8, bottom + 8)
    for x in range(WIDE + 1):
        for y in range(HIGH + 1):
            left, top = EDGE + size * x, EDGE + size * y
            if x < WIDE and ((x, y - 1), (x, y)) not in found.open:
                for line in (top - 1, top):
                    canvas.span(line, left - 1, left + size + 1, "#1c1c1c")
            if y < HIGH and ((x - 1, y), (x, y)) not in found.open:
                for line in range(top - 1, top + size + 1):
                    canvas.span(line, left - 1, left + 1, "#1c1c1c")
    for count, across in ((WIDE, True), (HIGH, False)):
        for n in range(count):
            at = EDGE + size * (n + 0.5)
            canvas.text(at if across else LABEL, LABEL if across else at, str(n + 1), "#2060d0")
    for name, (x, y) in found.numbers.items():
        canvas.text(EDGE + size * (x + 0.5), EDGE + size * (y + 0.5), name, "#c81e1e")
    return canvas.png()


@cache
def taxes(seed: int) -> Mapping[Cell, int]:
    """The tax of each field."""
    chance = random.Random(f"hedges {seed}")
    return {(x, y): chance.randint(101, 999) for y in range(HIGH) for x in range(WIDE)}


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    lines = ((x + 1, y + 1, pence) for (x, y), pence in taxes(seed).items())
    return {"fields.csv": table("column,row,pence", lines)}


def paid(seed: int, farms: Mapping[Cell, str]) -> dict[str, int]:
    """What the farms pay if these are their fields."""
    found = dict.fromkeys(FARMS, 0)
    for at, farm in farms.items():
        found[farm] += taxes(seed)[at]
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return paid(seed, land(seed).farm)


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
