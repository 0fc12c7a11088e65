"""Right and wrong replies to judgement_squares: squares are read from the picture, claims from their text."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product

from ..judgement_squares import COLUMNS, ROWS, SIZE, TASK, picture
from ..squares import EDGE
from .claimed import false_of, rights, wrongs
from .pixels import Pixels

Square = tuple[int, int]


@cache
def _black(seed: int) -> frozenset[Square]:
    """The black squares by row and column, counted from 1."""
    pixels = Pixels(picture(seed))
    squares = product(range(1, ROWS + 1), range(1, COLUMNS + 1))
    return frozenset(
        (y, x) for y, x in squares if pixels.is_dark(EDGE + (x - 0.5) * SIZE, EDGE + (y - 0.5) * SIZE)
    )


def _line(black: frozenset[Square], number: int, down: bool) -> list[bool]:
    """A column or a row."""
    if down:
        return [(y, number) in black for y in range(1, ROWS + 1)]
    return [(number, x) in black for x in range(1, COLUMNS + 1)]


def _is_true(seed: int, claim: str) -> bool:
    black, numbers = _black(seed), [int(each) for each in re.findall(r"\d+", claim)]
    down = claim.startswith("Columns")
    if "differ" in claim:
        one, other = (_line(black, number, down) for number in numbers[:2])
        return sum(map(bool.__ne__, one, other)) == numbers[2]
    if "runs" in claim:
        lines = (_line(black, number, down) for number in numbers[:2])
        return sum(line[0] + sum(b and not a for a, b in pairwise(line)) for line in lines) == numbers[2]
    if "parts" in claim:
        top, bottom, left, right, number = numbers
        part = {(y, x): (y, x) for y, x in black if top <= y <= bottom and left <= x <= right}
        for y, x in sorted(part):
            for near in ((y - 1, x), (y, x - 1)):
                if near in part and part[near] != part[y, x]:
                    old, new = part[near], part[y, x]
                    part = {at: new if its == old else its for at, its in part.items()}
        return len({*part.values()}) == number
    first, last, number, wanted = numbers
    found = 0
    for y, x in product((first, last), range(1, COLUMNS + 1)):
        if ((y, x) in black) == (" black squares" in claim):
            near = ((y + b, x + a) for a, b in product((-1, 0, 1), repeat=2) if a or b)
            found += sum(at in black for at in near) == wanted
    return found == number


def right(seed: int) -> list[str]:
    return rights(false_of(TASK, seed, _is_true))


def wrong(seed: int) -> list[str]:
    return wrongs(TASK, seed, false_of(TASK, seed, _is_true))
