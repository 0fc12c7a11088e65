"""Small pictures set into a large one: a thousand signs are drawn as fast as the few that differ."""

from __future__ import annotations

from collections.abc import Sequence

from .drawing import Canvas

EDGE, BLUE, FINE = 34, "#2060d0", "#c8c8c8"  # EDGE: pixels before the first row and column


def stamp(canvas: Canvas, left: int, top: int, small: Canvas) -> None:
    """Cover a part of the canvas, which must hold it."""
    for y, row in enumerate(small.rows):
        canvas.rows[top + y][3 * left : 3 * (left + small.width)] = row


def square(size: int, ground: str = "#ffffff") -> Canvas:
    """A square with a thin line at its left and its top."""
    canvas = Canvas(size, size, ground)
    canvas.rectangle(0, 0, size, 1, FINE)
    canvas.rectangle(0, 0, 1, size, FINE)
    return canvas


def sheet(field: Sequence[Sequence[int]], signs: Sequence[Canvas]) -> Canvas:
    """Rows of squares, each the sign of its number, with a blue line after every fifth row and column."""
    size, rows, columns = signs[0].width, len(field), len(field[0])
    wide, high = size * columns, size * rows
    canvas = Canvas(EDGE + wide + 8, EDGE + high + 8)
    for y, row in enumerate(field):
        for x, number in enumerate(row):
            stamp(canvas, EDGE + x * size, EDGE + y * size, signs[number])
    for n in {*range(0, columns + 1, 5), columns}:
        stamp(canvas, EDGE + n * size - 1, EDGE, Canvas(2, high, BLUE))
    for n in {*range(0, rows + 1, 5), rows}:
        stamp(canvas, EDGE, EDGE + n * size - 1, Canvas(wide, 2, BLUE))
    for n in range(5, max(columns, rows) + 1, 5):
        at = EDGE + (n - 0.5) * size
        if n <= columns:
            canvas.text(at, EDGE / 2, str(n), BLUE)
        if n <= rows:
            canvas.text(EDGE / 2, at, str(n), BLUE)
    return canvas
