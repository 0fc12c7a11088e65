"""Who sits where, from clues that only tell sums, distances, remainders and which one of two things holds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

from evaluator import *

DESCRIPTION = (
    "Can the model solve a puzzle of 48 items in eight seats from clues none of which places anything?"
)
TAGS = ["hard", "reasoning", "puzzle"]

SEATS = 8
GROUPS = {
    "name": ("Ada", "Bela", "Carl", "Dora", "Emil", "Fay", "Gus", "Hana"),
    "trade": ("baker", "cooper", "dyer", "farmer", "glazier", "miller", "potter", "smith"),
    "town": ("Arles", "Bern", "Cork", "Delft", "Essen", "Gent", "Lund", "Riga"),
    "animal": ("ape", "bear", "crow", "dog", "eel", "fox", "goat", "hen"),
    "drink": ("ale", "broth", "cider", "gin", "juice", "milk", "tea", "water"),
    "stone": ("agate", "beryl", "coral", "flint", "jade", "opal", "pearl", "ruby"),
}
ITEMS = tuple(item for items in GROUPS.values() for item in items)
FIRST, LEAST, MOST = 26, 60, 160
"""Clues to begin with; how many seats must at least be tried until it is sure that there is one solution, and may be."""
PROMPT = """Eight people sit in a row, in seats 1 to 8 from left to right. Each has a name, a trade, a town, an animal, a drink and a stone, and no two share any of them:

{groups}

Each of these words stands for the number of the seat of the person it belongs to. So "ape + tea = 9" says that the seat of the person with the ape and
the seat of the person who drinks tea (who may be the same person) have the sum 9, and "dyer < Bern" that the dyer sits further left than the person from Bern.
|a - b| is the distance of two seats, and a mod {modulus} the remainder when a is divided by {modulus}. "Exactly one" means that one of both statements is true and the
other one is false. "Even ones among" says how many of the seats of the named people are even; one person may count more than once, by different words.

{clues}

There is exactly one solution. Find it without running any code. End your reply with eight lines, one for each seat from 1 to 8, each with the
number of the seat, a colon, and the person's name, trade, town, animal, drink and stone, such as "1: {example}"."""

Seating = tuple[int, ...]  # of each item, from 0
Domains = list[int]  # of each item the seats that it may have, a bit each
Relation = tuple[str, Callable[[int, int], bool]]
MODULUS = 7
RELATIONS: tuple[Relation, ...] = (
    ("{} < {}", lambda a, b: a < b),
    ("|{} - {}| = 1", lambda a, b: abs(a - b) == 1),
    ("|{} - {}| > 3", lambda a, b: abs(a - b) > 3),
    ("{} + {} is even", lambda a, b: (a + b) % 2 == 0),
    ("{} + {} > 10", lambda a, b: a + b > 10),
    ("{} + {} < 8", lambda a, b: a + b < 8),
)
ALL = (1 << SEATS) - 1
EVEN = sum(1 << seat for seat in range(SEATS) if seat % 2)  # seat 1 has bit 0
SEATS_OF = tuple(tuple(seat for seat in range(SEATS) if mask >> seat & 1) for mask in range(ALL + 1))


@dataclass(frozen=True)
class Clue:
    """What it says, of which items, and a number that it names. `parts`: the relations of one that has two."""

    kind: str
    items: tuple[int, ...]
    number: int = 0
    parts: tuple[int, ...] = ()

    def __str__(self) -> str:
        names = [ITEMS[item] for item in self.items]
        match self.kind:
            case "sum":
                return f"{names[0]} + {names[1]} = {self.number}"
            case "apart":
                return f"|{names[0]} - {names[1]}| = {self.number}"
            case "product":
                return f"({names[0]} * {names[1]}) mod {MODULUS} = {self.number}"
            case "total":
                more = f" {'+-'[self.number < 0]} {abs(self.number)}" if self.number else ""
                return f"{names[0]} + {names[1]} = {names[2]}{more}"
            case "evens":
                return f"even ones among {', '.join(names[:-1])} and {names[-1]}: {self.number}"
        one, two = (RELATIONS[part][0].format(*names[2 * n : 2 * n + 2]) for n, part in enumerate(self.parts))
        return f"if {one}, then {two}" if self.kind == "if" else f"exactly one: {one}; {two}"

    def holds(self, seating: Sequence[int]) -> bool:
        """Whether it is true."""
        seats = [seating[item] + 1 for item in self.items]
        match self.kind:
            case "sum":
                return seats[0] + seats[1] == self.number
            case "apart":
                return abs(seats[0] - seats[1]) == self.number
            case "product":
                return seats[0] * seats[1] % MODULUS == self.number
            case "total":
                return seats[0] + seats[1] == seats[2] + self.number
            case "evens":
                return sum(seat % 2 == 0 for seat in seats) == self.number
        one, two = (RELATIONS[part][1](*seats[2 * n : 2 * n + 2]) for n, part in enumerate(self.parts))
        return two or not one if self.kind == "if" else one != two


def drawn(seating: Seating, chance: random.Random) -> Clue:
    """Any clue that is true."""
    while True:
        kind = chance.choice(
            ("sum", "apart", "apart", "product", "product", "total", "total", "evens", "if", "one")
        )
        size = {"sum": 2, "apart": 2, "product": 2, "total": 3, "evens": 5}.get(kind, 4)
        items = tuple(chance.sample(range(len(ITEMS)), size))
        if any(a // SEATS == b // SEATS for a, b in pairwise(items)):
            continue
        seats = [seating[item] + 1 for item in items]
        match kind:
            case "sum":
                number = seats[0] + seats[1]
            case "apart":
                number = abs(seats[0] - seats[1])
            case "product":
                number = seats[0] * seats[1] % MODULUS
            case "total":
                number = seats[0] + seats[1] - seats[2]
            case "evens":
                number = sum(seat % 2 == 0 for seat in seats)
            case _:
                number = 0
        parts = tuple(chance.sample(range(len(RELATIONS)), 2)) if size == 4 else ()
        clue = Clue(kind, items, number, parts)
        extreme = (kind == "sum" and not 5 <= number <= 13) or (kind == "evens" and not 1 <= number <= 4)
        if not extreme and not (kind == "apart" and number == 0) and clue.holds(seating):
            return clue


@cache
def partners(test: Callable[[int, int], bool], turned: bool = False) -> tuple[int, ...]:
    """For each set of seats of an item those of another one for which the test holds with one of the set."""
    rows = [
        sum(1 << b for b in range(SEATS) if (test(b + 1, a + 1) if turned else test(a + 1, b + 1)))
        for a in range(SEATS)
    ]
    found = [0] * (ALL + 1)
    for mask in range(ALL + 1):
        for seat in SEATS_OF[mask]:
            found[mask] |= rows[seat]
    return tuple(found)


@cache
def _test(kind: str, number: int, part: int = 0) -> Callable[[int, int], bool]:
    """A test of two seats, the same object for the same clue."""
    if kind == "sum":
        return lambda a, b: a + b == number
    if kind == "apart":
        return lambda a, b: abs(a - b) == number
    if kind == "product":
        return lambda a, b: a * b % MODULUS == number
    holds = RELATIONS[part][1]
    return holds if number else lambda a, b: not holds(a, b)


Narrow = Callable[[Domains], list[tuple[int, int]]]  # items and the seats to which they are narrowed


def _two(a: int, b: int, test: Callable[[int, int], bool]) -> Narrow:
    to, back = partners(test), partners(test, True)
    return lambda seats: [(b, to[seats[a]]), (a, back[seats[b]])]


def narrowing(clue: Clue) -> Narrow:
    """What a clue tells, of items whose seats are partly known."""
    items = clue.items
    if clue.kind in ("sum", "apart", "product"):
        return _two(items[0], items[1], _test(clue.kind, clue.number))
    if clue.kind == "total":
        a, b, c = items

        def total(seats: Domains) -> list[tuple[int, int]]:
            may = {a: 0, b: 0, c: 0}
            for x in SEATS_OF[seats[a]]:
                for y in SEATS_OF[seats[b]]:
                    z = x + y + 1 - clue.number
                    if 0 <= z < SEATS and seats[c] >> z & 1:
                        may[a] |= 1 << x
                        may[b] |= 1 << y
                        may[c] |= 1 << z
            return list(may.items())

        return total
    if clue.kind == "evens":

        def evens(seats: Domains) -> list[tuple[int, int]]:
            sure = sum(not seats[item] & ~EVEN for item in items)
            open_ = [item for item in items if seats[item] & EVEN and seats[item] & ~EVEN]
            if sure > clue.number or sure + len(open_) < clue.number:
                return [(items[0], 0)]
            if sure == clue.number:
                return [(item, ALL & ~EVEN) for item in open_]
            return [(item, EVEN) for item in open_] if sure + len(open_) == clue.number else []

        return evens
    ways = [
        [_two(items[2 * n], items[2 * n + 1], _test("", yes, part)) for yes in (0, 1)]
        for n, part in enumerate(clue.parts)
    ]

    def both(seats: Domains) -> list[tuple[int, int]]:
        can = [[all(seats[item] & mask for item, mask in way(seats)) for way in pair] for pair in ways]
        for n in (0, 1):
            other = 1 - n
            for yes in (0, 1):
                if not can[n][1 - yes]:  # so this part is decided
                    if clue.kind == "one":
                        return ways[other][1 - yes](seats)
                    if n == 0 and yes:
                        return ways[1][1](seats)
                    if n == 1 and not yes:
                        return ways[0][0](seats)
        return []

    return both


def _apart(group: int) -> Narrow:
    """No two items of a group have the same seat, and each seat has one."""

    def narrow(seats: Domains) -> list[tuple[int, int]]:
        mine = seats[group * SEATS : group * SEATS + SEATS]
        changed = True
        while changed:
            changed = False
            for n, mask in enumerate(mine):
                if mask.bit_count() == 1:
                    for m in range(SEATS):
                        if m != n and mine[m] & mask:
                            mine[m] ^= mask
                            changed = True
            once = several = 0
            for mask in mine:
                several |= once & mask
                once |= mask
            if once != ALL or not all(mine):
                return [(group * SEATS, 0)]
            for n, mask in enumerate(mine):
                only = mask & once & ~several
                if only and only != mask:
                    if only.bit_count() > 1:
                        return [(group * SEATS, 0)]
                    mine[n], changed = only, True
        return [(group * SEATS + n, mask) for n, mask in enumerate(mine)]

    return narrow


def others(clues: Sequence[Clue], seating: Seating | None, most: int) -> tuple[Seating | None, int]:
    """Another solution than this one, if there is any, and how many seats were tried until that was known, `most` + 1 at the most."""
    rules = [_apart(group) for group in range(len(GROUPS))] + [narrowing(clue) for clue in clues]
    about: list[set[int]] = [{item // SEATS} for item in range(len(ITEMS))]
    for n, clue in enumerate(clues, len(GROUPS)):
        for item in clue.items:
            about[item].add(n)
    tried = 0

    def narrowed(seats: Domains, todo: set[int]) -> bool:
        while todo:
            for item, mask in rules[todo.pop()](seats):
                if seats[item] & ~mask:
                    seats[item] &= mask
                    if not seats[item]:
                        return False
                    todo |= about[item]
        return True

    def search(seats: Domains, todo: set[int]) -> Seating | None:
        nonlocal tried
        if not narrowed(seats, todo):
            return None
        free = [item for item, mask in enumerate(seats) if mask & (mask - 1)]
        if not free:
            found = tuple(mask.bit_length() - 1 for mask in seats)
            return None if found == seating else found
        item = min(free, key=lambda item: (seats[item].bit_count(), -len(about[item])))
        for seat in SEATS_OF[seats[item]]:
            tried += 1
            if tried > most:
                return None
            found_ = search([*seats[:item], 1 << seat, *seats[item + 1 :]], set(about[item]))
            if found_ is not None:
                return found_
        return None

    return search([ALL] * len(ITEMS), set(range(len(rules)))), tried


@cache
def planted(seed: int) -> tuple[tuple[Clue, ...], Seating]:
    """Clues none of which can be left out without a longer search, and the one seating for which they hold."""
    for attempt in range(1000):
        chance = random.Random(f"seating {seed} {attempt}")
        seating = tuple(seat for _ in GROUPS for seat in chance.sample(range(SEATS), SEATS))
        clues = [drawn(seating, chance) for _ in range(FIRST)]
        tried = MOST + 1
        while tried > MOST:
            other, tried = others(clues, seating, MOST)
            while other is not None or tried > MOST:
                clue = drawn(seating, chance)
                if other is None or not clue.holds(other):
                    clues.append(clue)
                    break
            if other is not None:
                tried = MOST + 1
        for clue in list(clues):
            rest = [each for each in clues if each != clue]
            other, now = others(rest, seating, MOST)
            if other is None and now <= MOST:
                clues, tried = rest, now
        if tried >= LEAST:
            return tuple(clues), seating
    raise ValueError(f"no clues for seed {seed}")


def judge(seed: int, reply: str) -> tuple[Score, str]:
    """The share of items in their seats; passed if all are."""
    _, seating = planted(seed)
    plain = re.sub(r"[*_`|]", " ", reply)
    said: dict[str, set[int]] = {}
    for seat in range(1, SEATS + 1):
        lines = re.findall(rf"(?mi)^[ \t#>-]*(?:seat )?{seat}\s*:([^\n]{{0,400}})", plain)
        for word in re.findall(r"\w+", lines[-1] if lines else ""):
            said.setdefault(word.lower(), set()).add(seat)
    wrong = [item for item, seat in zip(ITEMS, seating, strict=True) if said.get(item.lower()) != {seat + 1}]
    return Score(1 - len(wrong) / len(ITEMS), not wrong), f"in a wrong seat or in none: {', '.join(wrong)}"


def build(seed: int) -> Node:
    """The test of a seed."""
    clues, _ = planted(seed)
    question = PROMPT.format(
        groups="\n".join(f"    {name + ':':<8} {', '.join(items)}" for name, items in GROUPS.items()),
        clues="\n".join(f"{n:>4}. {clue}" for n, clue in enumerate(clues, 1)),
        modulus=MODULUS,
        example=", ".join(items[seed % SEATS] for items in GROUPS.values()),
    )
    return question >> LLMRun() >> PyFunc(partial(judge, seed))
