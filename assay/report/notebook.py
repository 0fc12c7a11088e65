"""Tables as a notebook shows them: coloured like the report's, with links to its pages."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.records import Cell, Table, Value
from assay.report.cells import alignment, ground, text_of

LONGEST = 100  # rows of a table that are shown
_RATIO = re.compile(r"(\d+)/(\d+)")
Page = Callable[[str, str], str]
"""Where the page of a test and a model is, '' if there is none."""


def shortened(table: Table, more: str) -> Table:
    """With at most LONGEST rows. `more`: where the others are."""
    if (left := len(table.rows) - LONGEST) <= 0:
        return table
    said = f"The first {LONGEST} rows; {left:,} more: {more}."
    return replace(table, rows=table.rows[:LONGEST], note=f"{said}\n{table.note}".strip())


def notebook_html(tables: Sequence[Table], page: Page) -> str:
    """Everything in `tables` may be a model's words. `page` is asked for the cells of the table of tests."""
    return "\n".join(_table(table, page if table.title == "Tests" else _nowhere) for table in tables)


def _nowhere(test: str, model: str) -> str:
    return ""


def _table(table: Table, page: Page) -> str:
    sides = alignment(table)
    head = "".join(
        f'<th style="text-align:{side}">{html.escape(str(name))}</th>'
        for name, side in zip(table.columns, sides, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            _cell(cell, side, page(text_of(row[0]), str(model)) if at else "")
            for at, (cell, side, model) in enumerate(zip(row, sides, table.columns, strict=True))
        )
        + "</tr>"
        for row in table.rows
    )
    title = f'<h4 style="margin:1em 0 .3em">{html.escape(table.title)}</h4>' if table.title else ""
    notes = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in table.note.splitlines() if note)
    return f"{title}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _cell(cell: Value | Cell, side: str, page: str) -> str:
    text = text_of(cell)
    inner = html.escape(text)
    if page:
        inner = f'<a href="{html.escape(page)}" style="color:inherit">{inner}</a>'
    behind = ground(cell) or _of_ratio(text)
    colours = f";background:rgb{behind};color:black".replace(" ", "") if behind else ""
    return f'<td style="text-align:{side}{colours}">{inner}</td>'


def _of_ratio(text: str) -> tuple[int, int, int] | None:
    """The colour of passed/counted."""
    found = _RATIO.match(text)
    if found is None or not int(found[2]):
        return None
    return ground(Cell(text, shade=int(found[1]) / int(found[2]), scale="rate"))
