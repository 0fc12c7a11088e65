"""A van that carries parcels from door to door: a tour that is next to the shortest."""

from __future__ import annotations

import random
import re
from functools import cache, partial
from itertools import pairwise

from evaluator import *

DESCRIPTION = "Can the model plan a van's tour with pick-ups and deliveries that is next to the shortest?"
TAGS = ["hard", "reasoning", "planning"]

PARCELS, ROOM, WIDTH = 8, 3, 20
SLACK = 1.015  # of the shortest length
PROMPT = """A van stands at the depot at {depot} and has to deliver {count} parcels and come back to the depot. Places are given as (x, y); from one place to
another the van drives |x1 - x2| + |y1 - y2|.

{parcels}

- Each parcel is taken up at its first place and put down at its second, later in the tour. Taking up parcel A is written A+, putting it down A-.
- The van never holds more than {room} parcels at once.
- {before} must be put down before {after} is taken up.
- Parcel {glass} is glass: from the moment when it is taken up until it is put down, no other parcel may be taken up.

Find a tour that is as short as possible, counted from the depot back to the depot. It passes if it is at most {percent} longer than the shortest that
there is. Work it out without running any code. End your reply with a line that begins with "Tour:" and has all {stops} stops in their order,
separated by blanks, such as "Tour: B+ A+ B- A- ..."."""

Place = tuple[int, int]


def instance(seed: int) -> tuple[Place, list[tuple[Place, Place]], tuple[int, int], int]:
    """The depot, each parcel's places, which parcel goes before which, and which is glass."""
    chance = random.Random(f"van {seed}")
    places: list[Place] = []
    while len(places) < 2 * PARCELS + 1:
        place = chance.randint(0, WIDTH), chance.randint(0, WIDTH)
        if place not in places:
            places.append(place)
    parcels = [(places[2 * n + 1], places[2 * n + 2]) for n in range(PARCELS)]
    first, second, glass = chance.sample(range(PARCELS), 3)
    return places[0], parcels, (first, second), glass


def far(one: Place, two: Place) -> int:
    """The way from one place to another."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


@cache
def shortest(seed: int) -> tuple[int, tuple[str, ...]]:
    """The shortest tour's length and stops, by dynamic programming over (where the van is, what each parcel's state is)."""
    depot, parcels, (first, second), glass = instance(seed)
    # A parcel is 0 at its first place, 1 in the van, 2 delivered.
    level: dict[tuple[Place, tuple[int, ...]], tuple[int, tuple[str, ...]]] = {
        (depot, (0,) * PARCELS): (0, ())
    }
    for _ in range(2 * PARCELS):
        after: dict[tuple[Place, tuple[int, ...]], tuple[int, tuple[str, ...]]] = {}
        for (at, states), (length, stops) in level.items():
            full = states.count(1) == ROOM or states[glass] == 1
            for n, state in enumerate(states):
                if state == 2 or (state == 0 and (full or (n == second and states[first] != 2))):
                    continue
                to = parcels[n][state]
                key = to, (*states[:n], state + 1, *states[n + 1 :])
                way = length + far(at, to)
                if key not in after or way < after[key][0]:
                    after[key] = way, (*stops, f"{'ABCDEFGH'[n]}{'+-'[state]}")
        level = after
    return min((length + far(at, depot), stops) for (at, _), (length, stops) in level.items())


def length_of(seed: int, stops: list[str]) -> tuple[int, str]:
    """The tour's length, or 0 and what is wrong with it."""
    depot, parcels, (first, second), glass = instance(seed)
    states, way = [0] * PARCELS, [depot]
    for stop in stops:
        n, state = "ABCDEFGH".index(stop[0]), "+-".index(stop[1])
        if states[n] != state:
            return 0, f"{stop} is not possible there"
        if state == 0 and states.count(1) == ROOM:
            return 0, f"{stop}: the van is full"
        if state == 0 and states[glass] == 1:
            return 0, f"{stop}: the glass is in the van"
        if state == 0 and n == second and states[first] != 2:
            return 0, f"{stop}: it has to wait"
        states[n] += 1
        way.append(parcels[n][state])
    if states != [2] * PARCELS:
        return 0, "not everything is delivered"
    return sum(far(a, b) for a, b in pairwise([*way, depot])), ""


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The shortest length by the tour's; 0 for one that is not allowed."""
    found = re.findall(r"(?im)^[ \t#>*_`-]*Tour\s*:([^\n]*)", reply.replace("\u2212", "-"))
    stops = re.findall(rf"([{'ABCDEFGH'[:PARCELS]}])\s?([+-])", found[-1] if found else "")
    length, why = length_of(seed, [a + b for a, b in stops])
    if not length:
        return Score(0.0, False), why
    best = shortest(seed)[0]
    return Score(best / length, length <= SLACK * best), f"{length} long; the shortest has {best}"


def build(seed: int) -> Node:
    """The test of a seed."""
    depot, parcels, (first, second), glass = instance(seed)
    question = PROMPT.format(
        depot=depot,
        count=PARCELS,
        parcels="\n".join(
            f"    {'ABCDEFGH'[n]}: from {one} to {two}" for n, (one, two) in enumerate(parcels)
        ),
        room=ROOM,
        before="ABCDEFGH"[first],
        after="ABCDEFGH"[second],
        glass="ABCDEFGH"[glass],
        percent=f"{(SLACK - 1) * 100:g} %",
        stops=2 * PARCELS,
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
