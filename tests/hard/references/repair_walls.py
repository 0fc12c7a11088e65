"""Right and wrong work on repair_walls: the middle of each side is looked at in the drawing."""

from __future__ import annotations

from evaluator import Call

from ..repair_walls import CELL, EDGE, WIDE, Wall, map_of, picture, sides, typed, walls
from .mended import Writes
from .pixels import Pixels


def _read(seed: int) -> str:
    pixels = Pixels(picture(seed))
    return map_of(
        frozenset(
            (way, x, y)
            for way, x, y in sides()
            if pixels.is_dark(EDGE + CELL * (x + 1 - 0.5 * way), EDGE + CELL * (y + 0.5 + 0.5 * way))
        )
    )


def _map(seed: int, left: int = 0, first: int = 0, mirrored: bool = False) -> Writes:
    """The map with some walls left as they were, or left out, or seen in a mirror."""
    true, was = walls(seed), typed(seed)
    its: frozenset[Wall] = true ^ frozenset(sorted(true ^ was)[:left])
    its -= frozenset(sorted(its)[:first])
    if mirrored:
        its = frozenset((way, WIDE - 2 + way - x, y) for way, x, y in its)
    return Writes("map.txt", lambda: map_of(its))


def right(seed: int) -> list[object]:
    return [Writes("map.txt", lambda: _read(seed))]


def wrong(seed: int) -> list[object]:
    return [
        _map(seed, left=1),
        _map(seed, left=25),
        _map(seed, first=2),
        _map(seed, mirrored=True),
        Writes("map.txt", lambda: map_of(typed(seed))),
        [Call("shell", command="cat map.txt"), "I cannot see the drawing."],
    ]
