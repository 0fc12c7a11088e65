"""A fair whose halls are parted by thin walls: which control unit is each alarm to be wired to?"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache, partial

from evaluator import *

from .look_maze import Mazes
from .photographed import OTHER, as_rows, judge_rows, pictured, shown

DESCRIPTION = "Can an agent assign alarms to the control units of their zones by a plan with many thin walls?"
TAGS = ["hard", "vision", "agent"]

OTHERS = 8 * OTHER
# Without letters that look like others where they are so small.
PLAN = Mazes(wide=75, high=63, cell=14, doors=11, letters="ABCEFGHJKLMNPQRSTUWXYZ", scale=1, wall=1.6)
QUESTION = f"""The picture is the plan of a fair, seen from above. Black lines are walls without doors. They part the fair into {PLAN.doors} zones: two places are in the same zone if one can walk from one to the other through the gaps between the walls (there is no way around the outer wall). In each zone
stands one control unit, marked by its red number, 1 to {PLAN.doors}. Blue letters, A to Z without D, I, O and V, are alarms.

In the folder, alarms.txt has a line for each alarm: its letter, the control unit to which it is wired, and its channel there. These are still those of the last fair, when the walls stood elsewhere. Correct alarms.txt: each alarm is wired to the control unit of its own zone, and the alarms of a
zone have the channels 1, 2, and so on there, in the order of the alphabet. The picture is not in the folder; you have a shell. All lines must be right."""


def wired(units: Mapping[str, str]) -> dict[str, str]:
    """The lines of alarms.txt, if these are the control units of the alarms."""
    found, taken = {}, dict[str, int]()
    for alarm, unit in sorted(units.items()):
        taken[unit] = taken.get(unit, 0) + 1
        found[alarm] = f"{unit} {taken[unit]}"
    return found


@cache
def units(seed: int) -> Mapping[str, str]:
    """The control unit of each alarm."""
    return PLAN.wanted(OTHERS + seed)


def wanted(seed: int) -> dict[str, str]:
    """The right lines."""
    return wired(units(seed))


def before(seed: int) -> dict[str, str]:
    """What was true at the last fair."""
    chance = random.Random(f"zones {seed}")
    return wired({alarm: str(chance.randint(1, PLAN.doors)) for alarm in PLAN.letters})


def files_of(seed: int) -> dict[str, str]:
    """The folder."""
    return {"alarms.txt": as_rows(before(seed))}


@cache
def picture(seed: int) -> bytes:
    """The plan."""
    return PLAN.picture(OTHERS + seed)


def build(seed: int) -> Node:
    """The test of a seed."""
    return pictured(
        partial(picture, seed),
        partial(files_of, seed),
        QUESTION,
        shown("alarms.txt"),
        partial(judge_rows, partial(wanted, seed)),
    )
