"""Right and wrong replies to long_fields: borders, marks and numbers are read from the picture."""

from __future__ import annotations

import re
from functools import cache

from ..hand import DIGITS
from ..long_fields import BLUE, DIGIT, LETTERS, MARKS, TASK, Field
from .hand import Reader
from .pixels import Pixels


@cache
def _readers() -> tuple[Reader, Reader]:
    return Reader(TASK.hand, MARKS), Reader(TASK.numbers, DIGITS, (0,))


@cache
def _read(seed: int) -> tuple[dict[Field, str], dict[Field, tuple[Field, ...]]]:
    """The mark or the number of each field, and the fields beside it without a border between."""
    pixels, (marks, digits), size = Pixels(TASK.picture(seed)), _readers(), TASK.size
    signs, beside = {}, {}
    for field in ((x, y) for x in range(TASK.columns) for y in range(TASK.rows)):
        x, y = TASK.middle(field)
        begin = int(y) * pixels.wide + 1 + 3 * int(x)
        rows = [begin + by * pixels.wide for by in range(-6, 7, 2)]
        if any(bytes.fromhex(BLUE[1:]) in pixels.rows[at - 24 : at + 24] for at in rows):
            signs[field] = "".join(digits.read(pixels, x + by, y, 2 * DIGIT, 16) for by in (-DIGIT, DIGIT))
        else:
            signs[field] = marks.read(pixels, x, y, size - 4, size - 4)
        beside[field] = tuple(
            at
            for at in TASK.near(field)
            if not pixels.is_dark(x + (at[0] - field[0]) * size / 2, y + (at[1] - field[1]) * size / 2)
        )
    return signs, beside


def _said(seed: int, *, classes: bool = True, borders: bool = True, last: bool = True) -> str:
    (signs, beside), worth, register = _read(seed), TASK.worth(seed), TASK.map(seed).register
    sums, seen = dict.fromkeys(LETTERS[: TASK.owners], 0), set()
    for field, number in signs.items():
        if not number.isdigit():
            continue
        owner, times = register[int(number)]
        its, found = [field], 0
        for at in its:
            found += worth.get(signs[at], 0)
            ahead = [each for each in (beside[at] if borders else TASK.near(at)) if each not in its]
            its += ahead if borders or at == field else []
        if last or number != str(max(register)):
            sums[owner] += found * (times if classes else 1)
        seen.update(its)
    assert len(seen) == len(signs) or not borders
    return "\n".join(f"{owner}: {total}" for owner, total in sums.items())


def right(seed: int) -> list[str]:
    said = _said(seed)
    return [f"Parcel by parcel.\n\n{said}", re.sub(r"(\w): (\d+)", r"- **\1**: \2", said)]


def wrong(seed: int) -> list[str]:
    said = _said(seed)
    return [
        _said(seed, classes=False),
        _said(seed, borders=False),
        _said(seed, last=False),
        said.rsplit("\n", 1)[0],
        said[:-1] + str((int(said[-1]) + 1) % 10),
        "The map is too fine.",
    ]
