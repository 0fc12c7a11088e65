"""Right and wrong replies to look_tracks: all ends of a track are joined into one set, from tile to tile."""

from __future__ import annotations

from functools import cache

from ..look_tracks import TASK, Place


@cache
def _joined(seed: int) -> dict[str, str]:
    """The other end of each end at the side of the board."""
    leader: dict[Place, Place] = {}

    def first(place: Place) -> Place:
        while leader.setdefault(place, place) != place:
            place = leader[place]
        return place

    for (column, row), tile in TASK.board(seed).items():
        for one, other in tile:
            leader[first((column, row, one))] = first((column, row, other))
            for end in (one, other):
                # ends beside each other lie at the same point
                if 2 <= end <= 3 and column + 1 < TASK.columns:
                    leader[first((column, row, end))] = first((column + 1, row, 9 - end))
                if 4 <= end <= 5 and row + 1 < TASK.rows:
                    leader[first((column, row, end))] = first((column, row + 1, 5 - end))
    tracks: dict[Place, list[str]] = {}
    for place, name in TASK.outer().items():
        tracks.setdefault(first(place), []).append(name)
    return {name: other for one, two in tracks.values() for name, other in ((one, two), (two, one))}


def _said(ends: dict[str, str], mark: str = "") -> str:
    return "Tile by tile:\n\n" + "\n".join(f"{mark}{one}{mark}: {other}" for one, other in ends.items())


def right(seed: int) -> list[str]:
    joined = _joined(seed)
    ends = {name: joined[name] for name in TASK.wanted(seed)}
    return [_said(ends), _said(ends, "**").lower()]


def wrong(seed: int) -> list[str]:
    joined = _joined(seed)
    ends = {name: joined[name] for name in TASK.wanted(seed)}
    first, second, *_ = ends
    return [
        _said({**ends, first: ends[second], second: ends[first]}),
        _said({**ends, first: f"{ends[first][0]}{int(ends[first][1:]) + 1}"}),
        _said({other: one for one, other in ends.items()}),
        _said(dict([*ends.items()][:-1])),
        "The tracks go on and on.",
    ]
