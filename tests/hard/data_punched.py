"""An order sheet of 1764 punched squares, and tables of goods and members: what does each village owe?"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .squares import field_of

DESCRIPTION = "Can an agent digitise a sheet of punched squares from a picture, and price all orders on it?"
TAGS = ["hard", "vision", "agent"]

SIDE, SIZE, FULL = 42, 22, 0.45  # squares of a side; pixels of a square; the part that is punched
VILLAGES = (
    "ABBERLEY", "BRAMPTON", "CALDBECK", "DUNSOP", "EMBLETON", "FARNDALE", "GARSTANG",
    "HAWES", "INGLETON", "KESWICK", "LORTON", "MALHAM", "NATEBY", "ORTON",
)  # fmt: skip
TASK = f"""The picture shows the order sheet of a co-operative: {SIDE} rows, one for each member, and {SIDE} columns, one for each kind of goods. Rows are counted from the top and columns from the left; every fifth is
numbered, and there is a blue line after it. A black square means that the member of the row has ordered one piece of the goods of the column.

In your folder, goods.csv says what a piece of each kind costs, in pence, and members.csv in which village each member lives and by how many per cent all that the member ordered is cheaper. (No sum has a fraction.)

How many pence does each village owe, all of its members together? {ending(VILLAGES)}"""

Sheet = Sequence[Sequence[int]]


@cache
def sheet(seed: int) -> Sheet:
    """The squares, 1 for black."""
    chance = random.Random(f"punched {OTHER + seed}")
    return tuple(tuple(int(chance.random() < FULL) for _ in range(SIDE)) for _ in range(SIDE))


@cache
def goods(seed: int) -> Sequence[int]:
    """The price of each column; no two are the same, and a twentieth of each is a whole number."""
    return [20 * each for each in random.Random(f"punched goods {seed}").sample(range(11, 200), SIDE)]


@cache
def members(seed: int) -> Sequence[tuple[str, int]]:
    """The village and the discount of each row."""
    chance = random.Random(f"punched members {seed}")
    homes = chance.sample(VILLAGES * (SIDE // len(VILLAGES)), SIDE)
    return [(home, chance.choice([0, 0, 5, 10, 15])) for home in homes]


def picture(seed: int) -> bytes:
    """The order sheet."""
    return field_of(sheet(seed), SIZE).png()


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    return {
        "goods.csv": table("column,pence", enumerate(goods(seed), 1)),
        "members.csv": table(
            "row,village,per_cent_less", ((n, *each) for n, each in enumerate(members(seed), 1))
        ),
    }


def owed(seed: int, squares: Sheet) -> dict[str, int]:
    """What the villages owe if these squares are read."""
    found = dict.fromkeys(VILLAGES, 0)
    for row, (village, less) in zip(squares, members(seed), strict=True):
        whole = sum(price for price, cell in zip(goods(seed), row, strict=True) if cell)
        found[village] += whole * (100 - less) // 100
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return owed(seed, sheet(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
