"""The links of a cell's page: to the tests before and after, the next failure, the same test by other
models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from assay.gc_pause import gc_paused
from assay.report import wording
from assay.report.aggregate import CellKey
from assay.report.tally import Tally


class Tested(Protocol):
    """A row of the grid. `cells`: model -> tally."""

    @property
    def suite(self) -> str: ...
    @property
    def test(self) -> str: ...
    @property
    def cells(self) -> Mapping[str, Tally]: ...


class Step(NamedTuple):
    """A link to a page in the same folder: its title and its file name."""

    title: str
    page: str


class Other(NamedTuple):
    """The same test by another model. `css`: the outcome, as a class of the style sheet."""

    model: str
    page: str
    css: str
    text: str


class Neighbours(NamedTuple):
    """The cells around a cell in the grid. None at the ends of the grid."""

    before: Step | None = None
    after: Step | None = None
    failure: Step | None = None
    others: tuple[Other, ...] = ()


def failed(cell: Tally) -> bool:
    """Whether any trial with a verdict failed."""
    return cell.passed < cell.counted


@gc_paused()
def neighbours(
    rows: Sequence[Tested], models: Sequence[str], page: Callable[[CellKey], str], only: CellKey | None = None
) -> dict[CellKey, Neighbours]:
    """The neighbours of every cell with trials, or of `only` one. `page`: the file name of a cell. The next
    failure is of the same model, in any suite; after the last one follows the first."""

    def step(row: Tested, model: str) -> Step:
        return Step(row.test, page(CellKey(row.suite, row.test, model)))

    def wanted(row: Tested) -> bool:
        return only is None or only[:2] == (row.suite, row.test)

    every = {(row.suite, row.test): _others(row, models, page) for row in rows if wanted(row)}
    found: dict[CellKey, Neighbours] = {}
    for model in models if only is None else only[2:]:
        its = [row for row in rows if model in row.cells]
        fails = [place for place, row in enumerate(its) if failed(row.cells[model])]
        following = 0
        for place, row in enumerate(its):
            while following < len(fails) and fails[following] <= place:
                following += 1
            if wanted(row):
                next_fail = fails[following % len(fails)] if fails else place
                found[CellKey(row.suite, row.test, model)] = Neighbours(
                    step(its[place - 1], model) if place else None,
                    step(its[place + 1], model) if place + 1 < len(its) else None,
                    step(its[next_fail], model) if next_fail != place else None,
                    tuple(each for each in every[row.suite, row.test] if each.model != model),
                )
    return found


def _others(row: Tested, models: Sequence[str], page: Callable[[CellKey], str]) -> list[Other]:
    """A test by each model that has trials of it."""
    found = []
    for model in models:
        if (cell := row.cells.get(model)) is not None:
            text = wording.cell(cell)
            css = ("fail" if failed(cell) else "pass") if cell.counted else text
            found.append(Other(model, page(CellKey(row.suite, row.test, model)), css, text))
    return found
