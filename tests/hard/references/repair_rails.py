"""Right and wrong work on repair_rails: the tracks of a tile are read from the pixels of the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from evaluator import Call

from ..look_tracks import EDGE, Tile, tiles, track
from ..repair_rails import OTHER, PLAN, mixed, table, tracks
from .mended import Writes
from .pixels import Pixels


@cache
def _marks(tile: Tile) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Pixels on each track of a tile."""
    side = PLAN.side / 3
    return tuple(tuple((round(x * side), round(y * side)) for x, y in track(*pair, 7)[1:-1]) for pair in tile)


@cache
def _read(seed: int) -> tuple[tuple[str, str], ...]:
    """The two ends of each track: the only tile all of whose tracks are dark says where they go on."""
    pixels, outer = Pixels(PLAN.picture(OTHER + seed)), PLAN.outer()
    seen: dict[tuple[int, int], Tile] = {}

    def tile(column: int, row: int) -> Tile:
        if (column, row) not in seen:
            left, top = EDGE + PLAN.side * column, EDGE + PLAN.side * row
            dark = {
                pair: all(
                    any(pixels.is_dark(left + x + a, top + y + b) for a in (0, -1) for b in (0, -1))
                    for x, y in marks
                )
                for pair, marks in _every()
            }
            fitting = [each for each in tiles() if all(dark[pair] for pair in each)]
            (seen[column, row],) = fitting
        return seen[column, row]

    found, done = [], set[str]()
    for begin, name in outer.items():
        if name in done:
            continue
        place = begin
        while True:
            pair = next(pair for pair in tile(*place[:2]) if place[2] in pair)
            last = (*place[:2], sum(pair) - place[2])
            place = PLAN.beyond(last)
            if last in outer and not (0 <= place[0] < PLAN.columns and 0 <= place[1] < PLAN.rows):
                break
        found.append((outer[last], name))
        done |= {name, outer[last]}
    return tuple(found)


@cache
def _every() -> tuple[tuple[tuple[int, int], tuple[tuple[int, int], ...]], ...]:
    pairs = sorted({pair for each in tiles() for pair in each})
    return tuple((pair, _marks((pair,))[0]) for pair in pairs)


def _lines(pairs: Iterable[tuple[str, str]]) -> Writes:
    return Writes("lines.txt", lambda: table(tuple(pairs)))


def _slipped(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Some tracks followed wrongly where they cross."""
    pairs = list(tracks(seed))
    for n in range(count):
        (a, b), (c, d) = pairs[2 * n : 2 * n + 2]
        pairs[2 * n : 2 * n + 2] = [(a, c), (d, b)]
    yield from pairs


def _half(seed: int) -> Iterator[tuple[str, str]]:
    """Half of what is wrong was found."""
    yield from tracks(seed)[:27]
    yield from (
        pair for pair in mixed(seed) if not {*pair} & {end for each in tracks(seed)[:27] for end in each}
    )


def right(seed: int) -> list[object]:
    return [Writes("lines.txt", lambda: table(_read(seed)[::-1]))]


def wrong(seed: int) -> list[object]:
    return [
        _lines(_slipped(seed, 1)),
        _lines(_slipped(seed, 9)),
        _lines(_half(seed)),
        _lines(mixed(seed)),
        [Call("shell", command="cat README.md lines.txt"), "The tracks cannot be followed."],
    ]
