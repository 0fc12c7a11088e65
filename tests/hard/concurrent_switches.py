"""Orders of three threads that end in a rare state with the fewest switches between threads."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .interleaved import RULES, Program, drawn, switches
from .listed import judge_each

DESCRIPTION = (
    "Can the model find the orders with the fewest switches between threads that end in states hard to reach?"
)
TAGS = ["hard", "reasoning", "threads"]

PROMPT = """Each of the {count} programs below has three threads P, Q and R that {rules}

An order of a program is written as the letters of the threads in the order in which their lines are done, one letter for each line, {letters} in all. A
switch is where a letter is followed by another one: PPQQPR has three. For each program an end is named: the values of x and y when all lines have been
done. Orders with this end exist. Find one with as few switches as possible.

{programs}

Work it out without running any code. End your reply with {count} lines, one for each program, such as

G1: {example}

It passes if each order has the end that is named, and no order with this end has fewer switches."""


@dataclass(frozen=True)
class Switches:
    """`count` programs of `lines` lines a thread. The end that is named needs `least` switches or more, and at most `ways` orders
    reach it with as few as possible. How many `ends` a program has in all matters only since some are seldom worth a closer look."""

    name: str
    count: int
    lines: int
    least: int
    ways: int
    ends: range

    @cache  # noqa: B019 - there are one or two of them
    def programs(self, seed: int) -> dict[str, tuple[Program, int, int, str, str]]:
        """Name -> a program, the end, its fewest switches, an order with so few, and one with more."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Program, int, int, str, str]] = []
        while len(found) < self.count:
            program = drawn(chance, [self.lines] * 3)
            if len(program.outcomes()[program.end]) not in self.ends:
                continue
            states = program.fewest()
            last = [states[program.end, n] for n in range(3)]
            ends = {}
            for pair in sorted(set().union(*last)):
                least = min(its[pair][0] for its in last if pair in its)
                ways = sum(its[pair][1] for its in last if pair in its and its[pair][0] == least)
                if least >= self.least and ways <= self.ways:
                    ends[pair] = least
            if ends:
                pair = chance.choice(sorted(ends))
                best, more = (program.order(states, pair, spare) for spare in (0, 3))
                if switches(more) > ends[pair]:
                    found.append((program, pair, ends[pair], best, more))
        return {f"G{n}": each for n, each in enumerate(found, 1)}

    def against(self, seed: int, name: str, said: str) -> str:
        """What is wrong with an order."""
        program, end, fewest, *_ = self.programs(seed)[name]
        letters = re.sub(r"[^PQR]", "", said.upper())
        pair, why = program.run(letters)
        if pair != end:
            return why or f"ends in {pair:02}, not {end:02}"
        count = switches(letters)
        return f"{count} switches, not {fewest}" if count > fewest else ""

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        programs = self.programs(seed)
        shown = (
            f"{name}, with x = {program.first // 10} and y = {program.first % 10} at first; the end is x = {end // 10} and y = {end % 10}:\n\n"
            + program.shown()
            for name, (program, end, *_) in programs.items()
        )
        question = PROMPT.format(
            count=self.count,
            rules=RULES,
            letters=3 * self.lines,
            programs="\n\n".join(shown),
            example="P" * (self.lines - 1) + "QQP" + "R" * self.lines + "Q" * (self.lines - 2),
        )
        return (
            question >> LLMRun() >> PyFunc(partial(judge_each, list(programs), partial(self.against, seed)))
        )


TASK = Switches("switches", count=4, lines=5, least=7, ways=3, ends=range(60, 96))
build = TASK.build
