"""A board of tiles with tracks that cross, and claims about them that miss the truth by one tile, end or crossing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from .claims import Claims, off
from .look_tracks import Tracks
from .routes import Railway, Route, about, railway

DESCRIPTION = "Can the model tell which claims about tracks that cross are false, each by one small place?"
TAGS = ["hard", "vision", "claims"]

BOARD = Tracks(columns=14, rows=13, side=68, asked=0)
OTHERS, LONG = 3_000_000, 8  # added to seeds: no board is one of look_tracks; tiles of tracks in claims
COUNTED = " Two tracks may cross several times. Tiles are counted from the left and from the top."


def board(seed: int) -> Railway:
    """The tracks of a seed."""
    return railway(BOARD, OTHERS + seed)


def picture(seed: int) -> bytes:
    """The board."""
    return BOARD.picture(OTHERS + seed)


@cache
def longs(its: Railway) -> list[int]:
    """The tracks that claims are about."""
    return [n for n, route in enumerate(its.routes) if len(route.tiles) >= LONG]


def _beside(chance: random.Random, name: str) -> str:
    """The name of an end beside one at the same side."""
    return f"{name[0]}{int(name[1:]) + chance.choice((-1, 1))}"


def _ends(chance: random.Random, its: Railway, true: bool) -> Iterator[str]:
    tracks: dict[str, Route] = {name: route for route in its.routes for name in route.names}
    while True:
        begin, end = its.routes[chance.choice(longs(its))].names  # each is asked once at most
        said = end if true else _beside(chance, end)
        if true or (said in tracks and said != begin and len(tracks[said].tiles) > 4):
            yield f"The track that begins at {begin} comes out at {said}."


def _tiles(chance: random.Random, its: Railway, true: bool) -> Iterator[str]:
    while True:
        route = its.routes[chance.choice(longs(its))]
        number = off(chance, len({*route.tiles}), true)
        yield f"The track that begins at {route.begin} runs over exactly {number} different tiles."


def _pair(chance: random.Random, its: Railway) -> tuple[int, int]:
    """Two long tracks that cross."""
    pairs = [pair for pair in sorted(its.crossings) if {*pair} <= {*longs(its)}]
    one, other = chance.choice(pairs)
    return one, other


def _times(chance: random.Random, its: Railway, true: bool) -> Iterator[str]:
    while True:
        pair = _pair(chance, its)
        number = off(chance, len(its.met(*pair)), true)
        one, other = sorted(chance.choice(its.routes[n].names) for n in pair)
        yield f"The tracks that begin at {one} and at {other} cross exactly {number} time{'s' * (number != 1)}."


def _places(chance: random.Random, its: Railway, true: bool) -> Iterator[str]:
    while True:
        pair = _pair(chance, its)
        column, row = chance.choice(its.met(*pair))
        if not true:  # a tile beside it, on which one of them is
            across, down = chance.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
            column, row = column + across, row + down
            if (column, row) in its.met(*pair) or not any((column, row) in its.routes[n].tiles for n in pair):
                continue
        one, other = sorted(chance.choice(its.routes[n].names) for n in pair)
        where = f"the tile in column {column + 1} of row {row + 1}"
        yield f"The tracks that begin at {one} and at {other} cross each other on {where}."


TASK = Claims("track claims", board, picture, about(BOARD) + COUNTED, (_ends, _tiles, _times, _places))
build = TASK.build
