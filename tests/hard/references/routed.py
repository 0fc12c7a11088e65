"""The tracks of a board once more: pieces that end at the same point of the board belong together."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations

from ..look_tracks import ENDS, Tracks, crossings
from ..routes import Tile

Piece = tuple[Tile, tuple[int, int]]


@cache
def pieces_of(tracks: Tracks, seed: int) -> dict[frozenset[str], frozenset[Piece]]:
    """All pieces of each track that comes out of the board, by the names of its ends."""
    at: defaultdict[tuple[float, float], list[Piece]] = defaultdict(list)
    points = {}
    for (column, row), tile in tracks.board(seed).items():
        for pair in tile:
            piece = (column, row), pair
            points[piece] = [(3 * column + ENDS[end][0], 3 * row + ENDS[end][1]) for end in pair]
            for point in points[piece]:
                at[point].append(piece)
    names = {
        (3 * column + ENDS[end][0], 3 * row + ENDS[end][1]): name
        for (column, row, end), name in tracks.outer().items()
    }
    found = {}
    for begin in names:
        seen, ends, ahead = set(), set(), [begin]
        while ahead:
            point = ahead.pop()
            ends |= {names[point]} if point in names else set()
            for piece in at[point]:
                if piece not in seen:
                    seen.add(piece)
                    ahead += points[piece]
        found[frozenset(ends)] = frozenset(seen)
    return found


def met(one: frozenset[Piece], other: frozenset[Piece]) -> list[Tile]:
    """The tiles on which two tracks cross."""
    its = [*one, *other]
    return [
        a[0]
        for a, b in combinations(its, 2)
        if (a in one) != (b in one) and a[0] == b[0] and crossings(a[1], b[1])
    ]
