"""A sum of small multiples of long numbers that is exactly zero: easy to check, and found only by a long exact reduction."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model find small factors with which nine long numbers add up to exactly zero?"
TAGS = ["hard", "reasoning", "arithmetic"]

PROMPT = """These are {count} numbers:

{numbers}

Find {count} whole numbers x1 to x{count}, each of them at least -{most} and at most {most} and not all of them 0, for which

    x1 * A1 + x2 * A2 + ... + x{count} * A{count} = 0

holds exactly. There is a solution. Find one, without running any code. End your reply with a line that begins with "Factors:" and has the {count} whole
numbers in this order, separated by blanks, such as "Factors: {example}"."""


@dataclass(frozen=True)
class Relations:
    """`count` numbers of so many digits, with factors of -`most` to `most` that are planted, none of them 0.

    As long as there are fewer choices of factors than sums that they can have, hardly any relation is there besides the planted one.
    """

    name: str
    count: int
    digits: int
    most: int

    @cache  # noqa: B019 - there are one or two of them
    def planted(self, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers, and the planted factors."""
        chance = random.Random(f"{self.name} {seed}")
        low, high = 10 ** (self.digits - 1), 10**self.digits
        signs = [each for each in range(-self.most, self.most + 1) if each]
        while True:
            factors = chance.choices(signs, k=self.count)
            numbers = [chance.randrange(low, high) for _ in factors[1:]]
            last, rest = divmod(-sum(a * x for a, x in zip(numbers, factors, strict=False)), factors[-1])
            if not rest and low <= last < high:
                numbers.append(last)
                order = chance.sample(range(self.count), self.count)
                return tuple(numbers[n] for n in order), tuple(factors[n] for n in order)

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """Passed if the sum is 0, by factors that are allowed. There is no other score: nearly zero is nothing."""
        numbers, _ = self.planted(seed)
        plain = re.sub(r"[*_`|$]", " ", reply).replace("\u2212", "-")
        lines = re.findall(r"(?im)^[ \t#>-]*factors[ \t]*:([^\n]{0,1000})", plain)
        said = re.sub(r"(?i)x[ ]?\d+[ ]*=|(?<=-)[ ]+(?=\d)", "", lines[-1] if lines else "")
        factors = [int(each) for each in re.findall(r"[+-]?\d{1,20}", said)]
        if len(factors) != self.count:
            return Score(0.0, False), f"not {self.count} factors"
        if not any(factors) or max(map(abs, factors)) > self.most:
            return Score(0.0, False), f"all 0, or beyond {self.most}"
        result = sum(a * x for a, x in zip(numbers, factors, strict=True))
        return Score(float(not result), not result), f"the sum is {result}"

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        numbers, _ = self.planted(seed)
        example: Sequence[int] = [
            (7 * n * n + 3) % (2 * self.most + 1) - self.most for n in range(self.count)
        ]
        question = PROMPT.format(
            count=self.count,
            most=self.most,
            numbers="\n".join(f"    A{n} = {each}" for n, each in enumerate(numbers, 1)),
            example=" ".join(map(str, example)),
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Relations("relation", count=9, digits=11, most=9)
build = TASK.build
