"""A heap of sheets of paper: in which order can they be taken off?"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import INK, Canvas, Point

DESCRIPTION = "Can the model see which sheets of a heap lie on which, and what follows from it?"
TAGS = ["hard", "vision", "layers"]

PAPER, GROUND, RED = "#fdfdfb", "#d5dbe0", "#b01818"
EVERY, BESIDE = (
    4.0,
    2.5,
)  # pixels between points looked at along a side; from the side to the points beside it
EVIDENT = 5  # points at which a sheet is seen to end upon another one
DEEP, CLEAR = 9, 6  # pixels: sheets overlap by more, or are further apart
NAME = 14, 10  # half of the room for a name
CELL = 3  # pixels of a cell, by which parts of a sheet that are seen apart from each other are found
QUESTION = """The picture shows a heap of {count} sheets of white paper from above. They are rectangles of different sizes, turned in any way, and opaque.
Each has a number from 1 to {count}; if a sheet is seen in several parts, its number stands in each of them. All corners are right, nothing is folded
or bent, and no sheet lies partly above and partly below another. Wherever one covers another, that can be seen or follows from what can be seen.

A sheet is free if no other sheet covers any part of it. In round 1 all sheets that are free are taken away at once. In round 2 all that are free
now are taken away at once, and so on until nothing is left. In which round is each sheet taken? End your reply with {count} lines, a
sheet's number and its round, such as

1: 4
2: 1"""


Cell = tuple[int, int]


@dataclass(frozen=True)
class Sheet:
    """A rectangle about (x, y)."""

    x: float
    y: float
    wide: float
    high: float
    turn: float

    @cached_property
    def cos_sin(self) -> Point:
        """The direction of its first side."""
        return math.cos(self.turn), math.sin(self.turn)

    def to_field(self, x: float, y: float) -> Point:
        """A point of the picture as one of the sheet, whose middle is (0, 0)."""
        cos, sin = self.cos_sin
        return (x - self.x) * cos + (y - self.y) * sin, (y - self.y) * cos - (x - self.x) * sin

    def to_picture(self, across: float, down: float) -> Point:
        """A point of the sheet as one of the picture."""
        cos, sin = self.cos_sin
        return self.x + across * cos - down * sin, self.y + across * sin + down * cos

    def holds(self, at: Point, more: float = 0) -> bool:
        """Whether a point lies in it, or less than `more` beside it."""
        across, down = self.to_field(*at)
        return abs(across) <= self.wide / 2 + more and abs(down) <= self.high / 2 + more

    def ring(self, more: float = 0) -> list[Point]:
        """Its corners."""
        a, b = self.wide / 2 + more, self.high / 2 + more
        return [self.to_picture(*corner) for corner in ((-a, -b), (a, -b), (a, b), (-a, b))]

    def around(self) -> list[Point]:
        """Points just beside its sides."""
        a, b = self.wide / 2 + BESIDE, self.high / 2 + BESIDE
        steps = [EVERY * (n + 0.5) for n in range(int(max(self.wide, self.high) / EVERY))]
        level = [(step - self.wide / 2, side) for step in steps if step < self.wide for side in (-b, b)]
        upright = [(side, step - self.high / 2) for step in steps if step < self.high for side in (-a, a)]
        return [self.to_picture(*at) for at in level + upright]

    def cells(self) -> set[Cell]:
        """The cells whose middle lies in it."""
        ring = self.ring()
        found = set()
        for row in range(int(min(y for _, y in ring) / CELL), int(max(y for _, y in ring) / CELL) + 1):
            y = CELL * (row + 0.5)
            cuts = [
                a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)
                if (a[1] <= y) != (b[1] <= y)
            ]
            if cuts:
                left, right = (math.ceil(cut / CELL - 0.5) for cut in sorted(cuts))
                found |= {(column, row) for column in range(left, right)}
        return found

    def radius(self) -> float:
        """From its middle to a corner."""
        return math.hypot(self.wide, self.high) / 2


def depth(one: Sequence[Point], other: Sequence[Point]) -> float:
    """By how much two convex shapes overlap along the side where it is least; below 0: how far apart they are."""
    least = math.inf
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, (*shape[1:], shape[0]), strict=True):
            long = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / long, (ax - bx) / long
            first, second = ([x * nx + y * ny for x, y in each] for each in (one, other))
            least = min(least, max(first) - min(second), max(second) - min(first))
    return least


@dataclass
class Heap:
    """Sheets from the lowest to the highest, and what can be seen of them."""

    sheets: list[Sheet] = field(default_factory=list)
    on: list[tuple[int, int]] = field(default_factory=list)  # which overlap: the upper, the lower
    around: list[list[tuple[Point, int]]] = field(
        default_factory=list
    )  # points beside it, and the sheet there
    places: list[list[Point]] = field(default_factory=list)  # where its number can be read
    cells: list[set[Cell]] = field(default_factory=list)  # where it is seen

    def laid(self, new: Sheet) -> Heap | None:
        """The heap with one sheet more; None where it would be unclear what lies upon what."""
        top, ring = len(self.sheets), new.ring()
        near = []
        for n, sheet in enumerate(self.sheets):
            if math.dist((new.x, new.y), (sheet.x, sheet.y)) < new.radius() + sheet.radius() + CLEAR:
                deep = depth(ring, sheet.ring())
                if -CLEAR < deep < DEEP:
                    return None
                if deep > 0:
                    near.append(n)
        around = list(self.around)
        for n in near:
            around[n] = [each for each in around[n] if not new.holds(each[0], 1)]
        below = ((at, self.topmost(at, near)) for at in new.around())
        around.append([(at, n) for at, n in below if n is not None])
        on = [*self.on, *((top, n) for n in near)]
        heap = Heap([*self.sheets, new], on, around, list(self.places), list(self.cells))
        if not heap.is_clear():
            return None
        cells = new.cells()
        for n in near:
            heap.cells[n] = heap.cells[n] - cells
            heap.places[n] = [at for at in heap.places[n] if not is_over(new, at)]
            if not all(heap.names(n)):
                return None
        heap.cells.append(cells)
        grid = (
            new.to_picture(across, down)
            for across in range(-int(new.wide / 2), int(new.wide / 2), 7)
            for down in range(-int(new.high / 2), int(new.high / 2), 7)
        )
        heap.places.append([at for at in grid if all(new.holds(corner, -4) for corner in box(at))])
        return heap

    def names(self, sheet: int) -> list[list[Point]]:
        """For each part of a sheet that is seen: where its number can stand."""
        left, found = set(self.cells[sheet]), []
        at_cell: dict[Cell, list[Point]] = {}
        for x, y in self.places[sheet]:
            at_cell.setdefault((int(x / CELL), int(y / CELL)), []).append((x, y))
        while left:
            places, todo = [], [left.pop()]
            while todo:
                cell = todo.pop()
                places += at_cell.get(cell, [])
                x, y = cell
                for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if near in left:
                        left.remove(near)
                        todo.append(near)
            found.append(sorted(places))
        return found

    def topmost(self, at: Point, near: Sequence[int]) -> int | None:
        """The highest of some sheets at a point, None where it is hard to say."""
        for n in reversed(near):
            if self.sheets[n].holds(at, -2):
                return n
            if self.sheets[n].holds(at, 2):
                return None
        return None

    def evident(self) -> set[tuple[int, int]]:
        """The pairs of which the upper is seen to end upon the lower."""
        found = set()
        for upper, seen in enumerate(self.around):
            lower = [n for _, n in seen]
            found |= {(upper, n) for n in set(lower) if lower.count(n) >= EVIDENT}
        return found

    def is_clear(self) -> bool:
        """Whether each pair that overlaps is seen to do so, or follows from others."""
        over = [0] * len(self.sheets)  # of each sheet: those that lie under it, seen or following, as bits
        evident = sorted(self.evident())
        for upper, lower in evident:
            over[upper] |= over[lower] | 1 << lower
        return all(over[upper] >> lower & 1 for upper, lower in self.on)


def box(at: Point) -> list[Point]:
    """The room of a name about a point."""
    (x, y), (a, b) = at, NAME
    return [(x - a, y - b), (x + a, y - b), (x + a, y + b), (x - a, y + b)]


def is_over(sheet: Sheet, at: Point) -> bool:
    """Whether a sheet hides part of a name."""
    return sheet.holds(at) or (sheet.holds(at, math.hypot(*NAME) + 3) and depth(sheet.ring(3), box(at)) > 0)


def rounds(count: int, on: Sequence[tuple[int, int]]) -> list[int]:
    """The round in which each sheet is taken."""
    left, found, number = set(range(count)), [0] * count, 0
    while left:
        number += 1
        free = left - {lower for upper, lower in on if upper in left}
        for sheet in free:
            found[sheet] = number
        left -= free
    return found


@dataclass(frozen=True)
class Heaps:
    """`count` sheets with sides of `short` to `long` pixels."""

    count: int
    wide: int
    high: int
    short: float
    long: float

    @cache  # noqa: B019 - there is one of them
    def heap(self, seed: int) -> tuple[Heap, list[int], list[list[Point]]]:
        """The heap, the numbers of its sheets, and where these stand."""
        chance = random.Random(f"sheets {seed}")
        heap, tried = Heap(), 0
        while len(heap.sheets) < self.count:
            tried += 1
            if tried > 60 * self.count:
                heap, tried = Heap(), 0
            a, b = chance.uniform(self.short, self.long), chance.uniform(self.short, self.long)
            new = Sheet(
                chance.uniform(0, self.wide), chance.uniform(0, self.high), a, b, chance.uniform(0, math.pi)
            )
            if all(10 < x < self.wide - 10 and 10 < y < self.high - 10 for x, y in new.ring()):
                heap = heap.laid(new) or heap
        numbers = chance.sample(range(1, self.count + 1), self.count)
        places = [[chance.choice(part) for part in heap.names(n)] for n in range(self.count)]
        return heap, numbers, places

    def wanted(self, seed: int) -> dict[str, int]:
        """The round of each sheet."""
        heap, numbers, _ = self.heap(seed)
        found = rounds(self.count, heap.on)
        return {str(number): found[n] for number, n in sorted(zip(numbers, range(self.count), strict=True))}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The heap from above."""
        heap, numbers, places = self.heap(seed)
        canvas = Canvas(self.wide, self.high, GROUND)
        for sheet, number, parts in zip(heap.sheets, numbers, places, strict=True):
            canvas.area([sheet.ring()], INK)
            canvas.area([sheet.ring(-1.6)], PAPER)
            for at in parts:
                canvas.text(*at, str(number), RED)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(QUESTION.format(count=self.count), llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Heaps(count=88, wide=1240, high=960, short=64, long=220)
build = TASK.build
