"""Right and wrong replies to optimise_gaps: walls and arrowheads are seen in the picture, ways sought from B."""

from __future__ import annotations

from functools import cache

from ..optimise_gaps import ARROW, EDGE, STEPS, TASK, Room
from .pixels import Pixels


@cache
def _seen(seed: int, arrows: bool = True) -> dict[Room, list[tuple[str, Room]]]:
    """The ways into each room: the step and the room from which it comes."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    found: dict[Room, list[tuple[str, Room]]] = {}

    def passed(x: int, y: int, way: str) -> bool:
        """Whether a step leads past the middle of a side, where it has white, a wall or an arrowhead."""
        a, b = STEPS[way]
        if pixels.is_dark(x, y):
            return False
        if pixels.colour(x, y) != ARROW or not arrows:
            return True
        # an arrowhead is wide at its end and narrow at its tip
        return pixels.colour(x - 3 * a + 3 * b, y - 3 * b + 3 * a) == ARROW

    for y in range(TASK.rows):
        for x in range(TASK.columns):
            for way, (a, b) in STEPS.items():
                at = x + a, y + b
                side = EDGE + size * x + (1 + a) * size // 2, EDGE + size * y + (1 + b) * size // 2
                if passed(*side, way):
                    found.setdefault(at, []).append((way, (x, y)))
    return found


@cache
def _way(seed: int, arrows: bool = True) -> str:
    begin, end, _ = TASK.ends(seed)
    seen, ways, ahead = _seen(seed, arrows), {end: ""}, [end]
    for room in ahead:
        for way, at in seen.get(room, []):
            if at not in ways:
                ways[at] = way + ways[room]
                ahead.append(at)
    return ways[begin]


def right(seed: int) -> list[str]:
    way = _way(seed)
    return [f"From the end.\n\nWAY: {way}", f"**Way:** `{' '.join(way.lower())}`"]


def wrong(seed: int) -> list[str]:
    way = _way(seed)
    gaps, room = TASK.gaps(seed), TASK.begin(seed)
    around = gaps[room][0]  # a step there and back, if one may, or else against a wall
    (x, y), (a, b) = room, STEPS[around]
    back = next(each for each in STEPS if STEPS[each] == (-a, -b))
    assert (x + a, y + b) in gaps
    return [
        f"WAY: {_way(seed, arrows=False)}",
        f"WAY: {way[:-1]}",
        f"WAY: {around}{back}{way}",
        f"WAY: {way}{way[-1]}",
        "There is no way from A to B.",
    ]
