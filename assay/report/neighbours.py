"""The links of a cell's page: to the tests before and after, the next failure, the same test by other
models."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from assay.gc_pause import gc_paused
from assay.report import wording
from assay.report.aggregate import CellKey
from assay.report.same_tests import Tested
from assay.report.tally import Tally


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


class Neighbourhood:
    """The neighbours of the cells of a grid. The next failure is of the same model, in any suite; after the
    last one follows the first."""

    @gc_paused()
    def __init__(self, rows: Iterable[Tested], models: Sequence[str], page: Callable[[CellKey], str]) -> None:
        """`page`: the file name of a cell."""
        self._page = page
        self._tried: dict[str, list[Tested]] = {model: [] for model in models}
        self._places: dict[str, dict[tuple[str, str], int]] = {model: {} for model in models}
        self._known: dict[tuple[str, str], list[Other]] = {}
        self._fails: dict[str, list[int]] = {model: [] for model in models}
        for row in rows:
            for model in models:
                if (cell := row.cells.get(model)) is None:
                    continue
                its = self._tried[model]
                self._places[model][row.suite, row.test] = len(its)
                if failed(cell):
                    self._fails[model].append(len(its))
                its.append(row)

    def of(self, suite: str, test: str, model: str) -> Neighbours:
        """The neighbours of a cell with trials."""
        its, fails, place = self._tried[model], self._fails[model], self._places[model][suite, test]
        following = fails[bisect(fails, place) % len(fails)] if fails else place
        return Neighbours(
            self._step(its[place - 1], model) if place else None,
            self._step(its[place + 1], model) if place + 1 < len(its) else None,
            self._step(its[following], model) if following != place else None,
            tuple([other for other in self._results(its[place]) if other.model != model]),
        )

    def _step(self, row: Tested, model: str) -> Step:
        return Step(row.test, self._page(CellKey(row.suite, row.test, model)))

    def _results(self, row: Tested) -> list[Other]:
        """The test by each model that has trials of it."""
        found = self._known.setdefault((row.suite, row.test), [])
        for model in () if found else self._tried:
            if (cell := row.cells.get(model)) is not None:
                text = wording.cell(cell)
                css = ("fail" if failed(cell) else "pass") if cell.counted else text
                found.append(Other(model, self._page(CellKey(row.suite, row.test, model)), css, text))
        return found
