"""Right and wrong replies to look_oneway: the directions are read from the arrows in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache

from ..look_oneway import HALF, LONG, TASK, Road
from .pixels import Pixels


@cache
def _roads(seed: int) -> tuple[Road, ...]:
    """The roads by the numbers of their places, in the direction of the broad end's arrow."""
    pixels, its, numbers = Pixels(TASK.picture(seed)), TASK.map(seed), TASK.numbers(seed)
    found = []
    for (a, b), (x, y) in its.roads.items():
        a, b = min(a, b), max(a, b)  # does not yet say where it leads
        (ax, ay), (bx, by) = its.points[a], its.points[b]
        long = math.dist((ax, ay), (bx, by))
        u, v = (bx - ax) / long, (by - ay) / long
        red = {
            end: sum(
                pixels.colour(
                    x + end * u * LONG / 4 + side * v * HALF / 2, y + end * v * LONG / 4 - side * u * HALF / 2
                )
                == "#d01c1c"
                for side in (1, -1)
            )
            for end in (1, -1)
        }
        found.append((numbers[a], numbers[b]) if red[-1] > red[1] else (numbers[b], numbers[a]))
    return tuple(found)


def _far(roads: Iterable[Road]) -> dict[int, int]:
    """Distances from place 1, made shorter until none gets shorter."""
    found = {1: 0}
    before: dict[int, int] = {}
    roads = list(roads)
    while found != before:
        before = dict(found)
        for a, b in roads:
            if a in found:
                found[b] = min(found.get(b, 999), found[a] + 1)
    return found


def _said(far: dict[int, int], colon: str = ": ", between: str = " ") -> str:
    rows: dict[int, list[int]] = {}
    for place, number in sorted(far.items()):
        rows.setdefault(number, []).append(place)
    return "Ring by ring:\n\n" + "\n".join(
        f"{number}{colon}{between.join(map(str, places))}"
        for number, places in sorted(rows.items())
        if number
    )


def right(seed: int) -> list[str]:
    far = _far(_roads(seed))
    return [_said(far), _said(far, "**: ", ", ").replace("\n", "\n- **")]


def wrong(seed: int) -> list[str]:
    roads = _roads(seed)
    far = _far(roads)
    last = max(far, key=lambda place: far[place])
    return [
        _said({**far, last: far[last] - 1}),
        _said(_far((b, a) for a, b in roads)),
        _said(_far([*roads, *((b, a) for a, b in roads)])),
        _said({place: number for place, number in far.items() if place != last}),
        "Every place can be reached.",
    ]
