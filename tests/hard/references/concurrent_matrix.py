"""Right and wrong replies to concurrent_matrix: squares are read from the picture, and what happened before what is closed step by step."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from ..concurrent_matrix import TASK, Square
from ..stamps import EDGE
from .pixels import Pixels


@cache
def _black(seed: int) -> frozenset[Square]:
    pixels, every = Pixels(TASK.picture(seed)), range(TASK.rows)
    return frozenset(
        (a + 1, b + 1)
        for a in every
        for b in every
        if pixels.is_dark(EDGE + (b + 0.5) * TASK.size, EDGE + (a + 0.5) * TASK.size)
    )


def _faults(seed: int, *, closed: bool = True, sent: bool = True) -> list[Square]:
    run = TASK.run(seed)
    direct = {pair for events in run.processes for pair in pairwise(events)}
    direct.update(run.messages if sent else ())
    after = {a: {b for c, b in direct if c == a} for a in range(1, TASK.rows + 1)}
    for middle in after if closed else ():
        for its in after.values():
            if middle in its:
                its |= after[middle]
    return sorted({(a, b) for a, its in after.items() for b in its} ^ _black(seed))


def _said(faults: list[Square], number: int | None = None) -> str:
    number = len(faults) if number is None else number
    return f"Row by row.\n\nNUMBER: {number}\nFAULTS: " + " ".join(f"R{a}C{b}" for a, b in faults)


def right(seed: int) -> list[str]:
    faults = _faults(seed)
    said = _said(faults[::-1])
    return [_said(faults), said.replace(" R", ", R").replace("S:,", "S:").replace("NUMBER:", "**NUMBER:**")]


def wrong(seed: int) -> list[str]:
    faults = _faults(seed)
    return [
        _said(_faults(seed, closed=False)),
        _said(_faults(seed, sent=False)),
        _said([(b, a) for a, b in faults]),
        _said(faults[:-1]),
        _said([*faults, next(each for each in sorted(_black(seed)) if each not in faults)]),
        _said(faults, len(faults) + 1),
        "No square is wrong.",
    ]
