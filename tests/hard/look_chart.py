"""Values read from a chart with a linear and a logarithmic axis, to within a tolerance."""

from __future__ import annotations

import math
import random
import re
from functools import partial
from typing import Any

from evaluator import *

from .answers import judge_all, plainly
from .drawing import Canvas, Point, circle

DESCRIPTION = "Can the model read values from a chart with five lines and two axes, one of them logarithmic?"
TAGS = ["medium", "vision", "chart"]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 1100, 740, 90, 880, 30, 680
COUNT = 16  # values of each line
PALETTE = ["#d1495b", "#00798c", "#edae49", "#30638e", "#7a5195"]
MARKS = ["disc", "square", "triangle", "diamond", "ring"]
NAMES = [
    "ALDER",
    "BEECH",
    "CEDAR",
    "DOGWOOD",
    "ELM",
    "FIR",
    "HAZEL",
    "LARCH",
    "MAPLE",
    "OAK",
    "PINE",
    "ROWAN",
]
QUESTION = """The chart shows five lines over the weeks 1 to {count}; each has a mark at every week. The words in the legend say which scale a line
belongs to: (L) is the linear scale at the left, (R) the logarithmic scale at the right. Upright grid lines stand at every week;
only some weeks have their number below. A value is where the line bends, in the middle of its mark.

Q1: What is the value of {a} in week {wa}? Tolerance: {linear:g}.
Q2: What is the value of {d} in week {wd}? Tolerance: 4%.
Q3: In which week is {a} highest above {b} (largest difference {a} minus {b})?
Q4: In how many of the {count} weeks is {c} higher than {b}?
Q5: What is the sum of the values of {b} in the weeks {first} to {last}? Tolerance: {summed:g}.
Q6: In week {wq}, what is the value of {d} divided by that of {e}? Tolerance: 6%.
Q7: What is the value of {c} in the week in which {e} is lowest? Tolerance: {linear:g}.
Q8: What is the highest value that {e} has in any week? Tolerance: 4%.

End your reply with eight lines, a number each, such as

Q1: 71.5
Q2: 3.4"""


class Chart:
    """A seed's numbers."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(f"chart {seed}")
        self.names = chance.sample(NAMES, 5)
        self.colours = chance.sample(PALETTE, 5)
        self.marks = chance.sample(MARKS, 5)
        self.step = chance.choice((15, 20, 25, 30, 40))  # of the labels at the left
        self.low = self.step * chance.randint(1, 4) - chance.choice((5, 10))
        self.decade = chance.choice((-2, -1, 0, 1))  # the lowest at the right
        while True:
            self.parts = [self._line(chance) for _ in range(5)]
            if self._is_clear():
                break
        self.weeks = [chance.randint(2, COUNT - 1) for _ in range(3)]
        self.first = chance.randint(3, 10)

    @staticmethod
    def _line(chance: random.Random) -> list[float]:
        """Heights from 0 to 1, as a walk."""
        at, found = chance.uniform(0.2, 0.8), []
        for _ in range(COUNT):
            at += chance.uniform(-0.28, 0.28)
            at = 0.06 - at if at < 0.03 else 1.94 - at if at > 0.97 else at
            found.append(at)
        return found

    def _is_clear(self) -> bool:
        """Whether every comparison is decided by more than 8 pixels, and no two marks hide each other."""
        a, b, c, _, e = self.parts
        apart = sorted(x - y for x, y in zip(a, b, strict=True))
        low = sorted(e)
        return (
            apart[-1] - apart[-2] > 0.03
            and low[1] - low[0] > 0.025
            and all(abs(x - y) > 0.02 for x, y in zip(b, c, strict=True))
            and all(
                abs(x - y) > 0.018
                for week in zip(*self.parts, strict=True)
                for n, x in enumerate(week)
                for y in week[:n]
            )
        )

    def value(self, line: int, week: int) -> float:
        """The value of a line in a week from 1."""
        part = self.parts[line][week - 1]
        return self.low + 5 * self.step * part if line < 3 else float(10 ** (self.decade + 3 * part))

    @property
    def linear(self) -> float:
        """The tolerance of a value at the left, 0.6% of the scale."""
        return 0.03 * self.step


def question(seed: int) -> str:
    """What is asked."""
    chart = Chart(seed)
    names = dict(zip("abcde", chart.names, strict=True))
    wa, wd, wq = chart.weeks
    return QUESTION.format(
        count=COUNT, linear=round(chart.linear, 3), summed=round(3 * chart.linear, 2), wa=wa, wd=wd, wq=wq,
        first=chart.first, last=chart.first + 5, **names,
    )  # fmt: skip


def wanted(seed: int) -> dict[str, tuple[float, float]]:
    """For each question the value and how far an answer may be off."""
    chart = Chart(seed)
    weeks = range(1, COUNT + 1)
    wa, wd, wq = chart.weeks
    v = chart.value
    near, total = chart.linear, sum(v(1, week) for week in range(chart.first, chart.first + 6))
    ratio = v(3, wq) / v(4, wq)
    best = max(weeks, key=lambda week: v(0, week) - v(1, week))
    lowest = min(weeks, key=lambda week: v(4, week))
    top = max(v(4, week) for week in weeks)
    return {
        "Q1": (v(0, wa), near),
        "Q2": (v(3, wd), 0.04 * v(3, wd)),
        "Q3": (best, 0),
        "Q4": (sum(v(2, week) > v(1, week) for week in weeks), 0),
        "Q5": (total, 3 * near),
        "Q6": (ratio, 0.06 * ratio),
        "Q7": (v(2, lowest), near),
        "Q8": (top, 0.04 * top),
    }


def near_enough(said: str, value: Any) -> bool:
    """Whether the first number said is within the tolerance."""
    found = re.search(r"-?\d+(?:\.\d+)?|-?\.\d+", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said))
    return bool(plainly(said)) and found is not None and abs(float(found[0]) - value[0]) <= value[1] + 1e-9


def _mark(canvas: Canvas, kind: str, x: float, y: float, colour: str) -> None:
    if kind == "ring":
        canvas.disc(x, y, 7, colour)
        canvas.disc(x, y, 4, "#ffffff")
    else:
        corners, turn = {"disc": (48, 0), "square": (4, 45), "triangle": (3, -90), "diamond": (4, 0)}[kind]
        canvas.area([circle(x, y, 7, corners, turn)], colour)


def picture(seed: int) -> bytes:
    """The chart."""
    chart = Chart(seed)
    canvas = Canvas(WIDTH, HEIGHT)

    def place(part: float, week: float) -> Point:
        return LEFT + (RIGHT - LEFT) * (week - 0.5) / COUNT, BOTTOM - (BOTTOM - TOP) * part

    for week in range(1, COUNT + 1):
        x, _ = place(0, week)
        canvas.rectangle(x - 0.5, TOP, x + 0.5, BOTTOM, "#d8d8d8")
        if week % 5 == 1:
            canvas.text(x, BOTTOM + 18, str(week))
    for number in range(6):
        _, y = place(number / 5, 0)
        canvas.rectangle(LEFT - 8, y - 1, LEFT, y + 1)
        canvas.text(LEFT - 14, y, str(chart.low + chart.step * number), anchor=1)
    for power in range(4):
        for digit in range(1, 10 if power < 3 else 2):
            _, y = place((power + math.log10(digit)) / 3, 0)
            canvas.rectangle(RIGHT, y - 1, RIGHT + (10 if digit == 1 else 5), y + 1)
        label = f"{10 ** (chart.decade + power):g}"
        canvas.text(RIGHT + 16, place(power / 3, 0)[1], label, anchor=0)
    for x in (LEFT, RIGHT):
        canvas.rectangle(x - 1, TOP, x + 1, BOTTOM)
    canvas.rectangle(LEFT, BOTTOM - 1, RIGHT, BOTTOM + 1)
    canvas.text((LEFT + RIGHT) / 2, BOTTOM + 42, "WEEK")
    for line, parts in enumerate(chart.parts):
        points = [place(part, week) for week, part in enumerate(parts, 1)]
        canvas.line(points, 2, chart.colours[line])
        for x, y in points:
            _mark(canvas, chart.marks[line], x, y, chart.colours[line])
        y = TOP + 100 + 60 * line
        _mark(canvas, chart.marks[line], 980, y, chart.colours[line])
        canvas.text(996, y - 8, chart.names[line], scale=2, anchor=0)
        canvas.text(996, y + 10, "(L)" if line < 3 else "(R)", anchor=0)
    return canvas.png()


def build(seed: int) -> Node:
    """The test of a seed."""
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(question(seed), llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), near_enough))
    )
