"""Right and wrong replies to judgement_signs: signs are read from the picture, claims from their text."""

from __future__ import annotations

import re
from functools import cache

from ..concurrent_order import SIDE, turned
from ..judgement_signs import COLUMNS, ROWS, TASK, corner, picture, turns
from .claimed import false_of, rights, wrongs
from .concurrent_order import MIDDLES
from .pixels import Pixels


@cache
def _signs(seed: int) -> list[str]:
    """The names of each row: those of the signs whose strokes have the most ink."""
    pixels, names = Pixels(picture(seed)), {turn: name for name, turn in turns(seed).items()}
    points = [[turned(each, turn) for each in MIDDLES] for turn in range(8)]
    rows = []
    for row in range(ROWS):
        rows.append("")
        for column in range(COLUMNS):
            left, top = corner(row, column)
            x, y = left + SIDE / 2, top + SIDE / 2
            ink = [sum(pixels.is_dark(x + a, y + b) for a, b in its) for its in points]
            assert ink.count(max(ink)) == 1, ink
            rows[-1] += names[ink.index(max(ink))]
    return rows


def _is_true(seed: int, claim: str) -> bool:
    rows, numbers = _signs(seed), [int(each) for each in re.findall(r"\d+", claim)]
    names = re.findall(r"\b[A-H]\b", claim)
    if "together" in claim:
        first, last, number = numbers
        return number == len(re.findall("|".join(names), "".join(rows[first - 1 : last])))
    if "holds more" in claim:
        its = [row[numbers[0] - 1] for row in rows]
        return its.count(names[0]) > its.count(names[1])
    if "followed" in claim:
        row, n = numbers
        after = rows[row - 1].split(names[0])[n:]
        # nothing between two of them: the next one is the same
        return (after[0] or names[0])[0] == names[1]
    first, last, number = numbers[:3]
    high, low = names[:3], names[3:]
    columns = ["".join(row[x] for row in rows[first - 1 : last + 1]) for x in range(COLUMNS)]
    return number == sum(each[n] in high and each[n + 1] in low for each in columns for n in range(4))


def right(seed: int) -> list[str]:
    return rights(false_of(TASK, seed, _is_true))


def wrong(seed: int) -> list[str]:
    return wrongs(TASK, seed, false_of(TASK, seed, _is_true))
