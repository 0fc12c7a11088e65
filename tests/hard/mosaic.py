"""Fields of equal tiles in a picture, copied whole since thousands of areas would take too long to draw."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .drawing import Canvas


def lay(canvas: Canvas, left: int, top: int, rows: Iterable[Sequence[Canvas]]) -> None:
    """Copy the tiles, each drawn on a canvas of its own, row by row to the place that begins there."""
    for tiles in rows:
        for y in range(tiles[0].height):
            line = b"".join(tile.rows[y] for tile in tiles)
            canvas.rows[top + y][3 * left : 3 * left + len(line)] = line
        top += tiles[0].height
