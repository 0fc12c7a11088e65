"""Right and wrong work on repair_marbles: shafts and barbs are read from the picture."""

from __future__ import annotations

import math
from collections.abc import Callable

from evaluator import Call

from ..exact_barbs import EDGE, SHAFT, Arrow
from ..repair_marbles import COLUMNS, ROWS, SIZE, board, damaged, picture, table
from .mended import Writes
from .pixels import Pixels


def _read(seed: int) -> str:
    pixels = Pixels(picture(seed))

    def arrow(x: float, y: float) -> Arrow | None:
        for way in range(8):
            cos, sin = math.cos(math.radians(45 * way - 90)), math.sin(math.radians(45 * way - 90))

            def dark(far: float, aside: float, cos: float = cos, sin: float = sin) -> bool:
                return pixels.is_dark(x + far * cos - aside * sin, y + far * sin + aside * cos)

            if dark(5, 0) and dark(0, 0) and dark(-5, 0):
                for barb in (1, -1):
                    if all(dark(SHAFT - far * 0.743, barb * far * 0.669) for far in (4.5, 6.5)):
                        return way, barb
        return None

    middle = EDGE + SIZE / 2 + 0.5
    return table([[arrow(middle + x * SIZE, middle + y * SIZE) for x in range(COLUMNS)] for y in range(ROWS)])


def _each(seed: int, change: Callable[[int, int], Arrow]) -> Writes:
    return Writes(
        "board.txt", lambda: table([[change(*each) if each else None for each in row] for row in board(seed)])
    )


def right(seed: int) -> list[object]:
    return [Writes("board.txt", lambda: _read(seed))]


def wrong(seed: int) -> list[object]:
    true, was = board(seed), damaged(seed)
    found = [list(row) for row in true]
    y, x = next((y, x) for y in range(ROWS) for x in range(COLUMNS) if was[y][x] != true[y][x])
    found[y][x] = was[y][x]
    return [
        Writes("board.txt", lambda: table(found)),
        Writes("board.txt", lambda: table([*true[:20], *was[20:]])),
        _each(seed, lambda way, barb: (way, -barb)),
        _each(seed, lambda way, barb: (-way % 8, -barb)),
        Writes("board.txt", lambda: table(was)),
        [Call("shell", command="cat board.txt"), "The arrows are too small."],
    ]
