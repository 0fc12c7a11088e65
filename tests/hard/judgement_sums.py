"""Claims that all numbers are sums of three terms of given rows: how many numbers refute each?"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model tell how many numbers refute each of twenty claims about sums of three terms?"
TAGS = ["hard", "reasoning", "math"]

ROWS: dict[str, tuple[str, Callable[[int], int]]] = {
    "S": ("k*k: 0, 1, 4, 9, 16 ...", lambda k: k * k),
    "T": ("k*(k+1)/2: 0, 1, 3, 6, 10 ...", lambda k: k * (k + 1) // 2),
    "P": ("k*(3*k-1)/2: 0, 1, 5, 12, 22 ...", lambda k: k * (3 * k - 1) // 2),
    "C": ("k*k*k: 0, 1, 8, 27, 64 ...", lambda k: k**3),
    "D": ("2 to the power of k: 1, 2, 4, 8, 16 ...", lambda k: 2**k),
}
PROMPT = """These are rows of numbers, for k = 0, 1, 2, 3 ...

{rows}

The claim "S + 2T + 5C" says: each whole number from 0 to {limit} is the sum of a number of S, twice a number of T and five times a number of C. Other claims are meant in
the same way; where a row stands in a claim twice, its two numbers may be equal or not.

{claims}

None of these claims is true. For each of them: how many of the numbers from 0 to {limit} refute it, since they are no such sum? Work it out without running any code. End your
reply with {count} lines, one for each claim, with its name and how many numbers refute it, such as "C1: 12"."""

Claim = tuple[tuple[int, str], ...]  # factors and rows


@cache
def sums(claim: Claim, limit: int) -> int:
    """All sums of the terms up to the limit, as bits, and some beyond it."""
    if not claim:
        return 1
    *others, (factor, name) = claim
    less, found = sums(tuple(others), limit), 0
    for k in range(limit + 1):
        if (term := factor * ROWS[name][1](k)) > limit:
            break
        found |= less << term
    return found


def refuted(claim: Claim, limit: int) -> int:
    """How many numbers up to the limit are no sum."""
    return (~sums(claim, limit) & (2 << limit) - 1).bit_count()


def written(claim: Claim) -> str:
    """The claim as it is shown."""
    return " + ".join(f"{factor if factor > 1 else ''}{name}" for factor, name in claim)


@dataclass(frozen=True)
class Sums:
    """Claims about the numbers up to `limit`, each refuted by `fewest` to `most` of them."""

    name: str
    count: int
    factors: int
    fewest: int
    most: int
    limit: int

    @cache  # noqa: B019 - there are one or two of them
    def claims(self, seed: int) -> dict[str, tuple[Claim, int]]:
        """Name -> a claim, and how many numbers refute it."""
        chance = random.Random(f"{self.name} {seed}")
        found: dict[Claim, int] = {}
        while len(found) < self.count:
            terms = [(chance.randint(1, self.factors), chance.choice(list(ROWS))) for _ in range(3)]
            claim = tuple(sorted(terms, key=lambda term: (list(ROWS).index(term[1]), term[0])))
            if self.fewest <= (count := refuted(claim, self.limit)) <= self.most:
                found[claim] = count
        return {f"C{n}": each for n, each in enumerate(found.items(), 1)}

    def wanted(self, seed: int) -> dict[str, int]:
        """How many numbers refute each claim."""
        return {name: count for name, (_, count) in self.claims(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = PROMPT.format(
            rows="\n".join(f"    {name}: {said}" for name, (said, _) in ROWS.items()),
            claims="\n".join(
                f"    {name}: {written(claim)}" for name, (claim, _) in self.claims(seed).items()
            ),
            limit=self.limit,
            count=self.count,
        )
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Sums("sums", count=20, factors=9, fewest=6, most=30, limit=200)
build = TASK.build
