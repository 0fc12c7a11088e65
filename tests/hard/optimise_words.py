"""A square of letters whose rows and columns are all words of a list, of so few letters that nearly all begin well."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can the model fill a square of seven by seven letters with words from a short list, across and down?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """These are {count} words of {size} letters, made of {names} only:

{words}

Write one letter into each square of a board of {size} rows and {size} columns, so that each row, read from left to right, and each column, read from top to bottom, is one of
these words, and these {lines} words are all different. There is a way. Find one, without running any code. End your reply with a code block that has the {size} rows, from top to
bottom, one word in each line."""

Lines = list[int]  # for each row and then each column, the words that it may be, as bits


@dataclass(frozen=True)
class Squares:
    """Squares of one size. A list of words is taken if the usual search has no square after `least` choices, in each of `runs` runs."""

    name: str
    size: int
    letters: str
    words: int
    least: int
    runs: int = 2

    def _drawn(self, chance: random.Random) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words in order, those of a square among them, and the rows of the square."""
        while True:
            rows = ["".join(chance.choices(self.letters, k=self.size)) for _ in range(self.size)]
            words = {*rows, *map("".join, zip(*rows, strict=True))}
            if len(words) == 2 * self.size:
                break
        while len(words) < self.words:
            words.add("".join(chance.choices(self.letters, k=self.size)))
        return tuple(sorted(words)), tuple(rows)

    def searched(
        self, words: Sequence[str], chance: random.Random, most: int, enough: int = 1
    ) -> tuple[list[tuple[str, ...]], int]:
        """Squares (their rows), until there are enough, and how many choices the usual search made: always the row or column with the
        fewest words left, and each choice strikes out whatever does not cross it, as far as that leads. It ends after `most` choices."""
        size = self.size
        has = [
            [sum(1 << n for n, word in enumerate(words) if word[at] == letter) for letter in self.letters]
            for at in range(size)
        ]
        found: list[tuple[str, ...]] = []
        steps = 0

        def struck(may: Lines, todo: set[int]) -> bool:
            while todo:
                line = todo.pop()
                its = may[line]
                if not its & (its - 1):  # the word of this line is no other's
                    for other in range(2 * size):
                        if other != line and may[other] & its:
                            may[other] ^= its
                            todo.add(other)
                            if not may[other]:
                                return False
                at, crossing = (line, size) if line < size else (line - size, 0)
                for n in range(size):
                    other = crossing + n
                    fits = 0
                    for here, there in zip(has[n], has[at], strict=True):
                        if its & here:
                            fits |= there
                    if may[other] & ~fits:
                        may[other] &= fits
                        todo.add(other)
                        if not may[other]:
                            return False
            return True

        def goes_on(may: Lines) -> bool:
            nonlocal steps
            open_ = [line for line in range(2 * size) if may[line] & (may[line] - 1)]
            if not open_:
                found.append(tuple(words[may[line].bit_length() - 1] for line in range(size)))
                return len(found) >= enough
            line = min(open_, key=lambda each: may[each].bit_count())
            choices = [n for n in range(len(words)) if may[line] >> n & 1]
            for n in chance.sample(choices, len(choices)):
                steps += 1
                if steps > most:
                    return True
                rest = list(may)
                rest[line] = 1 << n
                if struck(rest, {line}) and goes_on(rest):
                    return True
            return False

        every = [(1 << len(words)) - 1] * (2 * size)
        if struck(every, set(range(2 * size))):
            goes_on(every)
        return found, steps

    @cache  # noqa: B019 - there are one or two of them
    def planted(self, seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The words, and the rows of the planted square."""
        for attempt in range(10_000):
            chance = random.Random(f"{self.name} {seed} {attempt}")
            words, rows = self._drawn(chance)
            if not any(self.searched(words, chance, self.least)[0] for _ in range(self.runs)):
                return words, rows
        raise ValueError(f"no words for seed {seed}")

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of rows and columns that are words of the list, and of no row or column before them; passed if all are."""
        words, _ = self.planted(seed)
        reply = reply[-5000:]
        blocks = re.findall(r"```[^\n]*\n(.*?)```", reply, re.DOTALL)
        text = blocks[-1] if blocks else reply
        lines = [re.sub(r"[^a-z]", "", line.lower()) for line in text.splitlines()]
        rows = [line for line in lines if line]
        if not blocks:
            rows = [line for line in rows if len(line) == self.size and set(line) <= set(self.letters)][
                -self.size :
            ]
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            return Score(0.0, False), f"not {self.size} rows of {self.size} letters"
        both = [*rows, *map("".join, zip(*rows, strict=True))]
        bad = [word for n, word in enumerate(both) if word not in words or word in both[:n]]
        told = f"not on the list, or there twice: {', '.join(bad)}" if bad else ""
        return Score(1 - len(bad) / len(both), not bad), told

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        words, _ = self.planted(seed)
        shown = [words[n : n + 10] for n in range(0, len(words), 10)]
        question = PROMPT.format(
            count=self.words,
            size=self.size,
            names=", ".join(self.letters[:-1]) + f" and {self.letters[-1]}",
            words="\n".join("    " + " ".join(row) for row in shown),
            lines=2 * self.size,
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Squares("words", size=7, letters="abc", words=40, least=400)
build = TASK.build
