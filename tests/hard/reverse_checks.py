"""Numbers with a check digit that a secret table makes, applied as often as a digit's place says: which table?"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import answers

DESCRIPTION = "Can the model find the secret table behind check digits from a few numbers?"
TAGS = ["hard", "reasoning", "puzzle"]

PROMPT = """Numbers get a check digit by a secret table T. It has a digit for each of the ten digits 0 to 9: T(0), T(1) ... T(9), which are the ten digits in some order. The check
digit of a number with the digits d1 d2 d3 ... is

    T(d1) + T(T(d2)) + T(T(T(d3))) + ...    modulo 10:

T is applied once to the first digit, twice to the second one, three times to the third one, and so on. These are some numbers, each with its check digit behind the arrow:

{rows}

Only one table gives all of them. Find it without running any code. End your reply with a line that begins with "Table:" and has the ten digits T(0) to T(9), in
this order."""

Sample = tuple[str, int]


def check(table: Sequence[int], number: str) -> int:
    """The check digit."""
    total = 0
    for times, digit in enumerate(number, 1):
        at = int(digit)
        for _ in range(times):
            at = table[at]
        total += at
    return total % 10


def lacks(table: Sequence[int], number: str) -> list[int]:
    """The first unknown place of the table that each digit of a number meets."""
    places = []
    for times, digit in enumerate(number, 1):
        at = int(digit)
        for _ in range(times):
            if table[at] < 0:
                places.append(at)
                break
            at = table[at]
    return places


def tables(samples: Sequence[Sample], most: int) -> tuple[list[list[int]], int]:
    """All tables that give the samples, and how many choices it takes to know; it gives up after `most`. The number of which least is
    unknown comes first."""
    found: list[list[int]] = []
    choices = 0

    def goes_on(table: list[int]) -> None:
        nonlocal choices
        unknown: list[list[int]] = []
        for number, digit in samples:
            if places := lacks(table, number):
                unknown.append(places)
            elif check(table, number) != digit:
                return
        if -1 not in table:
            found.append(table)
            return
        at = min(unknown, key=len)[0] if unknown else table.index(-1)
        for value in range(10):
            if value not in table and choices < most:
                choices += 1
                goes_on([*table[:at], value, *table[at + 1 :]])

    goes_on([-1] * 10)
    return found, choices


@dataclass(frozen=True)
class Checks:
    """Numbers of these lengths, which only one table gives; the search for it takes `least` to `most` choices."""

    name: str
    lengths: tuple[int, ...]
    least: int
    most: int

    @cache  # noqa: B019 - there are one or two of them
    def puzzle(self, seed: int) -> tuple[str, tuple[Sample, ...]]:
        """The table, and the numbers."""
        chance = random.Random(f"{self.name} {seed}")
        while True:
            table = chance.sample(range(10), 10)
            numbers = ["".join(chance.choices("0123456789", k=length)) for length in self.lengths]
            samples = [(number, check(table, number)) for number in numbers]
            found, choices = tables(samples, self.most)
            if found == [table] and self.least <= choices < self.most:
                return "".join(map(str, table)), tuple(samples)

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of places of the table that are right; passed if all are."""
        wanted, _ = self.puzzle(seed)
        said = re.sub("[^0-9]", "", answers(reply, {"TABLE": wanted}).get("TABLE", ""))
        right = sum(one == other for one, other in zip(said, wanted, strict=False))
        return Score(right / max(10, len(said)), said == wanted), f"{said or 'nothing'}, not {wanted}"

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        rows = "\n".join(f"    {number} -> {digit}" for number, digit in self.puzzle(seed)[1])
        return PROMPT.format(rows=rows) >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Checks("checks", lengths=(2,) * 4 + (3,) * 6 + (4,) * 6, least=2000, most=7000)
build = TASK.build
