"""Count trials: by test and model (the grid), by suite and by model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.records import TrialRecord
from assay.report.reasons import Reasons
from assay.report.tally import Count, Sum, Tally, count, counts_by_score
from assay.uncollected import uncollected

SUITE_ORDER = ("applied", "euler", "arithmetic", "weirdml")


@dataclass(frozen=True, slots=True)
class Row:
    """One test: its newest description, tags and source, and its trials and tally for each model.

    Rows of a GridCounter have no trials."""

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
    """Tests x models. Models stand best first; suites in their usual order, tests by name.

    A suite or a model counts by its score (Tally.score) if any test of it does, for all models alike."""

    models: tuple[str, ...]
    suites: tuple[str, ...]
    rows: Sequence[Row]
    totals: dict[str, Tally] = field(repr=False)
    by_suite: dict[tuple[str, str], Tally] = field(repr=False)  # (suite, model)
    reasons: Reasons = field(default_factory=Reasons, repr=False)

    @property
    def scored(self) -> bool:
        """Whether any test counts by its score."""
        return any(total.score is not None for total in self.totals.values())

    @property
    def trials(self) -> int:
        return sum(total.trials for total in self.totals.values())


@uncollected()
def make_grid(records: Sequence[TrialRecord]) -> Grid:
    """Sort `records` into tests, models and suites. Trials of a cell are ordered by epoch."""
    by_test: dict[tuple[str, str], dict[str, list[TrialRecord]]] = {}
    reasons = Reasons()
    for record in records:
        reasons.add(record)
        by_test.setdefault((record.suite, record.test), {}).setdefault(record.model, []).append(record)
    sums = Sums()
    rows = []
    for (suite, test), trials in by_test.items():
        cells = {model: count(each) for model, each in trials.items()}
        by_score = sums.add(suite, cells)
        rows.append(_row(suite, test, trials, cells, by_score))
    rows.sort(key=lambda row: (suite_order(row.suite), row.test))
    totals, by_suite = sums.totals(), sums.by_suite()
    suites = sorted({suite for suite, _ in by_test}, key=suite_order)
    return Grid(tuple(totals), tuple(suites), tuple(rows), totals, by_suite, reasons)


class Sums:
    """What models come to, in the whole and in each suite, test after test."""

    def __init__(self) -> None:
        self._suites: dict[tuple[str, str], Sum] = {}
        self._scored: set[str] = set()

    def add(self, suite: str, cells: Mapping[str, Count]) -> bool:
        """A test, by model; returns whether it counts by its score."""
        by_score = counts_by_score(cells.values())
        if by_score:
            self._scored.add(suite)
        for model, cell in cells.items():
            if (found := self._suites.get((suite, model))) is None:
                found = self._suites[suite, model] = Sum()
            found.add(cell, by_score)
        return by_score

    def totals(self) -> dict[str, Tally]:
        """Of each model, the best first."""
        sums: dict[str, Sum] = {}
        for (_, model), its in self._suites.items():
            sums.setdefault(model, Sum()).merge(its)
        found = {model: its.tally(bool(self._scored)) for model, its in sums.items()}
        return {model: found[model] for model in best_first(found)}

    def by_suite(self) -> dict[tuple[str, str], Tally]:
        """Of each suite and model."""
        return {
            (suite, model): its.tally(suite in self._scored) for (suite, model), its in self._suites.items()
        }


def best_first(totals: Mapping[str, Tally]) -> list[str]:
    """The models in the order in which they are shown."""
    return sorted(totals, key=lambda model: (-(totals[model].ratio or 0.0), model))


def suite_order(suite: str) -> tuple[int, str]:
    """A sort key."""
    return (SUITE_ORDER.index(suite) if suite in SUITE_ORDER else len(SUITE_ORDER), suite)


def _row(
    suite: str, test: str, trials: dict[str, list[TrialRecord]], cells: dict[str, Count], by_score: bool
) -> Row:
    newest = max(
        (record for each in trials.values() for record in each), key=lambda record: record.started_at
    )
    for each in trials.values():
        each.sort(key=lambda record: (record.epoch, record.started_at))
    total = Count()
    for cell in cells.values():
        total.merge(cell)
    tallies = {model: cell.tally(by_score) for model, cell in cells.items()}
    about = (newest.description, newest.tags, newest.source)
    return Row(suite, test, *about, trials, tallies, total.tally(by_score))
