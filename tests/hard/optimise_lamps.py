"""As few lamps as possible that light all fields, where each field's lamp lights another figure: a minimal cover."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator import *

from .optima import Optima

DESCRIPTION = (
    "Can the model light all fields of a board with the fewest lamps, each of which lights an odd figure?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """A board has {rows} rows, {row_names}, and {columns} columns, 1 to {columns}. On each field a lamp may be put, and what it lights depends on the letter of the field:

{board}

These pictures tell, for each letter, which of the nine fields around a lamp it lights; the lamp is on the field in the middle, and it lights the fields with "#". (A lamp does not light
its own field unless there is a "#" in the middle. What would be beyond the edge of the board is lost. Lamps do not hinder each other.)

{pictures}

Light all {all} fields with as few lamps as possible. Work it out without running any code. It passes only if no smaller number of lamps would do. End your reply with a line that begins with "Answer:" and
has the fields of all lamps, such as "Answer: B7 D2 A11"."""

ROWS = "ABCDEFGH"
Figure = tuple[tuple[int, int], ...]  # rows and columns from the middle


@dataclass(frozen=True)
class Board:
    """The letter of each field, and which fields the lamps of each letter light."""

    letters: tuple[str, ...]
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Lamps(Optima[Board]):
    """Boards of one size with figures of `size` fields for each letter."""

    rows: int
    columns: int
    letters: str
    size: int

    WORD = r"\b[A-Z]\s?\d{1,2}\b"

    def drawn(self, chance: random.Random) -> Board | None:
        around = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1)]
        figures = tuple(tuple(sorted(chance.sample(around, self.size))) for _ in self.letters)
        letters = tuple("".join(chance.choices(self.letters, k=self.columns)) for _ in range(self.rows))
        board = Board(letters, figures)
        lit = {
            each
            for row in range(self.rows)
            for column in range(self.columns)
            for each in self.lit(board, row, column)
        }
        return board if len(lit) == self.rows * self.columns and len(set(figures)) == len(figures) else None

    def lit(self, board: Board, row: int, column: int) -> list[tuple[int, int]]:
        """The fields that a lamp lights."""
        figure = board.figures[self.letters.index(board.letters[row][column])]
        fields = ((row + down, column + right) for down, right in figure)
        return [(y, x) for y, x in fields if 0 <= y < self.rows and 0 <= x < self.columns]

    def best(self, board: Board) -> list[str]:
        """Column by column: the fewest lamps for each way in which the last two columns may be lit, all before them being so."""
        every = (1 << self.rows) - 1
        least = {(every, 0): 0}  # lit in the column before this one, and in this one
        steps: list[dict[tuple[int, int], tuple[tuple[int, int], int]]] = []
        for column in range(self.columns):
            choices = [(0, 0, 0)]
            for row in range(self.rows):
                bits = [0, 0, 0]
                for y, x in self.lit(board, row, column):
                    bits[x - column + 1] |= 1 << y
                choices += [(a | bits[0], b | bits[1], c | bits[2]) for a, b, c in choices]
            counted = [(*each, lamps, lamps.bit_count()) for lamps, each in enumerate(choices)]
            able = [[each for each in counted if not missing & ~each[0]] for missing in range(every + 1)]
            after: dict[tuple[int, int], int] = {}
            step: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
            for state, count in least.items():
                for _, here, right, lamps, more in able[every & ~state[0]]:
                    to = state[1] | here, right
                    if count + more < after.get(to, NEVER):
                        after[to] = count + more
                        step[to] = state, lamps
            least = after
            steps.append(step)
        state = min((each for each in least if each[0] == every), key=least.__getitem__)
        found = []
        for column in range(self.columns - 1, -1, -1):
            state, lamps = steps[column][state]
            found += [f"{ROWS[row]}{column + 1}" for row in range(self.rows) if lamps >> row & 1]
        return sorted(found, key=lambda name: (name[0], int(name[1:])))

    def cost(self, board: Board, words: Sequence[str]) -> int | None:
        fields = {(ROWS.find(word[0]), int(word[1:]) - 1) for word in words}
        if not all(0 <= row < self.rows and 0 <= column < self.columns for row, column in fields):
            return None
        lit = {each for row, column in fields for each in self.lit(board, row, column)}
        return len(fields) if len(lit) == self.rows * self.columns else None

    def asked(self, puzzles: Sequence[Board]) -> str:
        (board,) = puzzles
        rows = ["    " + " " * 2 + "".join(f"{n:>3}" for n in range(1, self.columns + 1))]
        rows += [
            f"    {name:>2}" + "".join(f"{letter:>3}" for letter in letters)
            for name, letters in zip(ROWS, board.letters, strict=False)
        ]
        pictures = ["    " + "   ".join(f"{letter}  " for letter in self.letters).rstrip()]
        for row in (-1, 0, 1):
            parts = ("".join(".#"[(row, column) in its] for column in (-1, 0, 1)) for its in board.figures)
            pictures.append("    " + "   ".join(parts))
        return PROMPT.format(
            rows=self.rows,
            row_names=f"{ROWS[0]} to {ROWS[self.rows - 1]}",
            columns=self.columns,
            all=self.rows * self.columns,
            board="\n".join(rows),
            pictures="\n".join(pictures),
        )


NEVER = 10**6
TASK = Lamps("lamps", count=1, rows=7, columns=12, letters="pqrstuvw", size=4)
build = TASK.build
