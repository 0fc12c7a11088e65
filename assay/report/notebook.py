"""Tables as a notebook shows them: coloured like the report's, with links to its pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.records import Cell, Table, Value
from assay.report.cells import RGB, alignment, ground, text_of

LONGEST = 100  # rows of a table at most
_RATIO = re.compile(r"(\d+)/(\d+)")
Page = Callable[[str, str], str]
"""(test, model) -> the path of its page, '' if there is none."""


def shortened(table: Table, more: str) -> Table:
    """The table with at most LONGEST rows. `more`: where to find the others."""
    if (left := len(table.rows) - LONGEST) <= 0:
        return table
    said = f"The first {LONGEST} rows; {left:,} more: {more}."
    return replace(table, rows=table.rows[:LONGEST], note=f"{said}\n{table.note}".strip())


def notebook_html(tables: Sequence[Table], page: Page, lead: str = "") -> str:
    """The tables as HTML, below the lines of `lead`; any text in them may be a model's. `page` gives the
    links of the table of tests."""
    from assay.report.environment import render

    tools = {"alignment": alignment, "ground": ground, "ratio_ground": _of_ratio, "text_of": text_of}
    return render("notebook", tables=tables, page=page, lead=lead, **tools)


def _of_ratio(cell: Value | Cell) -> RGB | None:
    """The colour of a cell such as "4/5"."""
    found = _RATIO.match(text_of(cell))
    if found is None or not int(found[2]):
        return None
    return ground(Cell(None, shade=int(found[1]) / int(found[2])))
