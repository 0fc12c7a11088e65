"""How many positions a game of jumps and captures can come to after two and three moves: counted by mind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = (
    "Can the model count all positions that a game with jumps and captures can come to after three moves?"
)
TAGS = ["hard", "reasoning", "counting"]

PROMPT = """A game is played on a board of {rows} rows and {columns} columns by two players, one with the pieces o, one with the pieces x. They move in turns; o begins. Each moves one of
his own pieces, by a step or by a jump:

1. A step goes to an empty cell that has an edge in common with the piece's cell.
2. A jump goes straight (up, down, left or right) over one neighbouring piece, of either player, to the cell directly behind it, which must be empty. If the piece jumped over is
   the other player's, it is taken off the board.
3. After that, each piece of the other player is taken off as well that now stands directly between the piece just moved and another piece of the mover, in a row or in a column (three neighbouring
   cells in a line). So one move may take off several pieces. Who moves in between two pieces of the other player loses nothing by it.
4. A jump is a move of its own: there is only one in a turn. Nobody has to take pieces. A player may not pass.

These are {count} positions at the start ("." is an empty cell):

{boards}

For each of them: how many different positions can the board have after exactly two moves (one of o, one of x), and how many after exactly three moves (o, x, o)? Positions are
different if some cell holds something else; a position counts once however many ways lead to it, and mirror images count as different. Work it out without running any code.
End your reply with {lines} lines: for each start A line such as "A2: 45" for two moves and one such as "A3: 213" for three."""

Position = tuple[int, int]  # the cells of who moves next, and of the other one: a bit each
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@cache
def beside(rows: int, columns: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Of each cell the neighbours and what lies behind each, as bits; 0 is off the board."""

    def bit(row: int, column: int) -> int:
        return 1 << row * columns + column if 0 <= row < rows and 0 <= column < columns else 0

    return tuple(
        tuple((bit(row + y, column + x), bit(row + 2 * y, column + 2 * x)) for y, x in WAYS)
        for row in range(rows)
        for column in range(columns)
    )


def moves(position: Position, rows: int, columns: int) -> Iterator[Position]:
    """What a move can lead to, for the other player to move."""
    own, others = position
    taken, near = own | others, beside(rows, columns)
    for cell in range(rows * columns):
        if not own >> cell & 1:
            continue
        for next_, behind in near[cell]:
            goal = next_ if next_ & ~taken else behind & ~taken
            if next_ and goal:
                mine = own ^ 1 << cell | goal
                left = others & ~next_ if goal == behind else others
                for between, far in near[goal.bit_length() - 1]:
                    if left & between and mine & far:
                        left ^= between
                yield left, mine


@dataclass(frozen=True)
class Captures:
    """Boards with so many pieces of each player, and `least` to `most` positions after three moves."""

    rows: int
    columns: int
    pieces: int
    boards: int
    least: int
    most: int

    def after(self, positions: set[Position]) -> set[Position]:
        """The positions after one more move."""
        return {new for each in positions for new in moves(each, self.rows, self.columns)}

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[Position, int, int], ...]:
        """The starts with the numbers of positions after two and three moves."""
        chance, cells = random.Random(f"captures {seed}"), self.rows * self.columns
        found: list[tuple[Position, int, int]] = []
        while len(found) < self.boards:
            places = chance.sample(range(cells), 2 * self.pieces)
            start = sum(1 << n for n in places[: self.pieces]), sum(1 << n for n in places[self.pieces :])
            two = self.after(self.after({start}))
            three = self.after(two)
            lost = sum(each.bit_count() < self.pieces for _, each in two)
            if self.least <= len(three) <= self.most and lost * 10 > len(two):
                found.append((start, len(two), len(three)))
        return tuple(found)

    def wanted(self, seed: int) -> dict[str, int]:
        """The answers."""
        its = zip("ABCDEF", self.puzzle(seed), strict=False)
        return {f"{name}{n}": counts[n - 2] for name, (_, *counts) in its for n in (2, 3)}

    def drawn(self, start: Position) -> list[str]:
        """The rows of a board."""
        signs = [
            "o" if start[0] >> n & 1 else "x" if start[1] >> n & 1 else "."
            for n in range(self.rows * self.columns)
        ]
        return [" ".join(signs[n : n + self.columns]) for n in range(0, len(signs), self.columns)]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        starts = zip("ABCDEF", self.puzzle(seed), strict=False)
        question = PROMPT.format(
            rows=self.rows, columns=self.columns, count=self.boards, lines=2 * self.boards,
            boards="\n\n".join("\n    ".join((f"{name}:", *self.drawn(start))) for name, (start, *_) in starts),
        )  # fmt: skip
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Captures(rows=4, columns=4, pieces=4, boards=3, least=130, most=230)
build = TASK.build
