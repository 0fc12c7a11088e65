"""Teams of which each person is in exactly one: an exact cover that is planted among many sets."""

from __future__ import annotations

import random
from functools import cache, partial

from evaluator import *

from .replies import numbers_after

DESCRIPTION = (
    "Can the model choose teams from a long list so that each of sixty people is in exactly one of them?"
)
TAGS = ["hard", "reasoning", "planning"]

PEOPLE, SIZE, TEAMS = 60, 4, 120
LEAST = 600  # choices of the usual search through all ways
PROMPT = """{people} people, numbered from 1, can play in these teams of {size}:

{teams}

Choose {wanted} teams so that each person plays in exactly one of them. There is a way. Find it without running any code. End your reply with a line
that begins with "Teams:" and has the letters and numbers of the chosen teams, such as "Teams: T3 T17 ..."."""

Teams = tuple[frozenset[int], ...]


def covers(teams: Teams, most: int = 20_000) -> tuple[int, int]:
    """How many ways there are, and how many choices the search for all of them makes that always goes on with the person for
    whom the fewest teams are left (D. Knuth, Dancing links, 2000)."""
    ways = steps = 0

    def goes_on(missing: int, left: list[int]) -> None:
        nonlocal ways, steps
        steps += 1
        if not missing:
            ways += 1
            return
        fewest, rest = left, missing
        while rest and len(fewest) > 1:
            person = rest & -rest
            rest ^= person
            its = [team for team in left if team & person]
            if len(its) < len(fewest) or fewest is left:
                fewest = its
        for team in fewest:
            if steps < most and (len(fewest) > 1 or team & missing):
                goes_on(missing & ~team, [each for each in left if not each & team])

    goes_on((1 << PEOPLE) - 1, [sum(1 << person for person in team) for team in teams])
    return ways, steps


@cache
def planted(seed: int) -> tuple[Teams, tuple[int, ...]]:
    """Teams among which one way is hidden, and that way (places from 0). Everybody is in about as many teams."""
    for attempt in range(1000):
        chance = random.Random(f"cover {seed} {attempt}")
        people = list(range(PEOPLE))
        chance.shuffle(people)
        teams = [frozenset(people[n : n + SIZE]) for n in range(0, PEOPLE, SIZE)]
        hidden = set(teams)
        plays = [1] * PEOPLE
        while len(teams) < TEAMS:
            order = sorted(people, key=lambda person: (plays[person], chance.random()))
            team = frozenset((order[0], *chance.sample(order[1 : 2 * PEOPLE // 3], SIZE - 1)))
            if all(len(team & other) <= SIZE - 2 for other in teams):
                teams.append(team)
                for person in team:
                    plays[person] += 1
        chance.shuffle(teams)
        ways, steps = covers(tuple(teams))
        if ways == 1 and steps >= LEAST:
            return tuple(teams), tuple(n for n, team in enumerate(teams) if team in hidden)
    raise ValueError(f"no teams for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of people who play in exactly one of the chosen teams; passed if all do."""
    teams, _ = planted(seed)
    chosen = set(numbers_after("Teams", reply) or ())
    if not all(1 <= n <= TEAMS for n in chosen):
        return Score(0.0, False), "there is no such team"
    plays = [sum(person in teams[n - 1] for n in chosen) for person in range(PEOPLE)]
    none = [str(n) for n, times in enumerate(plays, 1) if times == 0]
    several = [str(n) for n, times in enumerate(plays, 1) if times > 1]
    told = f"in no team: {', '.join(none)}; in several: {', '.join(several)}"
    return Score(plays.count(1) / PEOPLE, plays.count(1) == PEOPLE), told


def build(seed: int) -> Node:
    """The test of a seed."""
    teams, _ = planted(seed)
    cells = [
        f"T{n}:".rjust(5) + "".join(f"{person + 1:>4}" for person in sorted(team))
        for n, team in enumerate(teams, 1)
    ]
    rows = ("    " + "  ".join(cells[n : n + 4]) for n in range(0, TEAMS, 4))
    question = PROMPT.format(people=PEOPLE, size=SIZE, teams="\n".join(rows), wanted=PEOPLE // SIZE)
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
