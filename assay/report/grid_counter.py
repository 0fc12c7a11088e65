"""The grid of a run of any length, counted trial by trial: what the terminal's tables need."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import overload

from assay.records import TrialRecord
from assay.report.aggregate import Grid, Row, Sums, suite_order
from assay.report.reasons import Reasons
from assay.report.tally import Count, counts_by_score

Facts = tuple[str, tuple[str, ...], str]  # description, tags, source: the same for all tests of a file


class GridCounter:
    """Counts trials and forgets them. What it keeps is each test's name and one Count for each model.

    A trial may be added once; its rows come without trials, so that no page can be made of them.
    """

    def __init__(self) -> None:
        self._facts: dict[str, dict[str, Facts]] = {}  # suite -> test
        self._cells: dict[str, dict[str, dict[str, Count]]] = {}  # suite -> model -> test
        self._shared: dict[Facts, Facts] = {}
        self._reasons = Reasons()

    def add(self, record: TrialRecord) -> None:
        """Count a trial that has ended."""
        suite, test, model = record.suite, sys.intern(record.test), record.model
        facts = (record.description, record.tags, record.source)
        self._facts.setdefault(suite, {})[test] = self._shared.setdefault(facts, facts)
        its = self._cells.setdefault(suite, {}).setdefault(model, {})
        if (count := its.get(test)) is None:
            count = its[test] = Count()
        count.add(record)
        self._reasons.add(record)

    def suites(self) -> list[str]:
        """The suites seen, in their usual order."""
        return sorted(self._facts, key=suite_order)

    def grid(self) -> Grid:
        """What was counted until now; not to be read while more is added."""
        sums = Sums()
        for suite, tests in self._facts.items():
            for test in tests:
                sums.add(suite, _cells(self._cells[suite], test))
        totals, rows = sums.totals(), _Rows(self._facts, self._cells)
        return Grid(tuple(totals), tuple(self.suites()), rows, totals, sums.by_suite(), self._reasons)


def _cells(models: dict[str, dict[str, Count]], test: str) -> dict[str, Count]:
    """What a test has of each model."""
    return {model: count for model, counts in models.items() if (count := counts.get(test)) is not None}


class _Rows(Sequence[Row]):
    """The grid's rows, made when they are looked at."""

    def __init__(
        self, facts: dict[str, dict[str, Facts]], cells: dict[str, dict[str, dict[str, Count]]]
    ) -> None:
        self._facts, self._cells = facts, cells
        self._order = {suite: sorted(facts[suite]) for suite in sorted(facts, key=suite_order)}

    def __len__(self) -> int:
        return sum(map(len, self._order.values()))

    def __iter__(self) -> Iterator[Row]:
        return (self._row(suite, test) for suite, tests in self._order.items() for test in tests)

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Row]: ...

    def __getitem__(self, at: int | slice) -> Row | Sequence[Row]:
        names = [(suite, test) for suite, tests in self._order.items() for test in tests][at]
        return [self._row(*each) for each in names] if isinstance(names, list) else self._row(*names)

    def _row(self, suite: str, test: str) -> Row:
        description, tags, source = self._facts[suite][test]
        cells, total = _cells(self._cells[suite], test), Count()
        by_score = counts_by_score(cells.values())
        for cell in cells.values():
            total.merge(cell)
        tallies = {model: cell.tally(by_score) for model, cell in cells.items()}
        return Row(suite, test, description, tags, source, {}, tallies, total.tally(by_score))
