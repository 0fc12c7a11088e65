"""Twenty-one curves in one ink that cross each other some two hundred times: the variance of each."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas
from .mosaic import Mark, lay, mark, stamp

DESCRIPTION = (
    "Can the model follow many curves through their crossings, and compute with their heights exactly?"
)
TAGS = ["hard", "vision", "statistics"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEFT, TOP, RIGHT = 58, 14, 34  # pixels
INK, FINE, BROAD = "#15151c", "#d4d8de", "#8fa6c8"
# Units from one upright line to the next at most, between curves there at least, and between directions of curves that cross;
# the distances of crossings from third curves, and as a part of the way, from upright lines.
STEEP, APART, ACROSS, CLEAR, AWAY = 6, 2, 4, 0.9, 0.2
QUESTION = """The picture shows {count} curves, {first} to {last}, all in the same ink; the letters at the left stand where they begin. A curve goes straight from each upright line to the next one, and only on upright lines it may bend. There it
always has a whole number as its height, at least two units from all others. Between the lines curves cross, and all go straight on. The level lines are one unit apart; every fifth of them is blue and has its height at
its sides.

So each curve has {columns} heights, one on each upright line. For each curve compute the variance of its heights times {square}, that is {columns} times the sum of their squares less the square of their sum. End your reply
with {count} lines such as

A: 40310
B: 27592"""

Heights = tuple[int, ...]


@dataclass(frozen=True)
class Curves:
    """`count` curves over `columns` upright lines `wide` pixels apart and `levels` level lines `high` pixels apart."""

    count: int
    columns: int
    levels: int
    wide: int
    high: int

    @property
    def names(self) -> str:
        """The curves' letters."""
        return LETTERS[: self.count]

    @cache  # noqa: B019 - there is one of them
    def heights(self, seed: int) -> list[Heights]:
        """Line by line, the heights of the curves."""
        chance = random.Random(f"curves {seed}")
        lines = [tuple(sorted(chance.sample(range(0, self.levels + 1, APART), self.count), reverse=True))]
        while len(lines) < self.columns:
            following = self._next(chance, lines[-1])
            if following:
                lines.append(following)
        return lines

    def _next(self, chance: random.Random, now: Heights) -> Heights | None:
        """Heights on the next line with which all crossings are plain to see; None if that did not work out."""
        done: list[tuple[int, int]] = []
        met: list[tuple[float, float]] = []  # crossings: how far from line to line, and the height
        for height in now:
            for _ in range(2 * STEEP):
                step = int(chance.random() * (2 * STEEP + 1)) - STEEP
                new = _crossings(done, height, step)
                if new is not None and 0 <= height + step <= self.levels and all(
                    abs(height + part * step - at) > CLEAR for part, at in met
                ) and all(
                    abs(part - other) > 0.1 or abs(at - high) > CLEAR for part, at in new for other, high in met
                ):  # fmt: skip
                    done.append((height, step))
                    met += new
                    break
            else:
                return None
        return tuple(height + step for height, step in done)

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of each curve."""
        return {
            name: self.columns * sum(each * each for each in heights) - sum(heights) ** 2
            for name, *heights in zip(self.names, *self.heights(seed), strict=True)
        }

    def at(self, column: int, height: int) -> tuple[int, int]:
        """A point in the picture."""
        return LEFT + column * self.wide, TOP + (self.levels - height) * self.high

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The grid and the curves."""
        right, low = self.at(self.columns - 1, 0)
        canvas = Canvas(right + RIGHT, low + TOP)
        cell = Canvas(self.wide, self.high)
        for row in range(self.high):
            cell.span(row, 0, 1 if row else self.wide, FINE)
        lay(canvas, LEFT, TOP, [[cell] * (self.columns - 1)] * self.levels)
        for height in range(0, self.levels + 1, 5):
            _, y = self.at(0, height)
            for row in (y - 1, y):
                canvas.span(row, LEFT, right + 1, BROAD)
            canvas.text(right + 18, y, str(height), "#4a6a9c")
            canvas.text(14, y, str(height), "#4a6a9c")
        for name, height in zip(self.names, self.heights(seed)[0], strict=True):
            x, y = self.at(0, height)
            canvas.text(x - 14, y, name, "#c02020")
        pieces = {step: self._piece(step) for step in range(-STEEP, STEEP + 1)}
        for column, heights in enumerate(self.heights(seed)[:-1]):
            for height, following in zip(heights, self.heights(seed)[column + 1], strict=True):
                stamp(canvas, *self.at(column, height), pieces[following - height], INK)
        return canvas.png()

    def _piece(self, step: int) -> Mark:
        """A curve from one line to the next."""
        middle = STEEP * self.high + 4
        drawn = Canvas(self.wide + 8, 2 * middle)
        drawn.line([(4, middle), (4 + self.wide, middle - step * self.high)], 2.2, INK)
        return mark(drawn, 4, middle)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(
            count=self.count,
            first=self.names[0],
            last=self.names[-1],
            columns=self.columns,
            square=self.columns**2,
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


def _crossings(done: list[tuple[int, int]], height: int, step: int) -> list[tuple[float, float]] | None:
    """Where a piece of a curve crosses those that are done; None if it comes too near to a line or to a third one."""
    found = []
    for other, its in done:
        before, after = height - other, height + step - other - its
        if abs(after) < APART:
            return None
        if before * after < 0:
            if abs(step - its) < ACROSS:
                return None
            part = before / (before - after)
            if not AWAY <= part <= 1 - AWAY:
                return None
            found.append((part, height + part * step))
    for part, at in found:
        if sum(abs(other + part * its - at) <= CLEAR for other, its in done) > 1:
            return None
    return found


TASK = Curves(count=21, columns=28, levels=64, wide=36, high=14)
build = TASK.build
