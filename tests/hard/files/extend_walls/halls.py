"""Halls, read from their files."""

from pathlib import Path

WAYS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}


class Fault(Exception):
    """What is wrong with a command or a hall."""


class Hall:
    def __init__(self, path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        self.signs = [line for line in lines if line and not line.startswith(";")]
        if len({len(row) for row in self.signs}) != 1 or set("".join(self.signs)) - set(".esb"):
            raise Fault("no good hall")
        self.rows, self.columns = len(self.signs), len(self.signs[0])

    def walls(self):
        """The number of walls, without the outer ones."""
        east = sum(each in "eb" for row in self.signs for each in row[:-1])
        return east + sum(each in "sb" for row in self.signs[:-1] for each in row)

    def next(self, at, way):
        """The square behind a side of a square, or the same one where a wall is ahead."""
        (row, column), (down, across) = at, WAYS[way]
        to = row + down, column + across
        if not (0 <= to[0] < self.rows and 0 <= to[1] < self.columns):
            return at
        first = self.signs[min(row, to[0])][min(column, to[1])]
        return at if first in ("sb" if down else "eb") else to


def names():
    """The names of all halls."""
    return sorted(path.stem for path in Path("halls").glob("*.txt"))


def hall(name):
    """The hall of a name."""
    if name not in names():
        raise Fault("no hall " + name)
    return Hall(Path("halls") / (name + ".txt"))
