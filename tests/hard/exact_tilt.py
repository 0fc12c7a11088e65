"""A tray of stiff pieces that slide all together when it is tilted, join, and break when they are large: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model slide all pieces of a tray at once, tilt after tilt, and join and break them, with every cell in its place?"
TAGS = ["hard", "reasoning", "game"]

LETTERS = "abcd"
WAYS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
Place = tuple[int, int]
Tray = tuple[str, ...]
PROMPT = """A tray has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells and a rim around it. A cell is empty, which is written as a dot, or holds a
letter from a to d, or a fixed stone, which is written as #. At the start:

{start}

Cells with equal letters that are connected by neighbours of this letter, up, down, left or right, are one stiff piece; a single cell may be a piece too. The
tray is tilted {count} times. Each tilt goes like this:

1. The pieces are those of the tray at the beginning of the tilt: they neither join nor break while they slide. Every piece slides as a whole, without being
   turned, into the direction of the tilt, as far as it goes: until the rim, a stone or a piece that is stopped itself is directly ahead of one of its
   cells. All slide at the same time and equally fast, so that a piece ahead that still slides stops nobody. Stones do not move.
2. Now pieces that have come to lie beside others of the same letter are one piece with them.
3. All pieces that have {limit} cells or more at this moment break at once: in each of them the letters of those cells whose row number plus column
   number is even are changed, a to b, b to c, c to d and d to a; the other cells keep theirs. This is done once in a tilt, however large the pieces are
   that come from it, and nothing slides until the next tilt.

The tilts in their order:

{tilts}

{ending}"""


def pieces(tray: Tray) -> list[set[Place]]:
    """The connected cells of equal letters."""
    left = {(r, c) for r, row in enumerate(tray) for c, cell in enumerate(row) if cell in LETTERS}
    found = []
    while left:
        piece, edge = set(), [left.pop()]
        while edge:
            r, c = edge.pop()
            piece.add((r, c))
            for near in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if near in left and tray[near[0]][near[1]] == tray[r][c]:
                    left.remove(near)
                    edge.append(near)
        found.append(piece)
    return found


def slid(tray: Tray, way: str) -> Tray:
    """The tray after all pieces have slid, step by step."""
    down, right = WAYS[way]
    names = [tray[r][c] for r, c in (min(piece) for piece in pieces(tray))]
    where = pieces(tray)
    stones = {(r, c) for r, row in enumerate(tray) for c, cell in enumerate(row) if cell == "#"}
    side = range(len(tray))
    while True:
        owner = {place: number for number, piece in enumerate(where) for place in piece}
        ahead = [{(r + down, c + right) for r, c in piece} for piece in where]
        stopped = {
            number
            for number, places in enumerate(ahead)
            if any(p in stones or p[0] not in side or p[1] not in side for p in places)
        }
        todo = list(stopped)
        while todo:
            wall = where[todo.pop()]
            for number, places in enumerate(ahead):
                if number not in stopped and places & wall:
                    stopped.add(number)
                    todo.append(number)
        if len(stopped) == len(where):
            letters = {place: names[number] for place, number in owner.items()} | dict.fromkeys(stones, "#")
            return tuple("".join(letters.get((r, c), ".") for c in side) for r in side)
        where = [piece if n in stopped else ahead[n] for n, piece in enumerate(where)]


def broken(tray: Tray, limit: int) -> Tray:
    """The tray after its large pieces broke."""
    rows = [list(row) for row in tray]
    for piece in pieces(tray):
        if len(piece) >= limit:
            for r, c in piece:
                if (r + c) % 2 == 0:
                    rows[r][c] = LETTERS[(LETTERS.index(rows[r][c]) + 1) % len(LETTERS)]
    return tuple("".join(row) for row in rows)


def changes(one: Tray, other: Tray) -> int:
    """The number of cells that differ."""
    return sum(a != b for row, its in zip(one, other, strict=True) for a, b in zip(row, its, strict=True))


def same_axis(way: str, *before: str) -> bool:
    """Whether the last tilt was the same, or the last two were along the same line."""
    lines = {WAYS[each][0] == 0 for each in (way, *before)}
    return before[-1:] == (way,) or (len(before) == 2 and len(lines) == 1)


@dataclass(frozen=True)
class Tilts:
    """Trays of `size` rows and columns with so many filled cells and stones; pieces of `limit` cells break. `asked`: the
    tilts after which the tray is asked for; `active`: the fewest cells that a tilt changes."""

    size: int
    filled: int
    stones: int
    limit: int
    asked: tuple[int, ...]
    active: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[Tray, tuple[str, ...], dict[str, Tray]]:
        """The tray at the start, the tilts, and the trays asked for."""
        for attempt in range(1_000):
            chance = random.Random(f"tilt {seed} {attempt}")
            cells = ["#"] * self.stones + chance.choices(LETTERS, k=self.filled)
            cells += ["."] * (self.size**2 - len(cells))
            chance.shuffle(cells)
            start = tray = tuple("".join(cells[k : k + self.size]) for k in range(0, len(cells), self.size))
            tilts, found = list[str](), {}
            for number in range(1, self.asked[-1] + 1):
                ways = {
                    way: broken(slid(tray, way), self.limit)
                    for way in WAYS
                    if not same_axis(way, *tilts[-2:])
                }
                busy = [way for way, new in ways.items() if changes(tray, new) >= self.active]
                if not busy:
                    break
                tilts.append(chance.choice(busy))
                tray = ways[tilts[-1]]
                if number in self.asked:
                    found[f"After tilt {number}"] = tray
            else:
                return start, tuple(tilts), found
        raise ValueError(f"no tray for seed {seed}")

    def wanted(self, seed: int) -> dict[str, Tray]:
        """The trays asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, tilts, _ = self.puzzle(seed)
        question = PROMPT.format(
            size=self.size,
            start="\n".join(f"    {row}" for row in start),
            limit=self.limit,
            count=len(tilts),
            tilts="\n".join(f"    {number:>2}. {way}" for number, way in enumerate(tilts, 1)),
            ending=ending("tilt", self.asked, f"the {self.size} rows of the tray as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Tilts(size=12, filled=80, stones=5, limit=5, asked=(8, 16, 24, 32), active=40)
build = TASK.build
