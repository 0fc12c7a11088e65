"""Tables for a page: colours by class, links that lead to other pages of the report, values to sort by."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.records import Cell, Table, Value
from assay.report.cells import alignment, data_of, shade_class, text_of, value_of

Links = Callable[[str | tuple[str, str]], str]
"""A cell's link to an address, '' if there is no such page."""

_CSS = {"left": "", "right": "num", "center": "mid"}
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def _nowhere(to: str | tuple[str, str]) -> str:
    return ""


@dataclass(frozen=True)
class TableView:
    """A table and where its cells' links lead, as the macro of exhibits.html.j2 prints it."""

    table: Table
    links: Links = _nowhere

    def columns(self) -> list[str]:
        """The class of each."""
        return [_CSS[each] for each in alignment(self.table)]

    def cell(self, cell: Value | Cell, column: str) -> dict[str, Any]:
        """One cell of a column as printed. `value`: what it is sorted by, where that is not its text."""
        value, text, shade = data_of(cell), text_of(cell), shade_class(cell)
        if value is None and text == "-":
            text = "\u2013"
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        sorts_by = (
            "" if value_of(cell) is None else repr(value) if is_number and repr(value) != text else None
        )
        link, hover = (cell.link, cell.hover) if isinstance(cell, Cell) else ("", "")
        outside = isinstance(link, str) and _ADDRESS.match(link) is not None
        return {
            "text": text,
            "css": f"{column} {shade} shade".strip() if shade else column,
            "value": sorts_by,
            "href": link if outside else self.links(link) if link else "",
            "hover": hover,
            "outside": outside,
        }
