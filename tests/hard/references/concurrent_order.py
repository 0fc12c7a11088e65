"""Right and wrong replies to concurrent_order: the signs are read from the picture, and looked back from each taking."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..concurrent_order import LOCKS, SIDE, TASK, turned
from .pixels import Pixels

MIDDLES = [(-2, y) for y in (-6, -3, 0, 3, 6)] + [(x, -9) for x in (0, 2, 4, 5, 6)] + [(-4, 9), (-5, 9)]


@cache
def _turns(seed: int) -> list[list[int]]:
    """The way of each sign: that whose strokes have the most ink."""
    pixels = Pixels(TASK.picture(seed))
    points = [[turned(each, turn) for each in MIDDLES] for turn in range(8)]
    rows = []
    for thread in range(TASK.threads):
        row = []
        for place in range(TASK.events):
            left, top = TASK.corner(thread, place)
            x, y = left + SIDE / 2, top + SIDE / 2
            ink = [sum(pixels.is_dark(x + a, y + b) for a, b in its) for its in points]
            best = max(ink)
            assert ink.count(best) == 1, ink
            row.append(ink.index(best))
        rows.append(row)
    return rows


def _said(
    seed: int, signs: Mapping[str, int], *, upwards: bool = False, near: bool = False, mark: str = ""
) -> str:
    """`upwards`: n(Y, X) for n(X, Y); `near`: only the lock that was taken last is looked at."""
    names = {turn: lock for lock, turn in signs.items()}
    counts = {(one, other): 0 for one in LOCKS for other in LOCKS}
    for row in _turns(seed):
        locks = [names[turn] for turn in row]
        for place, lock in enumerate(locks):
            before = locks[:place]
            if before.count(lock) % 2 == 0:
                held = [each for each in LOCKS if before.count(each) % 2]
                held.sort(key=lambda each, its=before: its[::-1].index(each))
                for other in held[:1] if near else held:
                    counts[(lock, other) if upwards else (other, lock)] += 1
    return "Row by row.\n\n" + "\n".join(
        f"{mark}{one}{mark}: " + " ".join(str(counts[one, other]) for other in LOCKS) for one in LOCKS
    )


def right(seed: int) -> list[str]:
    signs = TASK.signs(seed)
    said = _said(seed, signs, mark="**")
    return [_said(seed, signs), said.replace(" 0", " -").replace(" ", ", ").replace(":,", ":")]


def wrong(seed: int) -> list[str]:
    signs = TASK.signs(seed)
    unmirrored = {lock: (turn + 4) % 8 for lock, turn in signs.items()}
    said = _said(seed, signs)
    return [
        _said(seed, signs, upwards=True),
        _said(seed, signs, near=True),
        _said(seed, unmirrored),
        said[:-1] + str((int(said[-1]) + 1) % 10) if not said.endswith(" 0") else said[:-1] + "1",
        said.rsplit("\n", 1)[0],
        "The signs all look alike.",
    ]
