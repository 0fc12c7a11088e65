"""A field of sixteen hundred tiles with two bends each: some turn, and then where do the lines lead?"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number
from .drawing import Canvas, circle
from .sheets import lines, numbers, paste

DESCRIPTION = "Can the model turn some of many small tiles in its mind, and then follow the lines over them?"
TAGS = ["hard", "vision", "rules"]

EDGE, INK = 40, "#26242c"
QUESTION = """The picture shows a field of {side} by {side} square tiles; the blue lines after every fifth row and column help with counting. Each tile bears two bends, quarter circles about two opposite corners, which
join the middles of two sides each. There are two kinds of tiles: those with bends about the top left and the bottom right corner, and those with bends about the top right and the bottom left corner.

Now all tiles turn by a quarter, at the same time, {turn} of their own kind. Neighbours are the tiles above, below, at the left and at the right, as they lie in the picture; a tile at the edge has fewer.

After that, lines lead over the tiles, bend by bend: either round about and back, or from one place at the edge of the field to another. Across each side between two tiles lies one line. Below, R12C30 is the side
between row 12, column 30 and row 12, column 31. How many bends has the whole line across each of these sides, in both directions as far as it goes?

{asked}

End your reply with {count} lines such as

{first}: 26
{second}: 108"""
TURNS = {
    1: "that have exactly one neighbour",
    2: "that have exactly two neighbours",
    3: "that have exactly three neighbours",
}
STEPS = {"L": (0, -1), "R": (0, 1), "T": (-1, 0), "B": (1, 0)}
# Which way a line goes on, by the way it goes: on tiles with bends about the top left (0) or top right (1) corner.
BENDS = ({"R": "T", "B": "L", "L": "B", "T": "R"}, {"R": "B", "T": "L", "L": "T", "B": "R"})

Tiles = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Bends:
    """`side` by `side` tiles of `size` pixels; `count` lines of `least` to `most` bends are asked for."""

    side: int
    size: int
    count: int
    least: int
    most: int

    @cache  # noqa: B019 - there is one of them
    def tiles(self, seed: int) -> tuple[Tiles, dict[str, int]]:
        """The tiles in the picture; the lines that are asked for by a side, with their bends."""
        chance, side = random.Random(f"bends {seed}"), self.side
        while True:
            tiles = tuple(tuple(chance.getrandbits(1) for _ in range(side)) for _ in range(side))
            turned = self.turned(tiles, self.turning(seed))
            found: dict[str, int] = {}
            known: set[tuple[int, int]] = set()
            places = [(y, x) for y in range(side) for x in range(side - 1)]
            for y, x in chance.sample(places, len(places)):
                if (y, x) not in known:
                    bends, sides = self.bends(turned, y, x)
                    known |= sides
                    if self.least <= bends <= self.most:
                        found[f"R{y + 1}C{x + 1}"] = bends
                        if len(found) == self.count:
                            return tiles, found

    @staticmethod
    def turning(seed: int) -> int:
        """How many neighbours of its kind make a tile turn."""
        return random.Random(f"bends turn {seed}").choice((1, 2, 3))

    def turned(self, tiles: Tiles, turn: int) -> Tiles:
        """The tiles after their turn."""
        last = self.side - 1
        return tuple(
            tuple(
                kind
                ^ (
                    turn
                    == (y > 0 and tiles[y - 1][x] == kind)
                    + (y < last and tiles[y + 1][x] == kind)
                    + (x > 0 and row[x - 1] == kind)
                    + (x < last and row[x + 1] == kind)
                )
                for x, kind in enumerate(row)
            )
            for y, row in enumerate(tiles)
        )

    def bends(self, tiles: Tiles, y: int, x: int) -> tuple[int, frozenset[tuple[int, int]]]:
        """How many bends the line across the right side of a tile has, and across which right sides it lies."""
        count, sides = 0, {(y, x)}
        for begin, way in (((y, x + 1), "R"), ((y, x), "L")):
            at = begin
            while 0 <= at[0] < self.side and 0 <= at[1] < self.side:
                count += 1
                way = BENDS[tiles[at[0]][at[1]]][way]
                if way in "LR":
                    sides.add((at[0], at[1] - (way == "L")))
                at = at[0] + STEPS[way][0], at[1] + STEPS[way][1]
                if (at, way) == ((y, x + 1), "R"):  # the line is closed
                    return count, frozenset(sides)
        return count, frozenset(sides)

    def wanted(self, seed: int) -> dict[str, int]:
        """The number of bends by the side."""
        return self.tiles(seed)[1]

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The field."""
        size, wide = self.size, self.side * self.size
        tiles = []
        for corners in (((0, 0), (size, size)), ((size, 0), (0, size))):
            tile = Canvas(size, size)
            for x, y in corners:
                tile.area([circle(x, y, size / 2 + 1.5), circle(x, y, size / 2 - 1.5)], INK)
            tiles.append(tile)
        canvas = Canvas(EDGE + wide + 8, EDGE + wide + 8)
        for y, row in enumerate(self.tiles(seed)[0]):
            for x, kind in enumerate(row):
                paste(canvas, tiles[kind], EDGE + x * size, EDGE + y * size)
        lines(canvas, EDGE, EDGE, self.side, self.side, size)
        numbers(canvas, EDGE, EDGE, self.side, self.side, size)
        return canvas.png()

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        names = list(self.wanted(seed))
        question = QUESTION.format(
            side=self.side,
            turn=TURNS[self.turning(seed)],
            asked=" ".join(names),
            count=self.count,
            first=names[0],
            second=names[1],
        )
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))
        )


TASK = Bends(side=40, size=24, count=28, least=12, most=160)
build = TASK.build
