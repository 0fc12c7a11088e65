"""Trays, read from their files."""

import re
from pathlib import Path

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Fault(Exception):
    """What is wrong with a command or a tray."""


class Tray:
    def __init__(self, path):
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        rows = [line.split() for line in lines if line and not line.startswith(";")]
        if len({len(row) for row in rows}) != 1 or len(rows[0]) > len(LETTERS):
            raise Fault("rows must have the same number of entries")
        for each in (each for row in rows for each in row):
            if not re.fullmatch("0|-?[1-8]", each):
                raise Fault("no entry: " + each)
        self.fields = [[int(each) for each in row] for row in rows]

    def place(self, name):
        """Row and column of a field, from 0."""
        found = re.fullmatch("([A-Z])([1-9][0-9]?)", name.upper())
        if not found:
            raise Fault("no field " + name)
        row, column = int(found[2]) - 1, LETTERS.index(found[1])
        if row >= len(self.fields) or column >= len(self.fields[0]):
            raise Fault("no field " + name)
        return row, column


def names():
    """The names of all trays."""
    return sorted(path.stem for path in Path("trays").glob("*.txt"))


def tray(name):
    """The tray of a name."""
    if name not in names():
        raise Fault("no tray " + name)
    return Tray(Path("trays") / (name + ".txt"))
