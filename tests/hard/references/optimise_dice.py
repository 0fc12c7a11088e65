"""Right and wrong replies to optimise_dice: the dice are read from the picture, the walk found from its end."""

from __future__ import annotations

from functools import cache

from ..optimise_dice import DARK, EDGE, EYES, STEP, TASK
from .pixels import Pixels


@cache
def _seen(seed: int) -> dict[tuple[int, int], tuple[int, bool]]:
    pixels, found = Pixels(TASK.picture(seed)), {}
    for y in range(TASK.rows):
        for x in range(TASK.columns):
            middle = EDGE + (x + 0.5) * TASK.size, EDGE + (y + 0.5) * TASK.size
            ground = pixels.colour(middle[0], middle[1] - 10)
            eyes = sum(
                pixels.colour(middle[0] + a * STEP, middle[1] + b * STEP) != ground
                for a, b in EYES[5] + EYES[6][4:]
            )
            found[x, y] = eyes, ground == DARK
    return found


def _walk(seed: int, *, more: bool = True, greedy: bool = False, right_first: bool = True) -> str:
    seen = _seen(seed)
    rest: dict[tuple[int, int], tuple[int, str]] = {}
    for y in reversed(range(TASK.rows)):
        for x in reversed(range(TASK.columns)):
            ways = []
            for step, at in (("R", (x + 1, y)), ("D", (x, y + 1))):
                if at in rest:
                    eyes, dark = seen[at]
                    extra = TASK.more if more and dark and step == "D" else 0
                    ways.append(
                        (
                            eyes + extra + (0 if greedy else rest[at][0]),
                            (step == "R") != right_first,
                            step + rest[at][1],
                        )
                    )
            rest[x, y] = (min(ways)[0], min(ways)[2]) if ways else (0, "")
    return rest[0, 0][1]


def right(seed: int) -> list[str]:
    walk, other = _walk(seed), _walk(seed, right_first=False)
    return [f"From the end.\n\nWALK: {walk}", f"**Walk:** `{' '.join(other.lower())}`"]


def wrong(seed: int) -> list[str]:
    walk = _walk(seed)
    return [
        f"WALK: {_walk(seed, greedy=True)}",
        f"WALK: {walk[:-1]}",
        f"WALK: {'R' * (TASK.columns - 1)}{'D' * (TASK.rows - 1)}",
        f"WALK: {walk[:-1]}{'D' if walk[-1] == 'R' else 'R'}",
        "There is no way to tell.",
    ]
