"""Small pictures set into a large one: a thousand signs are drawn as fast as the few that differ."""

from __future__ import annotations

from .drawing import Canvas


def stamp(canvas: Canvas, left: int, top: int, small: Canvas) -> None:
    """Cover a part of the canvas, which must hold it."""
    for y, row in enumerate(small.rows):
        canvas.rows[top + y][3 * left : 3 * (left + small.width)] = row
