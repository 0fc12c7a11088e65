"""Thirty small bar charts on scales of their own: the variance of each, exactly."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas

DESCRIPTION = "Can the model read four hundred bars on scales that differ, and compute with them exactly?"
TAGS = ["hard", "vision", "statistics"]

TINTS = ("#3a66b8", "#b8563a", "#3a9a68", "#8a5ab0")
LEFT, TOP, BETWEEN = 40, 20, 4  # pixels: before the bars, above them; steps from one grey line to the next
QUESTION = """The picture shows {count} bar charts, {first} to {last}, each with {bars} bars and a scale of its own: the numbers at its left belong to the lowest and the highest grey line, and the
lines between are evenly spaced. The top of every bar lies on a grey line or a quarter, a half or three quarters of the way from one to the next. All values are whole numbers.

For each chart compute the variance of its {bars} values times {square}, that is {bars} times the sum of their squares less the square of their sum. End your reply with {count} lines such as

A: 4031
B: 275"""


@dataclass(frozen=True)
class Chart:
    """A scale from `low` with `unit` for a quarter of the way between two lines, and the bars' heights in units."""

    low: int
    unit: int
    heights: tuple[int, ...]

    @property
    def values(self) -> list[int]:
        """What the bars stand for."""
        return [self.low + self.unit * height for height in self.heights]


@dataclass(frozen=True)
class Bars:
    """`columns` by `rows` charts of `bars` bars of up to `steps` steps; pixels of a step and of a bar."""

    columns: int
    rows: int
    bars: int
    steps: int
    step: int
    bar: int

    @property
    def names(self) -> str:
        """The charts' letters."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[: self.columns * self.rows]

    @cache  # noqa: B019 - there is one of them
    def charts(self, seed: int) -> dict[str, Chart]:
        """The charts by name."""
        chance = random.Random(f"bars {seed}")
        return {
            name: Chart(
                chance.choice((0, 0, 10, 20, 50)),
                chance.choice((1, 2, 3, 5)),
                tuple(chance.randint(1, self.steps) for _ in range(self.bars)),
            )
            for name in self.names
        }

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of each chart."""
        return {
            name: self.bars * sum(each * each for each in chart.values) - sum(chart.values) ** 2
            for name, chart in self.charts(seed).items()
        }

    def corner(self, number: int) -> tuple[int, int]:
        """The lower left corner of a chart's bars in the picture."""
        wide, high = LEFT + self.bars * self.bar + 10, TOP + self.steps * self.step + 14
        return number % self.columns * wide + LEFT, (number // self.columns + 1) * high - 10

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """All charts."""
        right, low = self.corner(self.columns * self.rows - 1)
        canvas = Canvas(right + self.bars * self.bar + 12, low + 14)
        for number, (name, chart) in enumerate(self.charts(seed).items()):
            x, y = self.corner(number)
            for step in range(0, self.steps + 1, BETWEEN):
                height = y - step * self.step
                canvas.rectangle(x - 4, height - 0.5, x + self.bars * self.bar, height + 0.5, "#b4b4b4")
            for step in (0, self.steps):
                canvas.text(
                    x - 7, y - step * self.step, str(chart.low + chart.unit * step), "#505050", 1, anchor=1
                )
            canvas.text(x - 28, y - self.steps * self.step / 2, name, "#000000", 2)
            for place, height in enumerate(chart.heights):
                left = x + place * self.bar + 1
                tint = TINTS[number % len(TINTS)]
                canvas.rectangle(left, y - height * self.step, left + self.bar - 2, y, tint)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        names = self.names
        question = QUESTION.format(
            count=len(names), first=names[0], last=names[-1], bars=self.bars, square=self.bars**2
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Bars(columns=6, rows=5, bars=14, steps=48, step=3, bar=9)
build = TASK.build
