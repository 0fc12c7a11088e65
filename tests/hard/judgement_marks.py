"""A sheet of fourteen hundred small marks, and claims about it of which half miss the truth by one mark."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas, circle

DESCRIPTION = "Can the model tell which claims about a sheet of small marks are false, each by a single mark?"
TAGS = ["hard", "vision", "claims"]

COLOURS = {"red": "#d42020", "blue": "#2448d8", "green": "#0f8a3c", "orange": "#e08a00"}
CORNERS = {"triangle": (3, -90), "square": (4, 45), "pentagon": (5, -90)}
SHAPES = ("circle", *CORNERS, "cross")
EDGE = 30  # pixels around the marks
QUESTION = """The picture shows {rows} rows (1 at the top) of {columns} marks each; columns are counted from the left. A mark is a circle, a triangle, a square, a pentagon or a cross, it is red, blue, green
or orange, and, if it is no cross, filled or hollow. Neighbours of a mark are the marks left, right, above and below it.

These are claims about the picture:

{claims}

Which of them are false? End your reply with one line such as

FALSE: 2 3 7"""

Mark = tuple[str, str, bool]  # shape, colour, filled
Sheet = list[list[Mark]]


@dataclass(frozen=True)
class Marks:
    """`rows` by `columns` marks on fields of `size` pixels; `claims` claims."""

    rows: int
    columns: int
    size: int
    claims: int

    @cache  # noqa: B019 - there is one of them
    def sheet(self, seed: int) -> Sheet:
        """The marks row by row."""
        chance = random.Random(f"marks {seed}")
        rows: Sheet = []
        for _ in range(self.rows):
            shapes = [chance.choice(SHAPES) for _ in range(self.columns)]
            rows.append(
                [
                    (each, chance.choice([*COLOURS]), each == "cross" or chance.random() < 0.5)
                    for each in shapes
                ]
            )
        return rows

    @cache  # noqa: B019 - as above
    def said(self, seed: int) -> dict[int, tuple[str, bool]]:
        """The claims by number, and whether each is true."""
        chance, sheet = random.Random(f"claims {seed}"), self.sheet(seed)
        true = [number < self.claims // 2 + chance.choice((-1, 0, 1)) for number in range(self.claims)]
        chance.shuffle(true)
        kinds = [KINDS[number % len(KINDS)] for number in range(self.claims)]
        chance.shuffle(kinds)
        found: dict[int, tuple[str, bool]] = {}
        for number, (kind, wanted) in enumerate(zip(kinds, true, strict=True), 1):
            texts = {text for text, _ in found.values()}
            text = next(each for each in kind(chance, sheet, wanted) if each not in texts)
            found[number] = text, wanted
        return found

    def wanted(self, seed: int) -> dict[str, list[int]]:
        """The numbers of the false claims."""
        return {"FALSE": [number for number, (_, true) in self.said(seed).items() if not true]}

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The sheet, with numbers of the rows on both sides."""
        canvas = Canvas(2 * EDGE + self.columns * self.size, 20 + self.rows * self.size)
        for y, row in enumerate(self.sheet(seed)):
            middle = 10 + (y + 0.5) * self.size
            for across in (EDGE / 2, EDGE * 1.5 + self.columns * self.size):
                canvas.text(across, middle, str(y + 1), "#808080")
            for x, mark in enumerate(row):
                _draw(canvas, EDGE + (x + 0.5) * self.size, middle, mark)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        claims = "\n".join(f"{number}. {text}" for number, (text, _) in self.said(seed).items())
        question = QUESTION.format(rows=self.rows, columns=self.columns, claims=claims)
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def _draw(canvas: Canvas, x: float, y: float, mark: Mark) -> None:
    shape, colour, filled = mark
    ink = COLOURS[colour]
    if shape == "cross":
        canvas.line([(x - 6, y - 6), (x + 6, y + 6)], 3, ink)
        canvas.line([(x - 6, y + 6), (x + 6, y - 6)], 3, ink)
        return
    corners, turn = CORNERS.get(shape, (40, 0))
    rings = [circle(x, y, 9, corners, turn)]
    if not filled:
        rings.append(circle(x, y, 4 if shape == "triangle" else 6, corners, turn))
    canvas.area(rings, ink)


def _words(chance: random.Random) -> tuple[str, Callable[[Mark], bool]]:
    """A kind of mark: 'red triangles', 'hollow pentagons', 'filled blue marks'."""
    shape, colour, filled = chance.choice(SHAPES[:-1]), chance.choice([*COLOURS]), chance.random() < 0.5
    state = "filled" if filled else "hollow"
    return chance.choice((
        (f"{colour} {shape}s", lambda mark: mark[:2] == (shape, colour)),
        (f"{state} {shape}s", lambda mark: mark[::2] == (shape, filled)),
        (f"{state} {colour} marks", lambda mark: mark[0] != "cross" and mark[1:] == (colour, filled)),
        (f"{colour} crosses", lambda mark: mark[:2] == ("cross", colour)),
    ))  # fmt: skip


def _counts(chance: random.Random, sheet: Sheet, true: bool) -> Iterator[str]:
    while True:
        first = chance.randrange(len(sheet) - 2)
        what, fits = _words(chance)
        number = sum(fits(mark) for row in sheet[first : first + 3] for mark in row)
        if number > 3:
            number += 0 if true else chance.choice((-1, 1))
            yield f"Rows {first + 1} to {first + 3} have exactly {number} {what} together."


def _compares(chance: random.Random, sheet: Sheet, true: bool) -> Iterator[str]:
    while True:
        column = chance.randrange(len(sheet[0]))
        (one, is_one), (other, is_other) = _words(chance), _words(chance)
        marks = [row[column] for row in sheet]
        gap = sum(map(is_one, marks)) - sum(map(is_other, marks))
        if one != other and gap == (1 if true else 0):
            yield f"Column {column + 1} has more {one} than {other}."


def _nth(chance: random.Random, sheet: Sheet, true: bool) -> Iterator[str]:
    while True:
        row = chance.randrange(len(sheet))
        shape = chance.choice(SHAPES)
        places = [x for x, mark in enumerate(sheet[row]) if mark[0] == shape]
        if len(places) < 6:
            continue
        n = chance.randrange(3, len(places) - 1)
        colour = sheet[row][places[n]][1]
        if not true:  # that of a mark beside it
            colour = chance.choice([sheet[row][places[n + by]][1] for by in (-1, 1)])
        if (colour == sheet[row][places[n]][1]) == true:
            yield f"In row {row + 1}, {shape} number {n + 1} from the left is {colour}."


def _neighbours(chance: random.Random, sheet: Sheet, true: bool) -> Iterator[str]:
    while True:
        first, (what, fits) = chance.randrange(1, len(sheet) - 4), _words(chance)
        its = [(y, x) for y in range(first, first + 3) for x, mark in enumerate(sheet[y]) if fits(mark)]
        lonely = 0
        for y, x in its:
            near = [
                sheet[y + b][x + a]
                for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))
                if 0 <= x + a < len(sheet[0])
            ]
            lonely += all(mark[1] != sheet[y][x][1] for mark in near)
        number = lonely + (0 if true else chance.choice((-1, 1)))
        if len(its) > 5 and lonely:
            yield (
                f"Of the {what} in rows {first + 1} to {first + 3}, exactly {number} "
                f"{'has' if number == 1 else 'have'} no neighbour of the same colour."
            )


KINDS = (_counts, _compares, _nth, _neighbours)
TASK = Marks(rows=36, columns=39, size=26, claims=40)
build = TASK.build
