"""Fields of many small squares, drawn quickly: a whole row of pixels at a time."""

from __future__ import annotations

from collections.abc import Sequence

from .drawing import Canvas

EDGE = 34  # pixels before the first row and column
BLACK, WHITE, BOLD, THIN = "#26242c", "#ffffff", "#2060d0", "#b0b0b0"


def field_of(field: Sequence[Sequence[int]], size: int) -> Canvas:
    """Squares of `size` pixels, 1 for black, with a blue line after every fifth row and column, and their numbers."""
    rows, columns = len(field), len(field[0])
    wide, high = columns * size, rows * size
    canvas = Canvas(EDGE + wide + 8, EDGE + high + 8)
    ink = [bytes.fromhex(colour[1:]) for colour in (WHITE, BLACK)]
    blue, grey = bytes.fromhex(BOLD[1:]), bytes.fromhex(THIN[1:])
    for y, row in enumerate(field):
        line = bytearray(b"".join(ink[cell] * size for cell in row))
        for place in range(1, columns):
            if place % 5:
                line[3 * place * size : 3 * place * size + 3] = grey
            else:
                line[3 * place * size - 3 : 3 * place * size + 3] = blue * 2
        for each in range(y * size, (y + 1) * size):
            canvas.rows[EDGE + each][3 * EDGE : 3 * (EDGE + wide)] = line
    for place in range(rows + 1):
        at, bold = EDGE + place * size, place % 5 == 0 or place == rows
        for each in (at - 1, at) if bold else (at,):
            canvas.span(each, EDGE, EDGE + wide, BOLD if bold else THIN)
        if bold and place and place % 5 == 0:
            canvas.text(EDGE / 2, at - size / 2, str(place), BOLD)
    canvas.rectangle(EDGE - 1, EDGE, EDGE + 1, EDGE + high, BOLD)
    canvas.rectangle(EDGE + wide - 1, EDGE, EDGE + wide + 1, EDGE + high, BOLD)
    for place in range(5, columns + 1, 5):
        canvas.text(EDGE + (place - 0.5) * size, EDGE / 2, str(place), BOLD)
    return canvas
