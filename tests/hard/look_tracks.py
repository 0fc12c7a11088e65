"""A board of tiles with four tracks on each: where does each track come out?"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise, product

from evaluator import *

from .answers import judge_all, same_words
from .drawing import Canvas, Point

DESCRIPTION = "Can the model follow tracks across a board of tiles on which they cross?"
TAGS = ["hard", "vision", "tracing"]

EDGE, STUB, THICK, LINE, NAME = 58, 8, 2, "#c4c8ce", "#c81e1e"
# The ends of tracks on a tile 3 wide, clockwise from the left of the top; and the way into the tile from each.
ENDS: tuple[Point, ...] = ((1, 0), (2, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 2), (0, 1))
INWARD: tuple[Point, ...] = ((0, 1), (0, 1), (-1, 0), (-1, 0), (0, -1), (0, -1), (1, 0), (1, 0))
STEEP, CLEAR = math.radians(54), 0.33  # between tracks that cross; from tracks and crossings to others
QUESTION = """The picture shows a board of {columns} by {rows} square tiles between grey lines. On each tile there are four tracks, each of which joins two of the tile's eight ends, two on each
side, and at a side each track goes on upon the next tile. Tracks that cross on a tile have nothing to do with each other: each goes on smoothly, without a
corner. Where tracks come out of the board their ends have names: T1 to T{across} along the top and B1 to B{across} along the bottom, from left to right, L1 to L{down} along
the left and R1 to R{down} along the right, from top to bottom; only every second name is written.

Where do the tracks that begin at these ends come out: {asked}?

End your reply with {count} lines, one for each of them, such as

{sample}: X9"""

Tile = tuple[tuple[int, int], ...]  # four pairs of ends
Place = tuple[int, int, int]  # column and row of a tile, and an end of it


@cache
def track(one: int, other: int, steps: int) -> tuple[Point, ...]:
    """The way between two ends of a tile."""
    a, b, u, v = ENDS[one], ENDS[other], INWARD[one], INWARD[other]
    pull = (0.75 if u == v else 0.4) * math.dist(a, b)
    c, d = (a[0] + pull * u[0], a[1] + pull * u[1]), (b[0] + pull * v[0], b[1] + pull * v[1])

    def at(t: float, side: int) -> float:
        s = 1 - t
        return s**3 * a[side] + 3 * s * s * t * c[side] + 3 * s * t * t * d[side] + t**3 * b[side]

    return tuple((at(n / steps, 0), at(n / steps, 1)) for n in range(steps + 1))


@cache
def crossings(one: tuple[int, int], other: tuple[int, int]) -> tuple[Point, ...] | None:
    """Where two tracks of a tile cross; None if that is not plain to see."""
    found: list[Point] = []
    ways = track(*one, 12), track(*other, 12)
    for ((ax, ay), (bx, by)), ((cx, cy), (dx, dy)) in product(*(list(pairwise(way)) for way in ways)):
        turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
        if abs(turn) < 1e-9:
            continue
        s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
        t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
        if -1e-9 <= s < 1 - 1e-9 and -1e-9 <= t < 1 - 1e-9:
            angle = abs(math.asin(turn / math.dist((ax, ay), (bx, by)) / math.dist((cx, cy), (dx, dy))))
            if found or angle < STEEP:
                return None
            found.append((ax + s * (bx - ax), ay + s * (by - ay)))
    near = min(math.dist(p, q) for p, q in product(*ways))
    return None if not found and near < CLEAR else tuple(found)


@cache
def tiles() -> tuple[Tile, ...]:
    """All ways to join the ends so that tracks can be told apart everywhere."""

    def joined(ends: tuple[int, ...]) -> Iterator[Tile]:
        if not ends:
            yield ()
        for n in range(1, len(ends)):
            for rest in joined(ends[1:n] + ends[n + 1 :]):
                yield ((ends[0], ends[n]), *rest)

    back = {(0, 1), (2, 3), (4, 5), (6, 7)}  # at once: rare, so that tracks are long
    return tuple(
        tile for tile in joined(tuple(range(8))) if len(back.intersection(tile)) < 2 and is_plain(tile)
    )


def is_plain(tile: Tile) -> bool:
    """Whether all crossings of a tile are plain, and apart from each other and from third tracks."""
    met: list[tuple[Point, tuple[int, int], tuple[int, int]]] = []
    for n, one in enumerate(tile):
        for other in tile[:n]:
            spots = crossings(one, other)
            if spots is None:
                return False
            met += [(at, one, other) for at in spots]
    return all(
        math.dist(at, step) >= CLEAR
        for at, *pair in met
        for way in tile
        if way not in pair
        for step in track(*way, 12)
    )


@dataclass(frozen=True)
class Tracks:
    """Boards of `columns` by `rows` tiles of `side` pixels; the `asked` longest tracks are asked for."""

    columns: int
    rows: int
    side: int
    asked: int

    @cache  # noqa: B019 - there is one of them
    def board(self, seed: int) -> dict[tuple[int, int], Tile]:
        """The tiles of a seed."""
        chance = random.Random(f"tracks {seed}")
        return {at: chance.choice(tiles()) for at in product(range(self.columns), range(self.rows))}

    def beyond(self, place: Place) -> Place:
        """The same end of a track on the tile at the other side of the line."""
        column, row, end = place
        # the ends beside each other: 0 and 5, 1 and 4, 2 and 7, 3 and 6
        return column - int(INWARD[end][0]), row - int(INWARD[end][1]), (5, 4, 7, 6, 1, 0, 3, 2)[end]

    def outer(self) -> dict[Place, str]:
        """The names of the ends at the sides of the board."""
        found = {}
        for n in range(self.columns):
            for end, name in ((0, f"T{2 * n + 1}"), (1, f"T{2 * n + 2}")):
                found[n, 0, end] = name
                found[n, self.rows - 1, 5 - end] = name.replace("T", "B")
        for n in range(self.rows):
            for end, name in ((7, f"L{2 * n + 1}"), (6, f"L{2 * n + 2}")):
                found[0, n, end] = name
                found[self.columns - 1, n, 9 - end] = name.replace("L", "R")
        return found

    @cache  # noqa: B019 - as above
    def wanted(self, seed: int) -> dict[str, str]:
        """Where the tracks that are asked for come out."""
        board, outer = self.board(seed), self.outer()
        ways: dict[tuple[str, str], int] = {}
        for begin, name in outer.items():
            place, length = begin, 0
            while length == 0 or place[:2] in board:
                pair = next(pair for pair in board[place[:2]] if place[2] in pair)
                last = (*place[:2], sum(pair) - place[2])
                place, length = self.beyond(last), length + 1
            if (outer[last], name) not in ways:
                ways[name, outer[last]] = length
        longest = sorted(ways, key=lambda ends: -ways[ends])[: self.asked]
        chance = random.Random(f"tracks ends {seed}")
        return dict(sorted((one, other) for one, other in (chance.sample(ends, 2) for ends in longest)))

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The board."""
        wide, high = self.columns * self.side, self.rows * self.side
        canvas = Canvas(wide + 2 * EDGE, high + 2 * EDGE)
        for n in range(self.columns + 1):
            canvas.rectangle(EDGE + n * self.side - 1, EDGE, EDGE + n * self.side + 1, EDGE + high, LINE)
        for n in range(self.rows + 1):
            canvas.rectangle(EDGE, EDGE + n * self.side - 1, EDGE + wide, EDGE + n * self.side + 1, LINE)

        def at(column: int, row: int, point: Point) -> Point:
            return EDGE + self.side * (column + point[0] / 3), EDGE + self.side * (row + point[1] / 3)

        for (column, row), tile in self.board(seed).items():
            for pair in tile:
                canvas.line([at(column, row, step) for step in track(*pair, 14)], THICK)
        for (column, row, end), name in self.outer().items():
            (x, y), (u, v) = at(column, row, ENDS[end]), INWARD[end]
            canvas.line([(x, y), (x - STUB * u, y - STUB * v)], THICK)
            if int(name[1:]) % 2:
                away = STUB + (11 if v else 24)
                canvas.text(x - away * u, y - away * v, name, NAME)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        ends = self.wanted(seed)
        question = QUESTION.format(
            columns=self.columns, rows=self.rows, across=2 * self.columns, down=2 * self.rows,
            asked=", ".join(ends), count=len(ends), sample=next(iter(ends)),
        )  # fmt: skip
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_words))
        )


TASK = Tracks(columns=13, rows=12, side=72, asked=12)
build = TASK.build
