"""Formulas at the threshold: how many ways there are to make each of them true, if there are any."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from string import ascii_lowercase

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model tell for ten formulas of 156 clauses in how many ways each can be true?"
TAGS = ["hard", "reasoning", "logic"]

PROMPT = """Each of the {count} formulas below is a list of clauses of {width} letters. Each letter from {first} to {last} is a variable, which is true or false. A small
letter in a clause is met if its variable is true, a capital letter if its variable is false. A clause is met if at least one of its letters is met: "aBcD" is
met unless a is false, b is true, c is false and d is true. A formula is met if all of its clauses are.

{formulas}

For each formula, how many of the {all:,} assignments of true and false to the {letters} variables meet it? Some formulas are met by none, the others by few. Work
it out without running any code. End your reply with {count} lines, one for each formula, with its name and the number, such as "F1: 3"."""

Formula = tuple[str, ...]
Clauses = list[frozenset[int]]


def _without(clauses: Clauses, literal: int) -> Clauses | None:
    """What is left of the clauses once the literal is true; None if one of them cannot be met."""
    left = []
    for clause in clauses:
        if literal not in clause:
            clause = clause - {-literal}
            if not clause:
                return None
            left.append(clause)
    return left


def searched(formula: Formula) -> int:
    """How many choices the usual search makes until it knows all ways: clauses with one letter left are followed first, and it
    chooses the variable that stands most often in short clauses."""
    choices = 0

    def rest(clauses: Clauses) -> None:
        nonlocal choices
        while short := next((clause for clause in clauses if len(clause) == 1), None):
            left = _without(clauses, *short)
            if left is None:
                return
            clauses = left
        if clauses:
            weight: dict[int, int] = {}
            for clause in clauses:
                for literal in clause:
                    weight[abs(literal)] = weight.get(abs(literal), 0) + (1, 30, 5, 1)[len(clause) - 1]
            variable = max(weight, key=lambda each: (weight[each], each))
            for literal in (variable, -variable):
                choices += 1
                left = _without(clauses, literal)
                if left is not None:
                    rest(left)

    def number(letter: str) -> int:
        sign = 1 if letter.islower() else -1
        return sign * (1 + ascii_lowercase.index(letter.lower()))

    rest([frozenset(map(number, clause)) for clause in formula])
    return choices


def ways(formula: Formula, letters: int) -> int:
    """How many assignments meet the formula, by a table of all."""
    size = 1 << letters
    every = (1 << size) - 1
    true = {}
    for n in range(letters):
        block = 1 << n
        column = ((1 << block) - 1) << block
        while block * 2 < size:
            block *= 2
            column |= column << block
        true[ascii_lowercase[n]] = column
        true[ascii_lowercase[n].upper()] = every ^ column
    met = every
    for clause in formula:
        table = 0
        for letter in clause:
            table |= true[letter]
        met &= table
        if not met:
            break
    return met.bit_count()


@dataclass(frozen=True)
class Formulas:
    """Random formulas of one size, each met by a number of assignments that is drawn from `met`. The usual search makes
    `least` to `most` choices for each."""

    name: str
    count: int
    letters: int
    width: int
    clauses: int
    met: tuple[int, ...]
    least: int
    most: int

    def _drawn(self, chance: random.Random) -> Formula:
        """Clauses of different variables, and all letters about as often, so that no choice is better at first sight."""
        letters = ascii_lowercase[: self.letters]
        seen: set[str] = set()
        capital = {each: chance.random() < 0.5 for each in letters}
        clauses: list[str] = []
        while len(clauses) < self.clauses:
            order = chance.sample(letters, self.letters)
            some = ["".join(sorted(order[n : n + self.width])) for n in range(0, self.letters, self.width)]
            if seen.isdisjoint(some):
                seen.update(some)
                clauses += [
                    "".join(each.upper() if capital[each] else each for each in clause) for clause in some
                ]
                for each in letters:  # the other sign, most of the time
                    capital[each] ^= chance.random() < 0.7
        return tuple(clauses)

    @cache  # noqa: B019 - there are one or two of them
    def formulas(self, seed: int) -> dict[str, tuple[Formula, int]]:
        """Name -> a formula, and how many assignments meet it."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Formula, int]] = []
        while len(found) < self.count:
            met = chance.choice(self.met)
            while True:
                formula = self._drawn(chance)
                if ways(formula, self.letters) == met and self.least <= searched(formula) <= self.most:
                    found.append((formula, met))
                    break
        return {f"F{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, int]:
        """The numbers of a seed."""
        return {name: met for name, (_, met) in self.formulas(seed).items()}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        shown = []
        for name, (formula, _) in self.formulas(seed).items():
            rows = [" ".join(formula[n : n + 28]) for n in range(0, len(formula), 28)]
            shown.append(f"{name} is\n" + "\n".join(f"    {row}" for row in rows))
        question = PROMPT.format(
            count=self.count,
            width=self.width,
            letters=self.letters,
            first="a",
            last=ascii_lowercase[self.letters - 1],
            formulas="\n\n".join(shown),
            all=1 << self.letters,
        )
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Formulas(
    "formulas", count=10, letters=16, width=4, clauses=156, met=(0, 0, 1, 2, 3, 4, 5), least=44, most=90
)
build = TASK.build
