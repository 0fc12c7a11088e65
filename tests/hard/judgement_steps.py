"""Claims about three small numbers: which of seven steps can make each of them false?"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from string import ascii_lowercase

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model tell for 24 claims about a program's state which of its steps keep and which break each?"
)
TAGS = ["hard", "reasoning", "code"]

TOP = 7
# what is said -> the same in Python; p, q and r stand for x, y and z in some order
GUARDS = {
    "p < q": "p < q",
    "p is even": "p % 2 == 0",
    "p + q > 7": "p + q > 7",
    "p is not q": "p != q",
    "p > 4": "p > 4",
    "p + 1 < q": "p + 1 < q",
    "p is odd or q is 0": "p % 2 == 1 or q == 0",
    "p and q are both even or both odd": "(p + q) % 2 == 0",
    "p < 6 and q > 1": "p < 6 and q > 1",
}
ACTIONS = {
    "p becomes p + q": "p + q, q, r",
    "p becomes 7 - p": "7 - p, q, r",
    "p and q change places": "q, p, r",
    "p becomes p + 2 and q becomes q - 1": "p + 2, q - 1, r",
    "p becomes q + r": "q + r, q, r",
    "p becomes half of p, rounded down": "p // 2, q, r",
    "p becomes 3 * p": "3 * p, q, r",
    "p becomes the larger one of q and r": "max(q, r), q, r",
    "p becomes p - q and r becomes r + 1": "p - q, q, r + 1",
    "p becomes q, q becomes r and r becomes p": "q, r, p",
}
ATOMS = {
    "p < q": "p < q",
    "p + q is even": "(p + q) % 2 == 0",
    "p + q + r is divisible by 3": "(p + q + r) % 3 == 0",
    "p is not q": "p != q",
    "p is at most 5": "p <= 5",
    "p + q is at least 4": "p + q >= 4",
    "p + q is at most 9": "p + q <= 9",
    "p is odd": "p % 2 == 1",
    "p and q differ by 3 at most": "abs(p - q) <= 3",
    "p * q is at most 12": "p * q <= 12",
    "p is the largest of the three, alone or not": "p >= max(q, r)",
    "x, y and z are all different": "len({p, q, r}) == 3",
    "p + q > r": "p + q > r",
    "p + 2 * q is divisible by 4": "(p + 2 * q) % 4 == 0",
}
FORMS: dict[str, Callable[..., bool]] = {
    "A or B.": lambda a, b, c: a or b,
    "A, or B, or C.": lambda a, b, c: a or b or c,
    "If A, then B.": lambda a, b, c: b or not a,
    "If A, then B or C.": lambda a, b, c: b or c or not a,
    "If A and B, then C.": lambda a, b, c: c or not (a and b),
    "Not both: A, and B.": lambda a, b, c: not (a and b),
}
PROMPT = """A program keeps three numbers x, y and z from 0 to 7. Again and again it takes one of the steps below, any one whose condition holds. All calculations of a
step use the numbers as they are before it, and what a number becomes is taken modulo 8 (9 is 1, and -1 is 7). Numbers that a step does not name stay as they are.

{rules}

Each claim below is about x, y and z at one moment; sums and products in conditions and claims are not taken modulo 8, and "or"
allows both.

{claims}

A step breaks a claim if there are any x, y and z from 0 to 7 (whether the program can ever come to them or not) for which the step's condition and the claim hold, and after the
step the claim does not. Which steps break which claims? Some do for very few numbers only. Work it out without running any code. End your reply with {count} lines, one for each claim,
with its name and the letters of all steps that break it, such as "C1: b e", or "C1: none". It passes if exactly the right ones are named for each claim."""

State = tuple[int, int, int]
STATES: tuple[State, ...] = tuple((x, y, z) for x, y, z in product(range(TOP + 1), repeat=3))
Truth = Sequence[bool]  # by state


def meant(code: str, names: str) -> Callable[[int, int, int], object]:
    """The function of x, y and z that a piece of Python is; p, q and r stand for `names` in this order."""
    return eval(f"lambda {','.join(p for _, p in sorted(zip(names, 'pqr', strict=True)))}: ({code})")  # type: ignore[no-any-return]  # pieces of this file


def said(words: str, names: str) -> str:
    """The words with x, y and z for p, q and r."""
    return re.sub(r"\b[pqr]\b", lambda found: names["pqr".index(found[0])], words)


@dataclass(frozen=True)
class Rule:
    """A step: `leads` from the numbers of states to those of others, only where its condition holds."""

    words: str
    leads: tuple[tuple[int, int], ...]

    def broken(self, claim: Truth) -> int:
        """In how many states it breaks a claim."""
        return sum(claim[one] and not claim[other] for one, other in self.leads)


def rule(guard: str, action: str, names: tuple[str, str]) -> Rule:
    """A rule of pieces, each with its names."""
    holds, acts = meant(GUARDS[guard], names[0]), meant(ACTIONS[action], names[1])
    back = ["pqr".index(each) for each in (dict(zip(names[1], "pqr", strict=True))[name] for name in "xyz")]
    leads = []
    for n, state in enumerate(STATES):
        if holds(*state):
            after = acts(*state)
            x, y, z = (after[at] % (TOP + 1) for at in back)  # type: ignore[index]
            leads.append((n, x * (TOP + 1) ** 2 + y * (TOP + 1) + z))
    return Rule(f"if {said(guard, names[0])}: {said(action, names[1])}", tuple(leads))


@cache
def atom(words: str, names: str) -> tuple[bool, ...]:
    """Where it holds."""
    holds = meant(ATOMS[words], names)
    return tuple(bool(holds(*state)) for state in STATES)


@dataclass(frozen=True)
class Steps:
    """Claims that `fewest` to `most` of the steps break, one of them in `rare` states at the most."""

    name: str
    rules: int
    count: int
    fewest: int
    most: int
    rare: int

    @cache  # noqa: B019 - there are one or two of them
    def puzzle(self, seed: int) -> tuple[tuple[Rule, ...], dict[str, tuple[str, tuple[bool, ...]]]]:
        """The steps, and name -> a claim and where it holds."""
        chance = random.Random(f"{self.name} {seed}")

        def names() -> str:
            return "".join(chance.sample("xyz", 3))

        guards, actions = chance.sample(list(GUARDS), self.rules), chance.sample(list(ACTIONS), self.rules)
        rules = tuple(
            rule(guard, action, (names(), names())) for guard, action in zip(guards, actions, strict=True)
        )
        found: dict[str, tuple[bool, ...]] = {}
        while len(found) < self.count:
            form = chance.choice(list(FORMS))
            parts = [(words, names()) for words in chance.sample(list(ATOMS), 3)]
            claim = tuple(FORMS[form](*each) for each in zip(*(atom(*part) for part in parts), strict=True))
            broken = [each.broken(claim) for each in rules]
            if self.fewest <= sum(map(bool, broken)) <= self.most and any(
                0 < each <= self.rare for each in broken
            ):
                words = form
                for sign, part in zip("ABC", parts, strict=True):
                    words = re.sub(rf"\b{sign}\b", said(*part), words)
                found[words if words[0] in "xyz" else words[0].upper() + words[1:]] = claim
        return rules, {f"C{n}": each for n, each in enumerate(found.items(), 1)}

    def wanted(self, seed: int) -> dict[str, str]:
        """The letters of the steps that break each claim."""
        rules, claims = self.puzzle(seed)
        found = {}
        for name, (_, claim) in claims.items():
            letters = [
                letter for letter, each in zip(ascii_lowercase, rules, strict=False) if each.broken(claim)
            ]
            found[name] = " ".join(letters) or "none"
        return found

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        rules, claims = self.puzzle(seed)
        question = PROMPT.format(
            rules="\n".join(f"    {ascii_lowercase[n]}. {each.words}" for n, each in enumerate(rules)),
            claims="\n".join(f"    {name}: {words}" for name, (words, _) in claims.items()),
            count=self.count,
        )
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_steps))


def same_steps(said: str, wanted: str) -> bool:
    """Whether the same letters are named, in whatever order."""
    return set(re.findall(r"[a-z]+", said.lower())) - {"and", "steps", "step"} == set(wanted.split())


TASK = Steps("steps", rules=7, count=24, fewest=2, most=5, rare=4)
build = TASK.build
