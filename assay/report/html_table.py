"""Tables for a page: colours as classes, links to other pages of the report, values to sort by."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.records import Cell, Table, Value
from assay.report.cells import alignment, data_of, shade_class, text_of, value_of

Links = Callable[[str | tuple[str, str]], str]
"""The address of a cell's link, '' if there is no such page."""

_CSS = {"left": "", "right": "num", "center": "mid"}
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def _nowhere(to: str | tuple[str, str]) -> str:
    return ""


@dataclass(frozen=True)
class TableView:
    """A table and the addresses of its cells' links, as the macro of exhibits.html.j2 prints it."""

    table: Table
    links: Links = _nowhere

    def columns(self) -> list[str]:
        """The class of each column."""
        return [_CSS[each] for each in alignment(self.table)]

    def cell(self, cell: Value | Cell, column: str) -> dict[str, Any]:
        """One cell as printed. `value`: the sort key, if it differs from the text."""
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
