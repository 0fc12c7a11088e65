"""People in a row of whom many want to stand between two others, where not all can: the betweenness problem."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from evaluator import *

from .optima import Optima, sums

DESCRIPTION = (
    "Can the model put people in a row so that the wishes that are not met count as little as possible?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """{people} people, {names}, are to stand in a row. There are {wishes} wishes. "A B C 4" means: B is to stand somewhere between A and C (A may be on the left and C on the right or the other
way round, and others may stand between them), and if B does not, that costs 4 points:

{listed}

Not all wishes can be met. In which order do the wishes that are not met cost as little as possible, together? Work it out without running any code. It passes only if no other order costs
less. End your reply with a line that begins with "Answer:" and has all people in their order from left to right, such as "Answer: {example}"."""


@dataclass(frozen=True)
class Wish:
    """Who wants to stand between whom, and what it costs if that is not so."""

    one: int
    middle: int
    other: int
    points: int


Wishes = tuple[Wish, ...]


def cost_of(wishes: Wishes, order: Sequence[int]) -> int:
    """What an order costs; wishes about others than those in it count for nothing."""
    at = {person: n for n, person in enumerate(order)}
    cost = 0
    for wish in wishes:
        if wish.one in at and wish.middle in at and wish.other in at:
            middle = at[wish.middle]
            cost += wish.points * ((at[wish.one] < middle) == (at[wish.other] < middle))
    return cost


def greedy(wishes: Wishes, people: Sequence[int]) -> list[int]:
    """Each in turn joins the row where that costs least."""
    row: list[int] = []
    for person in people:
        rows = ([*row[:at], person, *row[at:]] for at in range(len(row) + 1))
        row = min(rows, key=lambda each: cost_of(wishes, each))
    return row


def unmet(wishes: Wishes, person: int, people: int) -> list[int]:
    """For each set of people, as bits, that stand before a person, the points of the person's wishes that are not met: both or none of the two are before."""
    mine = [wish for wish in wishes if wish.middle == person]
    found = [sum(wish.points for wish in mine)]
    for last in range(people):
        both = [0] * last
        alone = 0
        for wish in mine:
            if last in (wish.one, wish.other):
                alone -= wish.points
                first = wish.one + wish.other - last
                if first < last:
                    both[first] += 2 * wish.points
        found += [points + alone + more for points, more in zip(found, sums(both), strict=True)]
    return found


@dataclass(frozen=True)
class Lineups(Optima[Wishes]):
    """Random wishes. Taken are those for which the best of the greedy rows costs too much."""

    people: int
    wishes: int
    most: int

    WORD = r"(?<![a-z])[A-Z](?![a-z])"

    def drawn(self, chance: random.Random) -> Wishes:
        wishes: dict[tuple[int, int, int], Wish] = {}
        while len(wishes) < self.wishes:
            middle = len(wishes) % self.people
            one, other = sorted(chance.sample([n for n in range(self.people) if n != middle], 2))
            wishes[one, middle, other] = Wish(one, middle, other, chance.randint(1, self.most))
        return tuple(chance.sample(list(wishes.values()), self.wishes))

    def greedy(self, wishes: Wishes) -> list[str]:
        """The best of the greedy rows, of one that begins with each person."""
        people = [*range(self.people)] * 2
        rows = [greedy(wishes, people[n : n + self.people]) for n in range(self.people)]
        return [ascii_uppercase[person] for person in min(rows, key=lambda row: cost_of(wishes, row))]

    def misleads(self, wishes: Wishes, least: int) -> bool:
        return (self.cost(wishes, self.greedy(wishes)) or 0) > least

    def best(self, wishes: Wishes) -> list[str]:
        """For each set of people the cheapest way to have these on the left of all others."""
        points = [(1 << person, unmet(wishes, person, self.people), person) for person in range(self.people)]
        least, last = [0], [0]
        for mask in range(1, 1 << self.people):
            least.append(NEVER)
            last.append(0)
            for bit, costs, person in points:
                if mask & bit:
                    cost = least[mask ^ bit] + costs[mask ^ bit]
                    if cost < least[mask]:
                        least[mask], last[mask] = cost, person
        row: list[int] = []
        mask = (1 << self.people) - 1
        while mask:
            row.append(last[mask])
            mask ^= 1 << last[mask]
        return [ascii_uppercase[person] for person in reversed(row)]

    def cost(self, wishes: Wishes, words: Sequence[str]) -> int | None:
        if sorted(words) != list(ascii_uppercase[: self.people]):
            return None
        return cost_of(wishes, [ascii_uppercase.index(word) for word in words])

    def asked(self, puzzles: Sequence[Wishes]) -> str:
        (wishes,) = puzzles
        names = ascii_uppercase[: self.people]
        cells = [
            f"{names[wish.one]} {names[wish.middle]} {names[wish.other]} {wish.points}" for wish in wishes
        ]
        return PROMPT.format(
            people=self.people,
            names=f"{names[0]} to {names[-1]}",
            wishes=self.wishes,
            listed="\n".join("    " + ", ".join(cells[n : n + 10]) for n in range(0, len(cells), 10)),
            example=" ".join(reversed(names)),
        )


NEVER = 10**6
TASK = Lineups("between", count=1, people=15, wishes=66, most=9)
build = TASK.build
