"""A round trip in which places of two kinds alternate, almost as short as a long search finds it."""

from __future__ import annotations

import math
import random
import re
from functools import cache, partial
from itertools import pairwise

from evaluator import *

DESCRIPTION = (
    "Can the model find a round trip through 56 places of two kinds in turn that is next to the shortest?"
)
TAGS = ["hard", "reasoning", "planning"]

EACH, WIDTH, APART = 28, 60, 4
SLACK = 1.02  # of the length that the search finds
RUNS, MOVES, HOT, COLD = 2, 100_000, 14.0, 0.7
PROMPT = """A courier has to visit {each} shops and {each} houses in a round trip: each exactly once, and then back to the first. After a shop she must go to a
house, and after a house to a shop. Places are given as (x, y); the way from one to another is |x1 - x2| + |y1 - y2|.

Shops:
{shops}

Houses:
{houses}

Find a round trip that is at most {most} long, the way back to the first place included; there is one. (A random one is about {random} long, and one that always
goes on to the nearest place that is allowed {nearest}.) Work it out without running any code. End your reply with a line that begins with "Trip:"
and has the names of all {all} places in their order, separated by blanks, such as "Trip: S4 H2 S17 ...". The first one is not repeated at the end."""

Place = tuple[int, int]


@cache
def places_of(seed: int) -> tuple[Place, ...]:
    """The shops, and then the houses."""
    chance = random.Random(f"tour {seed}")
    places: list[Place] = []
    while len(places) < 2 * EACH:
        place = chance.randrange(WIDTH), chance.randrange(WIDTH)
        if all(far(place, each) >= APART for each in places):
            places.append(place)
    return tuple(places)


def far(one: Place, two: Place) -> int:
    """The way from one place to another."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def length_of(places: tuple[Place, ...], trip: list[int]) -> int:
    """The length of a round trip."""
    return sum(far(places[a], places[b]) for a, b in pairwise([*trip, trip[0]]))


def nearest(places: tuple[Place, ...], first: int = 0) -> list[int]:
    """The trip that always goes on to the nearest place that is allowed."""
    trip = [first]
    while len(trip) < len(places):
        at = trip[-1]
        free = (n for n in range(len(places)) if n not in trip and (n < EACH) != (at < EACH))
        trip.append(min(free, key=lambda n: far(places[at], places[n])))
    return trip


def _annealed(places: tuple[Place, ...], chance: random.Random) -> list[int]:
    """A trip by simulated annealing, whose moves keep the turns: an odd piece is turned around, two pieces of even length
    change places, or two places of a kind do."""
    size, draw = len(places), chance.random
    way = [[far(a, b) for b in places] for a in places]
    trip = [n for pair in zip(range(EACH), range(EACH, size), strict=True) for n in pair]
    length = best = length_of(places, trip)
    found, heat, cooler = trip[:], HOT, (COLD / HOT) ** (1 / MOVES)
    for _ in range(MOVES):
        heat *= cooler
        i, kind = int(draw() * size), draw()
        if kind < 0.6:
            long = 3 + 2 * int(draw() * (size // 4))
            a, b, c, d = trip[i - 1], trip[i], trip[(i + long - 1) % size], trip[(i + long) % size]
            more = way[a][c] + way[b][d] - way[a][b] - way[c][d]
            if more <= 0 or draw() < math.exp(-more / heat):
                if i + long > size:
                    trip, i = trip[i:] + trip[:i], 0
                trip[i : i + long] = trip[i : i + long][::-1]
                length += more
        elif kind < 0.85:
            one, two = 2 + 2 * int(draw() * 3), 2 + 2 * int(draw() * 10)
            its = trip[i:] + trip[:i]
            a, b, c, d = its[-1], its[0], its[one - 1], its[one]
            e, f = its[one + two - 1], its[one + two]
            more = way[a][d] + way[e][b] + way[c][f] - way[a][b] - way[c][d] - way[e][f]
            if more <= 0 or draw() < math.exp(-more / heat):
                trip = its[one : one + two] + its[:one] + its[one + two :]
                length += more
        else:
            its = trip[i:] + trip[:i]
            j = 2 + 2 * int(draw() * (size // 2 - 1))
            a, b = its[0], its[j]
            around = its[-1], its[1], its[j - 1], its[(j + 1) % size]
            old = way[around[0]][a] + way[a][around[1]] + way[around[2]][b] + way[b][around[3]]
            more = way[around[0]][b] + way[b][around[1]] + way[around[2]][a] + way[a][around[3]] - old
            if j == size - 2:
                more = way[its[1]][b] + way[its[j - 1]][a] - way[a][its[1]] - way[its[j - 1]][b]
            if j == 2:
                more = way[its[-1]][b] + way[a][its[3]] - way[its[-1]][a] - way[b][its[3]]
            if more <= 0 or draw() < math.exp(-more / heat):
                its[0], its[j] = b, a
                trip = its
                length += more
        if length < best:
            best, found = length, trip[:]
    return found


@cache
def short(seed: int) -> tuple[int, tuple[int, ...]]:
    """The length of the best trip that the search finds, and its places."""
    places = places_of(seed)
    trips = [tuple(_annealed(places, random.Random(f"tour {seed} {run}"))) for run in range(RUNS)]
    return min((length_of(places, list(trip)), trip) for trip in trips)


def name_of(n: int) -> str:
    """S1 for the first shop, H1 for the first house."""
    return f"S{n + 1}" if n < EACH else f"H{n - EACH + 1}"


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The length that the search finds by the trip's, 1 at most; 0 for a trip that is not allowed."""
    lines = re.findall(r"(?im)^[ \t#>*_`-]*Trip\b[*_` ]*:([^\n]{0,4000})", reply)
    said = re.findall(r"([SH])\s?(\d{1,3})", lines[-1] if lines else "")
    trip = [int(number) - 1 + EACH * (kind == "H") for kind, number in said if 1 <= int(number) <= EACH]
    if len(trip) == 2 * EACH + 1 and trip[-1] == trip[0]:
        trip.pop()
    if len(said) > 2 * EACH + 1 or sorted(trip) != list(range(2 * EACH)):
        return Score(0.0, False), "it does not have each place exactly once"
    if any((a < EACH) == (b < EACH) for a, b in pairwise(trip)):
        return Score(0.0, False), "shops and houses do not alternate"
    length, best = length_of(places_of(seed), trip), short(seed)[0]
    return Score(
        min(1.0, best / length), length <= int(SLACK * best)
    ), f"{length} long; the search has {best}"


def build(seed: int) -> Node:
    """The test of a seed."""
    places = places_of(seed)

    def listed(numbers: range) -> str:
        rows = (numbers[n : n + 7] for n in range(0, EACH, 7))
        return "\n".join(
            "    " + "  ".join(f"{name_of(n):>3} {places[n]!s:<8}" for n in row).rstrip() for row in rows
        )

    chance = random.Random(f"tour {seed}")
    shops, houses = chance.sample(range(EACH), EACH), chance.sample(range(EACH, 2 * EACH), EACH)
    question = PROMPT.format(
        each=EACH,
        all=2 * EACH,
        shops=listed(range(EACH)),
        houses=listed(range(EACH, 2 * EACH)),
        most=int(SLACK * short(seed)[0]),
        random=round(length_of(places, [n for pair in zip(shops, houses, strict=True) for n in pair]), -2),
        nearest=length_of(places, nearest(places)),
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
