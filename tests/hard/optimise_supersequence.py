"""A shortest string in which each of several strings is hidden, its letters in order: greedy merging takes too many letters."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations

from evaluator import *

from .optima import Optima

DESCRIPTION = "Can the model find a shortest string of which five given strings are subsequences?"
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """These are {words} strings of {length} letters, with blanks between the letters:

{listed}

A string contains another one as a subsequence if the other one is left after some letters (or none) have been struck out, wherever they stand. For example, b a c a d contains b c d and a a, but
not c b. Find a string, as short as possible, that contains each of these {words} strings as a subsequence. Work it out without running any code. It passes only if no shorter string does.
End your reply with a line that begins with "Answer:" and has the letters of the string, such as "Answer: {example} ..."."""

Strings = tuple[str, ...]


def _pair(one: str, two: str) -> list[list[int]]:
    """How long the shortest string for two is, for all their ends from a place on."""
    rest = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one), -1, -1):
        for j in range(len(two), -1, -1):
            if i == len(one) or j == len(two):
                rest[i][j] = len(one) - i + len(two) - j
            elif one[i] == two[j]:
                rest[i][j] = 1 + rest[i + 1][j + 1]
            else:
                rest[i][j] = 1 + min(rest[i + 1][j], rest[i][j + 1])
    return rest


def shortest(strings: Strings) -> str:
    """A shortest string: those of which most is left to hope for are tried first, by the pair that needs most (A*)."""
    pairs = [(i, j, _pair(strings[i], strings[j])) for i, j in combinations(range(len(strings)), 2)]
    letters = sorted(set("".join(strings)))
    ends = [f"{each}." for each in strings]
    goal = tuple(map(len, strings))
    start = (0,) * len(strings)
    least = {start: 0}
    heap = [(0, 0, start, "")]
    while True:
        _, _, at, text = heappop(heap)
        if at == goal:
            return text
        length = len(text) + 1
        if length <= least[at]:
            continue
        for letter in letters:
            to = tuple(n + (end[n] == letter) for n, end in zip(at, ends, strict=True))
            if to != at and length < least.get(to, length + 1):
                least[to] = length
                bound = length + max(rest[to[i]][to[j]] for i, j, rest in pairs)
                heappush(heap, (bound, -length, to, text + letter))


def contains(text: str, strings: Strings) -> bool:
    """Whether all are subsequences of the text."""
    for string in strings:
        letters = iter(text)
        if not all(letter in letters for letter in string):
            return False
    return True


def merged(strings: Strings, chance: random.Random) -> str:
    """A greedy string: always the letter that most strings want next, those with more left counting more. Then what can be left out is."""
    left, text = list(strings), ""
    while any(left):
        wants: Counter[str] = Counter()
        for string in left:
            wants[string[:1]] += len(string)
        letter = chance.choice([each for each, count in wants.items() if count == max(wants.values())])
        text += letter
        left = [string[1:] if string[:1] == letter else string for string in left]
    at = 0
    while at < len(text):
        less = text[:at] + text[at + 1 :]
        text, at = (less, 0) if contains(less, strings) else (text, at + 1)
    return text


@dataclass(frozen=True)
class Supersequences(Optima[Strings]):
    """Strings of so many letters. Taken are those for which `tries` greedy strings are too long."""

    words: int
    length: int
    letters: str
    tries: int

    WORD = r"\b[a-z]+\b"

    def drawn(self, chance: random.Random) -> Strings:
        return tuple("".join(chance.choices(self.letters, k=self.length)) for _ in range(self.words))

    def greedy(self, strings: Strings) -> str:
        """The best of the greedy strings."""
        return min((merged(strings, random.Random(n)) for n in range(self.tries)), key=len)

    def misleads(self, strings: Strings, least: int) -> bool:
        return len(self.greedy(strings)) > least

    def best(self, strings: Strings) -> list[str]:
        return list(shortest(strings))

    def cost(self, strings: Strings, words: Sequence[str]) -> int | None:
        text = "".join(words)
        return len(text) if contains(text, strings) else None

    def asked(self, puzzles: Sequence[Strings]) -> str:
        (strings,) = puzzles
        return PROMPT.format(
            words=self.words,
            length=self.length,
            listed="\n".join("    " + " ".join(each) for each in strings),
            example=" ".join(strings[0][:3]),
        )


TASK = Supersequences("supersequence", count=1, words=5, length=14, letters="abcde", tries=8)
build = TASK.build
