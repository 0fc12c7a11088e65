"""Right and wrong replies to numeric_curves: each piece is looked for in the picture, and followed."""

from __future__ import annotations

from functools import cache

from ..numeric_curves import STEEP, TASK
from .pixels import Pixels

PARTS = tuple(n / 16 for n in range(17))


@cache
def _curves(seed: int, *, straight: bool = False) -> dict[str, list[int]]:
    """The heights of each curve; `straight`: it is taken for another one of the same place in the order of heights."""
    pixels = Pixels(TASK.picture(seed))
    lines = [
        [height for height in range(TASK.levels, -1, -1) if pixels.is_dark(*TASK.at(column, height))]
        for column in range(TASK.columns)
    ]
    found = {name: [height] for name, height in zip(TASK.names, lines[0], strict=True)}
    for column, line in enumerate(lines[1:]):
        for place, curve in enumerate(found.values()):
            if straight:
                curve.append(line[place])
                continue
            (x, y), ahead = TASK.at(column, curve[-1]), [n for n in line if abs(n - curve[-1]) <= STEEP]
            drawn = [
                height
                for height in ahead
                if all(
                    pixels.is_dark(x + part * TASK.wide, y - part * (height - curve[-1]) * TASK.high)
                    for part in PARTS
                )
            ]
            assert len(drawn) == 1, (column, curve[-1], drawn)
            curve += drawn
    return found


def _said(
    seed: int, *, straight: bool = False, samples: bool = False, short: bool = False, mark: str = ""
) -> str:
    lines = []
    for name, heights in _curves(seed, straight=straight).items():
        # as seen from the first height, which changes nothing
        seen = [height - heights[0] for height in heights[short:]]
        number = len(seen) * sum(each * each for each in seen) - sum(seen) ** 2
        lines.append(f"{mark}{name}:{mark} {number // TASK.columns if samples else number}")
    return "Curve by curve.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    return [_said(seed), _said(seed, mark="**")]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    last = said.rsplit(" ", 1)[-1]
    return [
        _said(seed, straight=True),  # at crossings curves turn back
        _said(seed, samples=True),
        _said(seed, short=True),
        said.removesuffix(last) + str(int(last) + 1),
        said.rsplit("\n", 1)[0],
        "The curves are too much alike.",
    ]
