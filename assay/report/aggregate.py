"""Count trials: by test and model (the grid), by suite and by model."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple, overload

from assay.gc_pause import gc_paused
from assay.records import TrialRecord
from assay.report.reasons import Reasons
from assay.report.same_tests import Key, SameTests, T
from assay.report.tally import Sum, Tally, counts_by_score
from assay.results.conditions import kind_of, self_judged
from assay.results.natural_order import natural

SUITE_ORDER = ("applied", "euler", "arithmetic", "weirdml", "harbor")


Questions = Mapping[str, Mapping[str, int]]
"""Suite -> test -> hash of a question."""


class CellKey(NamedTuple):
    """Which cell of the grid: a test and a model."""

    suite: str
    test: str
    model: str


class Facts(NamedTuple):
    """What is known of a test; many tests of one file share it."""

    description: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""

    @classmethod
    def of(cls, record: TrialRecord) -> Facts:
        return cls(record.description, record.tags, record.source)


@dataclass(frozen=True, slots=True)
class Row:
    """One test: its newest description, tags and source, and its trials and tally for each model.

    Rows of a GridCounter have no trials.
    """

    suite: str
    test: str
    description: str
    tags: tuple[str, ...]
    source: str
    trials: dict[str, list[TrialRecord]] = field(repr=False)
    cells: dict[str, Tally] = field(repr=False)
    total: Tally = field(default_factory=Tally)


@dataclass(frozen=True)
class Grid:
    """Tests x models. The best model is first; suites are in their usual order, tests by name.

    A suite or a model counts by its score (Tally.score) if any of its tests does, for all models alike.
    `same`: rows that are one test under several names, which totals and comparisons count once. `questions`:
    what is asked first in each test, where that is known. `kinds`: suite -> model -> the conditions of its
    trials.
    """

    models: tuple[str, ...]
    suites: tuple[str, ...]
    rows: Sequence[Row]
    totals: dict[str, Tally] = field(repr=False)
    by_suite: dict[tuple[str, str], Tally] = field(repr=False)  # (suite, model)
    reasons: Reasons = field(default_factory=Reasons, repr=False)
    self_judged: Collection[str] = frozenset()  # models whose trials prove tests
    same: SameTests = field(default_factory=SameTests, repr=False)
    trials: int = 0  # of all rows
    questions: Questions = field(default_factory=dict, repr=False)
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)

    def apart(self, first: str, second: str) -> set[str]:
        """The suites that two models ran under different conditions: a test of one name may then ask each
        something else, so they are not compared."""
        pairs = ((suite, its.get(first), its.get(second)) for suite, its in self.kinds.items())
        return {suite for suite, a, b in pairs if a and b and a != b}

    @cached_property
    def tests(self) -> Sequence[Row]:
        """The rows that count: each test once."""
        if not self.same:
            return self.rows
        rows = {key: row for row in self.rows if (key := (row.suite, row.test)) in self.same.others}
        return [joined_row(row, others) for row, others in self.same.once(self.rows, rows.__getitem__)]

    @property
    def about_same(self) -> str:
        """A line about tests that were run under several names, and the last of these; '' without any."""
        names = {key for group in self.same.groups for key in group}
        rows = (row for row in self.rows if (row.suite, row.test) in names) if names else ()
        return self.same.said({(row.suite, row.test): row.total.newest for row in rows})

    @property
    def scored(self) -> bool:
        """Whether any test counts by its score."""
        return any(total.score is not None for total in self.totals.values())


@gc_paused()
def make_grid(records: Sequence[TrialRecord]) -> Grid:
    """Sort `records` into tests, models and suites. Trials of a cell are ordered by epoch."""
    counter = GridCounter()
    trials: dict[tuple[str, str], dict[str, list[TrialRecord]]] = {}
    for record in sorted(records, key=attrgetter("started_at")):  # the newest description of a test counts
        counter.add(record)
        trials.setdefault((record.suite, record.test), {}).setdefault(record.model, []).append(record)
    for its in trials.values():
        for each in its.values():
            each.sort(key=attrgetter("epoch", "started_at"))
    grid = counter.grid(trials)
    return replace(grid, rows=tuple(grid.rows))


class Sums:
    """The sums for each model, over all tests and for each suite, built test by test."""

    def __init__(self) -> None:
        self._suites: dict[tuple[str, str], Sum] = {}
        self._scored: set[str] = set()

    def add(self, suite: str, cells: Mapping[str, Tally]) -> bool:
        """Add a test by its cells (by model). Returns whether it counts by its score."""
        by_score = counts_by_score(cells.values())
        if by_score:
            self._scored.add(suite)
        for model, cell in cells.items():
            if (found := self._suites.get((suite, model))) is None:
                found = self._suites[suite, model] = Sum()
            found.add(cell, by_score)
        return by_score

    def drop(self, suite: str) -> None:
        """Forget the suite's tests, to add them again."""
        self._scored.discard(suite)
        self._suites = {key: its for key, its in self._suites.items() if key[0] != suite}

    @property
    def scored(self) -> bool:
        """Whether any test counts by its score."""
        return bool(self._scored)

    def totals(self) -> dict[str, Tally]:
        """The total of each model, the best first."""
        sums: dict[str, Sum] = {}
        for (_, model), its in self._suites.items():
            sums.setdefault(model, Sum()).merge(its)
        found = {model: its.tally(self.scored) for model, its in sums.items()}
        return {model: found[model] for model in best_first(found)}

    def by_suite(self) -> dict[tuple[str, str], Tally]:
        """The total of each (suite, model)."""
        return {
            (suite, model): its.tally(suite in self._scored) for (suite, model), its in self._suites.items()
        }


def add_up(sums: Sums, tests: Iterable[T], same: SameTests, find: Callable[[Key], T]) -> None:
    """Add tests, each of them once. `find`: one of them by its name."""
    for each, others in same.once(tests, find):
        sums.add(each.suite, joined(each.cells, (other.cells for other in others)) if others else each.cells)


def best_first(totals: Mapping[str, Tally]) -> list[str]:
    """The models in display order."""
    return sorted(totals, key=lambda model: (-(totals[model].ratio or 0.0), model))


def suite_order(suite: str) -> tuple[int, str]:
    """A sort key for suites: the usual ones first."""
    return (SUITE_ORDER.index(suite) if suite in SUITE_ORDER else len(SUITE_ORDER), suite)


def make_row(
    suite: str,
    test: str,
    facts: Facts,
    counts: Mapping[str, Tally],
    trials: dict[str, list[TrialRecord]],
) -> Row:
    """A row of the grid. `counts`: model -> tally of the test."""
    by_score = counts_by_score(counts.values())
    cells = {model: each.counting(by_score) for model, each in counts.items()}
    total = next(iter(cells.values()), None) if len(cells) < 2 else None
    if total is None:
        sums = Tally()
        for each in counts.values():
            sums.merge(each)
        total = sums.counting(by_score)
    return Row(suite, test, *facts, trials, cells, total)


def joined(cells: Mapping[str, Tally], others: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    """A test's tally for each model: of those under its several names the one with the newest verdict."""
    found = dict(cells)
    for each in others:
        for model, cell in each.items():
            if model not in found or _verdicts(cell) > _verdicts(found[model]):
                found[model] = cell
    return found


def _verdicts(cell: Tally) -> tuple[bool, str]:
    """Whether there are any, and when the newest began."""
    return cell.counted > 0, cell.newest


def joined_row(row: Row, others: Sequence[Row]) -> Row:
    """A row with what is known of its test under other names."""
    if not others:
        return row
    cells = joined(row.cells, (each.cells for each in others))
    trials = {
        model: each.trials[model]
        for each in (row, *others)
        for model in each.trials
        if cells[model] is each.cells[model]
    }
    return make_row(row.suite, row.test, Facts(row.description, row.tags, row.source), cells, trials)


def each_test_once(records: Sequence[TrialRecord]) -> Sequence[TrialRecord]:
    """A suite's records, of a test under several names only those that count for a model."""
    if not SameTests.of(records):
        return records
    counted = {id(trial) for row in make_grid(records).tests for its in row.trials.values() for trial in its}
    return [each for each in records if id(each) in counted]


Trials = Mapping[tuple[str, str], dict[str, list[TrialRecord]]]
"""(suite, test) -> model -> trials."""


class GridCounter:
    """Count trials and keep none: only each test's name and one Tally for each model.

    Each trial may be added once; rows have no trials unless these are passed to `grid`.
    """

    def __init__(self) -> None:
        self._facts: dict[str, dict[str, Facts]] = {}  # suite -> test
        self._cells: dict[str, dict[str, dict[str, Tally]]] = {}  # suite -> model -> test
        self._shared: dict[Facts, Facts] = {}
        self._expressions: dict[str, dict[str, int]] = {}  # suite -> test -> its hash
        self._questions: dict[str, dict[str, int]] = {}
        self._kinds: dict[str, dict[str, str]] = {}  # suite -> model
        self._trials = 0
        self._reasons = Reasons()
        self._proofs: set[str] = set()  # models

    def add(self, record: TrialRecord) -> None:
        """Count a trial that has ended."""
        suite, test, model = record.suite, sys.intern(record.test), record.model
        facts = Facts.of(record)
        self._facts.setdefault(suite, {})[test] = self._shared.setdefault(facts, facts)
        if record.expression:
            self._expressions.setdefault(suite, {})[test] = hash(record.expression)
        if question := record.question:
            self._questions.setdefault(suite, {})[test] = hash(question)
        if record.conditions and model not in (kinds := self._kinds.setdefault(suite, {})):
            kinds[model] = kind_of(record)
        its = self._cells.setdefault(suite, {}).setdefault(model, {})
        if test not in its:
            its[test] = Tally()
        its[test].add(record)
        self._trials += 1
        self._reasons.add(record)
        if self_judged(record):
            self._proofs.add(model)

    def suites(self) -> list[str]:
        """The suites seen, in their usual order."""
        return sorted(self._facts, key=suite_order)

    def grid(self, trials: Trials = {}) -> Grid:
        """The grid counted so far; do not read it while more is added. `trials`: those of its rows."""
        same = SameTests.found(self._expressions)
        parts = sums = self._sums(same.of_suites())
        if same:
            sums = self._sums(same)
        totals, rows = sums.totals(), _Rows(self._facts, self._cells, trials)
        return Grid(
            tuple(totals), tuple(self.suites()), rows, totals, parts.by_suite(), self._reasons,
            self._proofs, same, self._trials, self._questions, self._kinds,
        )  # fmt: skip

    def _sums(self, same: SameTests) -> Sums:
        def counts(key: Key) -> _Counts:
            return _Counts(*key, _cells(self._cells[key[0]], key[1]))

        sums = Sums()
        every = (counts((suite, test)) for suite, tests in self._facts.items() for test in tests)
        add_up(sums, every, same, counts)
        return sums


class _Counts(NamedTuple):
    """A test's tally for each model."""

    suite: str
    test: str
    cells: dict[str, Tally]


def _cells(models: dict[str, dict[str, Tally]], test: str) -> dict[str, Tally]:
    """A test's tally for each model."""
    return {model: count for model, counts in models.items() if (count := counts.get(test)) is not None}


class _Rows(Sequence[Row]):
    """The grid's rows, created on access."""

    def __init__(
        self,
        facts: dict[str, dict[str, Facts]],
        cells: dict[str, dict[str, dict[str, Tally]]],
        trials: Trials,
    ) -> None:
        self._facts, self._cells, self._trials = facts, cells, trials
        self._order = {suite: sorted(facts[suite], key=natural) for suite in sorted(facts, key=suite_order)}

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
        cells, trials = _cells(self._cells[suite], test), self._trials.get((suite, test), {})
        return make_row(suite, test, self._facts[suite][test], cells, trials)
