"""Digits that are spelt out and enciphered pair by pair with a square of sixteen letters that nobody knows."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .spelt import LETTERS, WORDS, drawn, grouped, judge_digits, spelt

DESCRIPTION = "Can the model read a message that was enciphered by pairs of letters with an unknown square?"
TAGS = ["hard", "reasoning", "ciphers"]

SIDE, FILL = 4, "q"
SIGNS = "".join(sorted(LETTERS + FILL))
PROMPT = """A message of {count} digits was enciphered like this:

1. Each digit was spelt ({words}), and all words were put one behind the other without blanks.
2. The letters were taken in pairs from left to right. Where both letters of a pair would have been the same, or where the last letter had none behind it,
the pair was made of the (first) letter and a q, and the next pair began with the letter behind it.
3. A secret square has four rows of four letters, these: {signs}. Two letters of a pair that stand in the same row of the square were
each replaced by the letter to the right of it (for the last one: the first of the row). Two letters in the same column were each replaced by the letter below it (for
the lowest one: the top one of the column). Otherwise each letter was replaced by the one that stands in its row and in the other letter's column.

This came out (each pair on its own):

{cipher}

Each digit stands in the message at least twice, and only one message can have given this. Find it without running any code. End your reply with a line
that begins with "Message:" and has its {count} digits."""


def pairs(text: str) -> list[str]:
    """The letters in pairs, none of the same letter twice."""
    found, at = [], 0
    while at < len(text):
        two = text[at : at + 2]
        alone = len(set(two)) == 1
        found.append(two[0] + FILL if alone else two)
        at += 1 if alone else 2
    return found


def replaced(square: str, pair: str, step: int = 1) -> str:
    """What a pair becomes; by the step -1, what it was."""
    (row, column), (other, beside) = (divmod(square.index(letter), SIDE) for letter in pair)
    if row == other:
        places = (row, column + step), (row, beside + step)
    elif column == beside:
        places = (row + step, column), (other + step, column)
    else:
        places = (row, beside), (other, column)
    return "".join(square[at % SIDE * SIDE + to % SIDE] for at, to in places)


@dataclass(frozen=True)
class Square:
    """Messages of `count` digits."""

    name: str
    count: int

    def digits(self, seed: int) -> str:
        """The message."""
        return drawn(random.Random(f"{self.name} {seed}"), self.count)

    def cipher(self, seed: int) -> list[str]:
        """The pairs that came out."""
        square = "".join(random.Random(f"{self.name} {seed} key").sample(SIGNS, len(SIGNS)))
        return [replaced(square, pair) for pair in pairs(spelt(self.digits(seed)))]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = PROMPT.format(
            count=self.count,
            words=", ".join(WORDS),
            signs=" ".join(SIGNS),
            cipher=grouped("".join(self.cipher(seed)), 2, 30),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_digits, self.digits(seed)))


TASK = Square("square", count=70)
build = TASK.build
