"""Right and wrong replies to judgement_marks: marks are read from the picture, claims from their text."""

from __future__ import annotations

import re
from functools import cache

from ..judgement_marks import COLOURS, EDGE, TASK
from .pixels import Pixels

INKS = {ink: colour for colour, ink in COLOURS.items()}


@cache
def _marks(seed: int) -> dict[tuple[int, int], str]:
    """By row and column, counted from 1: words such as 'red hollow triangle'."""
    pixels, found = Pixels(TASK.picture(seed)), {}
    for row in range(TASK.rows):
        for column in range(TASK.columns):
            x, y = EDGE + (column + 0.5) * TASK.size, 10 + (row + 0.5) * TASK.size
            inside = [[pixels.colour(x + a, y + b) in INKS for a in range(-10, 11)] for b in range(-10, 11)]
            ink = next(
                c
                for b in range(-10, 11)
                for a in range(-10, 11)
                if (c := pixels.colour(x + a, y + b)) in INKS
            )
            if inside[10][10] and not inside[10][5] and not inside[5][10] and inside[5][5]:
                shape = "cross"
            elif not any(inside[15]):
                shape = "triangle"
            elif not any(inside[3]):
                shape = "square"
            elif not any(inside[18]):
                shape = "pentagon"
            else:
                shape = "circle"
            state = "" if shape == "cross" else "filled " if inside[10][10] else "hollow "
            found[row + 1, column + 1] = f"{INKS[ink]} {state}{shape}"
    return found


def _is(mark: str, what: str) -> bool:
    words = re.sub(r"(?<=cross)es|(?<!cros)s$", "", what.removesuffix(" marks")).split()
    return all(word in mark.split() for word in words)


def _true(claim: str, marks: dict[tuple[int, int], str], columns: int) -> bool:
    numbers = [int(each) for each in re.findall(r"\d+", claim)]
    if found := re.fullmatch(r"Rows .* exactly \d+ (.+) together\.", claim):
        return numbers[2] == sum(
            _is(mark, found[1]) for (row, _), mark in marks.items() if numbers[0] <= row <= numbers[1]
        )
    if found := re.fullmatch(r"Column \d+ has more (.+) than (.+)\.", claim):
        its = [mark for (_, column), mark in marks.items() if column == numbers[0]]
        one, other = (sum(_is(mark, what) for mark in its) for what in found.groups())
        return one > other
    if found := re.fullmatch(r"In row \d+, (\w+) number \d+ from the left is (\w+)\.", claim):
        row = [marks[numbers[0], column] for column in range(1, columns + 1)]
        return found[2] in [mark for mark in row if found[1] in mark][numbers[1] - 1]
    found = re.fullmatch(r"Of the (.+) in rows \d+ to \d+, exactly \d+ ha.*", claim)
    assert found is not None
    lonely = 0
    for (row, column), mark in marks.items():
        if numbers[0] <= row <= numbers[1] and _is(mark, found[1]):
            near = [marks.get((row + b, column + a), "") for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
            lonely += not any(each.startswith(mark.split()[0]) for each in near)
    return lonely == numbers[2]


@cache
def _false(seed: int) -> tuple[int, ...]:
    marks = _marks(seed)
    return tuple(
        number for number, (claim, _) in TASK.said(seed).items() if not _true(claim, marks, TASK.columns)
    )


def _said(numbers: tuple[int, ...]) -> str:
    return f"I checked each.\n\nFALSE: {' '.join(map(str, numbers))}"


def right(seed: int) -> list[str]:
    false = _false(seed)
    return [_said(false), f"**False:** {', '.join(map(str, reversed(false)))}"]


def wrong(seed: int) -> list[str]:
    false = _false(seed)
    true = next(number for number in TASK.said(seed) if number not in false)
    return [
        _said(false[1:]),
        _said((*false, true)),
        _said(tuple(number for number in TASK.said(seed) if number not in false)),
        "All claims are true.\n\nFALSE:",
        _said(tuple(TASK.said(seed))),
    ]
