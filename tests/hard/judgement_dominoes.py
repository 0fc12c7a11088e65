"""A game of dominoes on small boards, in which one player lays them upright and the other one flat: which first moves win?"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial
from string import ascii_lowercase

from evaluator import *

from .answers import judge_all

DESCRIPTION = (
    "Can the model tell all first moves that win on six small boards for dominoes, where each cell counts?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """Two players, U and F, lay dominoes on a board in turn. A domino covers two free cells that share a side. U lays each one upright (one cell above the other), F lays each one
flat (one cell beside the other). Dominoes do not overlap and are never moved. Whoever is to move and cannot has lost.

These are {count} boards. A dot is a free cell; cells with # do not exist. Columns have letters, rows have numbers.

{boards}

On each board U is to move. With which first moves can U then win whatever F does? That may be several, all or none. Work it out without running any code. End your
reply with {count} lines, one for each board, with its name and for all of these moves the upper cell of the domino, such as "B1: a2 c1", or "B1: none". It passes if on each
board exactly the right moves are named."""

Board = frozenset[tuple[int, int]]  # rows and columns of the free cells, from 0 on


class Play:
    """Who wins on a board, for one who knows all of it; cells are bits."""

    def __init__(self, board: Board):
        bits = {cell: 1 << n for n, cell in enumerate(sorted(board))}
        self.every = sum(bits.values())
        self.upright = {
            cell: bit | bits[below] for cell, bit in bits.items() if (below := (cell[0] + 1, cell[1])) in bits
        }
        self.flat = {
            cell: bit | bits[beside]
            for cell, bit in bits.items()
            if (beside := (cell[0], cell[1] + 1)) in bits
        }
        self.known: tuple[dict[int, bool], dict[int, bool]] = ({}, {})
        self.moves = (tuple(self.flat.values()), tuple(self.upright.values()))

    def wins(self, free: int, upright: bool) -> bool:
        """Whether whoever is to move wins."""
        known = self.known[upright]
        if free not in known:
            known[free] = any(
                free & move == move and not self.wins(free ^ move, not upright)
                for move in self.moves[upright]
            )
        return known[free]

    def good(self) -> tuple[tuple[int, int], ...]:
        """The first moves of U that win."""
        return tuple(cell for cell, move in self.upright.items() if not self.wins(self.every ^ move, False))


@dataclass(frozen=True)
class Boards:
    """Boards of so many free `cells`, on which one or two of `moves` or more first moves win, or on one of them none."""

    name: str
    count: int
    rows: int
    columns: int
    cells: int
    moves: int

    def _drawn(self, chance: random.Random) -> Board:
        """Cells that hang together."""
        free = {(chance.randrange(self.rows), chance.randrange(self.columns))}
        while len(free) < self.cells:
            beside = {
                (row + down, column + right)
                for row, column in free
                for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= row + down < self.rows and 0 <= column + right < self.columns
            }
            free.add(chance.choice(sorted(beside - free)))
        return frozenset(free)

    @cache  # noqa: B019 - there are one or two of them
    def boards(self, seed: int) -> dict[str, tuple[Board, tuple[tuple[int, int], ...]]]:
        """Name -> a board, and the first moves that win."""
        chance = random.Random(f"{self.name} {seed}")
        found: list[tuple[Board, tuple[tuple[int, int], ...]]] = []
        while len(found) < self.count:
            play = Play(board := self._drawn(chance))
            if len(play.upright) < self.moves or len(play.flat) < self.moves:
                continue
            good = play.good()
            if len(good) <= 2 and (good or all(its for _, its in found)):
                found.append((board, good))
        chance.shuffle(found)
        return {f"B{n}": each for n, each in enumerate(found, 1)}

    def wanted(self, seed: int) -> dict[str, str]:
        """The moves that win, by board."""
        return {
            name: " ".join(f"{ascii_lowercase[column]}{row + 1}" for row, column in good) or "none"
            for name, (_, good) in self.boards(seed).items()
        }

    def shown(self, name: str, board: Board) -> list[str]:
        """The board as text."""
        lines = [f"{name}:".ljust(6) + ascii_lowercase[: self.columns]]
        for row in range(self.rows):
            cells = ("." if (row, column) in board else "#" for column in range(self.columns))
            lines.append(f"    {row + 1} {''.join(cells)}")
        return lines

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        boards = [self.shown(name, board) for name, (board, _) in self.boards(seed).items()]
        rows = (
            "    ".join(parts)
            for n in range(0, self.count, 4)
            for parts in (*zip(*boards[n : n + 4], strict=True), ("",))
        )
        question = PROMPT.format(count=self.count, boards="\n".join(rows).rstrip())
        return question >> LLMRun() >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_cells))


def same_cells(said: str, wanted: str) -> bool:
    """Whether the same cells are named, in whatever order."""
    words = set(re.findall(r"[a-z]+ ?[0-9]*", said.lower().replace("and", " ")))
    return {word.replace(" ", "") for word in words} == set(wanted.split())


TASK = Boards("dominoes", count=6, rows=5, columns=5, cells=18, moves=7)
build = TASK.build
