"""Right and wrong work on operate_plates: plates are told by the side to which their strokes turn."""

from __future__ import annotations

import math
from itertools import pairwise

from ..look_mirrored import SIGNS
from ..operate_plates import OTHER, SHEET, files_of, listed, plates
from .written import refused, written


def _strokes(sign: int, turn: float, mirrored: bool) -> list[list[complex]]:
    """The strokes as drawn, as complex numbers."""
    way = complex(math.cos(math.radians(turn)), math.sin(math.radians(turn)))
    return [[complex(-x if mirrored else x, y) * way for x, y in stroke] for stroke in SIGNS[sign]]


def _area(strokes: list[list[complex]]) -> float:
    """What tells a sign from its mirror image: turns along its strokes, which turning leaves as they are."""
    points = [point for stroke in strokes for point in stroke]
    return sum((a.conjugate() * b).imag for a, b in pairwise(points))


def _seen(seed: int) -> dict[str, tuple[int, bool]]:
    """The plates by the turns of what is drawn."""
    plain = [_area(_strokes(sign, 0, False)) for sign in range(len(SIGNS))]
    found = {}
    for name, field in SHEET.sheet(OTHER + seed).items():
        area = _area(_strokes(field.sign, field.turn, field.mirrored))
        found[name] = (field.sign, abs(area - plain[field.sign]) > 1e-6)
    return found


def right(seed: int) -> list[object]:
    rows = listed(seed, _seen(seed))
    return [written("drawers.txt", rows), written("drawers.txt", dict(reversed(rows.items())))]


def wrong(seed: int) -> list[object]:
    true = dict(plates(seed))
    some = list(true)[:3]
    rows = listed(seed, true)
    return [
        written(
            "drawers.txt",
            listed(seed, true | {name: (true[name][0], not true[name][1]) for name in some[:1]}),
        ),
        written(
            "drawers.txt",
            listed(seed, true | {name: ((true[name][0] + 1) % len(SIGNS), true[name][1]) for name in some}),
        ),
        written("drawers.txt", listed(seed, {name: (sign, not over) for name, (sign, over) in true.items()})),
        written("drawers.txt", listed(seed, {name: (sign, False) for name, (sign, _) in true.items()})),
        written("drawers.txt", dict([*rows.items()][:-1])),
        written("drawers.txt", files_of(seed)["drawers.txt"]),
        refused("drawers.txt"),
    ]
