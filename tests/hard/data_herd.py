"""A sheet of 247 brands, turned in any way and many mirrored, and a table of weights: what does each owner get?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .digitised import OTHER, digitised, ending, table
from .look_mirrored import LETTERS, SIGNS, Field, Mirrors

DESCRIPTION = "Can an agent tell turned and mirrored brands on a sheet, and settle the account of each owner?"
TAGS = ["hard", "vision", "agent"]

HERD = Mirrors(columns=19, rows=13, size=55, unit=6, least=95, most=150)
OWNERS = (
    "ALBAN",
    "BRENDA",
    "CLIVE",
    "DORA",
    "EDWIN",
    "FLORA",
    "GERALD",
    "HILDA",
)  # of the signs, from the left
TASK = f"""The picture is a tally sheet of a drover. At its top are the brands of {len(SIGNS)} owners as they are; from left to right they belong to {", ".join(OWNERS[:-1])} and {OWNERS[-1]}. Below, each field, with the columns A to
{LETTERS[HERD.columns - 1]} and the rows 1 to {HERD.rows}, stands for one animal and bears the brand of its owner, turned by any angle. If the animal was bought for its owner, the brand is mirrored besides, as if seen from the back of
the paper, so that no turning would bring it to the form at the top; if it was sold, the brand is not mirrored.

In your folder, animals.csv has the weight of the animal of each field, in pounds, and its price for a pound, in pence. An owner gets the price of each animal that was sold, and pays for each that was bought.

How many pence does each owner get in all? Say a number below zero, such as -12345, for one who has to pay. {ending(OWNERS)}"""


@cache
def sheet(seed: int) -> Mapping[str, Field]:
    """The fields by name."""
    return HERD.sheet(OTHER + seed)


def picture(seed: int) -> bytes:
    """The tally sheet."""
    return HERD.picture(OTHER + seed)


@cache
def animals(seed: int) -> Mapping[str, tuple[int, int]]:
    """The weight and the price of a pound."""
    chance = random.Random(f"herd {seed}")
    return {name: (chance.randint(300, 1400), chance.randint(20, 90)) for name in sheet(seed)}


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    return {"animals.csv": table("field,pounds,pence", ((name, *its) for name, its in animals(seed).items()))}


def account(seed: int, brands: Mapping[str, Field]) -> dict[str, int]:
    """What the owners get if these brands are read."""
    found = dict.fromkeys(OWNERS, 0)
    for name, (pounds, pence) in animals(seed).items():
        found[OWNERS[brands[name].sign]] += pounds * pence * (-1 if brands[name].mirrored else 1)
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return account(seed, sheet(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
