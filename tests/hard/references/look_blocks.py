"""Right and wrong replies to look_blocks: tops are searched in the picture, from the front to the back."""

from __future__ import annotations

import struct
import zlib
from functools import cache

from ..drawing import INK
from ..look_blocks import FLOOR, LETTERS, TASK, TOP, corner_of_board, is_hidden, project

Heights = dict[tuple[int, int], int]


def _rows(png: bytes) -> tuple[bytes, int]:
    """The bytes of the rows, each with one before it, and their length."""
    width = struct.unpack(">I", png[16:20])[0]
    at, data = 8, b""
    while at < len(png):
        size = struct.unpack(">I", png[at : at + 4])[0]
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    return zlib.decompress(data), 3 * width + 1


@cache
def _read(seed: int) -> Heights:
    """The heights: where what is not hidden of a top has its colour, and lines at its sides."""
    rows, wide = _rows(TASK.picture(seed))
    left, top = corner_of_board(TASK)
    steps = [0.1 + 0.16 * n for n in range(6)]
    inside = [(a, b) for a in steps for b in steps]
    edges = [each for a in steps for each in ((a, 0), (a, 1), (0, a), (1, a))]
    found: Heights = {}
    for y in reversed(range(TASK.rows)):
        for x in reversed(range(TASK.columns)):
            agree = []
            for high in range(TASK.most + 1):
                colours = {bytes.fromhex((TOP if high else FLOOR)[1:])}, {bytes.fromhex(INK[1:])}
                near = [
                    (a, b, found[a, b])
                    for a in range(x, min(TASK.columns, x + 6))
                    for b in range(y, min(TASK.rows, y + 6))
                    if found.get((a, b), 0) > high
                ]
                shares = []
                for points, colour in zip((inside, edges), colours, strict=True):
                    places = [project(x + a, y + b, high) for a, b in points]
                    # not where a line of those in front goes
                    seen = [at for at in places if not any(is_hidden(at, *each, beside=2) for each in near)]
                    pixels = (int(top + down) * wide + 1 + 3 * int(left + across) for across, down in seen)
                    same = sum(rows[at : at + 3] in colour for at in pixels)
                    shares.append(same / len(seen) if seen else 0.0)
                agree.append(min(shares))
            found[x, y] = agree.index(max(agree))
    return found


def _said(heights: Heights, mark: str = "", between: str = " ") -> str:
    lines = (
        f"{mark}{LETTERS[y]}{mark}: {between.join(str(heights[x, y]) for x in range(TASK.columns))}"
        for y in range(TASK.rows)
    )
    return "From the front to the back:\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    return [_said(_read(seed)), _said(_read(seed), "**", ", ")]


def wrong(seed: int) -> list[str]:
    heights = _read(seed)
    places = sorted(heights)
    # a reader who takes the column behind for the one that is meant, where a lower one is hidden by half
    moved = {(x, y): heights[max(0, x - 1), max(0, y - 1)] for x, y in places}
    highest = max(places, key=lambda place: heights[place])
    turned = {(x, y): heights[TASK.columns - 1 - x, y] for x, y in places}
    return [
        _said({**heights, highest: heights[highest] - 1}),
        _said(moved),
        _said(turned),
        _said({**heights, (5, 5): (heights[5, 5] + 1) % (TASK.most + 1)}),
        "The columns are too crowded.",
    ]
