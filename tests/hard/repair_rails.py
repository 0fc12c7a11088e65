"""A table of tracks that is wrong in many lines, and the plan of the junction on which the tracks cross."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations

from evaluator import *

from .look_tracks import Place, Tracks, crossings
from .mended import mended, program

DESCRIPTION = "Can an agent mend a table of tracks by a plan on which fifty-four of them cross?"
TAGS = ["hard", "vision", "agent"]

OTHER = 5_000_000  # the boards are not those of look_tracks
PLAN = Tracks(columns=14, rows=13, side=66, asked=10_000)
WRONG = 13  # pairs of tracks that the table has exchanged
COMMAND = "python3 rails.py"
TASK = f"""rails (README.md) is a program that tells where trains come out of a junction. A signalman writes: "Trains come out at the wrong ends, at many of them! Somebody has mixed up
tracks in lines.txt where they cross. I send you the plan of the junction, which is right." The plan is the picture; it is not in the folder. Mend lines.txt by it: hidden orders decide whether every
train comes out where it should. The rest of the program is right.

The plan is a board of {PLAN.columns} by {PLAN.rows} square tiles between grey lines. On each tile there are four tracks, each of which joins two of the tile's eight ends, two on each side, and at a side each track goes on upon the
next tile. Tracks that cross on a tile have nothing to do with each other: each goes on smoothly, without a corner. Where tracks come out of the board their ends have names: T1 to T{2 * PLAN.columns} along the top and B1 to B{2 * PLAN.columns} along
the bottom, from left to right, L1 to L{2 * PLAN.rows} along the left and R1 to R{2 * PLAN.rows} along the right, from top to bottom; only every second name is written."""
Pairs = tuple[tuple[str, str], ...]


def along(seed: int, begin: Place) -> Iterator[tuple[Place, Place]]:
    """Where a track comes upon each tile, and where it leaves it."""
    board, place = PLAN.board(seed), begin
    while place[:2] in board:
        pair = next(pair for pair in board[place[:2]] if place[2] in pair)
        last = (*place[:2], sum(pair) - place[2])
        yield place, last
        place = PLAN.beyond(last)


@cache
def tracks(seed: int) -> Pairs:
    """The two ends of each track."""
    return tuple((one, other) for one, other in PLAN.wanted(OTHER + seed).items())


@cache
def mixed(seed: int) -> Pairs:
    """The table as it is: tracks that cross on some tile have exchanged their ends there."""
    chance, outer = random.Random(f"rails {seed}"), PLAN.outer()
    begins = {name: place for place, name in outer.items()}
    on: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = {}
    for n, (one, _) in enumerate(tracks(seed)):
        for (column, row, a), (_, _, b) in along(OTHER + seed, begins[one]):
            on.setdefault((column, row), []).append(((min(a, b), max(a, b)), n))
    meetings = [
        (n, m) for its in on.values() for (one, n), (other, m) in combinations(its, 2)
        if n != m and crossings(one, other)
    ]  # fmt: skip
    tiles = Counter(n for its in on.values() for _, n in its)
    meetings.sort(key=lambda pair: -min(tiles[n] for n in pair) * chance.uniform(0.5, 1))
    found, done = list(tracks(seed)), set[int]()
    for n, m in meetings:
        if not done & {n, m} and len(done) < 2 * WRONG:
            done |= {n, m}
            (one, its), (other, theirs) = found[n], chance.sample(found[m], 2)
            found[n], found[m] = (one, theirs), (other, its)
    return tuple(sorted((min(pair), max(pair)) for pair in found))


def table(pairs: Pairs) -> str:
    """The file of tracks."""
    return "".join(f"{one} {other}\n" for one, other in pairs)


def files_of(seed: int) -> Mapping[str, str]:
    """The program and its table."""
    return {**program("repair_rails"), "lines.txt": table(mixed(seed))}


def cases(seed: int) -> Sequence[tuple[str, str]]:
    """Trains from every end, and some that go through several times."""
    others = {a: b for pair in tracks(seed) for a, b in (pair, pair[::-1])}
    sides = {"T": PLAN.columns, "R": PLAN.rows, "B": -PLAN.columns, "L": -PLAN.rows}
    ring = [f"{side}{abs(n)}" for side, count in sides.items()
            for n in (range(1, 2 * count + 1) if count > 0 else range(2 * count, 0))]  # fmt: skip
    chance, found = random.Random(f"rails cases {seed}"), []
    for times in (1, 2, 3):
        orders, answers = [], []
        for n, end in enumerate(chance.sample(ring, len(ring)), 1):
            orders.append(f"G{n} {end} {times}\n")
            answers.append(f"G{n}")
            for _ in range(times):
                out = others[end]
                answers[-1] += f" {out}"
                end = ring[(ring.index(out) + 1) % len(ring)]
        found.append(("".join(orders), "\n".join(answers)))
    return found


def build(seed: int) -> Node:
    """The test of a seed."""
    picture = partial(PLAN.picture, OTHER + seed)
    return mended(picture, partial(files_of, seed), TASK, COMMAND, partial(cases, seed))
