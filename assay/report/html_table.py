"""Tables for a page: colours by class, links that lead to other pages of the report, values to sort by."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.records import Cell, Table, Value
from assay.report.cells import alignment, data_of, shade_class, text_of, value_of

Links = Callable[[str | tuple[str, str]], str]
"""A cell's link to an address, '' if there is no such page."""

_CSS = {"left": "", "right": "num", "center": "mid"}
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True)
class Shown:
    """One cell as printed. `value`: what it is sorted by, where that is not its text."""

    text: str
    css: str
    value: str | None
    href: str
    hover: str
    outside: bool


@dataclass(frozen=True)
class TableView:
    """A table as its template prints it."""

    title: str
    note: str
    css: str
    heads: Sequence[tuple[str, str]]  # text, class
    rows: Sequence[Sequence[Shown]]
    sortable: bool


def table_view(table: Table, links: Links) -> TableView:
    """What to print for `table`."""
    css = [_CSS[each] for each in alignment(table)]
    return TableView(
        table.title,
        table.note,
        "compact" if table.compact else "",
        list(zip(table.columns, css, strict=True)),
        [[_shown(cell, css[at], links) for at, cell in enumerate(row)] for row in table.rows],
        table.sortable and len(table.rows) > 1,
    )


def _shown(cell: Value | Cell, align: str, links: Links) -> Shown:
    value, text = data_of(cell), text_of(cell)
    if value is None and text == "-":
        text = "\u2013"
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    sorts_by = "" if value_of(cell) is None else repr(value) if is_number and repr(value) != text else None
    if not isinstance(cell, Cell):
        return Shown(text, align, sorts_by, "", "", False)
    shade = shade_class(cell)
    outside = isinstance(cell.link, str) and _ADDRESS.match(cell.link) is not None
    href = str(cell.link) if outside else links(cell.link) if cell.link else ""
    return Shown(
        text, f"{align} {shade} shade".strip() if shade else align, sorts_by, href, cell.hover, outside
    )
