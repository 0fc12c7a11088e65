"""Cells and ranges by name."""

from dataclasses import dataclass

LAST_COLUMN, LAST_ROW = 8, 12


@dataclass(frozen=True)
class Place:
    """A cell as a formula names it."""

    column: int
    row: int
    column_fixed: bool = False
    row_fixed: bool = False

    def is_inside(self):
        return 1 <= self.column <= LAST_COLUMN and 1 <= self.row <= LAST_ROW

    def moved(self, columns, rows):
        """The same from another cell, so far away."""
        return Place(
            self.column if self.column_fixed else self.column + columns,
            self.row if self.row_fixed else self.row + rows,
            self.column_fixed,
            self.row_fixed,
        )

    def __str__(self):
        return f"{'$' * self.column_fixed}{letter(self.column)}{'$' * self.row_fixed}{self.row}"


@dataclass(frozen=True)
class Range:
    """Two opposite corners."""

    one: Place
    other: Place

    def is_inside(self):
        return self.one.is_inside() and self.other.is_inside()

    def moved(self, columns, rows):
        return Range(self.one.moved(columns, rows), self.other.moved(columns, rows))

    def __str__(self):
        return f"{self.one}:{self.other}"


def letter(column):
    return chr(ord("A") + column - 1)


def number(text):
    """The column of a letter."""
    return ord(text.upper()) - ord("A") + 1


def key(text):
    """A cell's key, (column, row), from its name without dollars."""
    return number(text[0]), int(text[1:])


def cells(place):
    """The keys of all cells of a place or range, in reading order."""
    if isinstance(place, Place):
        return [(place.column, place.row)]
    columns = sorted((place.one.column, place.other.column))
    rows = sorted((place.one.row, place.other.row))
    return [
        (column, row)
        for row in range(rows[0], rows[1] + 1)
        for column in range(columns[0], columns[1] + 1)
    ]
