"""Right and wrong replies to judgement_patterns. A claim is tried on all words that are long enough to show that it is false."""

from __future__ import annotations

from functools import cache
from itertools import product

from ..judgement_patterns import LATE, LATEST, NUMBER, claims_of

WORDS = frozenset("".join(letters) for long in range(LATEST + 1) for letters in product("ab", repeat=long))
Words = frozenset[str]


class _Parser:
    """The words that a pattern matches, up to the longest that matter."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def next(self) -> str:
        return self.text[self.at : self.at + 1]

    def either(self) -> Words:
        found = self.each()
        while self.next() == "|":
            self.at += 1
            found |= self.each()
        return found

    def each(self) -> Words:
        found = self.row()
        while self.next() == "&":
            self.at += 1
            found &= self.row()
        return found

    def row(self) -> Words:
        found = self.single()
        while self.next() and self.next() in "ab.!(":
            found = _behind(found, self.single())
        return found

    def single(self) -> Words:
        sign = self.next()
        self.at += 1
        if sign == "!":
            return WORDS - self.single()
        if sign == "(":
            found = self.either()
            self.at += 1
        else:
            found = frozenset("ab" if sign == "." else sign)
        while self.next() == "*":
            self.at += 1
            found = _repeated(found)
        return found


@cache
def _behind(one: Words, other: Words) -> Words:
    by_length: list[list[str]] = [[] for _ in range(LATEST + 1)]
    for word in other:
        by_length[len(word)].append(word)
    return frozenset(a + b for a in one for long in range(LATEST + 1 - len(a)) for b in by_length[long])


@cache
def _repeated(one: Words) -> Words:
    found = {""}
    for word in sorted(WORDS, key=len):
        if any(word[:cut] in found and word[cut:] in one for cut in range(len(word))):
            found.add(word)
    return frozenset(found)


def _holds(claim: str, longest: int) -> bool:
    left, sign, right_ = claim.split()
    one, other = (
        frozenset(word for word in _Parser(each).either() if len(word) <= longest) for each in (left, right_)
    )
    return one == other if sign == "=" else one <= other


@cache
def _true(seed: int, longest: int = LATEST) -> list[int]:
    return [n for n, (claim, _) in enumerate(claims_of(seed), 1) if _holds(claim, longest)]


def _reply(numbers: list[int]) -> str:
    return f"I went through them one by one.\n\nTrue: {', '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    return [_reply(_true(seed)), "**True:** " + " ".join(map(str, _true(seed)))]


def wrong(seed: int) -> list[str]:
    numbers = _true(seed)
    others = [n for n in range(1, NUMBER + 1) if n not in numbers]
    return [
        _reply(_true(seed, LATE)),
        _reply(numbers[1:]),
        _reply(sorted([*numbers, others[-1]])),
        _reply(others),
        _reply([*range(1, NUMBER + 1)]),
        "None can be decided.",
    ]
