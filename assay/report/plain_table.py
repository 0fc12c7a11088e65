"""Tables for files and pipes: every name whole, nothing folded, no colours, row after row."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from assay.records import Table
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


def draw_plain(table: Table, right: Sequence[bool], text: Callable[[Any], str], out: TextIO) -> None:
    """Write `table` to `out`. `right`: which columns stand to the right. `text`: a value as one line."""
    names = [one_line(column) for column in table.columns]
    widths = [columns_of(name) for name in names]
    for row in table.rows:
        for at, value in enumerate(row):
            widths[at] = max(widths[at], columns_of(text(value)))

    def line(cells: Sequence[str]) -> str:
        placed = []
        for cell, width, to_the_right in zip(cells, widths, right, strict=True):
            space = " " * (width - columns_of(cell))
            placed.append(space + cell if to_the_right else cell + space)
        return f" {GAP.join(placed)}".rstrip() + "\n"

    out.write(f"{one_line(table.title)}\n\n{line(names)}")
    out.write(f" {RULE * (sum(widths) + len(GAP) * (len(widths) - 1))}".rstrip() + "\n")
    for row in table.rows:
        out.write(line([text(value) for value in row]))
    notes = [one_line(note) for note in table.note.splitlines() if note.strip()]
    out.write("".join(f"\n{note}" for note in notes) + ("\n\n" if notes else "\n"))
