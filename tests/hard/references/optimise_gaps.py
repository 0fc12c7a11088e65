"""Right and wrong replies to optimise_gaps: walls and arrowheads are seen in the picture, ways sought from B."""

from __future__ import annotations

from functools import cache

from ..optimise_gaps import ARROW, EDGE, STEPS, TASK, WALL, Room
from .pixels import Pixels


@cache
def _seen(seed: int) -> dict[Room, list[tuple[str, Room, bool]]]:
    """The gaps into each room: the step, the room from which it comes, and whether it may be taken."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    found: dict[Room, list[tuple[str, Room, bool]]] = {}
    for y in range(TASK.rows):
        for x in range(TASK.columns):
            for way, back in ("RL", "DU"):
                a, b = STEPS[way]
                at, side = (
                    (x + a, y + b),
                    (EDGE + size * x + (1 + a) * size // 2, EDGE + size * y + (1 + b) * size // 2),
                )
                colour = pixels.colour(*side)
                if colour != WALL:
                    # an arrowhead is wide at its end and narrow at its tip
                    wide = [
                        pixels.colour(side[0] + n * a + 3 * b, side[1] + n * b + 3 * a) == ARROW
                        for n in (-3, 3)
                    ]
                    found.setdefault(at, []).append((way, (x, y), colour != ARROW or wide[0]))
                    found.setdefault((x, y), []).append((back, at, colour != ARROW or wide[1]))
    return found


@cache
def _way(seed: int, arrows: bool = True) -> str:
    begin, end, _ = TASK.ends(seed)
    seen, ways, ahead = _seen(seed), {end: ""}, [end]
    for room in ahead:
        for way, at, may in seen.get(room, []):
            if at not in ways and (may or not arrows):
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
