"""Right and wrong replies to exact_board; the game is played anew with lists of columns."""

from __future__ import annotations

from ..exact_board import TASK, Games


class Play:
    """The board as columns, each a list of cells from the bottom up."""

    def __init__(
        self, seed: int, task: Games, *, rounds: bool = True, later: bool = True, clockwise: bool = True
    ) -> None:
        rows, self.least, supply, self.moves, _ = task.puzzle(seed)
        self.n = n = task.size
        self.asked = task.asked
        self.cells = [[rows[n - 1 - y][x] for y in range(n)] for x in range(n)]
        self.supply, self.points = list(supply), 0
        self.rounds, self.later, self.clockwise = rounds, later, clockwise

    def shift(self, line: str, number: int, way: str, steps: int) -> None:
        n = self.n
        if line == "column":
            column = self.cells[number - 1]
            turn = steps if way == "down" else -steps
            self.cells[number - 1] = [column[(y + turn) % n] for y in range(n)]
            return
        y = n - number
        row = [self.cells[x][y] for x in range(n)]
        turn = steps if way == "left" else -steps
        for x in range(n):
            self.cells[x][y] = row[(x + turn) % n]

    def move(self, words: list[str]) -> None:
        n = self.n
        if words[0] == "turn":
            old = self.cells
            if (words[1] == "right") == self.clockwise:  # what was on top is now at the right
                self.cells = [[old[n - 1 - y][x] for y in range(n)] for x in range(n)]
            else:
                self.cells = [[old[y][n - 1 - x] for y in range(n)] for x in range(n)]
        elif words[0] == "exchange":
            other = {words[1]: words[2], words[2]: words[1]}
            self.cells = [[other.get(cell, cell) for cell in column] for column in self.cells]
        else:
            self.shift(words[0], int(words[1]), words[2], int(words[3]))

    def settle(self) -> None:
        step = 1
        while True:
            for column in self.cells:
                column.sort(key=lambda cell: cell == ".")
            gone = self.large()
            if not gone:
                return
            self.points += len(gone) * (step if self.rounds else 1)
            for x, y in gone:
                self.cells[x][y] = "."
            step += 1

    def large(self) -> set[tuple[int, int]]:
        found = set()
        n = self.n
        for x in range(n):
            for y in range(n):
                cell, group = self.cells[x][y], {(x, y)}
                grown = cell != "."
                while grown:
                    near = {
                        (a + c, b + d) for a, b in group for c, d in ((1, 0), (-1, 0), (0, 1), (0, -1))
                        if 0 <= a + c < n and 0 <= b + d < n and self.cells[a + c][b + d] == cell
                    }  # fmt: skip
                    grown = not near <= group
                    group |= near
                if cell != "." and len(group) >= self.least:
                    found |= group
        return found

    def reply(self) -> str:
        lines = ["I kept the board as columns."]
        n = self.n
        for number, move in enumerate(self.moves, 1):
            self.move(move.split())
            self.settle()
            for column in self.cells:
                if column[n - 1] == "." and self.supply:
                    column[n - 1] = self.supply.pop(0)
            if self.later:
                self.settle()
            else:
                for column in self.cells:
                    column.sort(key=lambda cell: cell == ".")
            if number in self.asked:
                rows = ["".join(column[y] for column in self.cells) for y in reversed(range(n))]
                lines.append(f"After move {number}: {'/'.join(rows)} {self.points}")
        return "\n".join(lines)


def right(seed: int, task: Games = TASK) -> list[str]:
    good = Play(seed, task).reply()
    return [good, good.replace("After", "**After").replace(": ", ":** `").replace(" points", "")]


def wrong(seed: int, task: Games = TASK) -> list[str]:
    good = Play(seed, task).reply()
    hurried = (
        Play(seed, task, rounds=False).reply(),
        Play(seed, task, later=False).reply(),
        Play(seed, task, clockwise=False).reply(),
    )
    return [
        *(each for each in hurried if each != good),  # a mistake may happen not to matter
        good[:-1] + str((int(good[-1]) + 1) % 10),
        good.replace("r", "g"),
        "I lost track of the board.",
    ]
