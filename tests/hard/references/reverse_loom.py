"""Right and wrong replies to reverse_loom: the squares are read as one long number, whose shifts are the inputs."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from ..reverse_loom import EDGE, INPUTS, PLACES, TASK
from .pixels import Pixels

Found = tuple[int, str, tuple[tuple[int, int], ...]]  # squares that break a rule, its inputs, the faults


@cache
def _rows(seed: int) -> tuple[int, ...]:
    """The rows of the cloth; column 1 is the lowest bit."""
    pixels, size = Pixels(TASK.picture(seed)), TASK.size
    return tuple(
        sum(
            pixels.is_dark(EDGE + (x + 0.5) * size, EDGE + (y + 0.5) * size) << x for x in range(TASK.columns)
        )
        for y in range(TASK.rows)
    )


def _shifted(rows: tuple[int, ...], name: str) -> int:
    """For each square from the third row on: its input of a name."""
    (up, over), wide = PLACES[name], TASK.columns
    found = 0
    for y in range(2, TASK.rows):
        row, by = rows[y - up], over % wide
        found |= ((row >> by) | (row << (wide - by)) & ((1 << wide) - 1)) << (y * wide)
    return found


@cache
def _rules(seed: int) -> list[Found]:
    """The two choices of inputs with the fewest broken squares, by the best table of each."""
    rows, wide = _rows(seed), TASK.columns
    every = ((1 << (TASK.rows - 2) * wide) - 1) << 2 * wide
    cloth = sum(row << (y * wide) for y, row in enumerate(rows)) & every
    shifted = {name: _shifted(rows, name) for name in PLACES}
    found = []
    for names in combinations(PLACES, INPUTS):
        broken = 0
        for case in range(1 << INPUTS):
            where = every
            for bit, name in enumerate(names):
                where &= shifted[name] if case >> bit & 1 else ~shifted[name]
            black, white = where & cloth, where & ~cloth
            broken |= min(black, white, key=int.bit_count)
        found.append((broken.bit_count(), "".join(names), broken))
    best = sorted(found)[:2]
    return [(count, inputs, _faults(broken, inputs)) for count, inputs, broken in best]


def _faults(broken: int, names: str) -> tuple[tuple[int, int], ...]:
    """Broken squares, from the top, without those that have a fault among their inputs."""
    found: dict[tuple[int, int], None] = {}
    while broken:
        y, x = divmod((broken & -broken).bit_length() - 1, TASK.columns)
        broken &= broken - 1
        inputs = [(y - up, (x + over) % TASK.columns) for up, over in map(PLACES.__getitem__, names)]
        if not any(each in found for each in inputs):
            found[y, x] = None
    return tuple(found)


def _said(inputs: str, faults: tuple[tuple[int, int], ...], number: int = 0) -> str:
    places = " ".join(f"R{y + 1}C{x + 1}" for y, x in faults)
    return f"INPUTS: {' '.join(inputs)}\nNUMBER: {number or len(faults)}\nFAULTS: {places}"


def right(seed: int) -> list[str]:
    (broken, inputs, faults), (more, *_) = _rules(seed)
    assert more > 2 * broken
    said = _said(inputs, faults)
    return [f"Case by case.\n\n{said}", "\n".join(f"- **{each}**" for each in reversed(said.split("\n")))]


def wrong(seed: int) -> list[str]:
    (_, inputs, faults), (_, others, many) = _rules(seed)
    y, x = faults[0]
    return [
        _said(others, faults),
        _said(others, many),
        _said(inputs, ((y, (x + 1) % TASK.columns), *faults[1:])),
        _said(inputs, faults[:-1]),
        _said(inputs, faults, len(faults) + 1),
        "The loom is sound.",
    ]
