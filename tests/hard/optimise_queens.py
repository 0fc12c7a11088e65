"""Queens on the few free squares of a large board: a placement is checked at a glance, and hard to find."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial

from evaluator import *

DESCRIPTION = (
    "Can the model place 28 queens that attack none of the others, where each row has five free squares?"
)
TAGS = ["hard", "reasoning", "planning"]

PROMPT = """A board has {size} rows and {size} columns, both numbered from 1; the first line below is row 1, and its first sign is column 1. On each square with "o" a
queen may stand, on each "." none may:

{board}

The same as a list, each row with its columns that have an "o":

{listed}

Place {size} queens, one in each row, so that no two stand in one column or on one diagonal, at whatever distance (queens in rows r and s and in columns c
and d are on one diagonal if |r - s| = |c - d|; what stands between them does not matter). There is a way. Find one, without running any code. End your
reply with a line that begins with "Columns:" and has {size} numbers, separated by blanks: the column of the queen in row 1, in row 2, and so on."""

Free = tuple[tuple[int, ...], ...]  # the free columns of each row


def attacks(row: int, column: int, other: int, its: int) -> bool:
    """Whether two queens of different rows attack each other."""
    return column == its or abs(row - other) == abs(column - its)


def _lines(row: int, column: int) -> tuple[tuple[str, int], ...]:
    """The column and the diagonals of a square."""
    return ("|", column), ("/", row + column), ("\\", row - column)


@dataclass(frozen=True)
class Board:
    """Boards of one size. A board is taken if the usual search makes between `least` and `most` choices in each of `runs`
    runs until it has a placement (the fastest one counts), and if `repairs` steps of local repair lead to none."""

    name: str
    size: int
    free: int  # squares of a row
    least: int
    most: int
    repairs: int
    runs: int = 3

    def _placed(self, chance: random.Random) -> list[int]:
        """Any placement on the empty board: queens in pairs exchange their columns until none attacks another."""

        def apart(columns: Sequence[int]) -> int:
            return sum(len({row + sign * at for row, at in enumerate(columns)}) for sign in (1, -1))

        while True:
            columns = chance.sample(range(self.size), self.size)
            best = apart(columns)
            for _ in range(3000):
                if best == 2 * self.size:
                    return columns
                a, b = chance.sample(range(self.size), 2)
                columns[a], columns[b] = columns[b], columns[a]
                now = apart(columns)
                if now < best:
                    columns[a], columns[b] = columns[b], columns[a]
                best = max(now, best)

    def _drawn(self, chance: random.Random) -> tuple[Free, tuple[int, ...]]:
        """A board whose rows and columns all have the same number of free squares, so that these tell nothing, and its placement."""
        placed = self._placed(chance)
        count = [1] * self.size
        rows: list[list[int]] = [[column] for column in placed]
        for _ in range(self.free - 1):
            for row in chance.sample(range(self.size), self.size):
                column = min(
                    (each for each in range(self.size) if each not in rows[row]),
                    key=lambda each: (count[each], chance.random()),
                )
                rows[row].append(column)
                count[column] += 1
        return tuple(tuple(sorted(row)) for row in rows), tuple(placed)

    def stepped(
        self, free: Free, chance: random.Random, enough: int = 1
    ) -> tuple[list[tuple[int, ...]], int]:
        """Placements, until there are enough, and how many choices the usual search made: always the row with the fewest squares left;
        a choice is taken back once a row has no square, or the rows have too few columns. `most` choices at the most."""
        found: list[tuple[int, ...]] = []
        steps = 0
        tie = [chance.random() for _ in free]

        def goes_on(may: dict[int, Sequence[int]], at: dict[int, int]) -> bool:
            nonlocal steps
            if not may:
                found.append(tuple(at[row] for row in range(self.size)))
                return len(found) >= enough
            row = min(may, key=lambda each: (len(may[each]), tie[each]))
            for column in chance.sample(list(may[row]), len(may[row])):
                steps += 1
                if steps > self.most:
                    return True
                rest: dict[int, Sequence[int]] = {}
                for other, its in may.items():
                    if other != row:
                        rest[other] = [each for each in its if not attacks(row, column, other, each)]
                        if not rest[other]:
                            break
                else:
                    columns = {each for its in rest.values() for each in its}
                    if len(columns) >= len(rest) and goes_on(rest, {**at, row: column}):
                        return True
            return False

        goes_on(dict(enumerate(free)), {})
        return found, steps

    def repaired(self, free: Free, seed: int) -> tuple[list[int], int]:
        """The best placement of the usual local search, and how many of its queens are attacked: one that is attacked goes to the
        square of its row where the fewest attack it, now and then to any; after 400 steps it begins anew."""
        chance = random.Random(f"{self.name} {seed} repair")
        best: list[int] = []
        least = self.size + 1
        for step in range(self.repairs):
            if step % 400 == 0:
                at = [chance.choice(its) for its in free]
                lines = Counter(line for row, column in enumerate(at) for line in _lines(row, column))
            bad = [
                row for row, column in enumerate(at) if any(lines[line] > 1 for line in _lines(row, column))
            ]
            if len(bad) < least:
                best, least = list(at), len(bad)
            if not bad:
                break
            row = chance.choice(bad)
            lines.subtract(_lines(row, at[row]))
            hit = {column: sum(lines[line] for line in _lines(row, column)) for column in free[row]}
            at[row] = min(hit, key=lambda each: (hit[each], chance.random()))
            if chance.random() < 0.08:
                at[row] = chance.choice(free[row])
            lines.update(_lines(row, at[row]))
        return best, least

    @cache  # noqa: B019 - there are one or two boards
    def planted(self, seed: int) -> tuple[Free, tuple[int, ...]]:
        """The free squares, and the planted placement."""
        for attempt in range(10_000):
            chance = random.Random(f"{self.name} {seed} {attempt}")
            free, placed = self._drawn(chance)
            steps: list[int] = []
            while len(steps) < self.runs and (not steps or steps[-1] >= self.least):
                steps.append(self.stepped(free, chance)[1])
            if self.least <= min(steps) <= self.most and self.repaired(free, seed)[1]:
                return free, placed
        raise ValueError(f"no board for seed {seed}")

    def judge(self, seed: int, reply: str) -> tuple[Score, str]:
        """The share of queens that stand on free squares and attack none; passed if all do."""
        free, _ = self.planted(seed)
        lines = re.findall(r"(?im)^[ \t#>-]*columns[ \t]*:([^\n]{0,1000})", re.sub(r"[*_`|]", " ", reply))
        columns = [int(each) - 1 for each in re.findall(r"\d{1,6}", lines[-1] if lines else "")]
        if len(columns) != self.size:
            return Score(0.0, False), f"not {self.size} columns"
        told = []
        for row, column in enumerate(columns):
            hit = [n for n, its in enumerate(columns) if n != row and attacks(row, column, n, its)]
            if column not in free[row]:
                told.append(f"row {row + 1}: column {column + 1} is not free")
            elif hit:
                told.append(f"row {row + 1}: attacks row {hit[0] + 1}")
        return Score(1 - len(told) / self.size, not told), "; ".join(told)

    def build(self, seed: int) -> Node:
        """The test of a seed."""
        free, _ = self.planted(seed)
        board = "\n".join(
            "    " + "".join("o" if n in row else "." for n in range(self.size)) for row in free
        )
        listed = "\n".join(
            f"    {number:>2}: {' '.join(f'{each + 1:>2}' for each in row)}"
            for number, row in enumerate(free, 1)
        )
        question = PROMPT.format(size=self.size, board=board, listed=listed)
        return question >> LLMRun() >> PyFunc(partial(self.judge, seed))


TASK = Board("queens", size=28, free=5, least=1500, most=6000, repairs=4000)
build = TASK.build
