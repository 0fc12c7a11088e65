"""A board of letters that slide to one side all together, and react by a table where they come up against others: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model slide a full board of letters that react by a table, sixty times, with every letter in its place?"
TAGS = ["hard", "reasoning", "game"]

LETTERS = "abcdef"
WAYS = ("left", "up", "right", "down")
Board = tuple[str, ...]
PROMPT = """A board has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells. A cell is empty, which is written as a dot, or holds a letter from a to {most}, or
a fixed stone, which is written as #. At the start:

{start}

A move shifts all letters to one side: left, right, up or down. In each row (for left and right) or column (for up and down) the letters are gone through
one after the other, the one nearest to that side first. Each slides to that side until the edge of the board, a stone or another
letter is directly ahead of it. If it is a letter, the table says what happens (rows: the letter that slides; columns: the one ahead of it):

{table}

- "-": nothing; the letter that slides stays behind it.
- "0": both vanish at once. (The letters that come later slide on over their cells.)
- a letter: both vanish, and this letter stands instead in the cell of the one ahead. It stays there until the end of the move and
  reacts with nothing in this move: a letter that comes up against it stays behind it.

Stones never move. After the letters have slid, those cells are filled from the supply that are empty and at the edge opposite to the
side of the move: after "left" those of the last column, after "right" those of the first column, both from the top down; after "up" those of the last row, after
"down" those of the first row, both from left to right. Letters of the supply do not slide or react before the next move.

The supply, the next letter first, in groups of ten only for the eye:

{supply}

The moves in their order:

{moves}

{ending}"""


def pressed(line: str, table: dict[str, str]) -> str:
    """A line after its letters slid to the left."""
    done: list[tuple[str, bool]] = []  # what stands, and whether it may react
    length = 0
    for k, cell in enumerate(line):
        if cell == "#":
            done += [(".", False)] * (k - length) + [("#", False)]
            length = len(done)
        elif cell != ".":
            ahead, ready = done[-1] if done else ("#", False)
            result = table[cell + ahead] if ready else "-"
            if result == "-":
                done.append((cell, True))
            else:
                done.pop()
                if result != "0":
                    done.append((result, False))
            length = len(done)
    return "".join(cell for cell, _ in done).ljust(len(line), ".")


def turned(board: Board) -> Board:
    """Rows made columns."""
    return tuple("".join(each) for each in zip(*board, strict=True))


def moved(board: Board, way: str, table: dict[str, str]) -> Board:
    """The board after letters slid."""
    if way in ("up", "down"):
        return turned(moved(turned(board), "left" if way == "up" else "right", table))
    step = 1 if way == "left" else -1
    return tuple(pressed(row[::step], table)[::step] for row in board)


def filled(board: Board, way: str, supply: str) -> tuple[Board, str]:
    """The board after its edge was filled, and what is left of the supply."""
    if way in ("up", "down"):
        board, supply = filled(turned(board), "left" if way == "up" else "right", supply)
        return turned(board), supply
    at, rows = (-1 if way == "left" else 0), []
    for row in board:
        cells = list(row)
        if cells[at] == ".":
            cells[at], supply = supply[0], supply[1:]
        rows.append("".join(cells))
    return tuple(rows), supply


@dataclass(frozen=True)
class Slides:
    """Boards of `size` rows and columns; `asked`: the moves after which the board is asked for; `active`: the mean
    number of cells that a move changes, at the least; `reactions`: how many pairs of letters react."""

    size: int
    stones: int
    reactions: int
    vanishing: int
    asked: tuple[int, ...]
    active: int

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[Board, dict[str, str], str, tuple[str, ...], dict[str, Board]]:
        """The board at the start, the table, the supply, the moves, and the boards asked for."""
        for attempt in range(1_000):
            chance = random.Random(f"slides {seed} {attempt}")
            pairs = [one + two for one in LETTERS for two in LETTERS]
            table = dict.fromkeys(pairs, "-")
            for number, pair in enumerate(chance.sample(pairs, self.reactions)):
                table[pair] = "0" if number < self.vanishing else chance.choice(LETTERS)
            cells = ["#"] * self.stones + ["."] * (self.size**2 // 3)
            cells += chance.choices(LETTERS, k=self.size**2 - len(cells))
            chance.shuffle(cells)
            start = board = tuple("".join(cells[k : k + self.size]) for k in range(0, len(cells), self.size))
            moves, found, changed = list[str](), {}, 0
            letters = supply = "".join(chance.choices(LETTERS, k=self.size * self.asked[-1]))
            for number in range(1, self.asked[-1] + 1):
                moves.append(chance.choice([way for way in WAYS if way not in moves[-1:]]))
                new, supply = filled(moved(board, moves[-1], table), moves[-1], supply)
                changed += sum(
                    a != b for one, two in zip(board, new, strict=True) for a, b in zip(one, two, strict=True)
                )
                board = new
                if number in self.asked:
                    found[f"After move {number}"] = board
            if changed >= self.active * len(moves):
                return start, table, letters[: len(letters) - len(supply) + 7], tuple(moves), found
        raise ValueError(f"no board for seed {seed}")

    def wanted(self, seed: int) -> dict[str, Board]:
        """The boards asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, table, supply, moves, _ = self.puzzle(seed)
        rows = ["it slides | ahead: " + "  ".join(LETTERS)]
        rows += [
            f"    {one}     |        " + "  ".join(table[one + two] for two in LETTERS) for one in LETTERS
        ]
        tens = [supply[k : k + 10] for k in range(0, len(supply), 10)]
        question = PROMPT.format(
            size=self.size,
            most=LETTERS[-1],
            start="\n".join(f"    {row}" for row in start),
            table="\n".join(f"    {row}" for row in rows),
            supply="\n".join("    " + " ".join(tens[k : k + 10]) for k in range(0, len(tens), 10)),
            moves="\n".join(f"    {number:>2}. {way}" for number, way in enumerate(moves, 1)),
            ending=ending("move", self.asked, f"the {self.size} rows of the board as above"),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Slides(size=10, stones=6, reactions=16, vanishing=4, asked=(15, 30, 45, 60), active=46)
build = TASK.build
