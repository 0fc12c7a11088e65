"""A map of contour lines of which only one has a known height: between which heights do points lie?"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point

DESCRIPTION = "Can the model tell from crowded contour lines how high many points lie?"
TAGS = ["hard", "vision", "maps"]

WIDTH, HEIGHT, GRID = 1040, 960, 5  # pixels; of a cell in which lines are straight
HILLS, POINTS = 90, "ABCDEFGHJKLMNPRSTUWXYZ"  # the knobs, with STEEP
STEEP = 0.19  # lines in a pixel, where they are closest
CLEAR, APART = 5, 55  # pixels from a point to any line, and to another point
STEP, THICK = 10, 5  # metres between lines; each fifth line is thicker
TICK, EVERY = 4.5, 9  # pixels of a mark; cells between the marks of a line
LINE, RED, BLUE = "#7a5a3a", "#e00000", "#0030d0"
QUESTION = f"""The map shows hills and hollows by contour lines, each of which joins points of one height. There is a line for each multiple of {STEP} metres, and
those for multiples of {STEP * THICK} metres are thicker. Short marks on one side of a line show the side on which the ground is lower. The red line is {{height}} metres
high; no other height is given. (Other lines of that height are not red.)

{len(POINTS)} blue points with letters at their right lie on the map, none of them on a line. Between which two neighbouring multiples of {STEP} metres is each? Say
the lower one: 120 for a point between 120 and 130 metres, -40 for one between -40 and -30. End your reply with {len(POINTS)} lines such as

A: 120
B: -40"""

Line = list[Point]


@dataclass(frozen=True)
class Ground:
    """Heights at the corners of cells, in STEP metres."""

    rows: tuple[tuple[float, ...], ...]

    def at(self, x: float, y: float) -> float:
        """The height at a point of the map; each cell is two flat triangles."""
        column, row = int(x // GRID), int(y // GRID)
        a, b = x / GRID - column, y / GRID - row
        p, q, r, s = (self.rows[row + down][column + across] for down in (0, 1) for across in (0, 1))
        return p + a * (q - p) + b * (s - q) if a > b else p + a * (s - r) + b * (r - p)

    @cached_property
    def steepest(self) -> float:
        """The most that the height changes in a pixel."""
        return max(
            math.hypot(right - here, below - here) / GRID
            for row, under in zip(self.rows, self.rows[1:], strict=False)
            for here, right, below in zip(row, row[1:], under, strict=False)
        )

    def lines(self) -> Iterator[tuple[int, Line]]:
        """All contour lines: the height and the points of each, the lower ground at its right hand."""
        follow: dict[tuple[int, Point], Point] = {}
        for row, (upper, lower) in enumerate(zip(self.rows, self.rows[1:], strict=False)):
            for column in range(len(upper) - 1):
                p, q = (column, row, upper[column]), (column + 1, row, upper[column + 1])
                r, s = (column, row + 1, lower[column]), (column + 1, row + 1, lower[column + 1])
                for corners in ((p, q, s), (p, s, r)):  # clockwise
                    heights = [height for _, _, height in corners]
                    for level in range(math.ceil(min(heights)), math.floor(max(heights)) + 1):
                        into = out = None
                        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
                            if (a[2] < level) != (b[2] < level):
                                # the same point for both triangles of a side
                                first, second = min(a, b), max(a, b)
                                part = (level - first[2]) / (second[2] - first[2])
                                cut = (
                                    GRID * (first[0] + part * (second[0] - first[0])),
                                    GRID * (first[1] + part * (second[1] - first[1])),
                                )
                                if a[2] < level:
                                    into = cut
                                else:
                                    out = cut
                        if into and out:
                            follow[level, into] = out
        begins = {*follow} - {(level, cut) for (level, _), cut in follow.items()}
        for level, begin in [*sorted(begins), *follow]:
            if (level, begin) in follow:
                line = [begin]
                while (at := follow.pop((level, line[-1]), None)) is not None:
                    line.append(at)
                yield level, line


@cache
def ground(seed: int) -> Ground:
    """Hills and hollows of a seed."""
    chance = random.Random(f"contours {seed}")
    columns, rows = WIDTH // GRID + 1, HEIGHT // GRID + 1
    total = [[0.0] * columns for _ in range(rows)]
    tops: list[Point] = []
    for number in range(HILLS):
        x, y = max(
            ((chance.uniform(0, WIDTH), chance.uniform(0, HEIGHT)) for _ in range(5)),
            key=lambda at: min((math.dist(at, each) for each in tops), default=0),
        )
        tops.append((x, y))
        high = (1 if number % 2 else -1) * chance.uniform(0.7, 1.0)
        wide, tall = chance.uniform(36, 60), chance.uniform(36, 60)
        across = [math.exp(-(((GRID * n - x) / wide) ** 2) / 2) for n in range(columns)]
        for n, row in enumerate(total):
            here = high * (wide + tall) * math.exp(-(((GRID * n - y) / tall) ** 2) / 2)
            if abs(here) > 0.01:
                total[n] = [a + here * b for a, b in zip(row, across, strict=True)]
    flat = Ground(tuple(map(tuple, total)))
    scale = STEEP / flat.steepest
    up = chance.uniform(-9, 9)
    return Ground(tuple(tuple(scale * each + up for each in row) for row in flat.rows))


@cache
def places(seed: int) -> dict[str, Point]:
    """The points, by letter."""
    chance, map_ = random.Random(f"contours points {seed}"), ground(seed)
    found: list[Point] = []
    while len(found) < len(POINTS):
        x, y = chance.uniform(20, WIDTH - 40), chance.uniform(20, HEIGHT - 20)
        here = map_.at(x, y)
        around = (map_.at(x + CLEAR * math.cos(n), y + CLEAR * math.sin(n)) for n in range(7))
        if all(math.dist((x, y), each) >= APART for each in found) and all(
            math.floor(here) + 0.05 < each < math.floor(here) + 0.95 for each in (here, *around)
        ):
            found.append((x, y))
    return dict(zip(POINTS, found, strict=True))


def fitness(line: Line) -> tuple[bool, float]:
    """How fit a line is to be the red one: neither short nor long, and near the middle."""
    x, y = (sum(each) / len(line) for each in zip(*line, strict=True))
    return 60 < len(line) < 160, -math.dist((x, y), (WIDTH / 2, HEIGHT / 2))


@cache
def drawn(seed: int) -> tuple[list[tuple[int, Line]], int]:
    """All lines, and which of them is red."""
    lines = list(ground(seed).lines())
    return lines, max(range(len(lines)), key=lambda n: fitness(lines[n][1]))


@cache
def picture(seed: int) -> bytes:
    """The map."""
    canvas = Canvas(WIDTH, HEIGHT)
    lines, red = drawn(seed)
    for n, (level, line) in enumerate(lines):
        colour = RED if n == red else LINE
        thick = 2.6 if level % THICK == 0 else 1.3 if n != red else 2
        canvas.line(line, thick, colour)
        for at in range(min(4, len(line) // 3), len(line) - 1, EVERY):
            (ax, ay), (bx, by) = line[at - 1], line[at + 1]
            long = math.hypot(bx - ax, by - ay)
            if long > 1:
                x, y = line[at]
                canvas.line([(x, y), (x - (by - ay) / long * TICK, y + (bx - ax) / long * TICK)], 1.3, colour)
    for letter, (x, y) in places(seed).items():
        canvas.disc(x, y, 2.6, BLUE)
        canvas.text(x + 11, y, letter, BLUE)
    return canvas.png()


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return {letter: STEP * math.floor(ground(seed).at(x, y)) for letter, (x, y) in places(seed).items()}


def build(seed: int) -> Node:
    """The test of a seed."""
    lines, red = drawn(seed)
    question = QUESTION.format(height=STEP * lines[red][0])
    return (
        Image(partial(picture, seed))
        >> LLMVisionRun(question, llm=LLM)
        >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
    )
