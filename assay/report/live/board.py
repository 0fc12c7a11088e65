"""The grid during a run: what is known of each cell, and what changed since a browser last asked."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.records import TrialRecord
from assay.report.aggregate import (
    CellKey,
    Facts,
    Grid,
    Row,
    Sums,
    add_up,
    best_first,
    make_row,
    suite_order,
)
from assay.report.cell_page import page_name
from assay.report.grid_page import MAX_HOVERS, cell_view, numbers, suite_total, total_text
from assay.report.neighbours import Neighbourhood, Neighbours
from assay.report.packs import number_of
from assay.report.same_tests import Key, SameTests
from assay.report.tally import Tally, count, counts_by_score
from assay.results.causes import of_record
from assay.results.conditions import self_judged
from assay.results.merging import Merge
from assay.results.natural_order import natural


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a trial's line in a results file; explanations are not kept in memory. `later`:
    TrialRecord.later, which the line cannot know."""

    file: Path
    offset: int
    length: int
    later: str = ""


@dataclass
class _Test:
    """A row. `cells`: model -> its tally. `by_score`: whether the test counts by its score."""

    suite: str
    test: str
    facts: Facts
    cells: dict[str, Tally] = field(default_factory=dict)
    by_score: bool = False


def slim(record: TrialRecord) -> TrialRecord:
    """The fields of a record that the grid needs."""
    return TrialRecord(
        record.test, record.model, record.epoch, record.outcome, suite=record.suite, score=record.score,
        error=record.error[:500], usage=record.usage, cost=record.cost, calls=record.calls,
        seconds=record.working_seconds, started_at=record.started_at, conditions=record.conditions,
        cause=(found := of_record(record)).cause, why=found.why[:300], fingerprint=record.fingerprint,
        expression=record.expression, rescored=record.rescored,
    )  # fmt: skip


def _place_in_order(test: _Test) -> tuple[tuple[int, str], str]:
    return suite_order(test.suite), natural(test.test)


class Board:
    """All cells, and a log of changed cells, whose length is the version of the whole.

    `shape` counts the times that rows or columns were added or moved, which a page cannot patch. Safe to use
    from several threads. As in the written report, assay.results.merging decides which try of a trial is
    shown.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.shape = 0
        self._tests: dict[Key, _Test] = {}
        self._models: list[str] = []
        self._proofs: set[str] = set()  # models
        self._only: frozenset[Key] | None = None  # the cells of a planned run
        self._order: list[_Test] = []
        self._at: dict[Key, int] = {}
        self._log: list[CellKey] = []
        self._stale: dict[CellKey, None] = {}  # changed since the last count
        self._pages: dict[str, tuple[CellKey, str]] = {}  # number -> cell, name
        self._merge: Merge[Place] = Merge()
        self._sums = Sums()
        self._expressions: dict[str, dict[str, int]] = {}  # suite -> test -> its hash
        self._same = SameTests()
        self.touched: dict[str, int] = {}  # suite -> how many changes came to its cells

    @property
    def version(self) -> int:
        with self.lock:
            self._count()
            return len(self._log)

    def expect(self, tests: Iterable[tuple[str, str, Facts]], models: Sequence[str]) -> None:
        """Set the rows and columns of a run that is about to begin; others are not shown."""
        with self.lock:
            for suite, test, facts in tests:
                self._tests[suite, test] = _Test(suite, test, facts)
            self._models = list(models)
            self._only = frozenset(self._tests)
            self._reshape()

    def clear(self) -> None:
        """Forget every trial, to read the files again from the beginning."""
        with self.lock:
            planned = [(t.suite, t.test, t.facts) for t in self._tests.values()]
            only, models, shape = self._only, self._models, self.shape
            self.__init__()  # type: ignore[misc]
            self.shape = shape + 1
            if only is not None:
                self.expect(planned, models)

    def add(self, record: TrialRecord, place: Place) -> bool:
        """Add a trial that has ended. Returns whether the page shows it."""
        key = (record.suite, record.test)
        with self.lock:
            test = self._tests.get(key)
            if test is None or record.model not in self._models:
                if self._only is not None:
                    return False
                test = self._new(record, test)
            if self._only is None and record.description:
                test.facts = Facts.of(record)
            if self_judged(record):
                self._proofs.add(record.model)
            self._note_expression(record)
            change = self._merge.add(slim(record), place)
            if change.kind:  # the suite is now shown under other conditions
                for each in self._tests.values():
                    if each.suite == record.suite and record.model in self._merge.models(
                        each.suite, each.test
                    ):
                        self._touch(each.suite, each.test, record.model)
            self._touch(*key, *(self._merge.models(*key) if change.version else (record.model,)))
            return True

    def _note_expression(self, record: TrialRecord) -> None:
        its, now = self._expressions.setdefault(record.suite, {}), hash(record.expression)
        if record.expression and its.get(record.test) != now:
            its[record.test] = now
            self._same = SameTests.found(self._expressions)

    def know(self, record: TrialRecord) -> None:
        """Note a trial that is not shown; it may be of a newer version of its test."""
        with self.lock:
            if self._merge.know(record):
                self._touch(record.suite, record.test, *self._merge.models(record.suite, record.test))

    def left_out(self) -> list[str]:
        """The trials that are not shown and why, a sentence each."""
        with self.lock:
            return self._merge.left_out()

    def _touch(self, suite: str, test: str, *models: str) -> None:
        """Mark these models' cells of a test as changed."""
        self._stale.update((CellKey(suite, test, model), None) for model in models)
        self.touched[suite] = self.touched.get(suite, 0) + len(models)

    def _new(self, record: TrialRecord, test: _Test | None) -> _Test:
        if test is None:
            test = _Test(record.suite, record.test, Facts.of(record))
            self._tests[record.suite, record.test] = test
        if record.model not in self._models:
            self._models.append(record.model)
        self._reshape()
        return test

    def _reshape(self) -> None:
        self.shape += 1
        self._order = []

    def _count(self) -> None:
        """Bring counts and sums up to date, and log what changed."""
        stale, self._stale = self._stale, {}
        for suite, name, model in stale:
            test = self._tests[suite, name]
            test.cells[model] = count(each for each, _ in self._merge.shown(suite, name, model))
            if not test.cells[model].trials:
                del test.cells[model]
            page = page_name(suite, name, model)
            self._pages.setdefault(number_of(page), (CellKey(suite, name, model), page))
        scored = self._sums.scored
        for suite in {suite for suite, _, _ in stale}:
            tests = [test for test in self._sorted() if test.suite == suite]
            self._sums.drop(suite)
            add_up(self._sums, tests, self._same.of_suites(), self._find)
            for test in tests:
                by_score = counts_by_score(test.cells.values())
                if by_score != test.by_score:  # now for all models, or no longer for any
                    stale.update((CellKey(suite, test.test, model), None) for model in test.cells)
                test.by_score = by_score
        self.shape += scored != self._sums.scored  # the table of models gains or loses a column
        self._log += stale

    # ---------------------------------------------------------------- what is shown

    def _sorted(self) -> list[_Test]:
        if not self._order:
            self._order = sorted(self._tests.values(), key=_place_in_order)
            self._at = {(each.suite, each.test): at for at, each in enumerate(self._order)}
        return self._order

    def _suites(self) -> list[str]:
        return list(dict.fromkeys(test.suite for test in self._sorted()))

    def rank(self) -> None:
        """Put the best models first, as in the written report. Only at the start: later it would move columns
        while somebody reads."""
        with self.lock:
            self._models = best_first(self._totals())
            self._reshape()

    def _totals(self) -> dict[str, Tally]:
        """The total of each model."""
        self._count()
        sums = self._sums
        if self._same:
            add_up(sums := Sums(), self._sorted(), self._same, self._find)
        found = sums.totals()
        return {model: found.get(model) or Tally() for model in self._models}

    def _find(self, key: Key) -> _Test:
        return self._tests[key]

    def _row(self, test: _Test) -> Row:
        trials = {
            model: [each for each, _ in self._merge.shown(test.suite, test.test, model)]
            for model in test.cells
        }
        return make_row(test.suite, test.test, test.facts, test.cells, trials)

    def grid(self, *, rows: bool = True) -> Grid:
        """The whole grid, as the written report takes it; `rows=False`: only the totals."""
        with self.lock:
            tests, totals = self._sorted(), self._totals()
            return Grid(
                tuple(self._models),
                tuple(self._suites()),
                tuple(self._row(test) for test in tests) if rows else range(len(tests)),  # type: ignore[arg-type]
                totals,
                self._sums.by_suite(),
                self_judged=frozenset(self._proofs),
                same=self._same,
                trials=sum(cell.trials for test in tests for cell in test.cells.values()),
            )

    def links(self) -> dict[CellKey, str]:
        """The address of the page of each cell that has a trial."""
        with self.lock:
            self._count()
            return {cell: f"cells/{name}" for cell, name in self._pages.values()}

    def changes(self, since: int) -> dict[str, Any]:
        """Every cell that changed after version `since`, as the page's script reads it, and the totals that
        depend on it: [row, column, numbers, text, class, mark, hover, link]."""
        with self.lock:
            self._count()
            tests, models = self._sorted(), {model: at for at, model in enumerate(self._models)}
            touched = dict.fromkeys(self._log[since:])
            hovers = len(tests) * len(models) <= MAX_HOVERS
            cells, totals = [], {}
            for suite, name, model in touched:
                at = self._at[suite, name]
                row = self._row(tests[at])
                href = f"cells/{page_name(suite, name, model)}"
                view = cell_view(row, model, href, hovers)
                shown = (view.text, view.css, view.mark, view.hover, href) if view else ("", "z", "", "", "")
                cells.append([at, models[model], numbers(row.cells.get(model)), *shown])
                totals[at] = total_text(row.total)
            if not touched:
                return {"cells": []}
            sums = self._sums.by_suite()
            suites = [[suite_total(sums.get((suite, model))) for model in models] for suite in self._suites()]
            return {"cells": cells, "totals": list(totals.items()), "suites": suites}

    def positions(self, cells: Iterable[CellKey]) -> list[tuple[int, int]]:
        """Row and column of each of `cells` that is shown."""
        with self.lock:
            self._sorted()
            models = {model: at for at, model in enumerate(self._models)}
            return [
                (self._at[suite, test], models[model])
                for suite, test, model in cells
                if (suite, test) in self._at and model in models
            ]

    def around(self, row: Row, model: str) -> Neighbours:
        """The links of a cell's page."""
        with self.lock:
            near = Neighbourhood(self._sorted(), self._models, lambda each: page_name(*each))
            return near.of(row.suite, row.test, model)

    def cell(self, number: str) -> tuple[Row, str, list[Place]] | None:
        """The content of the page whose name ends in `number`: its row, its model, and the places of its
        trials."""
        with self.lock:
            self._count()
            if number not in self._pages:
                return None
            (suite, test, model), _ = self._pages[number]
            found = self._tests[suite, test]
            return self._row(found), model, self._places(found, model)

    def _places(self, test: _Test, model: str) -> list[Place]:
        shown = sorted(
            self._merge.shown(test.suite, test.test, model),
            key=lambda each: (each[0].epoch, each[0].started_at),
        )
        return [replace(place, later=record.later) for record, place in shown]

    def places(self, suite: str) -> list[Place]:
        """The places of a suite's trials, by test and model."""
        with self.lock:
            self._count()
            return [
                place
                for test in self._sorted()
                if test.suite == suite
                for model in self._models
                if model in test.cells
                for place in self._places(test, model)
            ]
