"""Parcels in crates that must all weigh the same: nearly equal is easy, and of no use."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

from evaluator import *

DESCRIPTION = "Can the model pack thirty parcels into six crates of exactly the same weight?"
TAGS = ["hard", "reasoning", "arithmetic"]

PROMPT = """These are the weights of {parcels} parcels, in grams:

{weights}

They are to be packed into {crates} crates, {each} parcels in each, so that every crate weighs exactly {total} grams (together the parcels weigh {crates} *
{total}). There is a way. Find one, without running any code. End your reply with {crates} lines, one for each crate, with the weights of its parcels, such
as "Crate 1: {example}". Each parcel has to be named exactly once in these lines."""

Crate = tuple[int, ...]


@dataclass(frozen=True)
class Crates:
    """Parcels of `low` to `high` grams, no two of the same weight, in crates of the same number and the same total.

    How hard it is shows in how few combinations have the right total: `fewest` to `most` of all, the planted ones among them.
    """

    name: str
    crates: int
    each: int
    low: int
    high: int
    fewest: int
    most: int

    @property
    def total(self) -> int:
        """What a crate weighs."""
        return self.each * (self.low + self.high) // 2

    def _drawn(self, chance: random.Random) -> tuple[Crate, ...]:
        crates: list[Crate] = []
        seen: set[int] = set()
        while len(crates) < self.crates:
            some = [chance.randint(self.low, self.high) for _ in range(self.each - 1)]
            crate = {*some, self.total - sum(some)}
            if (
                len(crate) == self.each
                and self.low <= self.total - sum(some) <= self.high
                and not crate & seen
            ):
                crates.append(tuple(sorted(crate)))
                seen |= crate
        return tuple(crates)

    def fitting(self, weights: Sequence[int]) -> list[Crate]:
        """All combinations of `each` parcels with the right total: one of two parcels above one of the rest below."""
        weights = sorted(weights)
        low: dict[int, list[Crate]] = {}
        found: list[Crate] = []
        for n, weight in enumerate(weights):
            for other in weights[n + 1 :]:
                need = self.total - weight - other
                found += [(*some, weight, other) for some in low.get(need, ())]
            for some in combinations(weights[:n], self.each - 3):
                low.setdefault(sum(some) + weight, []).append((*some, weight))
        return found

    def ways(self, weights: Sequence[int]) -> int:
        """How many ways there are, the order of crates apart."""
        fitting = self.fitting(weights)

        def rest(left: frozenset[int]) -> int:
            if not left:
                return 1
            first = min(left)
            return sum(
                rest(left.difference(crate)) for crate in fitting if first in crate and left.issuperset(crate)
            )

        return rest(frozenset(weights))

    @cache  # noqa: B019 - there are one or two of them
    def planted(self, seed: int) -> tuple[tuple[int, ...], tuple[Crate, ...]]:
        """The weights in the order shown, and the planted crates."""
        for attempt in range(1000):
            chance = random.Random(f"{self.name} {seed} {attempt}")
            crates = self._drawn(chance)
            weights = sorted(weight for crate in crates for weight in crate)
            if self.fewest <= len(self.fitting(weights)) <= self.most:
                return tuple(weights), crates
        raise ValueError(f"no parcels for seed {seed}")

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of crates that are right; passed if all are."""
        weights, _ = self.planted(seed)
        plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"[*_`|$]", " ", reply))
        used: set[int] = set()
        told = []
        for number in range(1, self.crates + 1):
            lines = re.findall(rf"(?im)^[ \t#>-]*crate[ \t]*{number}[ \t]*:([^\n]{{0,400}})", plain)
            crate = [
                int(each) for each in re.findall(r"\d{1,9}", re.split(r"[=(]", lines[-1] if lines else "")[0])
            ]
            if len(crate) != self.each or len(set(crate)) != self.each or not set(crate) <= set(weights):
                told.append(f"crate {number}: not {self.each} of the parcels")
            elif sum(crate) != self.total:
                told.append(f"crate {number}: {sum(crate)} grams")
            elif used & set(crate):
                told.append(f"crate {number}: parcels of another crate")
            used |= set(crate)
        return Score(1 - len(told) / self.crates, not told), "; ".join(told)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        weights, _ = self.planted(seed)
        rows = [weights[n : n + 10] for n in range(0, len(weights), 10)]
        question = PROMPT.format(
            parcels=len(weights),
            weights="\n".join("    " + " ".join(map(str, row)) for row in rows),
            crates=self.crates,
            each=self.each,
            total=self.total,
            example=" ".join(map(str, weights[: self.each])),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Crates("crates", crates=6, each=5, low=1000, high=9999, fewest=10, most=22)
build = TASK.build
