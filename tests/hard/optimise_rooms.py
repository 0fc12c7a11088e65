"""Rooms along a corridor so that people walk as little as possible: a quadratic assignment."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from string import ascii_uppercase

from evaluator import *

from .optima import Optima, sums

DESCRIPTION = (
    "Can the model give offices to teams so that all their visits together take the shortest way there is?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """{places} doors lead from a straight corridor, and behind each door there are two offices. The doors are at these metres of the corridor:

    {doors}

{teams} teams, {names}, are to move into the {teams} offices, one into each. The way between two offices is the distance of their doors, and 1 metre if they have the same door. This
list tells how many visits the teams of each pair pay each other in a day, both directions together ("A B 3" is 3 visits between A and B); pairs that are not in it never visit each other:

{visits}

Which teams get the offices behind which door, so that the ways of all visits of a day (one way is counted for each visit) are together as short as possible? Work it out without
running any code. It passes only if no other choice is shorter. End your reply with a line that begins with "Answer:" and has all teams, two for each door in the order of the
doors, such as "Answer: {example}"."""


@dataclass(frozen=True)
class House:
    """Where the doors are, and how often teams visit each other."""

    doors: tuple[int, ...]
    visits: tuple[tuple[int, ...], ...]


def _way(house: House, one: int, two: int) -> int:
    """The way between two offices."""
    return abs(house.doors[one // 2] - house.doors[two // 2]) or 1


def descended(house: House, offices: Sequence[int]) -> list[int]:
    """The office of each team once no two can change places so that the ways are shorter."""
    at = list(offices)
    better = True
    while better:
        better = False
        for (one, its), (two, others) in combinations(enumerate(house.visits), 2):
            here, there = at[one], at[two]
            saved = sum(
                (mine - other) * (_way(house, here, office) - _way(house, there, office))
                for n, (mine, other, office) in enumerate(zip(its, others, at, strict=True))
                if mine != other and n not in (one, two)
            )
            if saved > 0:
                at[one], at[two] = there, here
                better = True
    return at


@dataclass(frozen=True)
class Rooms(Optima[House]):
    """Houses with two offices behind each of `places` doors, and `pairs` pairs of teams that visit each other. Taken are those for which a local search
    does not find the best choice in so many tries."""

    places: int
    pairs: int
    tries: int

    WORD = r"(?<![a-z])[A-Z](?![a-z])"

    def drawn(self, chance: random.Random) -> House:
        """Each team has about as many others that it visits."""
        doors = [0]
        while len(doors) < self.places:
            doors.append(doors[-1] + chance.randint(3, 9))
        teams = range(2 * self.places)
        visits = [[0] * len(teams) for _ in teams]
        for _ in range(self.pairs):
            met = [sum(map(bool, row)) for row in visits]
            free = [pair for pair in combinations(teams, 2) if not visits[pair[0]][pair[1]]]
            one, two = min(free, key=lambda pair: (met[pair[0]] + met[pair[1]], chance.random()))
            visits[one][two] = visits[two][one] = chance.randint(1, 9)
        return House(tuple(doors), tuple(map(tuple, visits)))

    def tried(self, house: House) -> list[str]:
        """The best of what a local search finds from several beginnings."""
        size = len(house.visits)
        found = [descended(house, random.Random(n).sample(range(size), size)) for n in range(self.tries)]
        answers = [[ascii_uppercase[at.index(office)] for office in range(size)] for at in found]
        return min(answers, key=lambda words: self.cost(house, words) or 0)

    def misleads(self, house: House, least: int) -> bool:
        return (self.cost(house, self.tried(house)) or 0) > least

    def best(self, house: House) -> list[str]:
        """For each set of teams the cheapest way to have just these behind the first doors: who passes the corridor behind them is then known.
        Sets are left out from where, even with the fewest who may pass, nothing better can come than a local search has found."""
        teams = range(len(house.visits))
        every = (1 << len(teams)) - 1
        cut = [0]  # the visits between a set and all others
        for team, row in enumerate(house.visits):
            cut += [
                visits + sum(row) - 2 * inside for visits, inside in zip(cut, sums(row[:team]), strict=True)
            ]
        fewest = [max(cut)] * (len(teams) + 1)
        for mask, visits in enumerate(cut):
            size = mask.bit_count()
            fewest[size] = min(fewest[size], visits)
        ways = [*(b - a for a, b in pairwise(house.doors)), 0]
        limit = self.cost(house, self.tried(house)) or 0
        pairs = [(1 << a | 1 << b, house.visits[a][b], (a, b)) for a, b in combinations(teams, 2)]
        least: dict[int, int] = {0: 0}
        before: dict[int, tuple[int, int]] = {}
        for place, way in enumerate(ways):
            rest = sum(ways[n] * fewest[2 * n + 2] for n in range(place + 1, len(ways)))
            longer: dict[int, int] = {}
            for mask, cost in least.items():
                for bits, visits, pair in pairs:
                    if not mask & bits:
                        to = mask | bits
                        more = cost + visits + way * cut[to]
                        if more + rest <= limit and more < longer.get(to, more + 1):
                            longer[to] = more
                            before[to] = pair
            least = longer
        found: list[int] = []
        mask = every
        while mask:
            found[:0] = before[mask]
            mask ^= 1 << before[mask][0] | 1 << before[mask][1]
        return [ascii_uppercase[team] for team in found]

    def cost(self, house: House, words: Sequence[str]) -> int | None:
        if sorted(words) != list(ascii_uppercase[: len(house.visits)]):
            return None
        at = [words.index(name) for name in ascii_uppercase[: len(words)]]
        pairs = combinations(range(len(at)), 2)
        return sum(house.visits[one][two] * _way(house, at[one], at[two]) for one, two in pairs)

    def asked(self, puzzles: Sequence[House]) -> str:
        (house,) = puzzles
        names = ascii_uppercase[: len(house.visits)]
        rows = []
        for one, row in enumerate(house.visits):
            its = [f"{names[one]} {names[two]} {row[two]}" for two in range(one + 1, len(names)) if row[two]]
            rows += [", ".join(its)] if its else []
        return PROMPT.format(
            places=self.places,
            doors=", ".join(map(str, house.doors)),
            teams=len(names),
            names=f"{names[0]} to {names[-1]}",
            visits="\n".join(f"    {row}" for row in rows),
            example=", ".join(f"{a} {b}" for a, b in zip(names[-2::-2], names[::-2], strict=True)),
        )


TASK = Rooms("rooms", count=1, places=8, pairs=34, tries=4)
build = TASK.build
