"""A board of archers drawn as arrows: whom does no shot hit, and whom do two or more?"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .answers import judge_all, same_set
from .drawing import Canvas

DESCRIPTION = (
    "Can the model work out, from the picture of a board, all shots of two hundred archers under a few rules?"
)
TAGS = ["hard", "vision", "rules"]

COLOURS = {"red": "#d02020", "blue": "#2040d0", "green": "#108030"}
NORTH = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
EDGE, LONG, HEAD = 30, 12, 10  # pixels: around the board; half of an arrow; of its head
QUESTION = """The picture shows a board of {columns} columns (A to {last}) and {rows} rows (1 at the top) with red, blue and green archers. Each is an arrow that points in one of eight directions, along
the row, the column or a diagonal. The head of an arrow is filled or hollow.

All shoot once, at the same time, each in the direction of the arrow:
1. A shot flies from square to square and hits the first archer of another colour that it meets. Archers of its own colour do not stop it, but
2. it ends without hitting anybody before it would pass a third archer of its own colour, or at the edge of the board.
3. The shot of a hollow arrow flies over the first archer of another colour as if nobody stood there, and hits the second one.

End your reply with four lines: the squares of the red, the blue and the green archers who are not hit at all, and of all archers who are hit by two shots or more, such as

RED: A3 C1 D12
BLUE: F4 F7
GREEN: B1 K9
TWICE: B2 H7"""

Archer = tuple[str, int, bool]  # colour, direction (clockwise from the top), hollow


@dataclass(frozen=True)
class Volley:
    """`archers` on `columns` by `rows` squares of so many pixels."""

    columns: int
    rows: int
    archers: int
    size: int

    @cache  # noqa: B019 - there is one of them
    def board(self, seed: int) -> dict[tuple[int, int], Archer]:
        """The archers by column and row."""
        chance = random.Random(f"volley {seed}")
        squares = [(x, y) for x in range(self.columns) for y in range(self.rows)]
        return {
            square: (chance.choice([*COLOURS]), chance.randrange(8), chance.random() < 0.35)
            for square in sorted(chance.sample(squares, self.archers))
        }

    def hits(self, seed: int) -> dict[tuple[int, int], int]:
        """How many shots hit each archer."""
        board = self.board(seed)
        found = dict.fromkeys(board, 0)
        for (x, y), (colour, direction, hollow) in board.items():
            own = other = 0
            across, down = NORTH[direction]
            at = x + across, y + down
            while 0 <= at[0] < self.columns and 0 <= at[1] < self.rows and own < 3:
                if at in board:
                    own += board[at][0] == colour
                    other += board[at][0] != colour
                    if other > hollow:
                        found[at] += 1
                        break
                at = at[0] + across, at[1] + down
        return found

    def wanted(self, seed: int) -> dict[str, list[str]]:
        """The squares of each line."""
        board, hits = self.board(seed), self.hits(seed)
        unhit = {
            each.upper(): [name(square) for square in board if board[square][0] == each and not hits[square]]
            for each in COLOURS
        }
        return unhit | {
            "TWICE": [name(square) for square, number in hits.items() if number > 1],
        }

    @cache  # noqa: B019 - as above
    def picture(self, seed: int) -> bytes:
        """The board."""
        size = self.size
        canvas = Canvas(2 * EDGE + size * self.columns, 2 * EDGE + size * self.rows)
        for x in range(self.columns + 1):
            at = EDGE + x * size
            canvas.rectangle(at - 0.5, EDGE, at + 0.5, EDGE + size * self.rows, "#b8b8b8")
        for y in range(self.rows + 1):
            at = EDGE + y * size
            canvas.rectangle(EDGE, at - 0.5, EDGE + size * self.columns, at + 0.5, "#b8b8b8")
        for x in range(self.columns):
            for height in (EDGE / 2, EDGE * 1.5 + size * self.rows):
                canvas.text(EDGE + (x + 0.5) * size, height, name((x, 0))[0])
        for y in range(self.rows):
            for across in (EDGE / 2, EDGE * 1.5 + size * self.columns):
                canvas.text(across, EDGE + (y + 0.5) * size, str(y + 1))
        for (x, y), (colour, direction, hollow) in self.board(seed).items():
            self._arrow(canvas, x, y, COLOURS[colour], direction, hollow)
        return canvas.png()

    def _arrow(self, canvas: Canvas, x: int, y: int, colour: str, direction: int, hollow: bool) -> None:
        turn = math.radians(45 * direction)
        sin, cos = math.sin(turn), math.cos(turn)

        def point(ahead: float, aside: float) -> tuple[float, float]:
            middle_x, middle_y = EDGE + (x + 0.5) * self.size, EDGE + (y + 0.5) * self.size
            return middle_x + ahead * sin + aside * cos, middle_y - ahead * cos + aside * sin

        canvas.line([point(-LONG, 0), point(LONG - HEAD, 0)], 2.5, colour)
        canvas.area([[point(LONG, 0), point(LONG - HEAD, 7), point(LONG - HEAD, -7)]], colour)
        if hollow:
            canvas.area(
                [[point(LONG - 4.5, 0), point(LONG - HEAD + 2, 3.5), point(LONG - HEAD + 2, -3.5)]], "#ffffff"
            )

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        question = QUESTION.format(columns=self.columns, rows=self.rows, last=name((self.columns - 1, 0))[0])
        return (
            Image(partial(self.picture, seed))
            >> LLMVisionRun(question, llm=LLM)
            >> PyFunc(partial(judge_all, partial(self.wanted, seed), same_set))
        )


def name(square: tuple[int, int]) -> str:
    """A square's name, such as C7."""
    return f"{chr(65 + square[0])}{square[1] + 1}"


TASK = Volley(columns=25, rows=22, archers=200, size=42)
build = TASK.build
