"""Right and wrong replies to exact_bends: the tiles are read from the picture, and the bends joined side by side."""

from __future__ import annotations

from functools import cache

from ..exact_bends import EDGE, TASK
from .pixels import Pixels

Side = tuple[int, int, str]  # the right or the lower side of a tile


@cache
def _kinds(seed: int) -> list[list[bool]]:
    """Whether a tile has bends about the top right corner."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    far = size / 2 * 0.7071
    return [
        [pixels.is_dark(EDGE + (x + 1) * size - far, EDGE + y * size + far) for x in range(TASK.side)]
        for y in range(TASK.side)
    ]


def _turned(kinds: list[list[bool]], count: int) -> list[list[bool]]:
    alike = [[0] * TASK.side for _ in kinds]
    for y in range(TASK.side):
        for x in range(TASK.side):
            for b, a in ((y + 1, x), (y, x + 1)):
                if b < TASK.side and a < TASK.side and kinds[y][x] == kinds[b][a]:
                    alike[y][x] += 1
                    alike[b][a] += 1
    return [[kinds[y][x] != (alike[y][x] == count) for x in range(TASK.side)] for y in range(TASK.side)]


def _said(seed: int, *, still: bool = False, mirrored: bool = False, late: int = 0) -> str:
    kinds = _kinds(seed)
    if not still:
        kinds = _turned(kinds, TASK.turning(seed))
    line: dict[Side, Side] = {}  # a union of sides

    def top(side: Side) -> Side:
        while line.setdefault(side, side) != side:
            line[side] = side = line[line[side]]
        return side

    bends = []
    for y, row in enumerate(kinds):
        for x, kind in enumerate(row):
            upper, lower, left, right = (y - 1, x, "B"), (y, x, "B"), (y, x - 1, "R"), (y, x, "R")
            pairs = ((upper, right), (left, lower)) if kind != mirrored else ((upper, left), (right, lower))
            for one, other in pairs:
                bends.append(one)
                line[top(one)] = top(other)
    count: dict[Side, int] = {}
    for side in bends:
        count[top(side)] = count.get(top(side), 0) + 1
    found = {}
    for name in TASK.wanted(seed):
        y, x = (int(each) - 1 for each in name[1:].split("C"))
        found[name] = count[top((y, x, "R"))]
    found[name] += late
    return "\n".join(f"{name}: {number}" for name, number in found.items())


def right(seed: int) -> list[str]:
    said = _said(seed)
    listed = "\n".join(f"- **{each}** bends" for each in reversed(said.split("\n")))
    return [f"Line by line.\n\n{said}", listed]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, still=True),
        _said(seed, mirrored=True),
        _said(seed, late=2),
        said.rsplit("\n", 1)[0],
        "All lines are closed.",
    ]
