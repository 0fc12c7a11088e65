"""A sheet of signs that are one form turned and mirrored, and claims about them that miss the truth by one sign."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

from .claims import Claims, off
from .concurrent_order import EDGE, HANDS, SIDE, TOP, sign
from .drawing import INK, Canvas
from .stamps import stamp

DESCRIPTION = (
    "Can the model tell which claims about turned and mirrored signs are false, each by a single sign?"
)
TAGS = ["hard", "vision", "claims"]

NAMES = "ABCDEFGH"
ROWS, COLUMNS, APART, LANE = 23, 31, 33, 40  # LANE by APART pixels for a sign
ABOUT = f"""The picture shows {ROWS} rows (1 at the top) of {COLUMNS} signs each; columns are counted from the left. The line at the top of the picture shows the eight signs, which differ in how one form
is turned and mirrored, and their names, {NAMES[0]} to {NAMES[-1]}. (They are written by hand, and waver a little.)"""

Sheet = tuple[str, ...]  # the names of each row's signs


@cache
def sheet(seed: int) -> Sheet:
    """The signs row by row."""
    chance = random.Random(f"claimed signs {seed}")
    return tuple("".join(chance.choices(NAMES, k=COLUMNS)) for _ in range(ROWS))


def turns(seed: int) -> dict[str, int]:
    """Which way of turning is which name's sign."""
    return dict(zip(NAMES, random.Random(f"claimed sign names {seed}").sample(range(8), 8), strict=True))


def corner(row: int, column: int) -> tuple[int, int]:
    """The left and the top of a sign."""
    return EDGE + column * APART + (APART - SIDE) // 2, TOP + row * LANE + (LANE - SIDE) // 2


@cache
def picture(seed: int) -> bytes:
    """The legend and the sheet."""
    canvas = Canvas(EDGE + COLUMNS * APART + 8, TOP + ROWS * LANE + 4)
    chance, ways = random.Random(f"claimed sign hand {seed}"), turns(seed)
    for n, (name, turn) in enumerate(ways.items()):
        x = round(EDGE + (n + 0.5) * (canvas.width - EDGE) / 8)
        stamp(canvas, x - SIDE // 2, 20, sign(turn, None))
        canvas.text(x - 28, 20 + SIDE / 2, name, "#c81e1e")
    canvas.rectangle(8, TOP - 8, canvas.width - 8, TOP - 6, INK)
    hands = {name: [sign(turn, chance) for _ in range(HANDS)] for name, turn in ways.items()}
    for row, names in enumerate(sheet(seed)):
        canvas.text(EDGE / 2, corner(row, 0)[1] + SIDE / 2, str(row + 1), "#808080")
        for column, name in enumerate(names):
            stamp(canvas, *corner(row, column), chance.choice(hands[name]))
    return canvas.png()


def _counts(chance: random.Random, signs: Sheet, true: bool) -> Iterator[str]:
    while True:
        first, (one, other) = chance.randrange(ROWS - 2), sorted(chance.sample(NAMES, 2))
        its = "".join(signs[first : first + 3])
        number = off(chance, its.count(one) + its.count(other), true)
        yield f"Rows {first + 1} to {first + 3} hold exactly {number} signs {one} and {other} together."


def _compares(chance: random.Random, signs: Sheet, true: bool) -> Iterator[str]:
    while True:
        column, (one, other) = chance.randrange(COLUMNS), chance.sample(NAMES, 2)
        its = [row[column] for row in signs]
        if its.count(one) > 1 and its.count(one) - its.count(other) == (1 if true else 0):
            yield f"Column {column + 1} holds more signs {one} than signs {other}."


def _nth(chance: random.Random, signs: Sheet, true: bool) -> Iterator[str]:
    while True:
        row, name = chance.randrange(ROWS), chance.choice(NAMES)
        places = [x for x, each in enumerate(signs[row][:-1]) if each == name]
        if len(places) < 4:
            continue
        n = chance.randrange(2, len(places) - 1)
        after = signs[row][places[n] + 1]
        if not true:  # that of a sign of the name beside it
            after = signs[row][places[n + chance.choice((-1, 1))] + 1]
        if (after == signs[row][places[n] + 1]) == true:
            yield f"In row {row + 1}, {name} number {n + 1} from the left is directly followed by {after}."


def _pairs(chance: random.Random, signs: Sheet, true: bool) -> Iterator[str]:
    while True:
        first, high = chance.randrange(ROWS - 4), chance.sample(NAMES, 3)
        low = chance.sample(NAMES, 3)
        number = sum(
            signs[row][x] in high and signs[row + 1][x] in low
            for row, x in product(range(first, first + 4), range(COLUMNS))
        )
        if number:
            yield (
                f"In rows {first + 1} to {first + 4}, exactly {off(chance, number, true)} of the signs "
                f"{', '.join(sorted(high)[:2])} and {max(high)} have {', '.join(sorted(low)[:2])} or {max(low)} directly below, "
                f"in rows {first + 2} to {first + 5}."
            )


TASK = Claims("sign claims", sheet, picture, ABOUT, (_counts, _compares, _nth, _pairs))
build = TASK.build
