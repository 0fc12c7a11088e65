"""Right and wrong replies to optimise_rows: squares are read from the picture, rows paired by bits, rings of changes
being made as long as any of them helps."""

from __future__ import annotations

from functools import cache

from ..optimise_rows import TASK
from ..squares import EDGE
from .pixels import Pixels

HALF = TASK.half


@cache
def _worth(seed: int) -> list[list[int]]:
    pixels, bits = Pixels(TASK.picture(seed)), []
    for y in range(2 * HALF):
        middles = (EDGE + (x + 0.5) * TASK.size for x in range(TASK.columns))
        dark = (pixels.is_dark(x, EDGE + (y + 0.5) * TASK.size) for x in middles)
        bits.append(sum(1 << n for n, each in enumerate(dark) if each))
    return [[TASK.columns - (one ^ other).bit_count() for other in bits[HALF:]] for one in bits[:HALF]]


@cache
def _partners(seed: int, *, greedy: bool = False) -> tuple[int, ...]:
    """For each upper row a lower one; `greedy`: the best that is left, row by row."""
    worth, partners, free = _worth(seed), [], set(range(HALF))
    for row in worth:
        partners.append(max(sorted(free), key=row.__getitem__))
        free.remove(partners[-1])
    while not greedy and (ring := _ring(worth, partners)):
        its = [partners[n] for n in ring]
        for n, partner in zip(ring, [*its[1:], its[0]], strict=True):
            partners[n] = partner
    return tuple(partners)


def _ring(worth: list[list[int]], partners: list[int]) -> list[int]:
    """Rows of which each would rather have the partner of the next one, all in all; none if nothing can be gained."""
    gain, ahead = [0] * HALF, [-1] * HALF
    for _ in range(HALF):
        changed = -1
        for n, row in enumerate(worth):
            for m in range(HALF):
                more = row[partners[m]] - row[partners[n]] + gain[m]
                if more > gain[n]:
                    gain[n], ahead[n], changed = more, m, n
        if changed < 0:
            return []
    for _ in range(HALF):  # it may lead to the ring only
        changed = ahead[changed]
    ring = [changed]
    while ahead[ring[-1]] != changed:
        ring.append(ahead[ring[-1]])
    return ring


def _said(partners: tuple[int, ...], between: str = " ") -> str:
    return f"PARTNERS: {between.join(str(n + HALF + 1) for n in partners)}"


def right(seed: int) -> list[str]:
    partners = _partners(seed)
    return [f"All compared.\n\n{_said(partners)}", f"**{_said(partners, ', ')}**"]


def wrong(seed: int) -> list[str]:
    partners = _partners(seed)
    return [
        _said(_partners(seed, greedy=True)),
        _said((*partners[1:], partners[0])),
        _said(partners[:-1]),
        _said((*partners[:-1], partners[0])),
        _said(tuple(range(HALF))),
        "PARTNERS: none",
    ]
