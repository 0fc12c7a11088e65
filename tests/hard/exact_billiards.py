"""Balls on a board with six directions that turn each other where they meet, and gates that they change: by mind."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

from .states import ending, judge_states

DESCRIPTION = "Can the model move dozens of balls in six directions at once, through each other and gates, with every ball in its place?"
TAGS = ["hard", "reasoning", "game"]

WAYS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn"
Place = tuple[int, int]
PROMPT = """A board has {size} rows (1 is the top) and {size} columns (1 is at the left) of cells. A ball has one of six directions, and
a step leads it from row r and column c to

    direction 0: row r, column c + 1         direction 3: row r, column c - 1
    direction 1: row r + 1, column c         direction 4: row r - 1, column c
    direction 2: row r + 1, column c - 1     direction 5: row r - 1, column c + 1

To turn by k means to add k to the direction; directions count in a circle, so that 0 comes after 5. {count} balls are on the board at the start, written as
name, row, column, direction:

{balls}

Some cells have a gate with a number from 1 to 5, written as row,column: number.

{gates}

Each step goes like this:
1. All balls move at the same time. A ball whose move would lead it off the board stays where it is and turns by 3 instead. Balls do not meet on their
   way, only in cells.
2. Then each cell with two or more balls turns them, in the order of their names ({first} to {last}): with an even number of balls in the
   cell the first ball turns by 1, the second by 2, the third by 3 and so on; with an odd number the first turns by 5, the
   second by 4, the third by 3 and so on, the sixth by 0, the seventh by 5 again. Where a cell has two or more balls, its gate does nothing.
3. At the same time each ball that is alone in a cell with a gate turns by the number of the gate, and then this number changes: 1 becomes 2, 2 becomes 3, 3 becomes 4,
   4 becomes 5, 5 becomes 1. It does not matter whether the ball has just come or has stayed.

{ending}"""


@dataclass
class Board:
    """Balls by name, with row, column and direction, and the numbers of gates."""

    size: int
    balls: dict[str, tuple[int, int, int]]
    gates: dict[Place, int]
    met: int = 0  # balls that were turned by others or gates

    def step(self) -> None:
        """Move and turn all balls."""
        cells: dict[Place, list[str]] = {}
        for name, (row, column, way) in self.balls.items():
            r, c = row + WAYS[way][0], column + WAYS[way][1]
            if not (1 <= r <= self.size and 1 <= c <= self.size):
                r, c, way = row, column, (way + 3) % 6
            self.balls[name] = r, c, way
            cells.setdefault((r, c), []).append(name)
        for place, names in cells.items():
            if len(names) > 1:
                sign = -1 if len(names) % 2 else 1
                for number, name in enumerate(sorted(names), 1):
                    self._turn(name, sign * number)
            elif place in self.gates:
                self._turn(names[0], self.gates[place])
                self.gates[place] = self.gates[place] % 5 + 1

    def _turn(self, name: str, by: int) -> None:
        row, column, way = self.balls[name]
        self.balls[name] = row, column, (way + by) % 6
        self.met += 1

    def rows(self) -> tuple[str, ...]:
        """A row for each ball, and one for the gates."""
        balls = [f"{name} {row} {column} {way}" for name, (row, column, way) in sorted(self.balls.items())]
        return (*balls, " ".join(["gates", *(str(self.gates[place]) for place in sorted(self.gates))]))


@dataclass(frozen=True)
class Billiards:
    """Boards of `size` rows and columns with so many balls and gates; `asked`: the steps after which they are asked for."""

    size: int
    balls: int
    gates: int
    asked: tuple[int, ...]

    @cache  # noqa: B019 - there are few of them
    def puzzle(self, seed: int) -> tuple[tuple[str, ...], dict[Place, int], dict[str, tuple[str, ...]]]:
        """The balls at the start, the gates, and the states asked for."""
        chance = random.Random(f"billiards {seed}")
        cells = [(row, column) for row in range(1, self.size + 1) for column in range(1, self.size + 1)]
        places = zip(NAMES, chance.sample(cells, self.balls), strict=False)
        balls = {name: (row, column, chance.randrange(6)) for name, (row, column) in places}
        gates = {place: chance.randint(1, 5) for place in chance.sample(cells, self.gates)}
        board, found = Board(self.size, balls, dict(gates)), {}
        start = board.rows()[:-1]
        for number in range(1, self.asked[-1] + 1):
            board.step()
            if number in self.asked:
                found[f"After step {number}"] = board.rows()
        return start, gates, found

    def wanted(self, seed: int) -> dict[str, tuple[str, ...]]:
        """The states asked for."""
        return self.puzzle(seed)[-1]

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        start, gates, _ = self.puzzle(seed)
        names = NAMES[: self.balls]
        form = (
            f"a line for each ball in the order of the names, as above (for example {names[0]} 2 3 5), and a line with the word gates and the numbers of the "
            f"gates, in the order of the list above, with blanks between them"
        )
        question = PROMPT.format(
            size=self.size,
            count=self.balls,
            balls="\n".join(f"    {row}" for row in start),
            gates="    " + "  ".join(f"{r},{c}: {number}" for (r, c), number in sorted(gates.items())),
            first=names[0],
            last="Z, then a to " + names[-1] if names[-1].islower() else names[-1],
            ending=ending("step", self.asked, form),
        )
        return question >> LLMRun() >> PyFunc(partial(judge_states, partial(self.wanted, seed)))


TASK = Billiards(size=8, balls=36, gates=18, asked=(10, 20, 30, 40))
build = TASK.build
