"""A board of letters that are shifted, turned, fall and vanish in groups: played by mind."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = "Can the model play a game of falling letters by mind, with every cell in its place?"
TAGS = ["hard", "reasoning", "game"]

LETTERS = "rgbyw"
Board = tuple[str, ...]  # rows from the top down; "." is an empty cell
PROMPT = """A board has {size} rows (1 is the top) and {size} columns (1 is at the left). Each cell holds a letter or is empty, which is written as a
dot. At the start:

{board}

A move is one of these:
- "row N left K": the cells of row N, empty ones too, move K places to the left; what leaves the row at its left end comes in at its right end.
  "row N right K" likewise the other way.
- "column N up K" and "column N down K": the same in a column.
- "turn right": the whole board is turned by a quarter clockwise: the top row becomes the column at the right. "turn left": by a quarter
  the other way.
- "exchange A B": each A on the board becomes a B, and each B an A.

After each move these things happen in this order:
1. The board settles (see below).
2. The columns are gone through from left to right. For each that has an empty cell at its top at that moment, the next letter of the supply is put
   into that cell, and falls at once.
3. The board settles again.

Settling: First every letter falls until there is no empty cell below it in its column. Then all groups of {least} or more equal letters are
found; cells belong to one group if they are connected by neighbours of the same letter, up, down, left or right. If there is none,
settling ends. Otherwise all these groups vanish at once, which gives points: each group as many as its number of cells times the number of the
round, 1 for the first vanishing of this settling, 2 for the second, and so on. Then it goes on with falling again.

The supply, the next letter first: {supply}

The moves:

{moves}

What does the board look like after moves {asked}, and how many points have there been by then? Play it without running any code.
End your reply with {count} lines, one for each of these moves: "After move N:", then the {size} rows from the top down with "/" between
them, and the points. An example of the form: {example}"""


@dataclass
class Game:
    """A board, how large a group must be to vanish, what comes next, and the points so far."""

    board: Board
    least: int
    supply: str
    points: int = 0
    vanished: int = 0

    def play(self, move: str) -> None:
        """Make a move, and all that follows."""
        self.board = moved(self.board, move)
        self._settle()
        for column in range(len(self.board)):
            if self.board[0][column] == ".":
                first, self.supply = self.supply[0], self.supply[1:]
                self.board = (replaced(self.board[0], column, first), *self.board[1:])
        self._settle()

    def _settle(self) -> None:
        number = 0
        while True:
            self.board = fallen(self.board)
            large = [group for group in groups(self.board) if len(group) >= self.least]
            if not large:
                return
            number += 1
            for group in large:
                self.points += number * len(group)
                self.vanished += 1
                for row, column in group:
                    self.board = (
                        *self.board[:row],
                        replaced(self.board[row], column, "."),
                        *self.board[row + 1 :],
                    )


def replaced(row: str, column: int, letter: str) -> str:
    """The row with another letter in a column."""
    return row[:column] + letter + row[column + 1 :]


def turned(board: Board) -> Board:
    """The rows made columns."""
    return tuple("".join(each) for each in zip(*board, strict=True))


def fallen(board: Board) -> Board:
    """The board with every letter as far down as it goes."""
    return turned(tuple(each.replace(".", "").rjust(len(board), ".") for each in turned(board)))


def moved(board: Board, move: str) -> Board:
    """The board after the move alone."""
    words = move.split()
    if words[0] == "turn":
        return turned(board[::-1]) if words[1] == "right" else turned(board)[::-1]
    if words[0] == "exchange":
        return tuple(row.translate(str.maketrans(words[1] + words[2], words[2] + words[1])) for row in board)
    at, steps = int(words[1]) - 1, int(words[3])
    if words[0] == "column":
        return turned(moved(turned(board), f"row {words[1]} {SIDE[words[2]]} {words[3]}"))
    cut = steps if words[2] == "left" else len(board) - steps
    return (*board[:at], board[at][cut:] + board[at][:cut], *board[at + 1 :])


SIDE = {"up": "left", "down": "right"}


def groups(board: Board) -> list[set[tuple[int, int]]]:
    """The connected cells of equal letters."""
    side = range(len(board))
    left = {(row, column) for row in side for column in side if board[row][column] != "."}
    found = []
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            row, column = edge.pop()
            group.add((row, column))
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if near in left and board[near[0]][near[1]] == board[row][column]:
                    left.remove(near)
                    edge.append(near)
        found.append(group)
    return found


def random_move(size: int, chance: random.Random) -> str:
    """Any move."""
    draw = chance.random()
    if draw < 0.2:
        return f"turn {chance.choice(['left', 'right'])}"
    if draw < 0.27:
        return "exchange " + " ".join(chance.sample(LETTERS, 2))
    line, ways = chance.choice([("row", ("left", "right")), ("column", ("up", "down"))])
    return f"{line} {chance.randint(1, size)} {chance.choice(ways)} {chance.randint(1, 3)}"


Puzzle = tuple[Board, int, str, tuple[str, ...], dict[str, tuple[str, int]]]


@dataclass(frozen=True)
class Games:
    """Games on boards of `size` rows and columns. `asked`: the moves after which the board is asked for, the last
    one at the end. `turns`, `vanished`: the fewest and the most moves that turn the board, and groups that vanish."""

    size: int
    asked: tuple[int, ...]
    turns: tuple[int, int]
    vanished: tuple[int, int]
    most_empty: int = 20  # cells at the start
    most_used: int = 80  # letters of the supply

    @cache  # noqa: B019 - there are two of them
    def puzzle(self, seed: int) -> Puzzle:
        """Start, least group, supply, moves, and what is wanted: "After move N" -> board and points."""
        for attempt in range(10_000):
            chance = random.Random(f"board {seed} {attempt}")
            least = chance.choice([3, 4])
            moves = tuple(random_move(self.size, chance) for _ in range(self.asked[-1]))
            rows = tuple("".join(chance.choices(LETTERS, k=self.size)) for _ in range(self.size))
            if not self.turns[0] <= sum(each.startswith("turn") for each in moves) <= self.turns[1]:
                continue
            supply = "".join(chance.choices(LETTERS, k=400))
            game = Game(rows, least, supply)
            game._settle()
            start, game.points, game.vanished = game.board, 0, 0
            if sum(row.count(".") for row in start) > self.most_empty:
                continue
            wanted = {}
            for number, move in enumerate(moves, 1):
                game.play(move)
                if number in self.asked:
                    wanted[f"After move {number}"] = "/".join(game.board), game.points
            used = len(supply) - len(game.supply)
            if self.vanished[0] <= game.vanished <= self.vanished[1] and used < self.most_used:
                return start, least, supply[: used + 6], moves, wanted
        raise ValueError(f"no game for seed {seed}")

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """An equal share for each board and each number of points; passed if all are right."""
        wanted, right, told = self.puzzle(seed)[-1], 0, []
        plain = re.sub(r"[*`_| ]", "", reply)
        row = f"[{LETTERS}.]{{{self.size}}}"
        for name, (board, points) in wanted.items():
            said = re.findall(rf"{name.replace(' ', '')}:({row}(?:/{row})*)[^\n\d]*(\d+)", plain)
            rows, count = said[-1] if said else ("", "-1")
            same = (rows == board, int(count) == points)
            right += sum(same)
            told += [] if all(same) else [f"{name}: {rows} {count}, not {board} {points}"]
        return Score(right / (2 * len(wanted)), right == 2 * len(wanted)), "\n".join(told)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, least, supply, moves, _ = self.puzzle(seed)
        full = ("rrgbyww" * 2)[: self.size]
        example = (
            f"After move {self.asked[0]}: " + "/".join(["." * self.size] * (self.size - 1) + [full]) + " 12"
        )
        question = PROMPT.format(
            size=self.size,
            board="\n".join(f"    {row}" for row in start),
            least=least,
            supply=supply,
            moves="\n".join(f"    {n:>2}. {move}" for n, move in enumerate(moves, 1)),
            asked=", ".join(map(str, self.asked[:-1])) + f" and {self.asked[-1]}",
            count=len(self.asked),
            example=example,
        )
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Games(size=7, asked=(5, 10, 15), turns=(2, 3), vanished=(14, 30))
build = TASK.build
