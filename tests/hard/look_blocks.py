"""Columns of cubes on a board, drawn from the side: how high is each?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all
from .drawing import Canvas, Point

DESCRIPTION = "Can the model read the heights of a hundred columns of cubes from a drawing in space?"
TAGS = ["hard", "vision", "space"]

LETTERS = "ABCDEFGHIJKL"
# A step along a row, from one row to the next, and upward, in pixels: no two places of a top are drawn on one point.
ALONG, ACROSS, UP = (54, 18), (-36, 40), 22
EDGE = 46
TOP, LEFT, RIGHT, FLOOR, RED, LINE = "#f4d58d", "#c98f4e", "#8f5f33", "#e6eaee", "#b01818", "#9aa4ae"
GRID = 6  # points in each direction at which a top is looked at
QUESTION = """The picture shows a board with {rows} rows, A to {last}, of {columns} fields, 1 to {columns}, seen from above and from the side. On each field stands a column of
cubes of one size, {most} at most, or none. All edges of cubes that can be seen are drawn, in parallel projection, and of each column the top can be seen at least in
part; of an empty field, its ground, which is grey. The letters and numbers stand beside the board, between grey lines that
continue those between the fields.

How many cubes stand on each field? End your reply with {rows} lines of {columns} numbers, from field 1 to field {columns}, such as

A: {sample}"""


def project(x: float, y: float, z: float) -> Point:
    """Where a point in space is drawn, without an offset."""
    return ALONG[0] * x + ACROSS[0] * y, ALONG[1] * x + ACROSS[1] * y - UP * z


@cache
def sides(x: int, y: int, high: int) -> tuple[tuple[float, float, float], ...]:
    """The six lines around a drawn column: the distance of (a, b) inward is p * a + q * b + r."""
    corners = [(0, 0, 1), (1, 0, 1), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1)]
    ring = [project(x + a, y + b, high * c) for a, b, c in corners]
    found = []
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        long = math.hypot(bx - ax, by - ay)
        p, q = (ay - by) / long, (bx - ax) / long
        found.append((p, q, -p * ax - q * ay))
    return tuple(found)


def is_hidden(at: Point, x: int, y: int, high: int, beside: float = 0) -> bool:
    """Whether a column hides a drawn point that lies behind it, or is drawn less than some pixels beside it."""
    return all(p * at[0] + q * at[1] + r > -beside for p, q, r in sides(x, y, high))


@dataclass(frozen=True)
class Blocks:
    """A board of `columns` by `rows` fields with columns of at most `most` cubes."""

    columns: int
    rows: int
    most: int
    seen: float = 0.3  # the least share of each top that is not hidden

    @cache  # noqa: B019 - there is one of them
    def board(self, seed: int) -> dict[tuple[int, int], int]:
        """The heights, by place along the row and row."""
        chance = random.Random(f"blocks {seed}")
        places = [(x, y) for y in reversed(range(self.rows)) for x in reversed(range(self.columns))]
        found: dict[tuple[int, int], int] = {}
        while len(found) < len(places):
            found = {}
            for x, y in places:  # from the front to the back: only those in front can hide a top
                free = [high for high in range(self.most + 1) if self.share(found, x, y, high) >= self.seen]
                if not free:
                    break
                # low ones more often, otherwise they would grow toward the back
                found[x, y] = min(chance.choice(free) for _ in range(3))
        return found

    def share(self, board: dict[tuple[int, int], int], x: int, y: int, high: int) -> float:
        """The share of a column's top that those in front of it leave."""
        near = [
            (a, b, board[a, b])
            for a in range(x, min(self.columns, x + self.most + 1))
            for b in range(y, min(self.rows, y + self.most + 1))
            if (a, b) != (x, y) and board[a, b] > high
        ]
        steps = [(n + 0.5) / GRID for n in range(GRID)]
        points = [project(x + a, y + b, high) for a in steps for b in steps]
        left = [at for at in points if not any(is_hidden(at, *each) for each in near)]
        return len(left) / len(points)

    def wanted(self, seed: int) -> dict[str, list[int]]:
        """The heights of each row."""
        board = self.board(seed)
        return {LETTERS[y]: [board[x, y] for x in range(self.columns)] for y in range(self.rows)}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The board from above and from the side."""
        left, top = corner_of_board(self)
        wide, high = project(self.columns, 0, 0)[0] + left, project(self.columns, self.rows, 0)[1] + top
        canvas = Canvas(round(wide) + EDGE, round(high) + EDGE)

        def at(x: float, y: float, z: float = 0) -> Point:
            across, down = project(x, y, z)
            return left + across, top + down

        def face(ring: Sequence[Point], colour: str) -> None:
            canvas.area([ring], colour)
            canvas.line([*ring, ring[0]], 1.5)

        for x in range(self.columns + 1):
            canvas.line([at(x, self.rows), at(x, self.rows + 0.6)], 1.5, LINE)
        for y in range(self.rows + 1):
            canvas.line([at(self.columns, y), at(self.columns + 0.6, y)], 1.5, LINE)
        for (x, y), cubes in sorted(self.board(seed).items()):
            for z in range(cubes):
                a, b, c = (x, y + 1), (x + 1, y + 1), (x + 1, y)
                face([at(*a, z), at(*b, z), at(*b, z + 1), at(*a, z + 1)], LEFT)
                face([at(*b, z), at(*c, z), at(*c, z + 1), at(*b, z + 1)], RIGHT)
            ring = [at(x, y, cubes), at(x + 1, y, cubes), at(x + 1, y + 1, cubes), at(x, y + 1, cubes)]
            face(ring, TOP if cubes else FLOOR)
        for x in range(self.columns):
            canvas.text(*at(x + 0.5, self.rows + 0.55), str(x + 1), RED)
        for y in range(self.rows):
            canvas.text(*at(self.columns + 0.45, y + 0.5), LETTERS[y], RED)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        sample = " ".join(str(n * n % (self.most + 1)) for n in range(self.columns))
        question = QUESTION.format(
            rows=self.rows, columns=self.columns, last=LETTERS[self.rows - 1], most=self.most, sample=sample
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), agrees))
        )


def corner_of_board(task: Blocks) -> Point:
    """Where the corner at the back of the board is drawn."""
    return EDGE - ACROSS[0] * task.rows, 20 + UP * task.most


def agrees(said: str, wanted: list[int]) -> bool:
    """Whether the digits of a row are those."""
    return [int(each) for each in re.findall(r"\d", said)] == wanted


TASK = Blocks(columns=12, rows=10, most=6)
build = TASK.build
