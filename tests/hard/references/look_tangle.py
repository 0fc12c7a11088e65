"""Right and wrong replies to look_tangle. Which string lies above is read from the pixels beside each crossing."""

from __future__ import annotations

import math
import struct
import zlib
from functools import cache
from itertools import product

from ..look_tangle import STRINGS, numbers, picture, tangle_of

Said = dict[tuple[int, int], int]


def _pixels(png: bytes) -> tuple[bytes, int]:
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
def _seen(seed: int) -> tuple[tuple[tuple[int, int], int, int], ...]:
    """Of each string: its ends, how often it lies above, and how often below."""
    rows, wide = _pixels(picture(seed))

    def light(x: float, y: float) -> int:
        return sum(
            rows[(int(y) + down) * wide + 1 + 3 * (int(x) + across)]
            for down in (-1, 0, 1)
            for across in (-1, 0, 1)
        )

    lines = [[(x, y) for x, y, _ in steps] for steps in tangle_of(seed).strings]
    cells: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for n, line in enumerate(lines):
        for step in range(len(line) - 1):
            across, down = (
                {int(each // 16) for each in side} for side in zip(*line[step : step + 2], strict=True)
            )
            for cell in product(across, down):
                cells.setdefault(cell, []).append((n, step))
    met = set()
    for its in cells.values():
        met |= {(one, other) for one in its for other in its if one < other and (one[0], one[1] + 1) < other}
    above, below = [0] * STRINGS, [0] * STRINGS
    for (n, i), (m, j) in met:
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = *lines[n][i : i + 2], *lines[m][j : j + 2]
        ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
        turn = ux * vy - uy * vx
        if not turn:
            continue
        s, t = ((cx - ax) * vy - (cy - ay) * vx) / turn, ((cx - ax) * uy - (cy - ay) * ux) / turn
        if not (0 <= s < 1 and 0 <= t < 1):
            continue
        x, y = ax + s * ux, ay + s * uy
        away = 3.4 / abs(turn) * math.hypot(ux, uy) * math.hypot(vx, vy)
        lights = []
        for px, py in ((ux, uy), (vx, vy)):
            long = math.hypot(px, py)
            lights.append(sum(light(x + w * px / long * away, y + w * py / long * away) for w in (-1, 1)))
        upper, lower = (n, m) if lights[0] < lights[1] else (m, n)
        above[upper] += 1
        below[lower] += 1
    ends = numbers(seed)
    pairs = [(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)]
    return tuple(zip(pairs, above, below, strict=True))


def _reply(said: Said) -> str:
    return "I followed each string.\n\n" + "\n".join(f"{a}-{b}: {n}" for (a, b), n in said.items())


def right(seed: int) -> list[str]:
    said = {pair: above for pair, above, _ in _seen(seed)}
    return [_reply(said), "\n".join(f"- **{b} - {a}**: {n}" for (a, b), n in sorted(said.items()))]


def wrong(seed: int) -> list[str]:
    seen = _seen(seed)
    said = {pair: above for pair, above, _ in seen}
    (a, b), (c, d), *others = said
    turned = {(min(a, d), max(a, d)): said[a, b], (min(b, c), max(b, c)): said[c, d]}
    return [
        _reply({**said, (a, b): said[a, b] + 1}),
        _reply({pair: below for pair, _, below in seen}),
        _reply({**turned, **{pair: said[pair] for pair in others}}),
        _reply({pair: said[pair] for pair in others}),
        "The strings cannot be told apart.",
    ]
