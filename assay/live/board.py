"""The grid of a run that goes on: what is known of each cell, and what changed since a browser asked."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.harness.conditions import kind_of, rank
from assay.records import TrialRecord
from assay.report.aggregate import Grid, Row, suite_order
from assay.report.cell_page import page_name
from assay.report.grid_page import MAX_HOVERS, cell_view, numbers, suite_total, total_text
from assay.report.tally import Count, Tally, count

Key = tuple[str, str]
"""Suite and test."""
Cell = tuple[str, str, str]
"""Suite, test and model."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a trial's line stands in a results file, since explanations are not kept in memory."""

    file: Path
    offset: int
    length: int


@dataclass(frozen=True)
class Facts:
    """What a page says of a test."""

    description: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""


@dataclass
class _Test:
    """A row. `trials`: model -> conditions -> epoch -> the newest trial and where it stands. `kinds`: model
    -> the conditions that are shown. `counts`: of those shown."""

    suite: str
    test: str
    facts: Facts
    trials: dict[str, dict[str, dict[int, tuple[TrialRecord, Place]]]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    counts: dict[str, Count] = field(default_factory=dict)

    def shown(self, model: str) -> Mapping[int, tuple[TrialRecord, Place]]:
        """Epoch -> a trial that is shown, and where it stands."""
        return self.trials.get(model, {}).get(self.kinds.get(model, ""), {})

    def row(self) -> Row:
        total = Count()
        for its in self.counts.values():
            total.merge(its)
        cells = {model: its.tally() for model, its in self.counts.items()}
        trials = {model: [each for each, _ in self.shown(model).values()] for model in cells}
        facts = self.facts
        return Row(
            self.suite, self.test, facts.description, facts.tags, facts.source, trials, cells, total.tally()
        )


def slim(record: TrialRecord) -> TrialRecord:
    """What the grid needs of a trial."""
    return TrialRecord(
        record.test, record.model, record.epoch, record.outcome, suite=record.suite, score=record.score,
        error=record.error[:500], usage=record.usage, cost=record.cost, calls=record.calls,
        seconds=record.seconds, started_at=record.started_at, conditions=record.conditions,
    )  # fmt: skip


class Board:
    """All cells, and a log of which of them changed: its length is the version of the whole.

    `shape` counts how often rows or columns came or moved, which a page cannot patch. Safe to use from
    several threads. As in assay.harness.store.load_records, the newest trial of an epoch counts, and of a
    suite and model only those of one kind (Suite.conditions) with the newest verdict.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.shape = 0
        self._tests: dict[Key, _Test] = {}
        self._models: list[str] = []
        self._only: frozenset[Key] | None = None  # a planned run shows nothing else
        self._order: list[_Test] = []
        self._at: dict[Key, int] = {}
        self._log: list[Cell] = []
        self._pages: dict[str, Cell] = {}
        self._kinds: dict[tuple[str, str], tuple[str, tuple[bool, str]]] = {}  # conditions, and since when
        self._sums: dict[str, Count] = {}  # of each model; one that is missing is summed up anew
        self._suite_sums: dict[tuple[str, str], Count] = {}
        self._scored = False
        self.touched: dict[str, int] = {}  # suite -> the version at which a trial of it came last

    @property
    def version(self) -> int:
        return len(self._log)

    def expect(self, tests: Iterable[tuple[str, str, Facts]], models: Sequence[str]) -> None:
        """The rows and columns of a run that is about to begin; others are not shown."""
        with self.lock:
            for suite, test, facts in tests:
                self._tests[suite, test] = _Test(suite, test, facts)
            self._models = list(models)
            self._only = frozenset(self._tests)
            self._reshape()

    def clear(self) -> None:
        """Forget every trial: the files are to be read again from their beginning."""
        with self.lock:
            planned = [(t.suite, t.test, t.facts) for t in self._tests.values()]
            only, models, shape = self._only, self._models, self.shape
            self.__init__()  # type: ignore[misc]
            self.shape = shape + 1
            if only is not None:
                self.expect(planned, models)

    def add(self, record: TrialRecord, place: Place) -> bool:
        """A trial has ended. Returns whether it is one of those that the page shows."""
        key = (record.suite, record.test)
        with self.lock:
            test = self._tests.get(key)
            if test is None or record.model not in self._models:
                if self._only is not None:
                    return False
                test = self._new(record, test)
            kind = kind_of(record)
            its = test.trials.setdefault(record.model, {}).setdefault(kind, {})
            known = its.get(record.epoch)
            if known is not None and record.started_at < known[0].started_at:
                return True
            if self._only is None and record.description:
                test.facts = Facts(record.description, record.tags, record.source)
            light = its[record.epoch] = (slim(record), place)
            if self._changes_kind(record, kind):
                return True
            test.kinds[record.model] = shown = self._kinds[record.suite, record.model][0]
            if known is None and kind == shown:
                self._count_one(test, light[0])
            else:
                self._count_anew(test, record.model)
            return True

    def _new(self, record: TrialRecord, test: _Test | None) -> _Test:
        if test is None:
            facts = Facts(record.description, record.tags, record.source)
            test = self._tests[record.suite, record.test] = _Test(record.suite, record.test, facts)
        if record.model not in self._models:
            self._models.append(record.model)
        self._reshape()
        return test

    def _reshape(self) -> None:
        self.shape += 1
        self._order = []
        self._sums.clear()
        self._suite_sums.clear()

    def _changes_kind(self, record: TrialRecord, kind: str) -> bool:
        """Whether other conditions are shown from now on: then every cell counts anew."""
        group = (record.suite, record.model)
        shown, newest = self._kinds.get(group, (kind, (False, "")))
        if rank(record) < newest:
            return False
        self._kinds[group] = (kind, rank(record))
        if shown == kind:
            return False
        for test in self._tests.values():
            if test.suite == record.suite and record.model in test.trials:
                test.kinds[record.model] = kind
                self._count_anew(test, record.model)
        return True

    def _count_one(self, test: _Test, record: TrialRecord) -> None:
        model = record.model
        for counts, key in ((test.counts, model), (self._sums, model)):
            if (found := counts.get(key)) is not None:
                found.add(record)
        if (found := self._suite_sums.get((test.suite, model))) is not None:
            found.add(record)
        if model not in test.counts:
            test.counts[model] = count([record])
        self._changed(test, model)

    def _count_anew(self, test: _Test, model: str) -> None:
        """After a trial took another's place: a sum cannot be told to forget."""
        records = [each for each, _ in test.shown(model).values()]
        test.counts[model] = count(records)
        if not records:
            del test.counts[model]
        self._sums.pop(model, None)
        self._suite_sums.pop((test.suite, model), None)
        self._changed(test, model)

    def _changed(self, test: _Test, model: str) -> None:
        cell = (test.suite, test.test, model)
        self._log.append(cell)
        self.touched[test.suite] = len(self._log)
        name = page_name(*cell)
        if name not in self._pages:
            self._pages[name] = cell
        if not self._scored and model in test.counts and test.counts[model].scores:
            self._scored = True
            self.shape += 1  # the table of models gets a column

    # ---------------------------------------------------------------- what is shown

    def _sorted(self) -> list[_Test]:
        if not self._order:
            self._order = sorted(self._tests.values(), key=lambda each: (suite_order(each.suite), each.test))
            self._at = {(each.suite, each.test): at for at, each in enumerate(self._order)}
        return self._order

    def _suites(self) -> list[str]:
        return list(dict.fromkeys(test.suite for test in self._sorted()))

    def rank(self) -> None:
        """Put the best models first, as the written report does. For the start: later it would move columns
        under the reader's eyes."""
        with self.lock:
            totals = self._totals()
            self._models.sort(key=lambda model: (-(totals[model].rate or 0.0), model))
            self._reshape()

    def _totals(self) -> dict[str, Tally]:
        """Of each model, and up to date those of each suite and model."""
        for model in self._models:
            if model in self._sums:
                continue
            sums = self._sums[model] = Count()
            its: dict[str, Count] = {}
            for test in self._sorted():
                if (cell := test.counts.get(model)) is not None:
                    sums.merge(cell)
                    its.setdefault(test.suite, Count()).merge(cell)
            for suite in self._suites():
                self._suite_sums[suite, model] = its.get(suite, Count())
        return {model: self._sums[model].tally() for model in self._models}

    def grid(self, *, rows: bool = True) -> Grid:
        """All of it as the written report takes it; `rows=False`: only the totals."""
        with self.lock:
            tests, totals = self._sorted(), self._totals()
            return Grid(
                tuple(self._models),
                tuple(self._suites()),
                tuple(test.row() for test in tests) if rows else range(len(tests)),  # type: ignore[arg-type]
                totals,
                {key: its.tally() for key, its in self._suite_sums.items()},
            )

    def links(self) -> dict[Cell, str]:
        """Where the page of each cell that has a trial is."""
        with self.lock:
            return {cell: f"cells/{name}" for name, cell in self._pages.items()}

    def changes(self, since: int) -> dict[str, Any]:
        """Every cell that changed after version `since`, as the page's script takes it, and what hangs on
        it: [row, column, numbers, text, class, mark, hover, link]."""
        with self.lock:
            tests, models = self._sorted(), {model: at for at, model in enumerate(self._models)}
            touched = dict.fromkeys(self._log[since:])
            hovers = len(tests) * len(models) <= MAX_HOVERS
            cells, totals = [], {}
            for suite, name, model in touched:
                at = self._at[suite, name]
                row = tests[at].row()
                href = f"cells/{page_name(suite, name, model)}"
                view = cell_view(row, model, href, hovers)
                shown = (view.text, view.css, view.mark, view.hover, href) if view else ("", "z", "", "", "")
                cells.append([at, models[model], numbers(row.cells.get(model)), *shown])
                totals[at] = total_text(row.total)
            if not touched:
                return {"cells": []}
            self._totals()
            by_suite = [
                [suite_total(self._suite_sums[suite, model].tally()) for model in models]
                for suite in self._suites()
            ]
            return {"cells": cells, "totals": list(totals.items()), "suites": by_suite}

    def positions(self, cells: Iterable[Cell]) -> list[tuple[int, int]]:
        """Row and column of those of `cells` that are shown."""
        with self.lock:
            self._sorted()
            models = {model: at for at, model in enumerate(self._models)}
            return [
                (self._at[suite, test], models[model])
                for suite, test, model in cells
                if (suite, test) in self._at and model in models
            ]

    def cell(self, name: str) -> tuple[Row, str, list[Place]] | None:
        """What the page `name` shows: its row, its model, and where its trials stand."""
        with self.lock:
            if name not in self._pages:
                return None
            suite, test, model = self._pages[name]
            found = self._tests[suite, test]
            return found.row(), model, self._places(found, model)

    def _places(self, test: _Test, model: str) -> list[Place]:
        return [place for _, (_, place) in sorted(test.shown(model).items())]

    def places(self, suite: str) -> list[Place]:
        """Where the trials of a suite stand, by test and model."""
        with self.lock:
            return [
                place
                for test in self._sorted()
                if test.suite == suite
                for model in self._models
                if model in test.counts
                for place in self._places(test, model)
            ]
