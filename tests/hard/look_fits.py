"""Pieces cut out of a board, among others that nearly fit: which belongs into which hole?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_words
from .drawing import Canvas, Point

DESCRIPTION = "Can the model tell which of many similar pieces, turned in any way, fits into which hole?"
TAGS = ["hard", "vision", "shapes"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BOARD, HOLE, PIECE, RED = "#b9c4cf", "#ffffff", "#e8b04a", "#b01818"
CORNERS = 11
SMALL, LARGE = 26, 56  # pixels from the middle to a corner
STEP = 12  # pixels by which a corner of a similar shape is moved, at least
ALIKE = 0.075  # of the area: two shapes differ by more, however they are turned
RAYS = 120  # directions in which shapes are compared
PITCH, TOP = 128, 8
QUESTION = """The upper part of the picture shows a grey board with {holes} white holes, numbered 1 to {holes}. Below lie {pieces} yellow pieces, A to {last}. Each hole is filled
exactly, without a gap, by one of the pieces once that is turned in the plane; pieces are never turned over. All are drawn at the same scale. No piece fits into two
holes, and {over} pieces fit into none.

Which piece fits into which hole? End your reply with {holes} lines such as

1: K
2: C"""

Shape = tuple[float, ...]  # the distance of each corner from the middle; corners are at equal angles


def corners(shape: Shape, x: float, y: float, turn: float) -> list[Point]:
    """The outline of a shape about a point."""
    part = 2 * math.pi / len(shape)
    return [
        (x + far * math.cos(turn + part * n), y + far * math.sin(turn + part * n))
        for n, far in enumerate(shape)
    ]


@cache
def rays(shape: Shape) -> tuple[float, ...]:
    """How far the outline is from the middle, in RAYS directions."""
    part = 2 * math.pi / len(shape)
    found = []
    for n in range(RAYS):
        place, angle = divmod(2 * math.pi * n / RAYS, part)
        a, b = shape[int(place) % len(shape)], shape[(int(place) + 1) % len(shape)]
        found.append(a * b * math.sin(part) / (a * math.sin(angle) + b * math.sin(part - angle)))
    return tuple(found)


def difference(one: Shape, other: Shape) -> float:
    """The area between two shapes about one middle, as a share, where it is least of all turns."""
    a, b = ([far * far for far in rays(each)] for each in (one, other))
    least = min(sum(abs(p - q) for p, q in zip(a, b[turn:] + b[:turn], strict=True)) for turn in range(RAYS))
    return least / sum(a)


@dataclass(frozen=True)
class Scene:
    """The shapes of the holes, then those that fit nowhere; which letters the pieces have; how all are turned."""

    shapes: tuple[Shape, ...]
    letters: tuple[str, ...]
    turns: tuple[float, ...]


@dataclass(frozen=True)
class Fits:
    """`holes`, `over` pieces that fit nowhere, `kinds` of shapes of which the others are variants."""

    holes: int
    over: int
    kinds: int
    columns: int

    @cache  # noqa: B019 - there is one of them
    def scene(self, seed: int) -> Scene:
        """Holes and pieces of a seed."""
        chance = random.Random(f"fits {seed}")
        pieces = self.holes + self.over
        bases: list[Shape] = []
        while len(bases) < self.kinds:
            base = tuple(chance.uniform(SMALL, LARGE) for _ in range(CORNERS))
            steps = [abs(a - b) for a, b in zip(base, (*base[1:], base[0]), strict=True)]
            if sum(step > 10 for step in steps) >= 7:
                bases.append(base)
        shapes: list[Shape] = []
        while len(shapes) < pieces:
            base = bases[len(shapes) % self.kinds]
            new = self.variant(base, chance)
            if chance.random() < 0.25:
                new = new[::-1]  # as if turned over
            if all(difference(new, each) > ALIKE for each in shapes):
                shapes.append(new)
        chance.shuffle(shapes)
        letters = chance.sample(LETTERS[:pieces], pieces)
        turns = [chance.uniform(0, 2 * math.pi) for _ in range(self.holes + pieces)]
        return Scene(tuple(shapes), tuple(letters), tuple(turns))

    def variant(self, base: Shape, chance: random.Random) -> Shape:
        """A shape with one or two corners moved."""
        new = list(base)
        for place in chance.sample(range(len(base)), chance.randint(1, 2)):
            free = [
                far
                for far in (base[place] + sign * chance.uniform(STEP, 1.5 * STEP) for sign in (-1, 1))
                if SMALL - 3 <= far <= LARGE + 3
            ]
            new[place] = chance.choice(free or [base[place]])
        return tuple(new)

    def wanted(self, seed: int) -> dict[str, str]:
        """The piece of each hole."""
        return {str(n): letter for n, letter in enumerate(self.scene(seed).letters[: self.holes], 1)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The board and the pieces."""
        scene = self.scene(seed)
        pieces = self.holes + self.over
        rows, more = -(-self.holes // self.columns), -(-pieces // self.columns)
        wide, board = PITCH * self.columns + 2 * TOP, PITCH * rows + TOP
        canvas = Canvas(wide, board + 14 + PITCH * more)
        canvas.rectangle(0, 0, wide, board, BOARD)

        def place(n: int, top: float) -> Point:
            row, column = divmod(n, self.columns)
            return TOP + PITCH * (column + 0.5), top + PITCH * (row + 0.5)

        def put(ring: Sequence[Point], at: Point, colour: str, name: str) -> None:
            canvas.area([ring], colour)
            canvas.line([*ring, ring[0]], 1.4)
            canvas.text(*at, name, RED, 2)

        for n in range(self.holes):
            x, y = place(n, TOP / 2)
            put(corners(scene.shapes[n], x, y, scene.turns[n]), (x, y), HOLE, str(n + 1))
        order = sorted(range(pieces), key=lambda n: scene.letters[n])
        for n, piece in enumerate(order):
            x, y = place(n, board + 10)
            ring = corners(scene.shapes[piece], x, y, scene.turns[self.holes + piece])
            put(ring, (x, y), PIECE, scene.letters[piece])
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        pieces = self.holes + self.over
        question = QUESTION.format(holes=self.holes, pieces=pieces, last=LETTERS[pieces - 1], over=self.over)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


TASK = Fits(holes=20, over=6, kinds=4, columns=10)
build = TASK.build
