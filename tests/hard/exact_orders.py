"""How many orders of nine letters obey the rules, and which of them is the third: counted by mind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial, reduce
from itertools import pairwise
from math import factorial
from operator import or_
from typing import Any

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model count all orders of nine letters that obey a few rules, and find the third of them?"
)
TAGS = ["hard", "reasoning", "counting"]

PROMPT = """The letters {letters} stand in a row, in places 1 to {size} from left to right, each of them once. In a formula a letter stands for the number of its place; |A - B| is the distance of
two places. "If a, then b" is false only if a is true and b is false. "Ascents" are neighbours in the row of which the left one comes first in the alphabet.

Each of these {count} puzzles has several solutions:

{puzzles}

For each puzzle, how many orders obey all of its rules, and which of these orders is the third in alphabetical order? Work it out without running any code. End your reply with
{count} lines such as "P1: 123, {example}"."""

Bits = int  # a set of orders: the bit of each one's place in alphabetical order
Rule = tuple[str, Bits]


@cache
def places(size: int) -> tuple[tuple[Bits, ...], ...]:
    """Of each letter and place the orders in which it stands there."""
    if size == 1:
        return ((1,),)
    inner, block = places(size - 1), factorial(size - 1)

    def of(letter: int, place: int) -> Bits:
        found = 0
        for first in range(size):
            if (first == letter) != (place == 0):
                continue
            part = (1 << block) - 1 if place == 0 else inner[letter - (letter > first)][place - 1]
            found |= part << first * block
        return found

    return tuple(tuple(of(letter, place) for place in range(size)) for letter in range(size))


def exactly(count: int, sets: Iterable[Bits], every: Bits) -> Bits:
    """The orders that are in so many of the sets."""
    by_count = [every] + [0] * (count + 1)
    for one in sets:
        for n in range(count, -1, -1):
            by_count[n + 1] |= by_count[n] & one
            by_count[n] &= ~one
    return by_count[count]


@dataclass(frozen=True)
class Orders:
    """Puzzles about `size` letters; `least` and `most` solutions of each."""

    size: int
    puzzles: int
    least: int
    most: int

    @property
    def letters(self) -> str:
        return "ABCDEFGHI"[: self.size]

    @property
    def every(self) -> Bits:
        return (1 << factorial(self.size)) - 1

    def pairs(self, one: int, other: int, test: Callable[[int, int], bool]) -> Bits:
        """The orders in which the places of two letters, counted from 1, pass a test."""
        its, found = places(self.size), 0
        for a in range(self.size):
            good = [its[other][b] for b in range(self.size) if a != b and test(a + 1, b + 1)]
            found |= its[one][a] & reduce(or_, good, 0)
        return found

    def apart(self, one: int, other: int, distance: int) -> Bits:
        """The orders in which two letters have this distance."""
        return self.pairs(one, other, lambda a, b: abs(a - b) == distance)

    def sums(self, one: int, other: int, total: int) -> Bits:
        """The orders in which the places of two letters have this sum."""
        return self.pairs(one, other, lambda a, b: a + b == total)

    @cache  # noqa: B019 - there are few of them
    def ascents(self) -> tuple[Bits, ...]:
        """Of each two neighbouring places the orders that have an ascent there."""
        its, numbers = places(self.size), range(self.size)
        return tuple(
            reduce(
                or_, (its[a][p] & reduce(or_, (its[b][p + 1] for b in numbers if b > a), 0) for a in numbers)
            )
            for p in range(self.size - 1)
        )

    def atom(self, one: int, other: int, chance: random.Random) -> Rule:
        """A statement of one or two letters."""
        a, b, n = self.letters[one], self.letters[other], self.size
        far, sum_ = chance.randint(2, 4), chance.randint(n - 1, n + 3)
        kinds: tuple[tuple[str, Callable[[int, int], bool]], ...] = (
            (f"{a} < {b}", lambda x, y: x < y),
            (f"|{a} - {b}| = {far - 1}", lambda x, y: abs(x - y) == far - 1),
            (f"|{a} - {b}| > {far}", lambda x, y: abs(x - y) > far),
            (f"{a} + {b} > {sum_}", lambda x, y: x + y > sum_),
            (f"{a} is even", lambda x, y: x % 2 == 0),
            (f"{a} + {b} is odd", lambda x, y: (x + y) % 2 == 1),
        )
        text, test = chance.choice(kinds)
        return text, self.pairs(one, other, test)

    def overall(self, chance: random.Random) -> Rule:
        """A rule about all letters."""
        up, count = self.ascents(), chance.randint(2, 3)
        match chance.choice(("ascents", "run", "own")):
            case "ascents":
                count += self.size // 4
                return f"There are exactly {count} ascents.", exactly(count, up, self.every)
            case "run":
                twice = reduce(or_, (one & two for one, two in pairwise(up)))
                return (
                    "Nowhere do two ascents follow one another directly (X, Y, Z in alphabetical order).",
                    self.every & ~twice,
                )
        own = [places(self.size)[n][n] for n in range(self.size)]
        first, last = self.letters[0], self.letters[-1]
        return (
            f"Exactly {count} letters stand at their own place in the alphabet ({first} = 1 up to {last} = {self.size}).",
            exactly(count, own, self.every),
        )  # fmt: skip

    def rule(self, chance: random.Random) -> Rule:
        """Any other rule."""
        its = chance.sample(range(self.size), 6)
        x, y, z = (self.letters[n] for n in its[:3])
        first, second, third = (self.atom(its[n], its[n + 1], chance) for n in (0, 2, 4))
        match chance.choice(("gap", "between", "near", "closer", "one", "if", "two", "sum")):
            case "gap":
                gap = chance.randint(1, 3)
                return f"Exactly {gap} letters stand between {x} and {y}.".replace(
                    "1 letters stand", "1 letter stands"
                ), self.apart(its[0], its[1], gap + 1)
            case "between":
                one, two = (self.pairs(its[0], n, lambda a, b: a < b) for n in its[1:3])
                return f"{x} stands somewhere between {y} and {z}.", (one ^ two) & self.every
            case "near":
                one, two = (self.apart(its[0], n, 1) for n in its[1:3])
                return f"{x} stands directly beside {y} or {z}, or beside both.", one | two
            case "closer":
                numbers = range(1, self.size)
                at = [[self.apart(its[0], n, d) for d in numbers] for n in its[1:3]]
                found, further = 0, 0
                for near, far in zip(reversed(at[0]), reversed(at[1]), strict=True):
                    found |= near & further
                    further |= far
                return f"|{x} - {y}| < |{x} - {z}|", found
            case "one":
                return f"Exactly one of these is true: {first[0]}; {second[0]}.", first[1] ^ second[1]
            case "if":
                return f"If {first[0]}, then {second[0]}.", (self.every & ~first[1]) | second[1]
            case "two":
                sets = [first[1], second[1], third[1]]
                return f"Exactly two of these are true: {first[0]}; {second[0]}; {third[0]}.", exactly(
                    2, sets, self.every
                )
        sum_, found = chance.randint(1, 3), 0
        below = places(self.size)[its[2]]
        for place in range(1, self.size + 1):
            sums = self.sums(its[0], its[1], place - sum_) | self.sums(its[0], its[1], place + sum_)
            found |= below[place - 1] & sums
        return f"|{x} + {y} - {z}| = {sum_}", found

    def order(self, found: Bits, number: int) -> str:
        """The order of a set that has this number in it."""
        for _ in range(number - 1):
            found &= found - 1
        index, left, order = (found & -found).bit_length() - 1, list(self.letters), ""
        while left:
            place, index = divmod(index, factorial(len(left) - 1))
            order += left.pop(place)
        return order

    @cache  # noqa: B019
    def puzzle(self, seed: int, number: int) -> tuple[tuple[str, ...], Bits]:
        """Its rules, and the orders that obey them."""
        chance = random.Random(f"orders {seed} {number}")
        text, found = self.overall(chance)
        texts = [text]
        while found.bit_count() > self.most:
            text, its = self.rule(chance)
            share = its.bit_count() / self.every.bit_count()
            narrowed = found & its
            # a rule is neither nearly the whole answer nor of no use
            if 0.1 < share < 0.8 and self.least <= narrowed.bit_count() < 0.75 * found.bit_count():
                texts.append(text)
                found = narrowed
        return tuple(texts), found

    def wanted(self, seed: int) -> dict[str, str]:
        """The answers."""
        sets = [self.puzzle(seed, number)[1] for number in range(1, self.puzzles + 1)]
        return {f"P{n}": f"{its.bit_count()}, {self.order(its, 3)}" for n, its in enumerate(sets, 1)}

    def question(self, seed: int) -> str:
        """The whole prompt."""
        puzzles = [
            "\n".join((f"P{n}", *(f"  {k}. {text}" for k, text in enumerate(self.puzzle(seed, n)[0], 1))))
            for n in range(1, self.puzzles + 1)
        ]
        return PROMPT.format(
            letters=", ".join(self.letters),
            size=self.size,
            count=self.puzzles,
            puzzles="\n\n".join(puzzles),
            example=self.letters[::-1],
        )

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return self.question(seed) >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same))


def same(said: str, wanted: Any) -> bool:
    """Whether the one number and the one order are those."""
    words = re.findall(r"\d+|\b[A-I]{8,9}\b", said.upper())
    return words == str(wanted).split(", ")


TASK = Orders(size=9, puzzles=4, least=60, most=120)
build = TASK.build
