"""Right and wrong replies to look_contours: from the red line straight to each point, counting the lines on the way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from ..look_contours import POINTS, STEP, drawn, places


@cache
def _ways(seed: int) -> tuple[int, dict[str, list[tuple[int, bool]]]]:
    """The red line's height and, of each point's way, for each line crossed whether it goes up, and whether it is thick."""
    lines, red = drawn(seed)
    level, line = lines[red]
    (ax, ay), (bx, by) = line[len(line) // 2 : len(line) // 2 + 2]
    begin = (ax + bx) / 2, (ay + by) / 2

    def crossed(x: float, y: float) -> Iterator[tuple[float, int, bool]]:
        # from just beside the red line, so that it counts by itself
        (ax, ay), (bx, by) = begin, (x, y)
        long = math.hypot(bx - ax, by - ay)
        ax, ay = ax - (bx - ax) / long * 0.01, ay - (by - ay) / long * 0.01
        for height, its in lines:
            for (cx, cy), (dx, dy) in pairwise(its):
                turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
                if turn:
                    s = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / turn
                    t = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / turn
                    if 0 <= s < 1 and 0 <= t < 1:
                        yield s, 1 if turn > 0 else -1, height % 5 == 0

    ways = {letter: sorted(crossed(x, y)) for letter, (x, y) in places(seed).items()}
    return level, {letter: [(up, heavy) for _, up, heavy in way] for letter, way in ways.items()}


def _heights(seed: int, marks: bool = True, thick: bool = True) -> dict[str, int]:
    """Without `marks` every line leads up; without `thick` the thick lines are not counted."""
    level, ways = _ways(seed)
    said = {}
    for letter, way in ways.items():
        steps = [up if marks else abs(up) for up, heavy in way if thick or not heavy]
        first = way[0][0] if way else 1
        # the red line comes first: the count begins at its lower or upper side
        start = level if first < 0 else level - 1
        said[letter] = STEP * (start + sum(steps))
    return said


def _reply(heights: dict[str, int], mark: str = "") -> str:
    return "From the red line:\n\n" + "\n".join(f"{mark}{name}{mark}: {n}" for name, n in heights.items())


def right(seed: int) -> list[str]:
    heights = _heights(seed)
    return [_reply(heights), _reply(heights, "**").replace("-", "\u2212")]


def wrong(seed: int) -> list[str]:
    heights = _heights(seed)
    return [
        _reply({**heights, POINTS[5]: heights[POINTS[5]] + STEP}),
        _reply({name: height + STEP for name, height in heights.items()}),
        _reply(_heights(seed, marks=False)),
        _reply(_heights(seed, thick=False)),
        "The lines are too close.",
    ]
