"""Polynomials with whole coefficients that come as near to a table as can be, by the largest distance."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from math import cos, pi, prod

from evaluator import *

from .listed import judge_each, whole_numbers
from .wholes import improved, outwards

DESCRIPTION = "Can the model find the whole coefficients with which a polynomial comes as near to a table as is possible?"
TAGS = ["hard", "reasoning", "arithmetic"]

PROMPT = """Below are {count} tables of y for the whole x from {low} to {high}. For each table find whole numbers a0 to a{degree} for which the polynomial

    p(x) = {polynomial}

comes as near to the table as possible: its error, the largest |p(x) - y| of all x in the table, must be as small as whole coefficients allow.

{tables}

Work it out without running any code. End your reply with {count} lines, one for each table, with a0 to a{degree} in this order, such as

T1: {example}

It passes if for no table other whole coefficients have a smaller error."""

Table = tuple[int, ...]


@dataclass(frozen=True)
class Tables:
    """`count` tables for x from -`reach` to `reach`, near to polynomials of this degree whose coefficients are not whole. Rounding these
    one after another, and small steps from there, do not lead to the best."""

    name: str
    count: int
    degree: int
    reach: int
    noise: int

    @property
    def xs(self) -> range:
        """The x of a table."""
        return range(-self.reach, self.reach + 1)

    def error(self, table: Table, whole: Sequence[int]) -> int:
        """The largest distance."""
        distances: list[int] = [
            abs(sum(a * x**n for n, a in enumerate(whole)) - y) for x, y in zip(self.xs, table, strict=True)
        ]
        return max(distances)

    @cache  # noqa: B019 - there are one or two of them
    def _weights(self, degree: int) -> tuple[list[tuple[int, Fraction]], Fraction]:
        """Places in a table, and the weights with which their y give the coefficient of x^degree of the polynomial through them; and how far
        the coefficient can be from that if each y is wrong by 1."""
        places = sorted({round(self.reach * (1 - cos(pi * n / max(degree, 1)))) for n in range(degree + 1)})
        weights = []
        for place in places:
            others = [place - other for other in places if other != place]
            weights.append((place, Fraction(1, prod(others))))
        return weights, sum((abs(weight) for _, weight in weights), Fraction(0))

    def best(self, table: Table) -> tuple[int, list[list[int]]]:
        """The smallest error, and all coefficients that have it: every choice of the higher ones that is not yet ruled out."""
        least, found = 10**6, list[list[int]]()

        def rest(left: list[int], higher: list[int]) -> None:
            nonlocal least
            degree = self.degree - len(higher)
            if not degree:
                low, high = min(left), max(left)
                for constant in {(low + high) // 2, (low + high + 1) // 2}:
                    error = max(high - constant, constant - low)
                    if error < least:
                        found.clear()
                    if error <= least:
                        least = error
                        found.append([constant, *higher])
                return
            weights, spread = self._weights(degree)
            middle = sum((weight * left[place] for place, weight in weights), Fraction(0))
            for each in outwards(middle):
                if abs(each - middle) > spread * least:
                    break
                rest([y - each * x**degree for x, y in zip(self.xs, left, strict=True)], [each, *higher])

        rest(list(table), [])
        return least, found

    def rounded(self, table: Table) -> list[int]:
        """Coefficients that are rounded one after another, the highest first."""
        left, whole = list(table), list[int]()
        for degree in range(self.degree, -1, -1):
            weights, _ = self._weights(degree)
            each = (
                round(sum(weight * left[place] for place, weight in weights))
                if degree
                else (min(left) + max(left)) // 2
            )
            left = [y - each * x**degree for x, y in zip(self.xs, left, strict=True)]
            whole.insert(0, each)
        return whole

    @cache  # noqa: B019 - there are one or two of them
    def tables(self, seed: int) -> dict[str, tuple[Table, int, list[int], list[int]]]:
        """Name -> a table, the smallest error, coefficients that have it, and coefficients that small steps lead to."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Table, int, list[int], list[int]]] = []
        while len(found) < self.count:
            real = [chance.uniform(-1, 1) * 3 * (self.degree + 1 - n) for n in range(self.degree + 1)]
            table = tuple(
                round(sum(a * x**n for n, a in enumerate(real)) + chance.uniform(-self.noise, self.noise))
                for x in self.xs
            )
            near = improved(self.rounded(table), partial(self.error, table))
            least, best = self.best(table)
            if self.error(table, near) > least:
                found.append((table, least, best[0], near))
        return {f"T{n}": each for n, each in enumerate(found, 1)}

    def against(self, seed: int, name: str, said: str) -> str:
        """What is wrong with coefficients."""
        table, least, *_ = self.tables(seed)[name]
        whole = whole_numbers(said)
        if len(whole) != self.degree + 1:
            return f"{len(whole)} coefficients"
        error = self.error(table, whole)
        return f"the error is {error}, not {least}" if error > least else ""

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        tables = self.tables(seed)
        columns = [[str(x) for x in self.xs], *([str(y) for y in table] for table, *_ in tables.values())]
        rows = []
        for row in zip(
            *[[name, *its] for name, its in zip(["x", *tables], columns, strict=True)], strict=True
        ):
            rows.append("    " + "".join(each.rjust(9) for each in row))
        powers = ["a0", "a1*x", *(f"a{n}*x^{n}" for n in range(2, self.degree + 1))]
        question = PROMPT.format(
            count=self.count, low=-self.reach, high=self.reach, degree=self.degree, polynomial=" + ".join(powers),
            tables="\n".join(rows), example=" ".join(str((7 * n * n + 3) % 41 - 20) for n in range(self.degree + 1)),
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_each, list(tables), partial(self.against, seed)))


TASK = Tables("minimax", count=5, degree=4, reach=7, noise=8)
build = TASK.build
