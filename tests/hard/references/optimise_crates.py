"""Right and wrong packings for optimise_crates."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..optimise_crates import TASK


def _said(crates: Sequence[Sequence[int]], line: str = "Crate {}: {}", sign: str = " ") -> str:
    lines = (line.format(n, sign.join(map(str, crate))) for n, crate in enumerate(crates, 1))
    return "By trial and error.\n\n" + "\n".join(lines)


def _greedy(seed: int) -> list[list[int]]:
    """The heaviest parcel left goes into the lightest crate that has room."""
    weights, _ = TASK.planted(seed)
    crates: list[list[int]] = [[] for _ in range(TASK.crates)]
    for weight in sorted(weights, reverse=True):
        min((crate for crate in crates if len(crate) < TASK.each), key=sum).append(weight)
    return crates


def _exchanged(seed: int, steps: int = 20_000) -> list[list[int]]:
    """Parcels of two crates are exchanged as long as that makes the sums more equal, now and then at random."""
    chance = random.Random(seed)
    crates = _greedy(seed)
    for step in range(steps):
        a, b = chance.sample(crates, 2)
        i, j = chance.randrange(TASK.each), chance.randrange(TASK.each)
        moved = b[j] - a[i]
        before = abs(sum(a) - TASK.total) + abs(sum(b) - TASK.total)
        after = abs(sum(a) + moved - TASK.total) + abs(sum(b) - moved - TASK.total)
        if after <= before or (after < before + 300 and chance.random() < 0.2 and step < steps * 0.9):
            a[i], b[j] = b[j], a[i]
    return crates


def right(seed: int) -> list[str]:
    _, crates = TASK.planted(seed)
    marked = "- **Crate {}:** {}" + f" = {TASK.total}"
    return [_said(crates), _said([crate[::-1] for crate in crates[::-1]], marked, " + ")]


def wrong(seed: int) -> list[str]:
    _, planted = TASK.planted(seed)
    crates = [list(crate) for crate in planted]
    bent = [[crates[0][0] + 1, crates[0][1] - 1, *crates[0][2:]], *crates[1:]]
    swapped = [[crates[1][0], *crates[0][1:]], [crates[0][0], *crates[1][1:]], *crates[2:]]
    return [
        _said(_greedy(seed)),
        _said(_exchanged(seed)),
        _said(bent),
        _said(swapped),
        _said([*crates[:-1], crates[0]]),
        _said(crates[:-1]),
        "It can not be done exactly.",
    ]
