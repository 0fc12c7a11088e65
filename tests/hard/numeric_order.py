"""Floats of few bits, added one after another: the order in which the sum comes out largest."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .listed import judge_each, whole_numbers

DESCRIPTION = (
    "Can the model order numbers so that their sum, rounded after each step, comes out as large as it can?"
)
TAGS = ["hard", "reasoning", "floating point"]

PROMPT = """A machine calculates with {bits} significant bits: its numbers are the whole numbers m * 2^e with |m| below {top} and whole e from 0 up. (So after {top} come
{top2}, {top4} and so on up to {twice}, and then steps of 4.) A sum of two numbers of the machine is rounded to the nearest number of the machine; if two are equally near, to the one of
them that is an even multiple of their distance. So {tie} + 1 gives {tie}, and {tie} + 3 gives {tie4}.

A list is added from left to right: the second number to the first, the third to the rounded result, and so on, rounding after each addition. For
each of these lists find an order of its numbers for which the result is as large as possible:

{lists}

Work it out without running any code. End your reply with {count} lines, one for each list, with all its numbers in the order that you have found, such as

L1: 5 -3 12 ...

It passes if for each list no other order has a larger result."""


@dataclass(frozen=True)
class Orders:
    """`count` lists of `size` numbers of `bits` bits, times 2^`low` to 2^`high`. Usual orders and steps from them to better ones fall short."""

    name: str
    count: int
    size: int
    bits: int
    low: int
    high: int

    def put(self, value: int) -> int:
        """A whole number, rounded to a number of the machine."""
        size = abs(value)
        cut = size.bit_length() - self.bits
        if cut <= 0:
            return value
        kept, rest, half = size >> cut, size & ((1 << cut) - 1), 1 << (cut - 1)
        size = kept + (rest > half or (rest == half and kept & 1)) << cut
        return size if value > 0 else -size

    def result(self, numbers: Sequence[int]) -> int:
        """The sum from left to right."""
        total, *rest = numbers
        for each in rest:
            total = self.put(total + each)
        return total

    def largest(self, numbers: Sequence[int]) -> list[int]:
        """The best order. Rounding keeps what is larger at least as large, so the best sum of a set ends with the best sum of a smaller one."""
        best, last = [0] * (1 << len(numbers)), [0] * (1 << len(numbers))
        bits = [(1 << n, each) for n, each in enumerate(numbers)]
        for chosen in range(1, 1 << len(numbers)):
            best[chosen], last[chosen] = max(
                (self.put(best[chosen ^ bit] + each), each) for bit, each in bits if chosen & bit
            )
        order, left = list[int](), (1 << len(numbers)) - 1
        while left:
            order.append(last[left])
            left ^= next(bit for bit, each in bits if left & bit and each == last[left])
        return order[::-1]

    def improved(self, numbers: Sequence[int]) -> list[int]:
        """An order that no move of one number makes better."""
        order = list(numbers)
        while True:
            moved = [
                [*rest[:to], order[at], *rest[to:]]
                for at in range(len(order))
                for rest in [order[:at] + order[at + 1 :]]
                for to in range(len(order))
            ]
            better = max(moved, key=self.result)
            if self.result(better) <= self.result(order):
                return order
            order = better

    def usual(self, numbers: Sequence[int]) -> list[list[int]]:
        """Orders that come to mind first."""
        up, by_size = sorted(numbers), sorted(numbers, key=abs)
        return [up, up[::-1], by_size, by_size[::-1]]

    @cache  # noqa: B019 - there are one or two of them
    def lists(self, seed: int) -> dict[str, tuple[list[int], list[int]]]:
        """Name -> numbers, and their best order."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[list[int], list[int]]] = []
        while len(found) < self.count:
            numbers: list[int] = []
            while len(numbers) < self.size:
                number = chance.randrange(1 << (self.bits - 1), 1 << self.bits) << chance.randint(
                    self.low, self.high
                )
                number *= chance.choice((1, 1, -1))
                if number not in numbers and -number not in numbers:
                    numbers.append(number)
            best = self.largest(numbers)
            if all(self.result(self.improved(start)) < self.result(best) for start in self.usual(numbers)):
                found.append((numbers, best))
        return {f"L{n}": each for n, each in enumerate(found, 1)}

    def against(self, seed: int, name: str, said: str) -> str:
        """What is wrong with an order."""
        numbers, best = self.lists(seed)[name]
        order = whole_numbers(said)
        if sorted(order) != sorted(numbers):
            return "these are not the numbers of the list"
        short = self.result(best) - self.result(order)
        return f"gives {self.result(order)}, not {self.result(best)}" if short else ""

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        lists = self.lists(seed)
        top = 1 << self.bits
        question = PROMPT.format(
            bits=self.bits, top=top, top2=top + 2, top4=top + 4, twice=2 * top, tie=top, tie4=top + 4, count=self.count,
            lists="\n".join(f"    {name}: " + " ".join(map(str, numbers)) for name, (numbers, _) in lists.items()),
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_each, list(lists), partial(self.against, seed)))


TASK = Orders("order", count=4, size=10, bits=4, low=0, high=5)
build = TASK.build
