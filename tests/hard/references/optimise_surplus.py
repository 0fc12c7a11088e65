"""Right and wrong replies to optimise_surplus: the squares are read from the picture, and sums of columns searched."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

from ..optimise_surplus import TASK
from ..squares import EDGE
from .pixels import Pixels


@cache
def _black(seed: int) -> tuple[tuple[int, ...], ...]:
    """Column by column, 1 for black."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    return tuple(
        tuple(int(pixels.is_dark(EDGE + (x + 0.5) * size, EDGE + (y + 0.5) * size)) for y in range(TASK.rows))
        for x in range(TASK.columns)
    )


@cache
def _best(seed: int, last: bool = False) -> tuple[int, int, int, int]:
    """For each first and last column, the two rows between which the sum rises the most."""
    best, found = 0, (1, 1, 1, 1)
    for left in range(TASK.columns):
        rows = [0] * TASK.rows
        for right, column in enumerate(_black(seed)[left:], left):
            rows = [a + (1 if cell else -1) for a, cell in zip(rows, column, strict=True)]
            low, low_at = 0, 0
            for at, total in enumerate(accumulate(rows), 1):
                if total - low > best or (last and total - low == best):
                    best, found = total - low, (low_at + 1, left + 1, at, right + 1)
                if total < low:
                    low, low_at = total, at
    return found


def _said(rectangle: tuple[int, int, int, int]) -> str:
    return f"Row by row.\n\nRECTANGLE: {' '.join(map(str, rectangle))}"


def right(seed: int) -> list[str]:
    top, left, bottom, right = _best(seed, last=True)
    return [_said(_best(seed)), f"- **Rectangle:** ({top}, {left}, {bottom}, {right})"]


def wrong(seed: int) -> list[str]:
    top, left, bottom, right = _best(seed)
    longest = max(  # the longest run of black squares in one row
        (x - y, row, y, x)
        for row in range(TASK.rows)
        for y in range(TASK.columns)
        for x in range(y, TASK.columns)
        if all(_black(seed)[each][row] for each in range(y, x + 1))
    )
    return [
        _said((1, 1, TASK.rows, TASK.columns)),
        _said((longest[1] + 1, longest[2] + 1, longest[1] + 1, longest[3] + 1)),
        _said((top, left, top, left)),
        _said((bottom, left, top - 1, right)),
        _said((top, left, bottom, TASK.columns + 1)),
        "RECTANGLE: somewhere in the middle",
    ]
