"""A heap of rings, of which some hang in each other and others only lie upon each other."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas, Point

DESCRIPTION = "Can the model tell which rings of a heap are linked?"
TAGS = ["hard", "vision", "topology"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EDGE = 16  # pixels to the side of the picture
STEEP = math.radians(34)  # between rings that cross
CLEAR, APART = 14, 26  # pixels from a crossing, or a ring that does not cross, to a ring; between crossings
LABEL = 19  # pixels from a name to other rings
THICK, GAP = 2, 3.6  # of a ring; beside the one above
QUESTION = """The picture shows {count} rings, all of the same colour. The name of each, A to {last}, stands in a gap of its line. Where two rings cross, the one that
lies below is interrupted for a short bit. Two rings cross at two places or not at all. They are linked if each of them lies above the other at one of
these two places; if one of them lies above at both, they are not linked.

With which others is each ring linked? End your reply with {count} lines such as

A: F K T
B: none"""


@dataclass(frozen=True)
class Ring:
    """A circle about (x, y)."""

    x: float
    y: float
    radius: float

    def point(self, angle: float) -> Point:
        """A point of it."""
        return self.x + self.radius * math.cos(angle), self.y + self.radius * math.sin(angle)

    def beside(self, at: Point) -> float:
        """How far a point is from it."""
        return abs(math.dist((self.x, self.y), at) - self.radius)

    def angle(self, at: Point) -> float:
        """The direction of a point from its middle."""
        return math.atan2(at[1] - self.y, at[0] - self.x)

    def meets(self, other: Ring) -> list[Point] | None:
        """Where it crosses another ring, at two points or none; None if that is not plain to see."""
        far = math.dist((self.x, self.y), (other.x, other.y))
        if far > self.radius + other.radius + CLEAR or far < abs(self.radius - other.radius) - CLEAR:
            return []
        # the angle in which they cross is that between the ways from a crossing to both middles
        cos = (self.radius**2 + other.radius**2 - far**2) / (2 * self.radius * other.radius)
        if abs(cos) > math.cos(STEEP):
            return None
        half = math.acos((self.radius**2 + far**2 - other.radius**2) / (2 * self.radius * far))
        along = self.angle((other.x, other.y))
        return [self.point(along - half), self.point(along + half)]


@dataclass(frozen=True)
class Heap:
    """Rings, the directions in which their names stand, and the crossings: the ring above, the one below, where."""

    rings: tuple[Ring, ...]
    labels: tuple[float, ...]
    crossings: tuple[tuple[int, int, Point], ...]


@dataclass(frozen=True)
class Rings:
    """So many rings on `wide` by `high` pixels, with radii from `least` to `most`."""

    count: int
    wide: int
    high: int
    least: float
    most: float

    @cache  # noqa: B019 - there is one of them
    def heap(self, seed: int) -> Heap:
        """The rings of a seed."""
        chance = random.Random(f"rings {seed}")
        rings: list[Ring] = []
        crossings: list[tuple[int, int, Point]] = []
        tries = 0
        while len(rings) < self.count:
            tries += 1
            if tries > 4000:
                rings, crossings, tries = [], [], 0
            radius = chance.uniform(self.least, self.most)
            x, y = (chance.uniform(EDGE + radius, side - EDGE - radius) for side in (self.wide, self.high))
            met = self.tried(Ring(x, y, radius), rings, [at for _, _, at in crossings])
            if met is not None:
                rings.append(Ring(x, y, radius))
                for other, at in met:
                    pair = chance.sample([len(rings) - 1, other], 2)
                    crossings.append((pair[0], pair[1], at))
        labels = tuple(best(n, rings) for n in range(len(rings)))
        return Heap(tuple(rings), labels, tuple(crossings))

    def tried(self, new: Ring, rings: list[Ring], spots: list[Point]) -> list[tuple[int, Point]] | None:
        """The crossings of a new ring with others; None where it does not fit."""
        if any(new.beside(at) < CLEAR for at in spots):
            return None
        met: list[tuple[int, Point]] = []
        for n, ring in enumerate(rings):
            points = new.meets(ring)
            if points is None:
                return None
            met += [(n, at) for at in points]
        # a ring that lies alone asks nothing
        if len(rings) > 3 and len(met) < 4:
            return None
        near = [
            math.dist(at, other)
            for _, at in met
            for other in (*spots, *(each for _, each in met))
            if at != other
        ]
        if min(near, default=APART) < APART:
            return None
        if any(rings[n].beside(at) < CLEAR for m, at in met for n in range(len(rings)) if n != m):
            return None
        grown = [*rings, new]
        is_free = all(free(n, grown, best(n, grown)) >= LABEL for n in range(len(grown)))
        return met if is_free else None

    def names(self, seed: int) -> list[str]:
        """The letter of each ring."""
        return random.Random(f"rings names {seed}").sample(LETTERS[: self.count], self.count)

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """With which others each ring is linked."""
        names, upon = self.names(seed), {(above, below) for above, below, _ in self.heap(seed).crossings}
        linked = {(names[a], names[b]) for a, b in upon if (b, a) in upon}
        return {name: sorted(b for a, b in linked if a == name) or ["none"] for name in sorted(names)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The heap."""
        heap, canvas = self.heap(seed), Canvas(self.wide, self.high)
        for ring in heap.rings:
            canvas.line([ring.point(math.pi * n / 60) for n in range(121)], THICK)
        for above, _, at in heap.crossings:
            ring = heap.rings[above]
            part = ring.angle(at)
            bow = [ring.point(part + n / ring.radius) for n in (-12, -8, -4, 0, 4, 8, 12)]
            canvas.line(bow[2:5], THICK + 2 * GAP, "#ffffff")
            canvas.line(bow, THICK)
        for name, ring, label in zip(self.names(seed), heap.rings, heap.labels, strict=True):
            canvas.disc(*ring.point(label), 11, "#ffffff")
            canvas.text(*ring.point(label), name, "#c81e1e")
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(count=self.count, last=LETTERS[self.count - 1])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def free(n: int, rings: list[Ring], angle: float) -> float:
    """How far a point of a ring is from all others."""
    at = rings[n].point(angle)
    return min((ring.beside(at) for m, ring in enumerate(rings) if m != n), default=999)


def best(n: int, rings: list[Ring]) -> float:
    """The direction in which a ring's own point is furthest from all others."""
    return max((math.pi * k / 18 for k in range(36)), key=lambda angle: free(n, rings, angle))


TASK = Rings(count=26, wide=1060, high=1000, least=90, most=200)
build = TASK.build
