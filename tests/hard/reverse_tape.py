"""Punched tapes: the letters, of which some were punched wrongly and do not count."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas

DESCRIPTION = "Can the model read punched tapes in a code that the question describes?"
TAGS = ["hard", "vision", "codes"]

TRACKS, FEED = 7, 4  # the small feed holes run between track 4 and track 5
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE = 36  # pixels left of the first column
QUESTION = """The picture shows {count} tapes, {first} to {last}, to be read from left to right. Each column is a sign in seven tracks, of which track 1 is at the top; a black dot is a hole. The small grey dots between tracks 4 and 5
guide the tape and mean nothing.

Tracks 1 to 5 are a number, track 1 being worth 16 and track 5 being worth 1, in which a hole counts 1. It is the number of a letter: 0 is A and 25 is Z. If there is a hole in track 6, the letters are counted from the other end: 0 is Z and 25 is A.
With the hole in track 7 or without it, the number of holes of a column is even. Columns with an odd number of holes were punched wrongly: leave them out, and also those whose number is above 25.

What do the tapes say? End your reply with {count} lines such as

A: XQJAB..."""


@dataclass(frozen=True)
class Tapes:
    """`count` tapes of `columns` columns on `size` pixels each, and tracks of `track` pixels."""

    count: int
    columns: int
    size: int
    track: int

    @property
    def names(self) -> str:
        """The tapes' letters."""
        return LETTERS[: self.count]

    @cache  # noqa: B019 - there is one of them
    def tapes(self, seed: int) -> dict[str, list[tuple[int, ...]]]:
        """The columns of each tape, as holes from track 1 to 7."""
        chance = random.Random(f"tape {seed}")
        return {name: [self._column(chance) for _ in range(self.columns)] for name in self.names}

    @staticmethod
    def _column(chance: random.Random) -> tuple[int, ...]:
        number = chance.randrange(26) if chance.random() < 0.94 else chance.randrange(26, 32)
        holes = [number >> bit & 1 for bit in (4, 3, 2, 1, 0)] + [int(chance.random() < 0.4)]
        return (*holes, (sum(holes) + (chance.random() < 0.12)) % 2)

    def wanted(self, seed: int) -> dict[str, str]:
        """What they say."""
        return {name: "".join(map(letter, columns)) for name, columns in self.tapes(seed).items()}

    def top(self, tape: int) -> float:
        """The height of track 1 of a tape in the picture."""
        return 18 + tape * ((TRACKS + 1) * self.track + 22)

    def height(self, tape: int, track: int) -> float:
        """The height of a track, counted from 0."""
        return self.top(tape) + (track + (track >= FEED)) * self.track

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The tapes, one below the other."""
        wide = EDGE + self.columns * self.size + 12
        canvas = Canvas(wide, round(self.top(self.count)) - 8, "#c9c2b0")
        for number, (name, columns) in enumerate(self.tapes(seed).items()):
            top = self.top(number)
            canvas.rectangle(EDGE - 6, top - 10, wide - 6, top + TRACKS * self.track + 10, "#f7f2df")
            canvas.text(EDGE / 2 - 4, top + TRACKS * self.track / 2, name, "#303030", 3)
            for place, holes in enumerate(columns):
                x = EDGE + (place + 0.5) * self.size
                canvas.disc(x, top + FEED * self.track, 1.6, "#9a9484")
                for track, hole in enumerate(holes):
                    if hole:
                        canvas.disc(x, self.height(number, track), 4, "#15130d")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(count=self.count, first=self.names[0], last=self.names[-1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_letters))
        )


def letter(holes: tuple[int, ...]) -> str:
    """The letter of a column, nothing for one that does not count."""
    number = int("".join(map(str, holes[:5])), 2)
    if sum(holes) % 2 or number > 25:
        return ""
    return LETTERS[25 - number if holes[5] else number]


def same_letters(said: str, wanted: str) -> bool:
    """Whether the letters are the same; blanks between them do not matter."""
    return re.sub(r"[^A-Z]", "", said.upper()) == wanted


TASK = Tapes(count=10, columns=58, size=18, track=9)
build = TASK.build
