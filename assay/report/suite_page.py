"""A suite's own page: its tables, pictures, texts and code, in the suite's order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from assay.records import Block, Table
from assay.report.environment import embedded, render, script
from assay.report.explanation import Pictures, as_data, pieces
from assay.report.figures import Drawings, FigureView
from assay.report.html_table import Links, TableView
from assay.report.markup import as_html, markdown
from assay.suites.exhibits import Columns, Figure, Item, Versus

ItemView = tuple[str, Any, str]
"""One item of a page: its kind (text, table, figure, block, columns or versus), its content, its id."""


@dataclass
class PageMaker:
    """Render the items of one page, and note which pictures it shows."""

    links: Links
    drawings: Drawings
    pictures: Pictures = field(default_factory=Pictures)
    drawn: list[FigureView] = field(default_factory=list)
    blocks: dict[str, Any] = field(default_factory=dict)  # id -> the pieces that steps.js shows there

    def render(self, title: str, suite: str, items: Iterable[Item]) -> str:
        """The whole page."""
        code, policy = script("theme.js", "tables.js", "steps.js", "blocks.js")
        views = self._views(items, count(1))
        blocks = embedded(self.blocks)
        return render(
            "suite_page", title=title, suite=suite, items=views, script=code, policy=policy, blocks=blocks
        )

    def _views(self, items: Iterable[Item], numbers: Iterable[int]) -> list[ItemView]:
        ids = iter(numbers)
        return [self._view(item, ids, f"i{next(ids)}") for item in items]

    def _view(self, item: Item, ids: Iterable[int], id: str) -> ItemView:
        if isinstance(item, str):
            return "text", as_html(markdown(item)), id
        if isinstance(item, Table):
            return "table", TableView(item, self.links), id
        if isinstance(item, Figure):
            self.drawn.append(self.drawings.add(item))
            return "figure", self.drawn[-1], id
        if isinstance(item, Block):
            self.blocks[id] = as_data(pieces(item, self.pictures))
            return "block", None, id
        if isinstance(item, Columns):
            return "columns", [(head, self._views(each, ids)) for head, each in item.columns], id
        if isinstance(item, Versus):
            tables = [
                (name, TableView(replace(table, sortable=False), self.links)) for name, table in item.tables
            ]  # cells are compared by position
            return "versus", (item, tables), id
        raise TypeError(
            f"a page shows strings, Tables, Figures, Blocks, Columns and Versus, not {item!r:.80}"
        )
