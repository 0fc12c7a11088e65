"""index.html: models ranked, tests x models, two models side by side, the suites' tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from assay.records import Outcome, Table
from assay.report import wording
from assay.report.aggregate import Grid, Row, pairs
from assay.report.environment import environment, script
from assay.report.sanitise import one_line, visible
from assay.report.tally import Tally

MAX_HOVERS = 6000  # cells; a larger grid leaves the hover texts to the cells' pages


@dataclass(frozen=True)
class CellView:
    """One cell as printed: q0..q10 colour it, `mark` counts what the ratio leaves out."""

    text: str
    css: str
    mark: str
    hover: str
    href: str


def cell_view(row: Row, model: str, href: str, hover: bool) -> CellView | None:
    """How the cell of a test and a model looks; None where there is no trial."""
    cell = row.cells.get(model)
    if cell is None:
        return None
    if cell.ratio is not None:
        text = wording.score(cell.score) if cell.score is not None else f"{cell.passed}/{cell.counted}"
        css = f"q{_step(cell.ratio)}"
    elif cell.errors:
        text, css = "error", "e"
    else:
        text, css = "skipped", "s"
    marks = [f"!{cell.errors}"] if cell.errors and cell.counted else []
    marks += [f"–{cell.skipped}"] if cell.skipped and (cell.counted or cell.errors) else []  # noqa: RUF001
    return CellView(text, css, " ".join(marks), _hover(row, model, cell) if hover else "", href)


def _step(ratio: float) -> int:
    """0..10; only none is 0 and only all is 10."""
    return 0 if ratio <= 0 else 10 if ratio >= 1 else min(9, max(1, round(ratio * 10)))


def _hover(row: Row, model: str, cell: Tally) -> str:
    said = []
    if cell.counted:
        said.append(f"{cell.passed} of {cell.counted} passed (95% interval {wording.interval(cell)})")
    if cell.errors:
        said.append(wording.count(cell.errors, "error"))
    if cell.skipped:
        said.append(f"{cell.skipped} skipped")
    if cell.cost:
        said.append(f"{wording.money(cell.cost / cell.trials)} a trial")
    if cell.seconds:
        said.append(f"{wording.duration(cell.seconds / cell.trials)} a trial")
    why = next((trial.error for trial in row.trials[model] if trial.error), "")
    if why and trial_broke(row, model):
        said.append(one_line(why, 120))
    return ", ".join(said)


def trial_broke(row: Row, model: str) -> bool:
    return any(trial.outcome in (Outcome.ERROR, Outcome.SKIPPED) for trial in row.trials[model])


def _data(grid: Grid) -> Markup:
    """What the page's script needs: for each cell [passed, counted, errors, skipped, mean score or null]."""
    rows = []
    for row in grid.rows:
        cells: list[Any] = []
        for model in grid.models:
            cell = row.cells.get(model)
            if cell is None:
                cells.append(0)
                continue
            numbers: list[Any] = [cell.passed, cell.counted, cell.errors, cell.skipped]
            if cell.score is not None:
                numbers.append(round(cell.score, 6))
            cells.append(numbers)
        rows.append(cells)
    compared = [[pair.tests, pair.wins, pair.losses, pair.p, pair.adjusted] for pair in pairs(grid)]
    data = {"models": [visible(model) for model in grid.models], "rows": rows, "pairs": compared}
    text = json.dumps(data, separators=(",", ":"))  # ASCII; the script element ends at "<" only
    return Markup(text.replace("<", "\\u003c"))


def render_grid(
    grid: Grid,
    tables: Sequence[Table],
    pages: Mapping[tuple[str, str, str], str],
    sources: Mapping[str, str],
) -> str:
    """The index page. `pages`: (suite, test, model) -> link; `sources`: test file -> link, '' for none."""
    code, policy = script("theme.js", "grid.js")
    hovers = len(grid.rows) * len(grid.models) <= MAX_HOVERS
    sections = []
    for suite in grid.suites:
        lines = [
            {
                "row": row,
                "source": sources.get(row.source, ""),
                "cells": [
                    cell_view(row, model, pages.get((suite, row.test, model), ""), hovers)
                    for model in grid.models
                ],
                "step": _step(row.total.ratio) if row.total.ratio is not None else None,
            }
            for row in grid.rows
            if row.suite == suite
        ]
        totals = [grid.by_suite.get((suite, model)) for model in grid.models]
        sections.append({"suite": suite, "lines": lines, "totals": totals})
    newest = max(
        (trial.started_at for row in grid.rows for t in row.trials.values() for trial in t), default=""
    )
    return environment().get_template("index.html.j2").render(
        grid=grid,
        sections=sections,
        tables=tables,
        tags=sorted({tag for row in grid.rows for tag in row.tags}),
        newest=newest[:16].replace("T", " "),
        names=[_split(model) for model in grid.models],
        data=_data(grid),
        script=code,
        policy=policy,
        is_number=lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    )  # fmt: skip


def _split(model: str) -> tuple[str, str]:
    """Provider and name: ('openai/', 'gpt-4o')."""
    provider, slash, name = model.rpartition("/")
    return provider + slash, name
