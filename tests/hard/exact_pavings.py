"""In how many ways boards of letters can be paved with small pieces that cover no letter twice: counted by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_number

DESCRIPTION = "Can the model count all ways to pave boards of letters with pieces that cover no letter twice?"
TAGS = ["hard", "reasoning", "counting"]

PROMPT = """A paving of a board divides it into pieces, so that each cell belongs to one piece. A piece is two cells with a common edge, or three neighbouring cells in a row or
in a column, or three cells of a square of two by two cells. No piece may hold the same letter twice. Two pavings are different if two cells belong to one piece in one
of them only; a paving that is the mirror image of another one counts as well.

{boards}

How many pavings has each board? Work it out without running any code. End your reply with {count} lines, one for each board, such as "Q1: 123"."""

Board = tuple[str, ...]
CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
SHAPES = (
    ((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)),
    *(tuple(each for each in CORNERS if each != corner) for corner in CORNERS),
)  # fmt: skip


def pieces(board: Board) -> list[int]:
    """All pieces, as sets of cells: a bit each."""
    rows, columns = len(board), len(board[0])
    found = []
    for row in range(rows):
        for column in range(columns):
            for shape in SHAPES:
                cells = [(row + down, column + right) for down, right in shape]
                if all(y < rows and x < columns for y, x in cells) and len(
                    {board[y][x] for y, x in cells}
                ) == len(cells):
                    found.append(sum(1 << y * columns + x for y, x in cells))
    return found


def pavings(board: Board) -> int:
    """How many there are: the pieces are laid on the first free cell, and what is covered is counted once."""
    by_first: dict[int, list[int]] = {}
    for piece in pieces(board):
        by_first.setdefault(piece & -piece, []).append(piece)
    everything = (1 << len(board) * len(board[0])) - 1
    ways = {0: 1}
    for cell in range(len(board) * len(board[0])):
        new: dict[int, int] = {}
        for covered, count in ways.items():
            if covered >> cell & 1:
                new[covered] = new.get(covered, 0) + count
                continue
            for piece in by_first.get(1 << cell, ()):
                if not piece & covered:
                    new[covered | piece] = new.get(covered | piece, 0) + count
        ways = new
    return ways.get(everything, 0)


@dataclass(frozen=True)
class Pavings:
    """Boards of so many letters, with `least` to `most` pavings each."""

    rows: int
    columns: int
    letters: str
    boards: int
    least: int
    most: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[Board, int], ...]:
        """The boards and their numbers of pavings, all different."""
        chance = random.Random(f"pavings {seed}")
        found: dict[int, Board] = {}
        while len(found) < self.boards:
            board = tuple("".join(chance.choices(self.letters, k=self.columns)) for _ in range(self.rows))
            count = pavings(board)
            if self.least <= count <= self.most:
                found[count] = board
        return tuple((board, count) for count, board in found.items())

    def wanted(self, seed: int) -> dict[str, int]:
        """The answers."""
        return {f"Q{n}": count for n, (_, count) in enumerate(self.puzzle(seed), 1)}

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        boards = [
            "\n".join((f"Q{n}:", *("    " + " ".join(row) for row in board)))
            for n, (board, _) in enumerate(self.puzzle(seed), 1)
        ]
        question = PROMPT.format(boards="\n\n".join(boards), count=self.boards)
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_number))


TASK = Pavings(rows=6, columns=6, letters="abc", boards=5, least=100, most=400)
build = TASK.build
