"""A table's values as text and colour, shared by terminal, Markdown, JSON and HTML."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal

from assay.records import Cell, Table, Value
from assay.report.sanitise import one_line

Align = Literal["left", "right", "center"]
RGB = tuple[int, int, int]

STEPS = 10
# Ends and middle of each scale, for terminals; report.css has the same for light and dark pages.
_SCALES: dict[str, tuple[RGB, RGB, RGB]] = {
    "rate": ((227, 139, 124), (247, 227, 161), (140, 202, 176)),
    "heat": ((242, 246, 250), (176, 204, 232), (110, 163, 216)),
    "gap": ((232, 160, 98), (244, 243, 240), (110, 163, 216)),
}
_OUTSIDE = re.compile(r"(?:(?:https?|file)://|\.{0,2}/|[\w.%-]+/)[\w./%~:@?&=#+,-]+", re.ASCII)
_NUMBER = re.compile(r"[-+<>$\u2265\u2212]?\s?\.?\d|unknown$")


def value_of(cell: Value | Cell) -> Value:
    return cell.value if isinstance(cell, Cell) else cell


def data_of(cell: Value | Cell) -> Value:
    """The value for JSON, which has neither NaN nor infinity: these are None."""
    value = value_of(cell)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def text_of(cell: Value | Cell) -> str:
    """The value on one line, for people.

    >>> text_of(0.1 + 0.2), text_of(None), text_of(Cell(0.5, "half"))
    ('0.3', '-', 'half')
    """
    if isinstance(cell, Cell) and cell.text:
        return one_line(cell.text)
    value = data_of(cell)
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return one_line(value) if isinstance(value, str) else str(value)


def address_of(cell: Value | Cell) -> str:
    """The address or path that a cell links to outside of a page, in harmless characters; '' for none.

    >>> address_of(Cell(1, link="report/cells/a-1.html")), address_of(Cell(1, link="a-page-of-the-suite"))
    ('report/cells/a-1.html', '')
    """
    link = cell.link if isinstance(cell, Cell) else ""
    return link if isinstance(link, str) and _OUTSIDE.fullmatch(link) else ""


def place_on_scale(cell: Value | Cell) -> float | None:
    """The cell's position on its colour scale, from 0 to 1; None if it has no colour."""
    if not isinstance(cell, Cell) or cell.shade is None or not math.isfinite(cell.shade):
        return None
    share = (cell.shade + 1) / 2 if cell.scale == "gap" else cell.shade
    return min(1.0, max(0.0, share))


def step(share: float) -> int:
    """0 to 10; only exactly none is 0, and only exactly all is 10."""
    return 0 if share <= 0 else STEPS if share >= 1 else min(STEPS - 1, max(1, round(share * STEPS)))


def shade_class(cell: Value | Cell) -> str:
    """The style sheet's name for a cell's colour: q0..q10, h0..h10, g0..g10, or ''."""
    share = place_on_scale(cell)
    if share is None or not isinstance(cell, Cell):
        return ""
    if cell.scale == "gap":  # only the middle, where neither is ahead, has no colour
        at = STEPS // 2 + round((share - 0.5) * STEPS) if share != 0.5 else STEPS // 2
        at += (share > 0.5) - (share < 0.5) if at == STEPS // 2 else 0
        return f"g{at}"
    return f"{'q' if cell.scale == 'rate' else 'h'}{step(share)}"


def ground(cell: Value | Cell) -> RGB | None:
    """The background of a cell on a terminal, below black text; None for the terminal's own."""
    share = place_on_scale(cell)
    if share is None or not isinstance(cell, Cell):
        return None
    low, middle, high = _SCALES[cell.scale]
    first, second, part = (low, middle, share * 2) if share < 0.5 else (middle, high, share * 2 - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(first, second, strict=True))
    return red, green, blue


def alignment(table: Table) -> list[Align]:
    """The alignment of each column: the table's own, else numbers, and text that begins like one, to the
    right."""
    columns = list(zip(*table.rows, strict=True)) if table.rows else [()] * len(table.columns)
    said = [*table.align, *[""] * len(columns)]
    return [_as_said(each) or _usual(column) for each, column in zip(said, columns, strict=False)]


def _as_said(align: str) -> Align | None:
    return align if align in ("left", "right", "center") else None  # type: ignore[return-value]


def _usual(column: Sequence[Value | Cell]) -> Align:
    known = False
    for cell in column:
        if value_of(cell) is not None:
            if not _NUMBER.match(text_of(cell)):
                return "left"
            known = True
    return "right" if known else "left"
