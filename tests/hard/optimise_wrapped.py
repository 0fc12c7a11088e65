"""A shortest round trip on a map that is wrapped, where steps between places of one kind cost more: no outline helps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evaluator import *

from .optima import Optima

DESCRIPTION = (
    "Can the model find a shortest round trip through thirty places of a map whose edges are joined?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """A map is {width} wide and {width} high, and its edges are joined: who leaves it on the right comes in on the left at the same height, and who leaves it at the top comes in at the
bottom. There are {places} places on it, each of one of the kinds {kinds}. These are their numbers and kinds, with their coordinates x and y:

{listed}

With dx = |x1 - x2| and dy = |y1 - y2|, the way from one place to another is the smaller of dx and {width} - dx, plus the smaller of dy and {width} - dy, and {more} more if both places
are of the same kind.

Find the shortest round trip that visits each place exactly once and then goes back to the first. Work it out without running any code. It passes only if no other round trip is
shorter. End your reply with a line that begins with "Answer:" and has the numbers of all {places} places in their order, such as "Answer: 7 21 2 ...". The first one is not
repeated at the end."""

Trip = list[int]
Ways = list[list[int]]


@dataclass(frozen=True)
class Map:
    """The places, each with its kind, and a shortest trip."""

    places: tuple[tuple[int, int, str], ...]
    trip: tuple[int, ...]


def length_of(ways: Ways, trip: Sequence[int]) -> int:
    """The length of a round trip."""
    return sum(ways[a][b] for a, b in pairwise([*trip, trip[0]]))


def improved(ways: Ways, trip: Trip) -> Trip:
    """The trip once neither turning a piece around nor moving a short one makes it shorter."""
    size = len(trip)
    better = True
    while better:
        better = False
        for i in range(size - 2):
            a = trip[i]
            way = ways[a]
            for j in range(i + 2, size if i else size - 1):
                b, c, d = trip[i + 1], trip[j], trip[(j + 1) % size]
                if way[c] + ways[b][d] < way[b] + ways[c][d]:
                    trip[i + 1 : j + 1] = trip[j:i:-1]
                    better = True
        for long in (1, 2, 3):
            for _ in range(size):
                piece, rest = trip[:long], trip[long:]
                first, last = ways[piece[0]], ways[piece[-1]]
                saved = first[rest[-1]] + last[rest[0]] - ways[rest[-1]][rest[0]]
                more, at, turned = min(
                    min(
                        (first[a] + last[b] - ways[a][b], n, False),
                        (last[a] + first[b] - ways[a][b], n, True),
                    )
                    for n, (a, b) in enumerate(pairwise(rest), 1)
                )
                if more < saved:
                    rest[at:at] = reversed(piece) if turned else piece
                    trip = rest
                    better = True
                else:
                    trip = [*trip[1:], trip[0]]
    return trip


def searched(ways: Ways, chance: random.Random, kicks: int) -> Trip:
    """A short trip: again and again two pieces change places, and what comes of it is kept unless it is longer."""
    best = improved(ways, chance.sample(range(len(ways)), len(ways)))
    for _ in range(kicks):
        a, b, c = sorted(chance.sample(range(1, len(ways)), 3))
        trip = improved(ways, best[:a] + best[b:c] + best[a:b] + best[c:])
        if length_of(ways, trip) <= length_of(ways, best):
            best = trip
    return best


def none_below(ways: Ways, length: int, rounds: int) -> bool:
    """Whether it is proved that no trip is shorter: trees through all places with a ring at place 0 are no longer than trips, and places
    with more or fewer than two edges are made dearer or cheaper, so that the shortest tree comes near to a trip (M. Held and R. Karp, 1971)."""
    size = len(ways)
    toll = [0.0] * size
    pace = 1.0
    before = [0] * size
    for _ in range(rounds):
        edges = [0] * size
        total = 0.0
        near, by = [way + toll[1] + each for way, each in zip(ways[1], toll, strict=True)], [1] * size
        left = list(range(2, size))
        while left:
            nearest = min(left, key=near.__getitem__)
            left.remove(nearest)
            total += near[nearest]
            edges[nearest] += 1
            edges[by[nearest]] += 1
            way, own = ways[nearest], toll[nearest]
            for other in left:
                if way[other] + toll[other] + own < near[other]:
                    near[other], by[other] = way[other] + toll[other] + own, nearest
        ring = sorted((ways[0][n] + toll[0] + toll[n], n) for n in range(1, size))[:2]
        for more, n in ring:
            total += more
            edges[n] += 1
        edges[0] = 2
        bound = total - 2 * sum(toll)
        if bound > length - 2 + 0.001:  # all trips are of even length
            return True
        off = [n - 2 for n in edges]
        step = pace * (length - bound) / (sum(n * n for n in off) or 1)
        for n, each in enumerate(off):
            toll[n] += step * (0.7 * each + 0.3 * before[n])
        before = off
        pace *= 0.985
    return False


@dataclass(frozen=True)
class Wrapped(Optima[Map]):
    """Maps of so many places. Width and `more` are even, so that all trips are. Taken are those whose shortest trip a bound proves."""

    width: int
    places: int
    kinds: str
    more: int
    kicks: int
    rounds: int

    WORD = r"\d{1,6}"

    def ways(self, places: Sequence[tuple[int, int, str]]) -> Ways:
        """The ways between all places."""

        def way(a: tuple[int, int, str], b: tuple[int, int, str]) -> int:
            across, up = abs(a[0] - b[0]), abs(a[1] - b[1])
            same = self.more if a[2] == b[2] else 0
            return min(across, self.width - across) + min(up, self.width - up) + same

        return [[way(a, b) for b in places] for a in places]

    def drawn(self, chance: random.Random) -> Map | None:
        points = chance.sample(range(self.width * self.width), self.places)
        kinds = [self.kinds[n % len(self.kinds)] for n in range(self.places)]
        chance.shuffle(kinds)
        places = tuple(
            (point % self.width, point // self.width, kind) for point, kind in zip(points, kinds, strict=True)
        )
        ways = self.ways(places)
        trip = searched(ways, chance, self.kicks)
        return Map(places, tuple(trip)) if none_below(ways, length_of(ways, trip), self.rounds) else None

    def best(self, puzzle: Map) -> list[str]:
        return [str(n + 1) for n in puzzle.trip]

    def cost(self, puzzle: Map, words: Sequence[str]) -> int | None:
        trip = [int(word) - 1 for word in words]
        if len(trip) == self.places + 1 and trip[0] == trip[-1]:
            trip.pop()
        if sorted(trip) != list(range(self.places)):
            return None
        return length_of(self.ways(puzzle.places), trip)

    def asked(self, puzzles: Sequence[Map]) -> str:
        (puzzle,) = puzzles
        cells = [f"{n:>2} {kind} ({x}, {y})" for n, (x, y, kind) in enumerate(puzzle.places, 1)]
        rows = (cells[n : n + 5] for n in range(0, len(cells), 5))
        return PROMPT.format(
            width=self.width,
            places=self.places,
            kinds=f"{', '.join(self.kinds[:-1])} and {self.kinds[-1]}",
            more=self.more,
            listed="\n".join("    " + "  ".join(f"{cell:<14}" for cell in row).rstrip() for row in rows),
        )


TASK = Wrapped("wrapped", count=1, width=40, places=30, kinds="ABC", more=6, kicks=30, rounds=120)
build = TASK.build
