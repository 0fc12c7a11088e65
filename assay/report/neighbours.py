"""Where a cell's page leads: the tests before and after, the next failure, the same test of other models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assay.report.aggregate import Grid, Row
from assay.report.tally import Tally
from assay.uncollected import uncollected

Cell = tuple[str, str, str]  # suite, test, model


class Step(NamedTuple):
    """A link to a page in the same folder: what it is called, and its file's name."""

    title: str
    page: str


class Other(NamedTuple):
    """The same test by another model. `css`: the outcome, as a class of the style sheet."""

    model: str
    page: str
    css: str
    text: str


class Neighbours(NamedTuple):
    """What stands around a cell in the grid. None where the grid ends."""

    before: Step | None = None
    after: Step | None = None
    failure: Step | None = None
    others: tuple[Other, ...] = ()


def failed(cell: Tally | None) -> bool:
    """Whether any trial with a verdict failed."""
    return cell is not None and cell.passed < cell.counted


@uncollected()
def neighbours(grid: Grid, pages: Mapping[Cell, str]) -> dict[Cell, Neighbours]:
    """Of every cell with trials, in the order of the grid. `pages`: the names of the cells' files. The next
    failure is one of the same model, in any suite; behind the last one comes the first again."""
    found: dict[Cell, Neighbours] = {}
    every = {(row.suite, row.test): _models(grid, row, pages) for row in grid.rows}
    for model in grid.models:
        rows = [row for row in grid.rows if model in row.cells]
        fails = [place for place, row in enumerate(rows) if failed(row.cells[model])]
        following = 0
        for place, row in enumerate(rows):
            while following < len(fails) and fails[following] <= place:
                following += 1
            next_fail = fails[following % len(fails)] if fails else place
            found[row.suite, row.test, model] = Neighbours(
                _step(rows, place - 1, model, pages) if place else None,
                _step(rows, place + 1, model, pages) if place + 1 < len(rows) else None,
                _step(rows, next_fail, model, pages) if next_fail != place else None,
                tuple(each for each in every[row.suite, row.test] if each.model != model),
            )
    return found


def _step(rows: list[Row], place: int, model: str, pages: Mapping[Cell, str]) -> Step:
    row = rows[place]
    return Step(row.test, pages[row.suite, row.test, model])


def _models(grid: Grid, row: Row, pages: Mapping[Cell, str]) -> list[Other]:
    """A test by each model that has trials of it."""
    found = []
    for model in grid.models:
        cell = row.cells.get(model)
        if cell is not None:
            css = "skipped" if not cell.counted else "fail" if failed(cell) else "pass"
            text = f"{cell.passed}/{cell.counted}" if cell.counted else "error" if cell.errors else "skipped"
            css = "error" if not cell.counted and cell.errors else css
            found.append(Other(model, pages[row.suite, row.test, model], css, text))
    return found
