"""A crowd of small figures that lie across each other: how many of each form and colour?"""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import INK, Canvas, Point, circle

DESCRIPTION = "Can the model count the figures of a crowd by form and colour without an error?"
TAGS = ["hard", "vision", "counting"]

COLOURS = {"RED": "#e03131", "BLUE": "#2f6fe0", "GREEN": "#2f9e44", "YELLOW": "#ffd43b"}
FORMS = {"CIRCLES": 32, "TRIANGLES": 3, "SQUARES": 4, "PENTAGONS": 5}  # corners
EDGE, RIM = 24, 2.0  # pixels: between a centre and the side; of the dark rim
QUESTION = """The picture shows a crowd of figures: circles, triangles with equal sides, squares and regular pentagons, each red, blue, green or yellow
with a dark rim. They are turned in any way and differ a little in size. Many lie partly upon others, but well over half of each figure can be seen,
and none reaches out of the picture.

How many are there of each form and colour? End your reply with these {count} lines, with the right numbers:

{lines}"""


@dataclass(frozen=True)
class Figure:
    """A figure about (x, y)."""

    kind: str  # colour and form, as it is asked
    x: float
    y: float
    radius: float  # from the middle to a corner
    turn: float

    def ring(self, smaller: float = 0) -> list[Point]:
        """Its corners, or those of the figure within its rim."""
        corners = FORMS[self.kind.split()[1]]
        # a rim as wide everywhere: its corners are further from the inner ones than its sides are
        inward = smaller / math.cos(math.pi / corners)
        return circle(self.x, self.y, self.radius - inward, corners, self.turn)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        corners = FORMS[self.kind.split()[1]]
        part = 2 * math.pi / corners
        angle = (math.atan2(y - self.y, x - self.x) - math.radians(self.turn)) % part - part / 2
        return math.hypot(x - self.x, y - self.y) * math.cos(angle) <= self.radius * math.cos(part / 2)

    def inside(self) -> list[Point]:
        """Points spread evenly over it."""
        steps = [1.5 * n for n in range(-14, 15)]
        grid = ((self.x + across, self.y + down) for across in steps for down in steps)
        return [at for at in grid if self.holds(*at)]


@dataclass(frozen=True)
class Crowds:
    """`figures` on `wide` by `high` pixels; `beside` is the share of those that are laid upon another."""

    figures: int
    wide: int
    high: int
    beside: float = 0.6
    seen: float = 0.68  # the least share of each figure that is not covered

    @cache  # noqa: B019 - there is one of them
    def crowd(self, seed: int) -> tuple[Figure, ...]:
        """The figures, the lowest first."""
        chance = random.Random(f"crowd {seed}")
        kinds = [f"{colour} {form}" for colour in COLOURS for form in FORMS]
        # each kind has another number of figures, about the same in the middle
        weights = [chance.uniform(0.6, 1.4) for _ in kinds]
        laid: list[Figure] = []
        free: list[list[Point]] = []  # of each figure: its points that no other covers
        size: list[int] = []
        while len(laid) < self.figures:
            kind = chance.choices(kinds, weights)[0]
            if laid and chance.random() < self.beside:
                other, angle = chance.choice(laid), chance.uniform(0, 2 * math.pi)
                far = chance.uniform(13, 26)
                x, y = other.x + far * math.cos(angle), other.y + far * math.sin(angle)
            else:
                x, y = chance.uniform(0, self.wide), chance.uniform(0, self.high)
            if not (EDGE < x < self.wide - EDGE and EDGE < y < self.high - EDGE):
                continue
            radius = chance.uniform(15, 18) * {"TRIANGLES": 1.15, "CIRCLES": 0.88}.get(kind.split()[1], 1)
            new = Figure(kind, x, y, radius, chance.uniform(0, 360))
            left = {
                n: [at for at in free[n] if not new.holds(*at)]
                for n, each in enumerate(laid)
                if math.hypot(x - each.x, y - each.y) < radius + each.radius
            }
            if all(len(points) >= self.seen * size[n] for n, points in left.items()):
                for n, points in left.items():
                    free[n] = points
                laid.append(new)
                free.append(new.inside())
                size.append(len(free[-1]))
        return tuple(laid)

    def wanted(self, seed: int) -> dict[str, int]:
        """How many there are of each kind."""
        numbers = Counter(each.kind for each in self.crowd(seed))
        return {f"{colour} {form}": numbers[f"{colour} {form}"] for colour in COLOURS for form in FORMS}

    def picture(self, seed: int) -> bytes:
        """The crowd."""
        canvas = Canvas(self.wide, self.high, "#f4f1ea")
        for each in self.crowd(seed):
            canvas.area([each.ring()], INK)
            canvas.area([each.ring(RIM)], COLOURS[each.kind.split()[0]])
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        names = [f"{colour} {form}" for colour in COLOURS for form in FORMS]
        # numbers that no seed has, so that nobody can copy them
        lines = "\n".join(f"{name}: {n}" for n, name in enumerate(names, 101))
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(count=len(names), lines=lines), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Crowds(figures=360, wide=1000, high=800)
build = TASK.build
