"""Right and wrong work on operate_patch: all ends of a cable are joined into one set, from tile to tile."""

from __future__ import annotations

from functools import cache

from ..look_tracks import Place, Tracks
from ..operate_patch import BOARD, OTHER, cables, lines
from .written import refused, written


@cache
def joined(board: Tracks, seed: int) -> dict[str, str]:
    """The other end of each end at the sides of a board."""
    beside: dict[Place, Place] = {}
    inside: dict[Place, Place] = {}
    for (column, row), tile in board.board(seed).items():
        for one, other in tile:
            inside |= {(column, row, one): (column, row, other), (column, row, other): (column, row, one)}
        # ends beside each other lie at the same point
        for end in (2, 3):
            beside |= {
                (column, row, end): (column + 1, row, 9 - end),
                (column + 1, row, 9 - end): (column, row, end),
            }
        for end in (4, 5):
            beside |= {
                (column, row, end): (column, row + 1, 5 - end),
                (column, row + 1, 5 - end): (column, row, end),
            }
    outer, found = board.outer(), {}
    for begin, name in outer.items():
        place = inside[begin]
        while place not in outer:
            place = inside[beside[place]]
        found[name] = outer[place]
    return found


def mixed(ends: dict[str, str], count: int) -> dict[str, str]:
    """Some pairs were followed the wrong way where they cross."""
    found, pairs = dict(ends), sorted({(min(pair), max(pair)) for pair in ends.items()})
    for (a, b), (c, d) in zip(pairs[: 2 * count : 2], pairs[1 : 2 * count : 2], strict=True):
        found |= {a: d, d: a, c: b, b: c}
    return found


def right(seed: int) -> list[object]:
    rows = lines(seed, joined(BOARD, OTHER + seed))
    turned = dict(reversed(rows.items()))
    return [written("switch.txt", rows), written("switch.txt", turned)]


def wrong(seed: int) -> list[object]:
    true = dict(cables(seed))
    rows = lines(seed, true)
    last = next(reversed(rows))
    return [
        written("switch.txt", lines(seed, mixed(true, 1))),
        written("switch.txt", lines(seed, mixed(true, 8))),
        written("switch.txt", rows | {last: rows[last] + "0"}),
        written("switch.txt", {name: row for name, row in rows.items() if name != last}),
        refused("switch.txt"),
    ]
