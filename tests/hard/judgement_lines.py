"""A derivation of sixty lines that names neither rules nor premises: which lines follow from nothing before them?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, partial

from evaluator import *

from .replies import judge_chosen

DESCRIPTION = (
    "Can the model tell which lines of a derivation by twelve made-up rules follow from no earlier lines?"
)
TAGS = ["hard", "reasoning", "logic"]

GIVEN, LINES, UNFOUNDED = 6, 60, (8, 12)
SHORT, LONG = 7, 20  # letters of a line
PROMPT = """A line is a word of the letters a, b and c. By these rules a new line follows from earlier ones. By rules 1 to 8 it follows from one earlier line S:

1. One "ab" in S is replaced by "bca". Condition: the part of S before that "ab" has an even number of c (none is even).
2. One "bb" in S is replaced by "c". Condition: the number of letters of S after that "bb" is divisible by 3 (0 is).
3. S is written backwards. Condition: its first and its last letter differ.
4. The first k letters of S are moved to its end, in the same order, where k is the number of a in S. Condition: k is at least 1.
5. At one place of S its letter is written twice. Condition: S has exactly three such letters (three a, if it is an a).
6. Each a becomes b, each b becomes c and each c becomes a. Condition: S has an odd number of letters.
7. The letter in the middle of S is removed. Conditions: S has an odd number of letters, and that letter differs from both letters beside it.
8. The last two letters of S are removed. Condition: they are the same, in the same order, as the first two.

By rules 9 to 12 it follows from two earlier lines S and T, in any order, which may also be one and the same line:

9. S without its last letter, followed by T without its first letter. Condition: those two letters are equal.
10. The letters of S at its first, third, fifth ... place and those of T at its second, fourth ... place, each at the place where it was. Condition: S and T
have the same length.
11. The first half of S, followed by the second half of T. Condition: both have an even number of letters.
12. One "ca" in S is replaced by T. Condition: T has less than half as many letters as S.

Lines 1 to {given} are given. Each further line is claimed to follow from one or two lines somewhere above it by one use of one rule.

{lines}

Which lines do not? A line counts as wrong only if no rule gives it from any lines above it; lines above it may be used even if they are wrong
themselves. Work it out without running any code. End your reply with a line that begins with "Wrong:" and has the numbers of all wrong lines,
separated by commas; it passes if exactly these are named."""

NEXT = str.maketrans("abc", "bca")


def from_one(s: str, loose: int = 0) -> Iterator[str]:
    """What follows from a line; the condition of the rule `loose` is not looked at."""
    for at in range(len(s) - 1):
        if s[at : at + 2] == "ab" and (loose == 1 or s[:at].count("c") % 2 == 0):
            yield s[:at] + "bca" + s[at + 2 :]
        if s[at : at + 2] == "bb" and (loose == 2 or (len(s) - at - 2) % 3 == 0):
            yield s[:at] + "c" + s[at + 2 :]
    if loose == 3 or s[0] != s[-1]:
        yield s[::-1]
    if k := s.count("a"):
        yield s[k:] + s[:k]
    for at, letter in enumerate(s):
        if s.count(letter) in ((2, 3, 4) if loose == 5 else (3,)):
            yield s[:at] + letter + s[at:]
    if loose == 6 or len(s) % 2:
        yield s.translate(NEXT)
    middle = len(s) // 2
    if len(s) % 2 and (loose == 7 or (len(s) > 1 and s[middle] not in (s[middle - 1], s[middle + 1]))):
        yield s[:middle] + s[middle + 1 :]
    if loose == 8 or s[:2] == s[-2:]:
        yield s[:-2]


def from_two(s: str, t: str, loose: int = 0) -> Iterator[str]:
    """What follows from two lines in this order; the condition of the rule `loose` is not looked at."""
    if loose == 9 or s[-1] == t[0]:
        yield s[:-1] + t[1:]
    if len(s) == len(t):
        yield "".join((t if n % 2 else s)[n] for n in range(len(s)))
    if (len(s) % 2 == 0 and len(t) % 2 == 0) or loose == 11:
        yield s[: len(s) // 2] + t[len(t) // 2 :]
    if 2 * len(t) < len(s) or loose == 12:
        for at in range(len(s) - 1):
            if s[at : at + 2] == "ca":
                yield s[:at] + t + s[at + 2 :]


def _fits(line: str) -> bool:
    return SHORT <= len(line) <= LONG and set(line) == set("abc")


def _slip(line: str, chance: random.Random) -> str:
    """The line with two neighbours exchanged, or with one letter that is another one."""
    at = chance.randrange(len(line) - 1)
    if chance.random() < 0.5:
        return line[:at] + line[at + 1] + line[at] + line[at + 2 :]
    return line[:at] + chance.choice("abc") + line[at + 1 :]


def _one(lines: Sequence[str], chance: random.Random, loose: int) -> str:
    """Any line that follows, if the condition of the rule `loose` is not looked at."""
    while True:
        s, t = chance.choice(lines), chance.choice(lines)
        alone = loose in range(1, 9) or (not loose and chance.random() < 0.45)
        if found := [
            each for each in (from_one(s, loose) if alone else from_two(s, t, loose)) if _fits(each)
        ]:
            return chance.choice(found)


@cache
def derivation(seed: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The lines, and the numbers (from 1) of those that follow from nothing above them."""
    chance = random.Random(f"lines {seed}")
    wrong = set(chance.sample(range(GIVEN + 8, LINES), chance.randint(*UNFOUNDED)))
    lines: list[str] = []
    reached: set[str] = set()
    while len(lines) < LINES:
        if len(lines) < GIVEN:
            line = "".join(chance.choices("abc", k=8 + len(lines)))
        elif len(lines) not in wrong:
            line = _one(lines, chance, 0)
        elif chance.random() < 0.65:
            line = _one(lines, chance, chance.choice((1, 2, 3, 5, 6, 7, 8, 9, 11, 12)))
        else:
            line = _slip(_one(lines, chance, 0), chance)
        if (
            not _fits(line)
            or line in lines
            or (line in reached) == (len(lines) in wrong or len(lines) < GIVEN)
        ):
            continue
        lines.append(line)
        reached.update(from_one(line))
        for other in lines:
            reached.update(from_two(line, other))
            reached.update(from_two(other, line))
    return tuple(lines), tuple(sorted(n + 1 for n in wrong))


def build(seed: int) -> Node:
    """The test of a seed."""
    lines, wrong = derivation(seed)
    listed = "\n".join(f"    {n:>2}. {line}" for n, line in enumerate(lines, 1))
    question = PROMPT.format(given=GIVEN, lines=listed)
    return question >> LLMRun() >> PyFunc(partial(judge_chosen, "Wrong", lambda: wrong, LINES - GIVEN))
