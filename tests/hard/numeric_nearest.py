"""Equations that have no whole solution: the whole numbers that come nearest, by the sum of squares."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from evaluator import *

from .listed import judge_each, whole_numbers
from .wholes import improved, outwards

DESCRIPTION = "Can the model find the whole numbers that come nearest to solving linear equations, where rounding does not?"
TAGS = ["hard", "reasoning", "arithmetic"]

PROMPT = """Each block below is a system of {rows} equations for the {size} whole numbers x1 to x{size}. A row holds the factors of x1 to x{size} and, behind the bar, the right-hand side:
"3 -2 5 | 7" would be 3*x1 - 2*x2 + 5*x3 = 7. No whole numbers solve a system exactly. For each one find whole numbers for which the sum of the squares of the
differences between the left-hand and right-hand sides of its {rows} equations is as small as possible. They may be negative or 0.

{systems}

Work it out without running any code. End your reply with {count} lines, one for each system, with x1 to x{size} in this order, such as

S1: {example}

It passes if for no system other whole numbers have a smaller sum of squares."""

Row = tuple[int, ...]
System = tuple[Row, ...]  # factors, then the right-hand side


def misses(system: System, whole: Sequence[int]) -> int:
    """The sum of the squares of the differences."""
    return sum((sum(a * x for a, x in zip(row, whole, strict=False)) - row[-1]) ** 2 for row in system)


def triangle(system: System) -> list[list[float]]:
    """The same sum of squares, but for a constant, of equations of which each has one unknown less than the one before."""
    columns = [[float(each) for each in column] for column in zip(*system, strict=True)]
    rows = []
    for at in range(len(columns) - 1):
        length = sum(each * each for each in columns[at]) ** 0.5
        unit = [each / length for each in columns[at]]
        row = [0.0] * at
        for column in columns[at:]:
            share = sum(a * b for a, b in zip(unit, column, strict=True))
            column[:] = [a - share * b for a, b in zip(column, unit, strict=True)]
            row.append(share)
        rows.append(row)
    return rows


def nearest(system: System) -> tuple[list[int], int]:
    """The best whole numbers, and how many choices have been looked at: the last unknown first, all values that are not ruled out."""
    rows = triangle(system)
    size = len(rows)
    least, best, looked = float("inf"), list[int](), 0

    def rest(whole: list[int], so_far: float) -> None:
        nonlocal least, best, looked
        at = size - 1 - len(whole)
        if at < 0:
            least, best = so_far, whole
            return
        row = rows[at]
        middle = (row[-1] - sum(a * x for a, x in zip(row[at + 1 :], whole, strict=False))) / row[at]
        for each in outwards(middle):
            now = so_far + (row[at] * (each - middle)) ** 2
            if now >= least - 1e-9:
                return
            looked += 1
            rest([each, *whole], now)

    rest([], 0.0)
    return best, looked


def solved(system: System) -> list[Fraction]:
    """The fractions with the least sum of squares."""
    columns = [*zip(*system, strict=True)]
    square = [
        [Fraction(sum(a * b for a, b in zip(one, other, strict=True))) for other in columns]
        for one in columns[:-1]
    ]
    for at in range(len(square)):
        pivot = next(n for n in range(at, len(square)) if square[n][at])
        square[at], square[pivot] = square[pivot], square[at]
        square[at] = [each / square[at][at] for each in square[at]]
        for n, row in enumerate(square):
            if n != at and row[at]:
                square[n] = [a - row[at] * b for a, b in zip(row, square[at], strict=True)]
    return [row[-1] for row in square]


@dataclass(frozen=True)
class Systems:
    """`count` systems of `size` unknowns and `rows` equations, with factors up to `factor` and right-hand sides up to `right`. The usual search
    looks at `least` to `most` choices, and rounding the solution and small steps from there do not lead to the best."""

    name: str
    count: int
    size: int
    rows: int
    factor: int
    right: int
    least: int
    most: int

    @cache  # noqa: B019 - there are one or two of them
    def systems(self, seed: int) -> dict[str, tuple[System, list[int], list[int]]]:
        """Name -> a system, the best whole numbers, and numbers that small steps from the rounded solution lead to."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[System, list[int], list[int]]] = []
        while len(found) < self.count:
            system = tuple(
                (
                    *(chance.randint(-self.factor, self.factor) for _ in range(self.size)),
                    chance.randint(-self.right, self.right),
                )
                for _ in range(self.rows)
            )
            best, looked = nearest(system)
            if not self.least <= looked <= self.most:
                continue
            near = improved([round(each) for each in solved(system)], partial(misses, system))
            if 0 < misses(system, best) < misses(system, near):
                found.append((system, best, near))
        return {f"S{n}": each for n, each in enumerate(found, 1)}

    def against(self, seed: int, name: str, said: str) -> str:
        """What is wrong with whole numbers."""
        system, best, _ = self.systems(seed)[name]
        whole = whole_numbers(said)
        if len(whole) != self.size:
            return f"{len(whole)} numbers"
        more = misses(system, whole) - misses(system, best)
        return (
            f"the sum of squares is {misses(system, whole)}, not {misses(system, best)}" if more > 0 else ""
        )

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        systems = self.systems(seed)
        blocks = []
        for name, (system, *_) in systems.items():
            rows = (
                "    " + "".join(str(each).rjust(4) for each in row[:-1]) + f"  |{row[-1]:>5}"
                for row in system
            )
            blocks.append(f"{name}:\n" + "\n".join(rows))
        question = PROMPT.format(
            count=self.count, rows=self.rows, size=self.size, systems="\n\n".join(blocks),
            example=" ".join(str((5 * n * n + 3) % 17 - 8) for n in range(self.size)),
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_each, list(systems), partial(self.against, seed)))


TASK = Systems("nearest", count=3, size=8, rows=8, factor=9, right=99, least=60, most=400)
build = TASK.build
