"""Right and wrong replies to optimise_signs: the signs are read from the picture, walks are found from their ends."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ..concurrent_order import turned
from ..optimise_signs import FIELD, TASK, TOP
from ..stamps import EDGE
from .concurrent_order import MIDDLES
from .pixels import Pixels

POINTS = [[turned(each, turn) for each in MIDDLES] for turn in range(8)]


@cache
def _turns(seed: int) -> dict[tuple[int, int], int]:
    """The way of each sign: that whose strokes have the most ink. Signs with the same pixels are looked at once."""
    pixels, found, known = Pixels(TASK.picture(seed)), {}, dict[bytes, int]()
    for y in range(TASK.rows):
        for x in range(TASK.columns):
            across, down = EDGE + (x + 0.5) * FIELD, TOP + EDGE + (y + 0.5) * FIELD
            rows = (int(down + b) * pixels.wide + 1 + 3 * int(across) for b in (-8, -4, -1, 4, 8))
            pieces = b"".join(pixels.rows[at - 36 : at + 36] for at in rows)
            if pieces not in known:
                ink = [sum(pixels.is_dark(across + a, down + b) for a, b in its) for its in POINTS]
                assert ink.count(max(ink)) == 1, ink
                known[pieces] = ink.index(max(ink))
            found[x, y] = known[pieces]
    return found


def _walk(seed: int, costs: Mapping[int, tuple[int, int]], rise: bool, *, near: bool = False) -> str:
    """The cheapest; `near`: step by step."""
    turns, onward, last = _turns(seed), -1 if rise else 1, 0 if rise else TASK.rows - 1
    rest: dict[tuple[int, int], tuple[int, str]] = {(TASK.columns - 1, last): (0, "")}
    for y in range(TASK.rows)[::-onward]:
        for x in reversed(range(TASK.columns)):
            ways = []
            for n, at in enumerate(((x + 1, y), (x, y + onward))):
                if at in rest:
                    cost = costs[turns[at]][n] + (0 if near else rest[at][0])
                    ways.append((cost, ("R", "U" if rise else "D")[n] + rest[at][1]))
            rest[x, y] = min(ways) if ways else (0, "")
    return rest[0, TASK.rows - 1 - last][1]


@cache
def _best(seed: int) -> tuple[str, str]:
    costs = TASK.costs(seed)
    return _walk(seed, costs, False), _walk(seed, costs, True)


def _said(fall: str, rise: str) -> str:
    return f"From the ends.\n\nFALL: {fall}\nRISE: {rise}"


def right(seed: int) -> list[str]:
    fall, rise = _best(seed)
    return [_said(fall, rise), f"**Rise:** `{' '.join(rise.lower())}`\n**Fall:** `{' '.join(fall.lower())}`"]


def wrong(seed: int) -> list[str]:
    (fall, rise), costs = _best(seed), TASK.costs(seed)
    mirrored = {(turn + 4) % 8: cost for turn, cost in costs.items()}
    return [
        _said(fall, _walk(seed, costs, True, near=True)),
        _said(_walk(seed, mirrored, False), rise),
        _said(fall, fall),
        _said(fall[:-1], rise),
        _said(fall, f"{rise}R"),
        "There is no way to tell.",
    ]
