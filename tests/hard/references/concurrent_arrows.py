"""Right and wrong replies to concurrent_arrows: arrows are read from the picture, and threads finish one after another."""

from __future__ import annotations

import math
from functools import cache

from ..concurrent_arrows import TASK, WAYS
from ..stamps import EDGE
from .pixels import Pixels

Waits = dict[tuple[int, int], tuple[int, int]]
SIDES = [
    (u, v, [((2.2 * u - t * v) / math.hypot(u, v), (2.2 * v + t * u) / math.hypot(u, v)) for t in (-3, 3)])
    for u, v in WAYS
]


@cache
def _waits(seed: int) -> Waits:
    """For whom each thread waits; running ones are left out. A head is broad on both sides of its way, a disc of all."""
    pixels, waits = Pixels(TASK.picture(seed)), {}
    for y in range(TASK.rows):
        for x in range(TASK.columns):
            a, b = EDGE + (x + 0.5) * TASK.size, EDGE + (y + 0.5) * TASK.size
            ways = [(u, v) for u, v, sides in SIDES if all(pixels.is_dark(a + c, b + d) for c, d in sides)]
            if len(ways) == 1:
                waits[x, y] = x + ways[0][0], y + ways[0][1]
            assert len(ways) in (1, len(WAYS))
    return waits


def _counts(waits: Waits, *, mirrored: bool = False, circles: bool = False) -> list[int]:
    """Deadlocked threads by row. `circles`: only those in a circle."""
    if mirrored:
        waits = {at: (2 * at[0] - to[0], 2 * at[1] - to[1]) for at, to in waits.items()}
    behind: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for at, to in waits.items():
        behind.setdefault(to, []).append(at)
    done = [(x, y) for y in range(TASK.rows) for x in range(TASK.columns) if (x, y) not in waits]
    finished = set(done)
    while done:
        for each in behind.get(done.pop(), ()):
            finished.add(each)
            done.append(each)
    left = {at for at in waits if at not in finished}
    while circles and (ends := left - {waits[at] for at in left}):
        left -= ends
    return [sum((x, y) in left for x in range(TASK.columns)) for y in range(TASK.rows)]


def _said(counts: list[int], mark: str = "") -> str:
    return "Chain by chain.\n\n" + "\n".join(f"{mark}{y}{mark}: {n}" for y, n in enumerate(counts, 1))


def right(seed: int) -> list[str]:
    counts = _counts(_waits(seed))
    return [_said(counts), _said(counts, "**")]


def wrong(seed: int) -> list[str]:
    waits = _waits(seed)
    counts = _counts(waits)
    return [
        _said(_counts(waits, circles=True)),
        _said(_counts(waits, mirrored=True)),
        _said([TASK.columns - n for n in counts]),
        _said([*counts[:-1], counts[-1] + 1]),
        _said(counts[:-1]),
        "All threads finish.",
    ]
