"""All final states of short threads, under every interleaving: the list must be complete."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from evaluator import *

from .interleaved import RULES, Program, drawn
from .listed import judge_lists

DESCRIPTION = (
    "Can the model list all final states of four programs of three threads, none missing and none too many?"
)
TAGS = ["hard", "reasoning", "threads"]

PROMPT = """Each of the {count} programs below has three threads P, Q and R that {rules}

{programs}

With which values of x and y can each program end, when all lines of all threads have been done? Work it out without running any code. End your reply with
{count} lines, one for each program, with all pairs of values that are possible at the end. Write each pair as two digits, x and then y, with blanks
between the pairs, in any order, such as

G1: 07 31 95

It passes if every list has exactly the pairs that are possible."""


def is_mixed(ends: Collection[int]) -> bool:
    """Whether neither 2 nor 5 divides the same sum of x and y in all ends: else they follow a pattern that is seen at once."""
    for modulus in (2, 5):
        for a, b in product(range(modulus), repeat=2):
            if (a or b) and len({(a * (pair // 10) + b * pair) % modulus for pair in ends}) == 1:
                return False
    return True


@dataclass(frozen=True)
class Outcomes:
    """`count` programs with so many `lines` in each thread, with so many `ends` each, and so many `states` (lines that are done, and a pair) in all."""

    name: str
    count: int
    lines: tuple[int, ...]
    ends: range
    states: range

    @cache  # noqa: B019 - there are one or two of them
    def programs(self, seed: int) -> dict[str, tuple[Program, list[str]]]:
        """Name -> a program, and its final states."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Program, list[str]]] = []
        while len(found) < self.count:
            program = drawn(chance, self.lines)
            states = program.outcomes()
            ends = states[program.end]
            if len(ends) in self.ends and sum(map(len, states.values())) in self.states and is_mixed(ends):
                found.append((program, [f"{pair:02}" for pair in sorted(ends)]))
        return {f"G{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The final states, by program."""
        return {name: ends for name, (_, ends) in self.programs(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        shown = (
            f"{name}, with x = {program.first // 10} and y = {program.first % 10} at first:\n\n{program.shown()}"
            for name, (program, _) in self.programs(seed).items()
        )
        question = PROMPT.format(count=self.count, rules=RULES, programs="\n\n".join(shown))
        return question >> LLMRun() >> PyFunc(partial(judge_lists, partial(self.wanted, seed)))


TASK = Outcomes("outcomes", count=4, lines=(4, 4, 3), ends=range(24, 59), states=range(900, 1900))
build = TASK.build
