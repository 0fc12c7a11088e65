"""A ledger of nine hundred hooks, each of which is an octal digit by its position: the amount of each row."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point
from .mosaic import lay

DESCRIPTION = (
    "Can the model read a ledger in which a digit is a hook, turned and mirrored, and compute with it?"
)
TAGS = ["hard", "vision", "arithmetic"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEFT, TOP, GAP = 40, 96, 12  # pixels: before the signs, above them, before and after a quantity
LONG, SHORT, VARIANTS = 15, 8, 6
QUESTION = """The picture shows a ledger in a made-up script for numbers in base 8. A digit is a hook of a long and a short stroke; the top of the picture shows the digits 0 to 7. Below, they are written by hand and lean and waver
a little: what counts is whether the long stroke is upright or level, and at which corner the strokes meet.

Each of the {rows} rows, A to {last}, has {entries} entries. An entry is a price of {digits} digits in base 8, the highest first, and behind a small gap and a dot a quantity of one digit. The amount of a row is the sum of price times
quantity over its {entries} entries.

What is the amount of each row, in ordinary decimal numbers? End your reply with {rows} lines such as

A: 41203
B: 39127"""

Entry = tuple[tuple[int, ...], int]  # the digits of the price, and the quantity


@dataclass(frozen=True)
class Ledger:
    """`rows` of `entries` of `digits` digits and a quantity, on fields of `wide` by `high` pixels."""

    rows: int
    entries: int
    digits: int
    wide: int
    high: int
    lean: float  # degrees
    waver: float  # pixels

    @cache  # noqa: B019 - there is one of them
    def hooks(self, seed: int) -> list[int]:
        """The position of the hook for each digit: quarter turns clockwise, and 4 more if it is mirrored."""
        return random.Random(f"hooks {seed}").sample(range(8), 8)

    @cache  # noqa: B019 - as above
    def sheet(self, seed: int) -> dict[str, list[Entry]]:
        """The entries of each row."""
        chance = random.Random(f"hooks entries {seed}")
        return {
            name: [
                (tuple(chance.randrange(8) for _ in range(self.digits)), chance.randint(1, 7))
                for _ in range(self.entries)
            ]
            for name in LETTERS[: self.rows]
        }

    def wanted(self, seed: int) -> dict[str, int]:
        """The amounts."""
        return {
            name: sum(int("".join(map(str, price)), 8) * quantity for price, quantity in entries)
            for name, entries in self.sheet(seed).items()
        }

    def hook(self, position: int, chance: random.Random | None) -> Canvas:
        """A hook on a field, by hand or exactly."""
        field = Canvas(self.wide, self.high)
        lean = math.radians(chance.uniform(-self.lean, self.lean)) if chance else 0
        turn = math.radians(position % 4 * 90) + lean
        shift = [chance.uniform(-0.5, 0.5) if chance else 0 for _ in range(2)]

        def at(point: Point) -> Point:
            x = -point[0] if position > 3 else point[0]
            x, y = (
                each + (chance.uniform(-self.waver, self.waver) if chance else 0) for each in (x, point[1])
            )
            cos, sin = math.cos(turn), math.sin(turn)
            return self.wide / 2 + shift[0] + x * cos - y * sin, self.high / 2 + shift[1] + x * sin + y * cos

        ends = ((-SHORT / 2, -LONG / 2), (-SHORT / 2, LONG / 2), (SHORT / 2, LONG / 2))
        field.line([at(end) for end in ends], 2.4)
        return field

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The digits and the ledger."""
        hooks, chance = self.hooks(seed), random.Random(f"hooks hand {seed}")
        gap, dot = Canvas(GAP, self.high), Canvas(GAP, self.high)
        dot.rectangle(GAP / 2 - 1.5, self.high / 2 - 1.5, GAP / 2 + 1.5, self.high / 2 + 1.5, "#c02020")
        hands = [[self.hook(position, chance) for _ in range(VARIANTS)] for position in hooks]

        def row(entries: list[Entry]) -> Iterator[Canvas]:
            for price, quantity in entries:
                yield from (chance.choice(hands[digit]) for digit in price)
                yield dot
                yield chance.choice(hands[quantity])
                yield gap

        canvas = Canvas(self.corner(0, self.entries, 0)[0] + 8, self.corner(self.rows, 0, 0)[1] + 10)
        for digit, position in enumerate(hooks):
            lay(canvas, LEFT + 80 * digit, 14, [[self.hook(position, None)]])
            canvas.text(LEFT + 80 * digit + self.wide / 2, 64, str(digit), "#c02020")
        for y in (TOP - 12, TOP - 11):
            canvas.span(y, 10, canvas.width - 10, "#606060")
        for number, (name, entries) in enumerate(self.sheet(seed).items()):
            _, y = self.corner(number, 0, 0)
            canvas.text(LEFT / 2 - 4, y + self.high / 2, name, "#c02020")
            lay(canvas, LEFT, y, [[*row(entries)]])
            canvas.span(y + self.high, 10, canvas.width - 10, "#d0d0d0")
        return canvas.png()

    def corner(self, row: int, entry: int, place: int) -> tuple[int, int]:
        """The left top of a digit's field in the picture; the quantity is the last of an entry."""
        x = (
            entry * ((self.digits + 1) * self.wide + 2 * GAP)
            + place * self.wide
            + GAP * (place == self.digits)
        )
        return LEFT + x, TOP + row * (self.high + 1)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            rows=self.rows, last=LETTERS[self.rows - 1], entries=self.entries, digits=self.digits
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Ledger(rows=24, entries=6, digits=5, wide=23, high=35, lean=11, waver=0.6)
build = TASK.build
