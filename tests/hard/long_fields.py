"""A map of parcels with small marks, and a register of them: what each owner's fields bear."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas
from .hand import DIGITS, Hand, Strokes

DESCRIPTION = "Can the model join a map of parcels with fifteen hundred small marks and a register?"
TAGS = ["hard", "vision", "joins"]

EDGE, TOP, BLUE, BORDER, GRID = 14, 58, "#1f4fc8", "#1c1c1c", "#d8d8d8"
DIGIT = 5  # pixels from the middle of a field to that of a digit of its parcel's number
MARKS: dict[str, Strokes] = {
    "plus": (((-1, 0), (1, 0)), ((0, -1), (0, 1))),
    "cross": (((-1, -1), (1, 1)), ((-1, 1), (1, -1))),
    "up": (((-1, 0.9), (1, 0.9)), ((0, 0.9), (0, -1))),
    "down": (((-1, -0.9), (1, -0.9)), ((0, -0.9), (0, 1))),
    "left": (((0.9, -1), (0.9, 1)), ((0.9, 0), (-1, 0))),
    "right": (((-0.9, -1), (-0.9, 1)), ((-0.9, 0), (1, 0))),
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
QUESTION = """The picture shows a map of {columns} by {rows} square fields. Black borders part it into {parcels} parcels; a parcel is all the fields that hang together without a border between them (thin grey lines are no borders). In one
field of each parcel its number is written in blue. Each other field has one small black mark, which says what grows there; the line above the map shows how much each mark is worth.

Each parcel has an owner, {first} to {last}, and a class. What a parcel bears is the sum of the worth of its marks, times its class. The register, as number, owner and class of each parcel:

{register}

How much do the parcels of each owner bear together? End your reply with {owners} lines such as

A: 912
B: 1043"""

Field = tuple[int, int]  # column and row


@dataclass(frozen=True)
class Map:
    """What is drawn and registered: the parcel of each field, the fields with numbers, the marks of the others."""

    parcel: dict[Field, int]
    numbers: dict[Field, int]
    marks: dict[Field, str]
    register: dict[int, tuple[str, int]]


@dataclass(frozen=True)
class Fields:
    """Maps of `columns` by `rows` fields of `size` pixels in so many parcels across and down, each with at least
    `least` fields."""

    columns: int
    rows: int
    size: int
    parcels: tuple[int, int]
    least: int
    owners: int
    hand: Hand
    numbers: Hand

    @cache  # noqa: B019 - there is one of them
    def map(self, seed: int) -> Map:
        """Parcels that grow into each other, until none is too small."""
        chance = random.Random(f"fields {seed}")
        fields = [(x, y) for y in range(self.rows) for x in range(self.columns)]
        across, down = self.parcels
        names = chance.sample(range(10, 100), across * down)
        while True:
            roots = [
                (
                    chance.randrange(*_part(self.columns, x, across)),
                    chance.randrange(*_part(self.rows, y, down)),
                )
                for x in range(across)
                for y in range(down)
            ]
            parcel = dict(zip(roots, names, strict=True))
            tips, sizes = [*parcel], dict.fromkeys(names, 1)
            while tips:  # of some places the one in the smallest parcel goes on
                some = [chance.randrange(len(tips)) for _ in range(4)]
                place = min(some, key=lambda each: sizes[parcel[tips[each]]])
                free = [each for each in self.near(tips[place]) if each not in parcel]
                if free:
                    step = chance.choice(free)
                    parcel[step] = parcel[tips[place]]
                    sizes[parcel[step]] += 1
                    tips.append(step)
                else:
                    tips[place] = tips[-1]
                    tips.pop()
            if min(sizes.values()) >= self.least:
                break
        mixed = chance.sample(fields, len(fields))
        numbers = {field: name for name, field in {parcel[field]: field for field in mixed}.items()}
        marks = {field: chance.choice([*MARKS]) for field in fields if field not in numbers}
        owners = [LETTERS[n % self.owners] for n in range(len(names))]
        chance.shuffle(owners)
        register = {name: (owner, chance.randint(1, 4)) for name, owner in zip(names, owners, strict=True)}
        return Map(parcel, numbers, marks, register)

    def near(self, field: Field) -> list[Field]:
        """The fields beside a field."""
        x, y = field
        around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        return [(a, b) for a, b in around if 0 <= a < self.columns and 0 <= b < self.rows]

    def worth(self, seed: int) -> dict[str, int]:
        """How much each mark is worth."""
        return dict(
            zip(MARKS, random.Random(f"fields worth {seed}").sample(range(1, 10), len(MARKS)), strict=True)
        )

    def wanted(self, seed: int) -> dict[str, int]:
        """What the parcels of each owner bear."""
        drawn, worth = self.map(seed), self.worth(seed)
        found = dict.fromkeys(LETTERS[: self.owners], 0)
        for field, mark in drawn.marks.items():
            owner, times = drawn.register[drawn.parcel[field]]
            found[owner] += worth[mark] * times
        return found

    def middle(self, field: Field) -> tuple[float, float]:
        """The middle of a field in the picture."""
        return EDGE + (field[0] + 0.5) * self.size, TOP + (field[1] + 0.5) * self.size

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The worth of marks, and the map."""
        drawn, size, chance = self.map(seed), self.size, random.Random(f"fields hand {seed}")
        wide, high = self.columns * size, self.rows * size
        canvas = Canvas(2 * EDGE + wide, TOP + high + EDGE)
        for place, (mark, worth) in enumerate(self.worth(seed).items()):
            x = EDGE + wide / len(MARKS) * (place + 0.5)
            self.hand.write(canvas, x - 28, TOP / 2, MARKS[mark], None)
            canvas.text(x + 12, TOP / 2, f"= {worth}", BLUE)
        grid, ink = bytes.fromhex(GRID[1:]), bytes.fromhex(BORDER[1:]) * 3
        for y in range(self.rows):
            white = b"\xff" * 3
            first = bytearray(white + grid * (wide + 1) + white)
            line = bytearray(white + (grid + white * (size - 1)) * self.columns + grid + white)
            for column in range(self.columns + 1):
                if drawn.parcel.get((column, y)) != drawn.parcel.get((column - 1, y)):
                    at = slice(
                        3 * column * size, 3 * column * size + 9
                    )  # lines begin a pixel to the left of the map
                    first[at] = line[at] = ink
            for row in range(size):
                into = canvas.rows[TOP + y * size + row]
                into[3 * (EDGE - 1) : 3 * (EDGE + wide + 2)] = line if row else first
        for column, y in ((column, y) for column in range(self.columns) for y in range(self.rows + 1)):
            if drawn.parcel.get((column, y)) != drawn.parcel.get((column, y - 1)):
                for row in range(TOP + y * size - 1, TOP + y * size + 2):
                    canvas.span(row, EDGE + column * size - 1, EDGE + (column + 1) * size + 2, BORDER)
        for field, mark in drawn.marks.items():
            across, down = self.middle(field)
            at_x, at_y = across + chance.uniform(-1, 2), down + chance.uniform(-1, 2)
            self.hand.write(canvas, at_x, at_y, MARKS[mark], chance)
        for field, number in drawn.numbers.items():
            across, down = self.middle(field)
            for digit, by in zip(str(number), (-DIGIT, DIGIT), strict=True):
                self.numbers.write(canvas, across + 0.5 + by, down + 0.5, DIGITS[digit], None, BLUE)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        entries = [f"{number} {owner}{times}" for number, (owner, times) in self.map(seed).register.items()]
        lines = [", ".join(entries[at : at + 16]) for at in range(0, len(entries), 16)]
        question = QUESTION.format(
            columns=self.columns, rows=self.rows, parcels=len(entries), owners=self.owners, first=LETTERS[0],
            last=LETTERS[self.owners - 1], register=",\n".join(lines),
        )  # fmt: skip
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def _part(whole: int, number: int, parts: int) -> tuple[int, int]:
    """Where a part of a side begins and ends."""
    return whole * number // parts, whole * (number + 1) // parts


TASK = Fields(
    columns=44, rows=38, size=24, parcels=(11, 8), least=6, owners=8,
    hand=Hand(unit=5, waver=0.13, lean=8), numbers=Hand(unit=3.8, waver=0, lean=0),
)  # fmt: skip
build = TASK.build
