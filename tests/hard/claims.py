"""Claims about a picture of which half miss the truth by one small place: the false ones are to be named."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any

from evaluator import *

from .answers import judge_all, same_set

# Claims about a board that are true, or false by one place, one after the other for ever.
Maker = Callable[[random.Random, Any, bool], Iterator[str]]
MOST = 10_000  # claims among which one about something else must be
ENDING = """

These are claims about the picture:

{claims}

Which of them are false? End your reply with one line such as

FALSE: 2 3 7"""


@dataclass(frozen=True)
class Claims:
    """`count` claims about the boards of seeds and their pictures, as many of each maker."""

    name: str
    board: Callable[[int], Any]
    picture: Callable[[int], bytes]
    about: str  # what the picture shows
    makers: tuple[Maker, ...]
    count: int = 40

    @cache  # noqa: B019 - there are few of them
    def said(self, seed: int) -> dict[int, tuple[str, bool]]:
        """The claims by number, and whether each is true."""
        chance, board = random.Random(f"{self.name} {seed}"), self.board(seed)
        true = [number < self.count // 2 + chance.choice((-2, -1, 0, 1, 2)) for number in range(self.count)]
        chance.shuffle(true)
        makers = [self.makers[number % len(self.makers)] for number in range(self.count)]
        chance.shuffle(makers)
        found: dict[int, tuple[str, bool]] = {}
        for number, (maker, wanted) in enumerate(zip(makers, true, strict=True), 1):
            asked = {subject(text) for text, _ in found.values()}
            texts = islice(maker(chance, board, wanted), MOST)
            text = next(text for text in texts if subject(text) not in asked)
            found[number] = text, wanted
        return found

    def wanted(self, seed: int) -> dict[str, list[int]]:
        """The numbers of the false claims."""
        return {"FALSE": [number for number, (_, true) in self.said(seed).items() if not true]}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        claims = "\n".join(f"{number}. {text}" for number, (text, _) in self.said(seed).items())
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(self.about + ENDING.format(claims=claims), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def subject(text: str) -> str:
    """A claim without its number or last word: of two that differ in nothing else one would be false without a look."""
    return re.sub(r"exactly \d+|\w+\.$", "", text)


def off(chance: random.Random, number: int, true: bool) -> int:
    """The number, or one beside it."""
    return number if true else number + chance.choice((-1, 1))
