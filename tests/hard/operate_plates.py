"""A wall of drawers whose plates are turned and partly mirrored signs: what is in which drawer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .look_mirrored import LETTERS, SIGNS, Mirrors
from .photographed import OTHER, as_rows, judge_rows, pictured, shown

DESCRIPTION = "Can an agent list what drawers hold by a photograph of their turned and mirrored plates?"
TAGS = ["hard", "vision", "agent"]

SHEET = Mirrors(columns=18, rows=14, size=57, unit=5.6, least=112, most=140)
QUESTION = f"""The picture is a photograph of our wall of drawers, in columns A to {LETTERS[SHEET.columns - 1]} and rows 1 to {SHEET.rows}. Each drawer has a plate with a sign that says which part is in it. Above the wall you see the {len(SIGNS)} signs as they are,
1 to {len(SIGNS)} from left to right. The plates were fixed carelessly: each shows one of these signs turned by any angle. The parts come in pairs, one for the right side of a vehicle and one for the left: a sign that is only turned stands for the right one, and a sign
that is mirrored besides (as if seen from the back of the plate: no turning would bring it to the form at the top) stands for the left one.

In the folder, parts.txt has a line for each part: the number of its sign, R or L, and its order number. drawers.txt has a line for each drawer, such as `C7 ?`. Replace each question mark by the order number of the part in that drawer. The picture is not in the folder; you
have a shell. All lines must be right."""


@cache
def orders(seed: int) -> Mapping[tuple[int, bool], int]:
    """The order number of each part, by sign and whether it is mirrored."""
    chance, parts = (
        random.Random(f"plates {seed}"),
        [(n, over) for n in range(len(SIGNS)) for over in (False, True)],
    )
    return dict(zip(parts, chance.sample(range(10_000, 100_000), len(parts)), strict=True))


def listed(seed: int, plates: Mapping[str, tuple[int, bool]]) -> dict[str, str]:
    """The lines of drawers.txt, if these are the plates."""
    return {name: str(orders(seed)[plate]) for name, plate in plates.items()}


@cache
def plates(seed: int) -> Mapping[str, tuple[int, bool]]:
    """The sign of each drawer, and whether it is mirrored."""
    return {name: (field.sign, field.mirrored) for name, field in SHEET.sheet(OTHER + seed).items()}


def wanted(seed: int) -> dict[str, str]:
    """The right lines."""
    return listed(seed, plates(seed))


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    parts = sorted(
        f"{sign + 1} {'L' if over else 'R'} {number}" for (sign, over), number in orders(seed).items()
    )
    return {
        "parts.txt": "\n".join([*parts, ""]),
        "drawers.txt": as_rows(dict.fromkeys(plates(seed), "?")),
    }


def picture(seed: int) -> bytes:
    """The photograph."""
    return SHEET.picture(OTHER + seed)


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("drawers.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
