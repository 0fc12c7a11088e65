"""Digits that are spelt out, with their columns shuffled and their letters replaced, both by an unknown key."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .spelt import LETTERS, WORDS, drawn, grouped, judge_digits, spelt

DESCRIPTION = "Can the model read a message whose columns were shuffled and whose letters were replaced, without the key?"
TAGS = ["hard", "reasoning", "ciphers"]

PROMPT = """A message of {count} digits was enciphered like this:

1. Each digit was spelt ({words}), and all words were put one behind the other without blanks.
2. The letters were written row by row, from left to right, into {width} columns; only the last row is shorter than the others.
3. The columns were read one after the other in a secret order, each from top to bottom.
4. Each of the fifteen letters that stand in the words was replaced by one of the letters A to O: the same one everywhere, and different ones for
different letters. Which one for which is secret.

This came out (the blanks mean nothing):

{cipher}

Each digit stands in the message at least twice, and only one message can have given this. Find it without running any code. End your reply with a line
that begins with "Message:" and has its {count} digits."""


@dataclass(frozen=True)
class Columns:
    """Messages of `count` digits in `width` columns."""

    name: str
    count: int
    width: int

    def digits(self, seed: int) -> str:
        """The message; its letters do not fill the last row."""
        chance = random.Random(f"{self.name} {seed}")
        while not len(spelt(digits := drawn(chance, self.count))) % self.width:
            pass
        return digits

    def cipher(self, seed: int) -> str:
        """What came out."""
        chance = random.Random(f"{self.name} {seed} key")
        text = spelt(self.digits(seed))
        order = chance.sample(range(self.width), self.width)
        signs = str.maketrans(LETTERS, "".join(chance.sample("ABCDEFGHIJKLMNO", len(LETTERS))))
        return "".join(text[column :: self.width] for column in order).translate(signs)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        cipher = grouped(self.cipher(seed))
        question = PROMPT.format(count=self.count, words=", ".join(WORDS), width=self.width, cipher=cipher)
        return question >> LLMRun() >> PyFunc(partial(judge_digits, self.digits(seed)))


TASK = Columns("columns", count=44, width=7)
build = TASK.build
