"""Right and wrong work on data_punched: the squares are read from the picture, some of them wrongly."""

from __future__ import annotations

from functools import cache

from evaluator import Call

from ..data_punched import SIDE, SIZE, VILLAGES, Sheet, goods, members, owed, picture
from ..squares import EDGE
from .digitised import work
from .pixels import Pixels


@cache
def _read(seed: int) -> Sheet:
    pixels = Pixels(picture(seed))
    middle = [EDGE + (n + 0.5) * SIZE for n in range(SIDE)]
    return [[int(pixels.is_dark(x, y)) for x in middle] for y in middle]


def _by_columns(seed: int, less: bool = True) -> dict[str, int]:
    """Twentieths of pence, column by column."""
    found = dict.fromkeys(VILLAGES, 0)
    for column, price in enumerate(goods(seed)):
        for row, (village, per_cent) in enumerate(members(seed)):
            found[village] += _read(seed)[row][column] * price // 20 * (20 - less * per_cent // 5)
    return found


def _slip(seed: int, row: int, column: int) -> Sheet:
    """One square that was taken for its neighbour."""
    squares = [list(each) for each in _read(seed)]
    squares[row][column] ^= 1
    return squares


def right(seed: int) -> list[object]:
    return [work(owed(seed, _read(seed))), work(_by_columns(seed), "**", ",")]


def wrong(seed: int) -> list[object]:
    squares = _read(seed)
    return [
        work(owed(seed, _slip(seed, 17, 30))),
        work(owed(seed, [row[1:] + row[:1] for row in squares])),
        work(owed(seed, squares[::-1])),
        work(_by_columns(seed, less=False)),
        work(owed(seed, [[1 - cell for cell in row] for row in squares])),
        [Call("shell", command="ls"), "There is no picture in the folder."],
    ]
