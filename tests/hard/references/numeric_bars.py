"""Right and wrong replies to numeric_bars: the bars are measured in the picture, the variance by pairs."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from ..numeric_bars import TASK, TINTS
from .pixels import Pixels


@cache
def _heights(seed: int) -> dict[str, list[int]]:
    pixels, found = Pixels(TASK.picture(seed)), {}
    for number, name in enumerate(TASK.names):
        left, low = TASK.corner(number)
        found[name] = [
            sum(
                pixels.colour(left + (place + 0.5) * TASK.bar, low - (step + 0.5) * TASK.step) in TINTS
                for step in range(TASK.steps)
            )
            for place in range(TASK.bars)
        ]
    return found


def _said(seed: int, *, scaled: bool = True, samples: bool = False, off: bool = False) -> str:
    lines = []
    for name, heights in _heights(seed).items():
        unit = TASK.charts(seed)[name].unit if scaled else 1
        if off:
            heights = [heights[0] + (1 if heights[0] < TASK.steps else -1), *heights[1:]]
        # the squares of all differences of two values, which is the same number
        number = sum((a - b) ** 2 for a, b in combinations([unit * each for each in heights], 2))
        lines.append(f"{name}: {number * (TASK.bars - 1) // TASK.bars if samples else number}")
    return "Bar by bar.\n\n" + "\n".join(lines)


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [
        said,
        said.replace(": ", ": **").replace("\n", "**\n").replace(".**", ".").replace("\n**", "\n") + "**",
    ]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    last = said.rsplit(" ", 1)[-1]
    return [
        _said(seed, scaled=False),
        _said(seed, samples=True),
        _said(seed, off=True),
        said.removesuffix(last) + str(int(last) + 1),
        said.rsplit("\n", 1)[0],
        "The charts cannot be read.",
    ]
