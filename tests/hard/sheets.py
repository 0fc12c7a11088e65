"""Large fields of squares and of small tiles in pictures: drawn by rows of pixels, as there are thousands."""

from __future__ import annotations

from collections.abc import Sequence

from .drawing import Canvas

DARK, FINE, BROAD = "#26242c", "#b4b4b4", "#2060d0"


def paste(canvas: Canvas, tile: Canvas, left: int, top: int) -> None:
    """Put a small picture on a large one."""
    for y, row in enumerate(tile.rows, top):
        canvas.rows[y][3 * left : 3 * (left + tile.width)] = row


def lines(canvas: Canvas, left: int, top: int, columns: int, rows: int, size: int) -> None:
    """Thin lines about all squares, with a broad one after every fifth."""
    wide, high = columns * size, rows * size
    for fives in (False, True):
        colour, thick = (BROAD, 2) if fives else (FINE, 1)
        for at in (n * size for n in range(rows + 1) if (n % 5 == 0) == fives):
            for y in range(at, at + thick):
                canvas.span(top + y, left, left + wide + thick, colour)
        pixels = bytes.fromhex(colour[1:]) * thick
        marks = [3 * (left + n * size) for n in range(columns + 1) if (n % 5 == 0) == fives]
        for row in canvas.rows[top : top + high + thick]:
            for x in marks:
                row[x : x + len(pixels)] = pixels


def field(canvas: Canvas, left: int, top: int, rows: Sequence[Sequence[int]], size: int) -> None:
    """Squares, of which those with a 1 are dark, and lines about them."""
    dark, light = bytes.fromhex(DARK[1:]) * size, b"\xff\xff\xff" * size
    for n, row in enumerate(rows):
        pixels = b"".join(dark if each else light for each in row)
        for y in range(top + n * size, top + (n + 1) * size):
            canvas.rows[y][3 * left : 3 * left + len(pixels)] = pixels
    lines(canvas, left, top, len(rows[0]), len(rows), size)


def numbers(canvas: Canvas, left: int, top: int, columns: int, rows: int, size: int) -> None:
    """The number of every fifth column above a field and of every fifth row at its left."""
    for n in range(5, columns + 1, 5):
        canvas.text(left + size * (n - 0.5), top - 14, str(n), BROAD)
    for n in range(5, rows + 1, 5):
        canvas.text(left - 5, top + size * (n - 0.5), str(n), BROAD, 2, 1)
