"""Tables as a notebook shows them: coloured like the report's, with links to its pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.records import Cell, Table, Value
from assay.report.cells import RGB, alignment, ground, text_of

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
    from assay.report.environment import render

    tools = {"alignment": alignment, "ground": ground, "ratio_ground": _of_ratio, "text_of": text_of}
    return render("notebook", tables=tables, page=page, **tools)


def _of_ratio(cell: Value | Cell) -> RGB | None:
    """The colour of passed/counted."""
    found = _RATIO.match(text_of(cell))
    if found is None or not int(found[2]):
        return None
    return ground(Cell(None, shade=int(found[1]) / int(found[2])))
