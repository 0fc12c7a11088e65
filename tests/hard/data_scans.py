"""Scanned pages of numbers in unknown hands, and a list of what each entry was for: totals of depots."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, Point
from .look_numerals import STROKES, TASK

DESCRIPTION = (
    "Can an agent read hundreds of handwritten entries from scanned pages and join them with a dirty list?"
)
TAGS = ["hard", "vision", "agent"]
REQUIRES = ["chromium"]

PAGES, ROWS, COLUMNS = 6, 11, 12
WIDE, HIGH, EDGE, TOP = 1020, 1080, 50, 130
UNIT, WAVER, LEAN = 9, 0.3, 13
FLIPS = ((1, 1), (-1, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))  # of pages; turned over and upside down
DEPOTS = ("ALDOW", "BIRKNEY", "CORVE", "DUNMERE", "ELSHAM", "FARROW", "GANNICK", "HOLME")
LETTERS = "ABCDEFGHIJK"
KINDS = ("in", "in", "in", "out", "IN", " Out", "test")
QUESTION = f"""page1.png to page{PAGES}.png are scans of a stock book, entries.csv says what its entries were for, and README.md how both are read. The sums of some depots are wanted: all that
counts as "in" less all that counts as "out", of all pages. You have a shell with Python (numpy, scipy, Pillow), and a browser in which you see pictures of this folder.

End your reply with {len(DEPOTS)} lines, one for each depot, with the name and the sum, such as "{DEPOTS[0]}: -1204":

{", ".join(DEPOTS)}"""
README = """# The stock book

- A page has rows A to K and columns 1 to 12, whose names are printed in red at the left and below the legend. In each cell stands a number of four digits in a made-up script: one sign, a long
  upright staff with strokes for its digits in four places. The legend above the line shows the digits 1 to 9 as units, which are at the right of the top of the
  staff. Tens are at the left of the top, mirrored left to right; hundreds at the right of the bottom, mirrored top to bottom; thousands at the left of the bottom,
  mirrored both ways. An empty place is the digit 0. At the right end of the legend the digit 1 stands alone as 1, 10, 100 and 1000, as an example.
- Each page was written by someone else, with other strokes for the digits: its own legend holds. The signs of the legend are exact, the others were written by hand: strokes waver and lean.
- The book was scanned carelessly: pages may be upside down or seen from behind, are askew, and have specks. The printed names show how a page lies.
- An entry with a zigzag line across the whole sign is crossed out and does not count.
- entries.csv: page, cell (such as C7), depot, kind, filed. Names and kinds may be written in capitals or small letters, with blanks around them; a depot may have been cut
  after four letters or more. An entry may have several lines: the one filed last counts, whole. An entry whose kind is "test" does not count.
"""


class Page(Canvas):
    """A canvas whose content lies askew, mirrored or upside down."""

    flip: tuple[int, int] = (1, 1)
    askew: float = 0.0
    wave: float = 0.0

    def moved(self, point: Point) -> Point:
        """Where a point of the page is in the scan."""
        a, b = point[0] - self.width / 2, point[1] - self.height / 2
        x, y = a * 0.95 + self.wave * math.sin(b / 170), b * 0.95 + self.wave * math.sin(a / 210)
        cos, sin = math.cos(self.askew), math.sin(self.askew)
        x, y = (x * cos - y * sin) * self.flip[0], (x * sin + y * cos) * self.flip[1]
        return x + self.width / 2, y + self.height / 2

    def area(self, rings: Sequence[Sequence[Point]], colour: str) -> None:
        super().area([[self.moved(point) for point in ring] for ring in rings], colour)

    def span(self, y: int, left: int, right: int, colour: str) -> None:
        if self.is_text:  # drawn as pixels: each run becomes an area
            self.is_text = False
            self.area([[(left, y), (right, y), (right, y + 1.3), (left, y + 1.3)]], colour)
            self.is_text = True
        else:
            super().span(y, left, right, colour)

    is_text = False

    def name(self, x: float, y: float, text: str, colour: str) -> None:
        """Text that lies as the page does."""
        self.is_text = True
        self.text(x, y, text, colour)
        self.is_text = False


@cache
def book(seed: int) -> Sequence[tuple[Sequence[int], Mapping[str, tuple[int, bool]]]]:
    """Of each page: the strokes of the digits 1 to 9, and number of each cell and whether it is crossed out."""
    chance = random.Random(f"scans {seed}")
    cells = [f"{row}{column}" for row in LETTERS for column in range(1, COLUMNS + 1)]
    return [
        (chance.sample(range(len(STROKES)), 9), {at: (chance.randrange(10_000), chance.random() < 0.07) for at in cells})
        for _ in range(PAGES)
    ]  # fmt: skip


@cache
def lines_of(seed: int) -> Sequence[tuple[int, str, str, str, int]]:
    """The list: page, cell, depot, kind and when it was filed, as they were meant but for the spelling."""
    chance = random.Random(f"scans list {seed}")
    found: list[tuple[int, str, str, str, int]] = []
    times = iter(chance.sample(range(1000, 9999), 2000))
    for page, (_, cells) in enumerate(book(seed), 1):
        for at in cells:
            for _ in range(chance.choice([1, 1, 1, 1, 2, 3])):
                depot = chance.choice(DEPOTS)
                short = depot[: chance.randint(4, len(depot))] if chance.random() < 0.3 else depot
                spelt = chance.choice([short, short.title(), short.title(), f" {short.lower()} "])
                found.append((page, at, spelt, chance.choice(KINDS), next(times)))
    chance.shuffle(found)
    return found


def picture(seed: int, number: int) -> bytes:
    """A page, from 0."""
    digits, cells = book(seed)[number]
    chance = random.Random(f"scans hand {seed} {number}")
    page = Page(WIDE, HIGH, "#f4f1ea")
    page.flip, page.askew = (
        FLIPS[(number + seed) % PAGES],
        chance.choice([-1, 1]) * chance.uniform(0.02, 0.05),
    )
    page.wave = chance.uniform(2, 4)
    hand = TASK.__class__(1, 1, 1, 1, UNIT, WAVER, LEAN)
    for n, strokes in enumerate([*digits, -1]):
        for place in range(4 if n == 9 else 1):
            x = 50.0 + 66 * (n + place)
            hand.sign(page, x, 44, [strokes] if n < 9 else [-1] * place + [digits[0]], None)
            page.name(x, 90, str(n + 1 if n < 9 else 10**place), "#1c1c1c")
    page.rectangle(10, TOP - 28, WIDE - 10, TOP - 26)
    across, down = (WIDE - EDGE - 10) / COLUMNS, (HIGH - TOP - 8) / ROWS
    for n, letter in enumerate(LETTERS):
        page.name(EDGE / 2, TOP + down * (n + 0.5), letter, "#c81e1e")
    for n in range(COLUMNS):
        page.name(EDGE + across * (n + 0.5), TOP - 12, str(n + 1), "#c81e1e")
    for n, (value, crossed) in enumerate(cells.values()):
        x = EDGE + across * (n % COLUMNS + 0.5) + chance.uniform(-11, 11)
        y = TOP + 6 + down * (n // COLUMNS + 0.5) + chance.uniform(-7, 7)
        places = [digits[int(each) - 1] if each != "0" else -1 for each in f"{value:04}"[::-1]]
        hand.sign(page, x, y, places, chance)
        if crossed:
            zigzag = [
                (x + chance.choice([14, 22]) * (-1) ** k, y - 30 + 10 * k + chance.uniform(-3, 3))
                for k in range(7)
            ]
            page.line(zigzag, 2.2)
    for colour, count in (("#f4f1ea", 3000), ("#1c1c1c", 2500)):
        for _ in range(count):  # specks that eat into strokes, and others
            x, y = chance.uniform(0, WIDE), chance.uniform(0, HIGH)
            page.rectangle(x, y, x + chance.uniform(1, 2.4), y + chance.uniform(1, 2.4), colour)
    return page.png()


@cache
def files_of(seed: int) -> dict[str, str | bytes]:
    """The folder."""
    listed = "".join(f"{','.join(map(str, line))}\n" for line in lines_of(seed))
    pages = {f"page{n + 1}.png": picture(seed, n) for n in range(PAGES)}
    return {"README.md": README, "entries.csv": f"page,cell,depot,kind,filed\n{listed}", **pages}


def wanted(seed: int) -> dict[str, int]:
    """The sum of each depot."""
    last: dict[tuple[int, str], tuple[int, str, str]] = {}
    for page, at, depot, kind, filed in lines_of(seed):
        last[page, at] = max(last.get((page, at), (0, "", "")), (filed, depot, kind))
    found = dict.fromkeys(DEPOTS, 0)
    for (page, at), (_, depot, kind) in last.items():
        value, crossed = book(seed)[page - 1][1][at]
        sign = {"in": 1, "out": -1, "test": 0}[kind.strip().lower()]
        found[next(each for each in DEPOTS if each.lower().startswith(depot.strip().lower()))] += (
            value * sign * (not crossed)
        )
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    work = Files(partial(files_of, seed)) >> QUESTION >> AgentRun([Shell(), Browser()], max_turns=40)
    return work >> PyFunc(partial(judge_all, partial(wanted, seed), same_number))
