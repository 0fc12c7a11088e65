"""Right and wrong replies to exact_volley: colours and heads are read from the picture, and shots followed from their targets."""

from __future__ import annotations

import math
from functools import cache

from ..exact_volley import COLOURS, EDGE, HEAD, LONG, NORTH, TASK, name
from .pixels import Pixels

Seen = dict[tuple[int, int], tuple[str, int, bool]]


@cache
def _seen(seed: int) -> Seen:
    pixels, found = Pixels(TASK.picture(seed)), {}
    names = {colour: each for each, colour in COLOURS.items()}
    for x in range(TASK.columns):
        for y in range(TASK.rows):
            middle = EDGE + (x + 0.5) * TASK.size, EDGE + (y + 0.5) * TASK.size
            for direction in range(8):
                sin, cos = math.sin(math.radians(45 * direction)), math.cos(math.radians(45 * direction))

                def at(ahead: float, aside: float = 0, m=middle, s=sin, c=cos) -> str:
                    return pixels.colour(m[0] + ahead * s + aside * c, m[1] - ahead * c + aside * s)

                # the corners of a head, which hollow ones have too, in front of the middle only
                colour = at(LONG - 2)
                if colour in names and at(LONG - HEAD + 1, 5) == colour == at(LONG - HEAD + 1, -5):
                    found[x, y] = names[colour], direction, at(LONG - HEAD + 3.5) != colour
    return found


def _lines(seed: int, *, hollow: bool = True, through: bool = True, third: bool = True) -> str:
    """For each archer: who stands in a line with it and aims at it?"""
    seen = _seen(seed)
    hits = dict.fromkeys(seen, 0)
    for target in seen:
        for across, down in NORTH:
            between: list[tuple[str, int, bool]] = []
            at = target[0] - across, target[1] - down
            while 0 <= at[0] < TASK.columns and 0 <= at[1] < TASK.rows:
                if at in seen:
                    colour, direction, is_hollow = seen[at]
                    own = sum(each[0] == colour for each in between)
                    others = len(between) - own
                    if (
                        NORTH[direction] == (across, down)
                        and seen[target][0] != colour
                        and others == (is_hollow and hollow)
                        and (through or not own)
                        and (own < 3 or not third)
                    ):
                        hits[target] += 1
                    between.append(seen[at])
                at = at[0] - across, at[1] - down
    lines = {each: [name(at) for at in hits if not hits[at] and seen[at][0] == each] for each in COLOURS}
    lines["twice"] = [name(each) for each in hits if hits[each] > 1]
    return "\n".join(f"{line.upper()}: {' '.join(its)}" for line, its in lines.items())


def right(seed: int) -> list[str]:
    said = _lines(seed)
    return [f"Square by square.\n\n{said}", said.replace(" ", ", ").replace(":,", ":").lower()]


def wrong(seed: int) -> list[str]:
    said = _lines(seed)
    return [
        _lines(seed, hollow=False),
        _lines(seed, through=False),
        said.rsplit(" ", 1)[0],
        said.replace("BLUE: ", "BLUE: Z1 "),
        said.split("\n")[0],
        "Nobody is hit.",
    ]
