"""Whole tracks of a board of tiles, from end to end, and where they cross."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations

from .look_tracks import Tracks, crossings

ABOUT = """The picture shows a board of {columns} by {rows} square tiles between grey lines. On each tile there are four tracks, each of which joins two of the tile's eight ends, two on each
side, and at a side each track goes on upon the next tile. Tracks that cross on a tile have nothing to do with each other: each goes on smoothly, without a corner. Where tracks come out of the board their ends have
names: T1 to T{across} along the top and B1 to B{across} along the bottom, from left to right, L1 to L{down} along the left and R1 to R{down} along the right, from top to bottom; only every second name is written."""

Tile = tuple[int, int]  # column and row, from 0


@dataclass(frozen=True)
class Route:
    """A track from end to end of the board: its names, and the tiles that it runs over, in order."""

    begin: str
    end: str
    tiles: tuple[Tile, ...]

    @property
    def names(self) -> tuple[str, str]:
        """Of both ends."""
        return self.begin, self.end


@dataclass(frozen=True, eq=False)
class Railway:
    """The tracks of a board, and on which tiles two of them cross, by their places in the list."""

    routes: tuple[Route, ...]
    crossings: dict[tuple[int, int], tuple[Tile, ...]]

    def met(self, one: int, other: int) -> tuple[Tile, ...]:
        """The tiles on which two tracks cross, a tile twice if they do so twice there."""
        return self.crossings.get((min(one, other), max(one, other)), ())


def about(tracks: Tracks) -> str:
    """What the picture shows."""
    return ABOUT.format(
        columns=tracks.columns, rows=tracks.rows, across=2 * tracks.columns, down=2 * tracks.rows
    )


@cache
def railway(tracks: Tracks, seed: int) -> Railway:
    """All tracks that come out of the board of a seed."""
    board, outer = tracks.board(seed), tracks.outer()
    routes: list[Route] = []
    owner: dict[tuple[Tile, tuple[int, int]], int] = {}
    for begin, name in outer.items():
        if any(name == route.end for route in routes):
            continue
        place, tiles = begin, []
        while True:
            tile = place[:2]
            pair = next(pair for pair in board[tile] if place[2] in pair)
            owner[tile, pair] = len(routes)
            tiles.append(tile)
            last = (*tile, sum(pair) - place[2])
            if last in outer:
                break
            place = tracks.beyond(last)
        routes.append(Route(name, outer[last], tuple(tiles)))
    met: dict[tuple[int, int], list[Tile]] = {}
    for tile, pairs in board.items():
        for one, other in combinations(pairs, 2):
            a, b = owner.get((tile, one)), owner.get((tile, other))
            if crossings(one, other) and a is not None and b is not None and a != b:
                met.setdefault((min(a, b), max(a, b)), []).append(tile)
    return Railway(tuple(routes), {pair: tuple(tiles) for pair, tiles in met.items()})
