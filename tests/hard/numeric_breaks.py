"""Rules of arithmetic that floats of few bits break: for how many numbers each of them fails."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model count, without a miss, the numbers for which two formulas differ once each operation is rounded?"
TAGS = ["hard", "reasoning", "floating point"]

PROMPT = """A machine has floating-point numbers of {bits} significant bits: the numbers m * 2^e with whole m and e, |m| below {top}, without a limit to e. The result of each operation
(+, -, *, /) is rounded to the nearest number of the machine; if two are equally near, to the one of them that is the even multiple of their distance. Operations
are done one by one, as the formula says: * and / before + and -, from left to right, what stands in brackets first. For example 1 / 3 gives {third}, and 3 * (1 / 3)
gives {one}.

In each of these questions, x runs through the {all} whole numbers from {low} to {high}. For how many of these x do the machine's results of the two formulas differ?

{questions}

Work it out without running any code. End your reply with {count} lines, one for each question, with the number of x, such as "Q1: 17"."""


@dataclass(frozen=True)
class Formula:
    """What is written, how tightly it binds (2 for * and /, 3 for what needs no brackets), and its value on a machine for x."""

    text: str
    tight: int
    value: Callable[[int, Callable[[Fraction], Fraction]], Fraction]

    def _with(self, other: Formula, sign: str, tight: int) -> Formula:
        def value(x: int, put: Callable[[Fraction], Fraction]) -> Fraction:
            a, b = self.value(x, put), other.value(x, put)
            return put(a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b)

        left = self.text if self.tight >= tight else f"({self.text})"
        right = other.text if other.tight > tight else f"({other.text})"
        return Formula(f"{left} {sign} {right}", tight, value)

    def __add__(self, other: Formula) -> Formula:
        return self._with(other, "+", 1)

    def __sub__(self, other: Formula) -> Formula:
        return self._with(other, "-", 1)

    def __mul__(self, other: Formula) -> Formula:
        return self._with(other, "*", 2)

    def __truediv__(self, other: Formula) -> Formula:
        return self._with(other, "/", 2)


def constant(number: int) -> Formula:
    """A number that every machine here has."""
    return Formula(str(number), 3, lambda x, put: Fraction(number))


X, ONE = Formula("x", 3, lambda x, put: Fraction(x)), constant(1)
RULES: tuple[Callable[[Formula, Formula], tuple[Formula, Formula]], ...] = (
    lambda a, b: (X / a * a, X),
    lambda a, b: (X * a / b, X * (a / b)),
    lambda a, b: (X / a / b, X / b / a),
    lambda a, b: (X * X / a, X / a * X),
    lambda a, b: (X * (a / X), a),
    lambda a, b: (X / a + X / b, X * (a + b) / (a * b)),
    lambda a, b: (X * a + X * b, X * (a + b)),
    lambda a, b: (X * X - a * a, (X - a) * (X + a)),
    lambda a, b: (a / X + b / X, (a + b) / X),
    lambda a, b: (X / (X + a), ONE - a / (X + a)),
    lambda a, b: ((X + a) / b, X / b + a / b),
    lambda a, b: (a / (b / X), X * a / b),
    lambda a, b: ((X + a) * (X + b), X * X + (a + b) * X + a * b),
    lambda a, b: (ONE / a - ONE / X, (X - a) / (a * X)),
)


@dataclass(frozen=True)
class Breaks:
    """`count` rules on a machine of `bits` bits; each fails for at least `least` and holds for at least `least` of the numbers."""

    name: str
    count: int
    bits: int
    least: int

    def put(self, value: Fraction) -> Fraction:
        """A number, rounded to the nearest of the machine."""
        if not value:
            return value
        over = abs(value.numerator).bit_length() - value.denominator.bit_length() - self.bits
        unit = Fraction(2) ** over
        if abs(value) >= unit * (1 << self.bits):
            unit *= 2
        return round(value / unit) * unit

    def differing(self, one: Formula, other: Formula) -> int:
        """For how many x the two differ."""
        low = 1 << (self.bits - 1)
        return sum(one.value(x, self.put) != other.value(x, self.put) for x in range(low, 2 * low))

    @cache  # noqa: B019 - there are one or two of them
    def questions(self, seed: int) -> dict[str, tuple[str, str, int]]:
        """Name -> the two formulas, and how often they differ."""
        chance = random.Random(f"{self.name} {seed}")
        found = []
        for rule in sorted(chance.sample(range(len(RULES)), self.count)):
            while True:
                a, b = chance.sample([3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 19, 21, 22, 23], 2)
                one, other = RULES[rule](constant(a), constant(b))
                number = self.differing(one, other)
                if self.least <= number <= (1 << (self.bits - 1)) - self.least:
                    break
            found.append((one.text, other.text, number))
        chance.shuffle(found)
        return {f"Q{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, int]:
        """The numbers of a seed."""
        return {name: number for name, (_, _, number) in self.questions(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        low = 1 << (self.bits - 1)
        third = self.put(Fraction(1, 3))
        question = PROMPT.format(
            bits=self.bits, top=2 * low, low=low, high=2 * low - 1, all=low, count=self.count, third=third, one=self.put(3 * third),
            questions="\n".join(f"    {name}: {one}   and   {other}" for name, (one, other, _) in self.questions(seed).items()),
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Breaks("breaks", count=14, bits=7, least=6)
build = TASK.build
