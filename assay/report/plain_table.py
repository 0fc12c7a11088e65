"""Tables for files and pipes: every name whole, nothing folded, no colours, row after row."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TextIO

from assay.records import Table
from assay.report.cells import alignment, text_of
from assay.report.sanitise import one_line

GAP, RULE = "  ", "\u2500"


def columns_of(text: str) -> int:
    """How many columns of a terminal `text` takes.

    >>> columns_of("abc"), columns_of("\\u6f22\\u5b57"), columns_of("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def draw_plain(table: Table, out: TextIO) -> None:
    """Write `table` to `out`."""
    names = [one_line(column) for column in table.columns]
    widths = [columns_of(name) for name in names]
    aligned = alignment(table)
    for row in table.rows:
        for at, value in enumerate(row):
            widths[at] = max(widths[at], columns_of(text_of(value)))

    def line(cells: Sequence[str]) -> str:
        placed = []
        for cell, width, align in zip(cells, widths, aligned, strict=True):
            room = width - columns_of(cell)
            left = 0 if align == "left" else room if align == "right" else room // 2
            placed.append(" " * left + cell + " " * (room - left))
        return f" {GAP.join(placed)}".rstrip() + "\n"

    out.write(f"{one_line(table.title)}\n\n{line(names)}")
    out.write(f" {RULE * (sum(widths) + len(GAP) * (len(widths) - 1))}".rstrip() + "\n")
    for row in table.rows:
        out.write(line([text_of(value) for value in row]))
    notes = [one_line(note) for note in table.note.splitlines() if note.strip()]
    out.write("".join(f"\n{note}" for note in notes) + ("\n\n" if notes else "\n"))
