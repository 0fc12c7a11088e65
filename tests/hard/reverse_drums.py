"""A cipher machine whose drums are drawn wire by wire: in which order do they stand, and what do messages say?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas
from .sheets import BROAD, DARK, paste

DESCRIPTION = (
    "Can the model follow the wires of a cipher machine's drums, find their order, and read messages?"
)
TAGS = ["hard", "vision", "ciphers"]

DRUMS, EDGE, HEAD, ROOM = 4, 40, 30, 5  # pixels: left of a drum and above it; about a place's outer wires
NEAR = 3.5  # pixels from the middle to a wire that turns away again
QUESTION = """The picture shows the wiring of the drums 1 to {drums} of a cipher machine, unrolled. Each of the {signs} wires leads from a letter at the left of a drum to a letter at its right. On their way, neighbours cross at many places; at
many others they only come near to each other and turn away again without touching.

A letter goes through all {drums} drums, from left to right each, and each drum changes it. The order in which the drums stand in the machine is unknown; it never changes. At the beginning of each message all drums stand as drawn. After
each letter of a message, the drum in one place (the first, second, third or fourth that a letter goes through; unknown, but the same for all messages) turns by k steps more, where k is unknown, from 1 to {most}, and always the same.

If a drum has turned by t steps altogether, the letter with the number n (A is 0, {last} is {most}) goes into the wire that begins at the letter with the number n + t, and if this wire ends at the letter with the number m, the letter with
the number m - t comes out, all modulo {signs}. With t = 0 a letter goes in and comes out as drawn.

These messages are known in clear and in cipher:
{known}
Decipher these messages:
{asked}
End your reply with {count} lines such as

1: GATEPOST..."""


@dataclass(frozen=True)
class Machine:
    """The wires of each drum (the end by the beginning), the drums' order, the place that turns and by how much."""

    wires: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    place: int
    steps: int

    def enciphered(self, clear: str, letters: str) -> str:
        """A message in cipher."""
        found = ""
        for n, sign in enumerate(clear):
            number = letters.index(sign)
            for place, drum in enumerate(self.order):
                turned = n * self.steps if place == self.place else 0
                number = (self.wires[drum][(number + turned) % len(letters)] - turned) % len(letters)
            found += letters[number]
        return found


@dataclass(frozen=True)
class Drums:
    """Drums of `signs` wires, `apart` pixels from each other, that meet in `columns` of `wide` pixels."""

    signs: int
    columns: int
    apart: int
    wide: int
    known: tuple[int, int]  # how many messages, of how many letters
    asked: tuple[int, int]

    @property
    def letters(self) -> str:
        """The alphabet."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.signs]

    @cache  # noqa: B019 - there is one of them
    def crossings(self, seed: int) -> list[list[list[int]]]:
        """By drum and column: whether the wires cross at each place, from the top; odd columns begin one lower."""
        chance = random.Random(f"drums {seed}")
        return [
            [
                [chance.getrandbits(1) for _ in range((self.signs - column % 2) // 2)]
                for column in range(self.columns)
            ]
            for _ in range(DRUMS)
        ]

    @cache  # noqa: B019 - as above
    def machine(self, seed: int) -> Machine:
        """The machine of a seed."""
        chance, wires = random.Random(f"drums machine {seed}"), []
        for drum in self.crossings(seed):
            at = list(range(self.signs))  # which wire is at each height
            for column, crosses in enumerate(drum):
                for place, cross in enumerate(crosses):
                    if cross:
                        top = 2 * place + column % 2
                        at[top], at[top + 1] = at[top + 1], at[top]
            wires.append(tuple(at.index(wire) for wire in range(self.signs)))
        order = tuple(chance.sample(range(DRUMS), DRUMS))
        return Machine(tuple(wires), order, chance.randrange(DRUMS), chance.randrange(1, self.signs))

    @cache  # noqa: B019 - as above
    def messages(self, seed: int) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """The known messages and those that are asked for, in clear and in cipher."""
        chance, machine = random.Random(f"drums messages {seed}"), self.machine(seed)
        known, asked = (
            [
                (clear, machine.enciphered(clear, self.letters))
                for clear in ("".join(chance.choices(self.letters, k=size)) for _ in range(count))
            ]
            for count, size in (self.known, self.asked)
        )
        return known, asked

    def corner(self, drum: int) -> tuple[int, int]:
        """Where the top wire of a drum begins in the picture."""
        down, over = divmod(drum, 2)
        return (
            EDGE + over * (self.columns * self.wide + 2 * EDGE - 8),
            HEAD + 14 + down * (self.signs * self.apart + HEAD),
        )

    @cache  # noqa: B019 - as above
    def tile(self, cross: int) -> Canvas:
        """Two wires that cross or only come near."""
        canvas, wide, half = Canvas(self.wide, self.apart + 2 * ROOM), self.wide, self.apart / 2
        for side in (1, -1):
            points = []
            for n in range(-2, wide + 3):
                t = math.pi * min(max(n / wide, 0), 1)
                off = half * math.cos(t) if cross else half - (half - NEAR) * math.sin(t) ** 2
                points.append((n, ROOM + half + side * off))
            canvas.line(points, 2.2, DARK)
        return canvas

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The drums, two by two."""
        wide, high = (each + add for each, add in zip(self.corner(DRUMS - 1), (EDGE, 4), strict=True))
        canvas = Canvas(wide + self.columns * self.wide, high + self.signs * self.apart)
        for drum, columns in enumerate(self.crossings(seed)):
            left, top = self.corner(drum)
            right = left + self.columns * self.wide
            canvas.text(left, top - 26, f"DRUM {drum + 1}", BROAD, 2, 0)
            for n, letter in enumerate(self.letters):
                for x in (left - 12, right + 12):
                    canvas.text(x, top + n * self.apart, letter, BROAD)
            for column, crosses in enumerate(columns):
                x = left + column * self.wide
                for n in (0, self.signs - 1) if column % 2 else ():
                    y = top + n * self.apart
                    canvas.rectangle(x, y - 1, x + self.wide, y + 1, DARK)
                for place, cross in enumerate(crosses):
                    y = top + (2 * place + column % 2) * self.apart
                    paste(canvas, self.tile(cross), x, y - ROOM)
        return canvas.png()

    def wanted(self, seed: int) -> dict[str, str]:
        """The messages in clear."""
        return {str(n): clear for n, (clear, _) in enumerate(self.messages(seed)[1], 1)}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        known, asked = self.messages(seed)
        question = QUESTION.format(
            drums=DRUMS,
            signs=self.signs,
            last=self.letters[-1],
            most=self.signs - 1,
            known="".join(f"{clear} became {cipher}\n" for clear, cipher in known),
            asked="".join(f"{n}: {cipher}\n" for n, (_, cipher) in enumerate(asked, 1)),
            count=len(asked),
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_letters))
        )


def same_letters(said: str, wanted: str) -> bool:
    """Whether the letters are the same; blanks between them do not matter."""
    return re.sub(r"[^A-Z]", "", said.upper()) == wanted


TASK = Drums(signs=20, columns=31, apart=22, wide=15, known=(4, 12), asked=(8, 15))
build = TASK.build
