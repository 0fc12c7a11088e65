"""Fields of equal tiles and many equal marks in a picture, copied since thousands of areas would take too long to draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .drawing import Canvas

Mark = tuple[
    tuple[int, int, int], ...
]  # for each row of pixels its place, and the columns where the mark begins and ends


def lay(canvas: Canvas, left: int, top: int, rows: Iterable[Sequence[Canvas]]) -> None:
    """Copy the tiles, each drawn on a canvas of its own, row by row to the place that begins there."""
    for tiles in rows:
        for y in range(tiles[0].height):
            line = b"".join(tile.rows[y] for tile in tiles)
            canvas.rows[top + y][3 * left : 3 * left + len(line)] = line
        top += tiles[0].height


def mark(drawn: Canvas, x: int, y: int) -> Mark:
    """What is drawn in a dark colour on a white canvas, one piece in each row, as seen from the point."""
    found = []
    for row, pixels in enumerate(drawn.rows):
        before, end = (len(pixels) - len(pixels.lstrip(b"\xff"))) // 3, len(pixels.rstrip(b"\xff")) // 3
        if end:
            found.append((row - y, before - x, end - x))
    return tuple(found)


def stamp(canvas: Canvas, x: int, y: int, form: Mark, colour: str) -> None:
    """Draw the mark about a point."""
    for row, left, right in form:
        canvas.span(y + row, x + left, x + right, colour)
