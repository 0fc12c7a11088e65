"""Right and wrong work on operate_points: positions are read from the pixels, at the middle and where arcs pass."""

from __future__ import annotations

from functools import cache

from ..operate_points import COLUMNS, ROWS, SIZE, believed, numbered, panel, picture
from ..stamps import EDGE
from .pixels import Pixels
from .written import refused, written


@cache
def _seen(seed: int) -> tuple[str, ...]:
    pixels, arc = Pixels(picture(seed)), SIZE / 2 * 0.707

    def position(column: int, row: int) -> str:
        left, top = EDGE + SIZE * column, EDGE + SIZE * row
        if pixels.is_dark(left + SIZE / 2, top + SIZE / 2):
            return "X"
        return "A" if pixels.is_dark(left + arc, top + arc) else "B"

    return tuple("".join(position(column, row) for column in range(COLUMNS)) for row in range(ROWS))


def right(seed: int) -> list[object]:
    rows = numbered(_seen(seed))
    return [written("points.txt", rows), written("points.txt", dict(reversed(rows.items())))]


def wrong(seed: int) -> list[object]:
    rows = list(panel(seed))
    other = {"X": "A", "A": "B", "B": "A"}
    slipped = [row[:n] + other[row[n]] + row[n + 1 :] for n, row in enumerate(rows)]
    return [
        written("points.txt", numbered([*rows[:20], slipped[20], *rows[21:]])),
        written("points.txt", numbered([row if n % 6 else slipped[n] for n, row in enumerate(rows)])),
        written("points.txt", numbered([row.translate(str.maketrans("AB", "BA")) for row in rows])),
        written("points.txt", numbered([row[::-1] for row in rows])),
        written("points.txt", numbered([rows[0], *rows[:-1]])),
        written("points.txt", numbered(rows[:-1])),
        written("points.txt", numbered(believed(seed))),
        refused("points.txt"),
    ]
