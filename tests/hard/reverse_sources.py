"""Numbers that three hidden linear rules gave, mixed: which rules?"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter

from evaluator import *

DESCRIPTION = "Can the model find the coefficients of three linear rules whose results are mixed?"
TAGS = ["hard", "reasoning", "math"]

MOST = 300  # characters of a line that are read
PROMPT = """There are {sources} sources. Each has {secrets} secret numbers a0 to a{numbers} of its own, from 0 to {last}. For a row of {numbers} numbers x1 to x{numbers} from 0 to {last} it gives

    a0 + {formula}    modulo {prime}.

These are {samples} rows, each with what one of the sources gave for it. Nobody knows which one:

{rows}

Only one choice of the sources explains all of them. Find it without running any code. End your reply with {sources} lines, one for each source in any order, that begin
with "Source:" and have its numbers a0 to a{numbers} in this order, such as "Source: {example}"."""

Row = tuple[int, ...]
Sample = tuple[Row, int]


@dataclass(frozen=True)
class Sources:
    """Linear rules of so many `numbers` modulo a `prime`; each gives `each` of the samples."""

    name: str
    prime: int
    numbers: int
    sources: int
    each: int

    def gives(self, rule: Row, row: Row) -> int:
        """What a source gives."""
        return (rule[0] + sum(a * x for a, x in zip(rule[1:], row, strict=True))) % self.prime

    def explained(self, samples: list[Sample]) -> dict[Row, int]:
        """Rule -> the samples that it explains, as bits, for all rules that explain at least one."""
        ways: list[tuple[Row, list[int]]] = [
            ((), [y for _, y in samples])
        ]  # factors, and what a0 would have to be
        for n in range(self.numbers):
            ways = [
                ((*linear, a), [y - a * row[n] for y, (row, _) in zip(left, samples, strict=True)])
                for linear, left in ways
                for a in range(self.prime)
            ]
        found: dict[Row, int] = {}
        for linear, left in ways:
            masks = [0] * self.prime
            for n, y in enumerate(left):
                masks[y % self.prime] |= 1 << n
            found.update({(first, *linear): mask for first, mask in enumerate(masks) if mask})
        return found

    def choices(self, samples: list[Sample]) -> set[frozenset[Row]]:
        """All choices of as many rules, or fewer, that explain all samples."""
        masks = [(mask.bit_count(), rule, mask) for rule, mask in self.explained(samples).items()]
        masks.sort(key=itemgetter(0), reverse=True)
        found: set[frozenset[Row]] = set()

        def more(chosen: frozenset[Row], rest: int, left: int) -> None:
            if not rest:
                found.add(chosen)
            elif left:
                share = -(-rest.bit_count() // left)  # one of them explains as much of what is left
                for count, rule, mask in masks:
                    if count < share:
                        break
                    if (mask & rest).bit_count() >= share:
                        more(chosen | {rule}, rest & ~mask, left - 1)

        more(frozenset(), (1 << len(samples)) - 1, self.sources)
        return found

    @cache  # noqa: B019 - there are one or two of them
    def puzzle(self, seed: int) -> tuple[frozenset[Row], tuple[Sample, ...]]:
        """The rules, and the samples that leave no others."""
        chance = random.Random(f"{self.name} {seed}")
        every = range(self.prime)
        while True:
            rules = [tuple(chance.choices(every, k=self.numbers + 1)) for _ in range(self.sources)]
            count = self.sources * self.each
            rows: set[Row] = set()
            while len(rows) < count:
                rows.add(tuple(chance.choices(every, k=self.numbers)))
            samples = [
                (row, self.gives(rules[n % self.sources], row))
                for n, row in enumerate(chance.sample(sorted(rows), count))
            ]
            if self.choices(samples) == {frozenset(rules)}:
                return frozenset(rules), tuple(sorted(samples))

    def judge(self, seed: int, reply: str) -> Score:
        """The share of rules that are named; passed if exactly these are."""
        wanted, _ = self.puzzle(seed)
        said: list[Row] = []
        for line in reply.splitlines():
            found = re.fullmatch(r"[\s#>*_`-]*source[\s*_`]*\d?[\s*_`]*:(.*)", line[:MOST], re.IGNORECASE)
            if found:
                said.append(tuple(map(int, re.findall(r"\b[0-9]{1,4}\b", found[1]))))
        last = set(said[-self.sources :])
        return Score(len(last & wanted) / self.sources, last == wanted)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        _, samples = self.puzzle(seed)
        shown = [f"{' '.join(map(str, row))} -> {y}" for row, y in samples]
        question = PROMPT.format(
            sources=self.sources,
            secrets=self.numbers + 1,
            numbers=self.numbers,
            last=self.prime - 1,
            prime=self.prime,
            formula=" + ".join(f"a{n}*x{n}" for n in range(1, self.numbers + 1)),
            samples=len(samples),
            rows="\n".join("    " + "      ".join(shown[n : n + 4]) for n in range(0, len(shown), 4)),
            example=" ".join(str(n % self.prime) for n in range(3, self.numbers + 4)),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Sources("sources", prime=7, numbers=4, sources=3, each=12)
build = TASK.build
