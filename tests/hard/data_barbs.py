"""A chart of 210 wind barbs at all angles, and tables of mills and sectors: what does each district's wind do?"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .digitised import digitised, ending, table
from .drawing import Canvas, Point
from .sheets import lines

DESCRIPTION = (
    "Can an agent read wind barbs at all angles from a chart, and work out the wear of mills by them?"
)
TAGS = ["hard", "vision", "agent"]

COLUMNS, ROWS, SIZE, EDGE = 15, 14, 64, 36
LETTERS = "ABCDEFGHIJKLMNO"
STAFF, BEHIND, OFF = 40, 20, 4  # pixels; from the disc to the middle of a square; degrees beside the sector
APART, FLAG = 6.5, 9.0  # pixels along the staff for a stroke and for a triangle
LONG, SHORT, SLANT = 15, 7.5, 80  # pixels of strokes; degrees between them and the staff
SECTORS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
DISTRICTS = (
    "AMBLE",
    "BRANTON",
    "CORBY",
    "DALTON",
    "ELSDON",
    "FALSTONE",
    "GILSLAND",
    "HARTLEY",
    "ILDERTON",
    "JESMOND",
)
SPEEDS = tuple(
    (flags, longs, shorts)
    for flags in range(3)
    for longs in range(5)
    for shorts in range(2)
    if flags + longs and FLAG * flags + APART * (longs + shorts) < STAFF - 8
)  # how many triangles, long strokes and short ones
TASK = f"""The chart in the picture has the columns A to {LETTERS[-1]} and the rows 1 to {ROWS}. In each field stands a wind barb: a straight staff with a disc at one end, and, from its other end on, triangles, long strokes and short strokes
(half as long) beside it, all of them at the same side.

- The staff points from the disc to one of sixteen sectors, {", ".join(SECTORS[:3])} and so on clockwise; N is up, E is at the right. It is off by {OFF} degrees at most.
- The speed is 50 knots for each triangle, 10 for each long stroke and 5 for a short one.
- As seen along the staff, from the disc to the other end, triangles and strokes are at its left or at its right.

In your folder, mills.csv says in which district the mill of each field stands, and how many sails it has; sectors.csv has a number for each sector, one for barbs at the left and another for barbs at the right. The wear
of a mill is the product of the speed, this number, and the number of sails.

How much is the wear in each district, all of its mills together? {ending(DISTRICTS)}"""


@dataclass(frozen=True)
class Barb:
    """A staff's sector and degrees beside it, the side of what stands at it (1: right), and how many of each kind."""

    sector: int
    off: float
    side: int
    flags: int
    longs: int
    shorts: int

    @property
    def knots(self) -> int:
        """The speed."""
        return 50 * self.flags + 10 * self.longs + 5 * self.shorts


Barbs = Mapping[str, Barb]


@cache
def chart(seed: int) -> Barbs:
    """The barbs by field."""
    chance = random.Random(f"barbs chart {seed}")
    fields = [f"{column}{row}" for row in range(1, ROWS + 1) for column in LETTERS]
    return {
        at: Barb(
            chance.randrange(16), chance.uniform(-OFF, OFF), chance.choice((1, -1)), *chance.choice(SPEEDS)
        )
        for at in fields
    }


def draw(canvas: Canvas, x: float, y: float, barb: Barb) -> None:
    """A barb whose staff has its middle at about the point."""
    angle = math.radians(22.5 * barb.sector - 90 + barb.off)
    cos, sin = math.cos(angle), math.sin(angle)

    def at(along: float, aside: float = 0) -> Point:
        along, aside = along - BEHIND, aside * barb.side
        return x + along * cos - aside * sin, y + along * sin + aside * cos

    cos_, sin_ = math.cos(math.radians(SLANT)), math.sin(math.radians(SLANT))
    canvas.disc(*at(0), 3.6)
    canvas.line([at(0), at(STAFF)], 2)
    place = float(STAFF)
    for _ in range(barb.flags):
        canvas.area([[at(place), at(place - 1, LONG), at(place - FLAG + 3)]], "#1c1c1c")
        place -= FLAG
    for n in range(barb.longs + barb.shorts):
        long = LONG if n < barb.longs else SHORT
        canvas.line([at(place - 1), at(place - 1 + long * cos_, long * sin_)], 2)
        place -= APART


@cache
def picture(seed: int) -> bytes:
    """The chart."""
    canvas = Canvas(EDGE + COLUMNS * SIZE + 8, EDGE + ROWS * SIZE + 8)
    lines(canvas, EDGE, EDGE, COLUMNS, ROWS, SIZE)
    for name, barb in chart(seed).items():
        column, row = LETTERS.index(name[0]), int(name[1:]) - 1
        x, y = EDGE + SIZE * (column + 0.5), EDGE + SIZE * (row + 0.5)
        draw(canvas, x, y, barb)
        if not row:
            canvas.text(x, EDGE / 2, name[0])
        if not column:
            canvas.text(EDGE / 2, y, name[1:])
    return canvas.png()


@cache
def mills(seed: int) -> Mapping[str, tuple[str, int]]:
    """The district and the sails of each field's mill."""
    chance, fields = random.Random(f"barbs mills {seed}"), list(chart(seed))
    districts = chance.sample(DISTRICTS * (len(fields) // len(DISTRICTS)), len(fields))
    return {at: (district, chance.randint(3, 12)) for at, district in zip(fields, districts, strict=True)}


@cache
def sectors(seed: int) -> Mapping[str, tuple[int, int]]:
    """The numbers of each sector, for barbs at the left and at the right; no two are the same."""
    numbers = random.Random(f"barbs sectors {seed}").sample(range(101, 400), 32)
    return dict(zip(SECTORS, zip(numbers[::2], numbers[1::2], strict=True), strict=True))


def files_of(seed: int) -> Mapping[str, str]:
    """The folder."""
    return {
        "mills.csv": table("field,district,sails", ((at, *its) for at, its in mills(seed).items())),
        "sectors.csv": table("sector,left,right", ((name, *its) for name, its in sectors(seed).items())),
    }


def wear(seed: int, barbs: Barbs) -> dict[str, int]:
    """The answers if these barbs are read."""
    found = dict.fromkeys(DISTRICTS, 0)
    for at, (district, sails) in mills(seed).items():
        barb = barbs[at]
        found[district] += barb.knots * sectors(seed)[SECTORS[barb.sector]][barb.side > 0] * sails
    return found


def wanted(seed: int) -> dict[str, int]:
    """The answers of a seed."""
    return wear(seed, chart(seed))


def build(seed: int) -> Node:
    """The test of a seed."""
    return digitised(partial(picture, seed), partial(files_of, seed), partial(wanted, seed), TASK)
