"""Right and wrong replies to numeric_dots: dots are found in the picture by their upper edges, and are paired with rings."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import combinations

from ..drawing import INK
from ..numeric_dots import LEFT, TASK, TOP
from .pixels import Pixels

Found = Counter[tuple[int, int, bool]]  # row, column, and whether it is filled
BYTE = bytes.fromhex(INK[-2:])  # its three parts are the same, and no other colour has it
DARK = re.compile(BYTE + b"+")


@cache
def _found(seed: int) -> Found:
    pixels = Pixels(TASK.picture(seed))
    found: Found = Counter()
    size, wide = TASK.size, pixels.wide
    for y in range(TOP, TOP + TASK.rows * size):
        before, here = pixels.rows[(y - 1) * wide : y * wide], pixels.rows[y * wide : (y + 1) * wide]
        for run in DARK.finditer(here):
            left, right = run.span()
            if before.find(BYTE, left, right) < 0:
                x = (left + right) // 6
                found[(y - TOP) // size, (x - LEFT) // size, pixels.is_dark(x, y + 4)] += 1
    return found


def _numbers(found: Found) -> dict[str, int]:
    """The numbers of all lines, from all pairs of cells."""
    return {
        name: sum(
            (found[*one, True] - found[*other, True]) * (found[*one, False] - found[*other, False])
            for one, other in combinations(cells, 2)
        )
        for name, cells in TASK.lines().items()
    }


def _said(numbers: dict[str, int], mark: str = "") -> str:
    return "Cell by cell.\n\n" + "\n".join(
        f"{mark}{name}{mark}: {number}" for name, number in numbers.items()
    )


def right(seed: int) -> list[str]:
    numbers = _numbers(_found(seed))
    return [_said(numbers), _said(numbers, "**").replace("-", "\u2212")]


def wrong(seed: int) -> list[str]:
    found, numbers = _found(seed), _numbers(_found(seed))
    all_of_them = found + Counter(
        {(*cell, True): found[*cell, False] for *cell, filled in found if not filled}
    )
    return [
        _said(_numbers(all_of_them)),  # rings counted as dots, too
        _said({**numbers, "3": numbers["3"] + 1}),
        _said({name: number // len(TASK.lines()[name]) for name, number in numbers.items()}),
        _said({name: number for name, number in numbers.items() if name.isalpha()}),
        "There are too many of them.",
    ]
