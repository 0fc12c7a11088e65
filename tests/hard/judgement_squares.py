"""A field of more than two thousand squares, and claims about its rows, runs and parts that miss the truth by one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, product

from .claims import Claims, off
from .squares import field_of

DESCRIPTION = (
    "Can the model tell which claims about a field of black and white squares are false, each by one?"
)
TAGS = ["hard", "vision", "claims"]

ROWS, COLUMNS, SIZE = 44, 50, 20  # SIZE: pixels of a square
ABOUT = f"""The picture shows a field of {ROWS} rows (1 at the top) and {COLUMNS} columns (1 at the left) of black and white squares.

- Two rows differ in a column if one has a black square there and the other a white one; columns differ in rows likewise.
- A run of a row or column is a piece of it, of one or more black squares, that has a white square or the side of the field at both ends.
- The black squares of a block of rows and columns form parts: two of them that share a side belong to the same part. What is outside of the block does not count.
- The neighbours of a square are the up to eight squares of the field that share a side or a corner with it."""

Field = tuple[tuple[int, ...], ...]


@cache
def field(seed: int) -> Field:
    """The squares, 1 for black."""
    chance = random.Random(f"claimed squares {seed}")
    return tuple(tuple(int(chance.random() < 0.48) for _ in range(COLUMNS)) for _ in range(ROWS))


@cache
def picture(seed: int) -> bytes:
    """The field."""
    return field_of(field(seed), SIZE).png()


def runs(line: Sequence[int]) -> int:
    """How many runs of black squares a row or column has."""
    return sum(colour for colour, _ in groupby(line))


def parts(block: set[tuple[int, int]]) -> int:
    """Of how many parts the black squares consist."""
    left, number = set(block), 0
    while left:
        number += 1
        ahead = [left.pop()]
        while ahead:
            y, x = ahead.pop()
            near = {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & left
            left -= near
            ahead += near
    return number


def around(squares: Field, y: int, x: int) -> int:
    """How many neighbours of a square are black."""
    rows = squares[max(0, y - 1) : y + 2]
    return sum(sum(row[max(0, x - 1) : x + 2]) for row in rows) - squares[y][x]


def _differ(chance: random.Random, squares: Field, true: bool) -> Iterator[str]:
    while True:
        down = chance.random() < 0.5
        lines = [*zip(*squares, strict=True)] if down else squares
        one, other = sorted(chance.sample(range(len(lines)), 2))
        number = off(chance, sum(a != b for a, b in zip(lines[one], lines[other], strict=True)), true)
        these, those = ("Columns", "rows") if down else ("Rows", "columns")
        yield f"{these} {one + 1} and {other + 1} differ in exactly {number} {those}."


def _runs(chance: random.Random, squares: Field, true: bool) -> Iterator[str]:
    while True:
        down = chance.random() < 0.5
        lines = [*zip(*squares, strict=True)] if down else squares
        first = chance.randrange(len(lines) - 1)
        number = off(chance, sum(map(runs, lines[first : first + 2])), true)
        yield f"{'Columns' if down else 'Rows'} {first + 1} and {first + 2} have exactly {number} runs together."


def _parts(chance: random.Random, squares: Field, true: bool) -> Iterator[str]:
    while True:
        top, left = chance.randrange(ROWS - 9), chance.randrange(COLUMNS - 11)
        block = set(product(range(top, top + 10), range(left, left + 12)))
        number = off(chance, parts({(y, x) for y, x in block if squares[y][x]}), true)
        yield (
            f"In the block of rows {top + 1} to {top + 10} and columns {left + 1} to {left + 12}, "
            f"the black squares form exactly {number} parts."
        )


def _neighbours(chance: random.Random, squares: Field, true: bool) -> Iterator[str]:
    while True:
        top, black, wanted = chance.randrange(ROWS - 1), chance.random() < 0.5, chance.choice((3, 4))
        its = [(y, x) for y in (top, top + 1) for x in range(COLUMNS) if squares[y][x] == black]
        number = off(chance, sum(around(squares, y, x) == wanted for y, x in its), true)
        yield (
            f"In rows {top + 1} and {top + 2} together, exactly {number} {'black' if black else 'white'} squares "
            f"have exactly {wanted} black neighbours."
        )


TASK = Claims("square claims", field, picture, ABOUT, (_differ, _runs, _parts, _neighbours))
build = TASK.build
