"""Dials with scales of several kinds, each to be read to a small part of its scale."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import partial

from evaluator import *

from .answers import judge_all
from .drawing import INK, Canvas, circle

DESCRIPTION = "Can the model read sixteen dials, each to a fiftieth of its scale?"
TAGS = ["hard", "vision", "measuring"]

COLUMNS, ROWS, SIZE = 4, 4, 240
NAMES = "ABCDEFGHIJKLMNOP"
GROUND = "#fbfaf4"
SWEEP = 270.0  # degrees from the beginning of a scale to its end
CLOSE = 0.02  # of the sweep: how far a reading may be off
QUESTION = f"""The picture shows {len(NAMES)} dials, A to {NAMES[-1]}. Each has a scale along an arc, with long marks that have numbers and short marks that
divide the distance between two long marks evenly by angle or, on a logarithmic scale, at the whole multiples (2, 3, 4 ... 9 times the number before). A
scale is linear or logarithmic, it runs clockwise or the other way round, and its beginning can be at any angle. The black hand shows the value.
The thin red hand is the highest value of the day and means nothing here.

Which value does each dial show? A reading is right if its place on the scale is at most 2% of the scale's length off. End your reply
with {len(NAMES)} lines such as

A: 47.5
B: 320"""


@dataclass(frozen=True)
class Dial:
    """A scale and what it shows. `marks`: the numbers at its long marks; `at`, `red`: hands, as parts of the scale."""

    marks: tuple[float, ...]
    logarithmic: bool
    short: int  # marks between two long ones
    begin: float  # angle in degrees, clockwise from the right
    way: int  # 1 clockwise, -1 the other way round
    at: float
    red: float

    def place(self, value: float) -> float:
        """Where a value is, as a part of the scale."""
        first, last = self.marks[0], self.marks[-1]
        if self.logarithmic:
            return math.log(value / first) / math.log(last / first) if value > 0 else -1.0
        return (value - first) / (last - first)

    def value(self, place: float) -> float:
        """The value at a part of the scale."""
        first, last = self.marks[0], self.marks[-1]
        return first * (last / first) ** place if self.logarithmic else first + place * (last - first)

    def angle(self, place: float) -> float:
        """In degrees."""
        return self.begin + self.way * SWEEP * place


def dials(seed: int) -> dict[str, Dial]:
    """The dials of a seed."""
    chance = random.Random(f"dials {seed}")
    found = {}
    logarithms, turned = (set(chance.sample(NAMES, 5)) for _ in range(2))
    for name in NAMES:
        logarithmic = name in logarithms
        if logarithmic:
            first = chance.choice((0.01, 0.1, 1.0, 10.0))
            marks = tuple(first * 10**each for each in range(chance.choice((3, 4))))
            short = 8
        else:
            count = chance.choice((5, 6, 7, 8))
            step = chance.choice((2, 5, 15, 20, 25, 30, 40, 60, 75, 150, 250))
            begin = chance.choice((0, 0, -2, -1, 1, 3, 7)) * step
            marks = tuple(float(begin + step * each) for each in range(count))
            short = chance.choice((1, 3, 4))
        at = chance.uniform(0.05, 0.95)
        red = chance.uniform(0.05, 0.95)
        while abs(red - at) < 0.12:
            red = chance.uniform(0.05, 0.95)
        begin_at = chance.choice((135.0, 135.0, 180.0, 225.0, 90.0, 20.0, 290.0))
        found[name] = Dial(marks, logarithmic, short, begin_at, -1 if name in turned else 1, at, red)
    return found


def wanted(seed: int) -> dict[str, Dial]:
    """The dials, by name."""
    return dials(seed)


def agrees(said: str, dial: Dial) -> bool:
    """Whether a reading is close enough."""
    found = re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said.replace("\u2212", "-")))
    return len(found) == 1 and abs(dial.place(float(found[0])) - dial.at) <= CLOSE


def on(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    """A point about another one."""
    return x + radius * math.cos(math.radians(degrees)), y + radius * math.sin(math.radians(degrees))


def draw(canvas: Canvas, x: float, y: float, name: str, dial: Dial) -> None:
    """A dial about a point."""
    canvas.disc(x, y, 112, INK)
    canvas.area([circle(x, y, 109)], GROUND)
    canvas.text(x - SIZE / 2 + 14, y - SIZE / 2 + 16, name, scale=3)
    for number, mark in enumerate(dial.marks):
        place = dial.place(mark)
        degrees = dial.angle(place)
        canvas.line([on(x, y, 88, degrees), on(x, y, 104, degrees)], 3)
        if number + 1 < len(dial.marks):
            following = dial.marks[number + 1]
            for each in range(1, dial.short + 1):
                between = (
                    mark * (each + 1)
                    if dial.logarithmic
                    else mark + (following - mark) * each / (dial.short + 1)
                )
                turned = dial.angle(dial.place(between))
                canvas.line([on(x, y, 96, turned), on(x, y, 104, turned)], 1.5)
    red, black = dial.angle(dial.red), dial.angle(dial.at)
    canvas.line([on(x, y, -14, red), on(x, y, 92, red)], 1.6, "#d02a2a")
    canvas.line([on(x, y, -18, black), on(x, y, 84, black)], 3)
    canvas.disc(x, y, 6)
    for mark in dial.marks:  # over the hands, so that each can be read
        at, text = on(x, y, 68, dial.angle(dial.place(mark))), f"{mark:g}"
        scale = 2 if len(text) < 4 else 1
        half = 3 * scale * len(text) + 2
        canvas.rectangle(at[0] - half, at[1] - 4 * scale - 1, at[0] + half, at[1] + 4 * scale + 1, GROUND)
        canvas.text(*at, text, scale=scale)


def picture(seed: int) -> bytes:
    """All dials."""
    canvas = Canvas(COLUMNS * SIZE + 20, ROWS * SIZE + 20)
    for number, (name, dial) in enumerate(dials(seed).items()):
        draw(canvas, 10 + SIZE * (number % COLUMNS + 0.5), 10 + SIZE * (number // COLUMNS + 0.5), name, dial)
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(QUESTION, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), agrees))
    )
