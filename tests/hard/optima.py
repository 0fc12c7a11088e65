"""Puzzles that ask for the cheapest of all answers, where a solver of ours knows what it costs."""

from __future__ import annotations

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar, Generic, TypeVar

from evaluator import *

MOST = 4000  # characters of an answer
Puzzle = TypeVar("Puzzle")


@dataclass(frozen=True)
class Optima(ABC, Generic[Puzzle]):
    """`count` puzzles in one prompt; all answers must be right."""

    name: str
    count: int

    WORD: ClassVar[str]
    """What an answer consists of, a regular expression; all else on its line does not matter."""

    @abstractmethod
    def drawn(self, chance: random.Random) -> Puzzle | None:
        """A puzzle; None if this one is of no use and another is to be drawn."""

    @abstractmethod
    def best(self, puzzle: Puzzle) -> list[str]:
        """A cheapest answer, in words."""

    @abstractmethod
    def cost(self, puzzle: Puzzle, words: Sequence[str]) -> int | None:
        """What an answer costs; None if it is not allowed."""

    def misleads(self, puzzle: Puzzle, least: int) -> bool:
        """Whether the obvious ways cost more than the best, so that the puzzle is taken."""
        return True

    @abstractmethod
    def asked(self, puzzles: Sequence[Puzzle]) -> str:
        """The prompt."""

    @property
    def labels(self) -> list[str]:
        """How the lines of the answers begin."""
        return ["Answer"] if self.count == 1 else [f"Answer {n}" for n in range(1, self.count + 1)]

    @cache  # noqa: B019 - there are few of them
    def puzzles(self, seed: int) -> tuple[tuple[Puzzle, tuple[str, ...]], ...]:
        """The puzzles of a seed, each with a cheapest answer."""
        found: list[tuple[Puzzle, tuple[str, ...]]] = []
        for attempt in range(10_000):
            puzzle = self.drawn(random.Random(f"{self.name} {seed} {attempt}"))
            if puzzle is not None:
                best = tuple(self.best(puzzle))
                if self.misleads(puzzle, self.cost(puzzle, best) or 0):
                    found.append((puzzle, best))
            if len(found) == self.count:
                return tuple(found)
        raise ValueError(f"no puzzles for seed {seed}")

    def read(self, reply: str) -> list[list[str]]:
        """The words of each answer, of the last line with its label; what stands in brackets is a remark."""
        plain = re.sub(r"[*_`$]", "", reply)
        answers = []
        for label in self.labels:
            lines = re.findall(rf"(?im)^[ \t#>-]*{label}[ \t]*:([^\n]{{0,{MOST}}})", plain)
            said = re.sub(r"\([^()]*\)", " ", lines[-1]) if lines else ""
            answers.append(re.findall(self.WORD, said))
        return answers

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The mean of what the best answer costs by what this one costs; passed if none is cheaper."""
        share, told = 0.0, []
        for label, (puzzle, best), words in zip(
            self.labels, self.puzzles(seed), self.read(reply), strict=True
        ):
            cost, least = self.cost(puzzle, words), self.cost(puzzle, best) or 0
            share += least / cost / self.count if cost else 0
            if cost is None:
                told.append(f"{label}: not allowed")
            elif cost > least:
                told.append(f"{label}: {cost} instead of {least}")
        return Score(min(1.0, share), not told), "; ".join(told)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = self.asked([puzzle for puzzle, _ in self.puzzles(seed)])
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


def sums(row: Sequence[int]) -> list[int]:
    """The sum of the row's numbers in each set, the sets being bits."""
    found = [0]
    for number in row:
        found += [number + each for each in found]
    return found
