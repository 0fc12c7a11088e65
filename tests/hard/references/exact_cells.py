"""Right and wrong replies to exact_cells: the cells are read from the picture, and tell their neighbours."""

from __future__ import annotations

from collections import Counter
from functools import cache

from ..exact_cells import EDGE, TASK
from .pixels import Pixels


@cache
def _black(seed: int) -> frozenset[tuple[int, int]]:
    pixels = Pixels(TASK.picture(seed))
    return frozenset(
        (x, y)
        for x in range(TASK.columns)
        for y in range(TASK.rows)
        if pixels.is_dark(EDGE + (x + 0.5) * TASK.size, EDGE + (y + 0.5) * TASK.size)
    )


def _said(seed: int, *, swapped: bool = False, round_about: bool = False, late: int = 0) -> str:
    black, (stay, born) = _black(seed), TASK.rules(seed)
    if swapped:
        stay, born = born, stay
    around: Counter[tuple[int, int]] = Counter()
    for x, y in black:
        for a in (-1, 0, 1):
            for b in (-1, 0, 1):
                at = (x + a, y + b)
                if round_about:
                    at = at[0] % TASK.columns, at[1] % TASK.rows
                around[at] += (a, b) != (0, 0)
    rows: Counter[int] = Counter()
    for y in range(TASK.rows):
        for x in range(TASK.columns):
            rows[y] += around[x, y] in (stay if (x, y) in black else born)
    rows[TASK.rows - 1] += late
    return "\n".join(f"{y + 1}: {rows[y]}" for y in range(TASK.rows))


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [f"Row by row.\n\n{said}", "\n".join(f"- **{each}**" for each in said.split("\n"))]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, swapped=True),
        _said(seed, round_about=True),
        _said(seed, late=1),
        said.rsplit("\n", 1)[0],
        "All cells are white.",
    ]
