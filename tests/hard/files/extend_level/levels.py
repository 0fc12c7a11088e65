"""Levels, read from their files."""

from pathlib import Path

WAYS = {"7": (-1, -1), "8": (-1, 0), "9": (-1, 1), "4": (0, -1), "6": (0, 1), "1": (1, -1), "2": (1, 0), "3": (1, 1)}
POOL, BANK = "pool", "bank"


class Fault(Exception):
    """What is wrong with a command or a level."""


class Level:
    def __init__(self, path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        self.squares = [line for line in lines if line and not line.startswith(";")]
        if len({len(row) for row in self.squares}) != 1 or set("".join(self.squares)) - {"o", *WAYS}:
            raise Fault("no good level")
        self.rows, self.columns = len(self.squares), len(self.squares[0])

    def step(self, at):
        """Where a leaf on a square is carried."""
        row, column = at
        sign = self.squares[row][column]
        if sign == "o":
            return POOL
        to = row + WAYS[sign][0], column + WAYS[sign][1]
        return to if 0 <= to[0] < self.rows and 0 <= to[1] < self.columns else BANK

    def drift(self, at):
        """How the way of a leaf ends, its last square, and after how many steps."""
        passed = []
        while at not in passed:
            passed.append(at)
            after = self.step(at)
            if after == POOL:
                return POOL, at, len(passed) - 1
            if after == BANK:
                return BANK, at, len(passed)
            at = after
        return "whirl", at, len(passed)


def names():
    """The names of all levels."""
    return sorted(path.stem for path in Path("levels").glob("*.txt"))


def level(name):
    """The level of a name."""
    if name not in names():
        raise Fault("no level " + name)
    return Level(Path("levels") / (name + ".txt"))
