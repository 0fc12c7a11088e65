"""Count trials: by test and model (the grid), by suite and by model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.records import TrialRecord
from assay.report.reasons import Reasons
from assay.report.tally import Count, Tally, count

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
    """Tests x models. Models stand best first; suites in their usual order, tests by name."""

    models: tuple[str, ...]
    suites: tuple[str, ...]
    rows: Sequence[Row]
    totals: dict[str, Tally] = field(repr=False)
    by_suite: dict[tuple[str, str], Tally] = field(repr=False)  # (suite, model)
    reasons: Reasons = field(default_factory=Reasons, repr=False)

    @property
    def scored(self) -> bool:
        """Whether any trial has a numeric score."""
        return any(total.score is not None for total in self.totals.values())

    @property
    def trials(self) -> int:
        return sum(total.trials for total in self.totals.values())


def make_grid(records: Sequence[TrialRecord]) -> Grid:
    """Sort `records` into tests, models and suites. Trials of a cell are ordered by epoch."""
    by_test: dict[tuple[str, str], dict[str, list[TrialRecord]]] = {}
    reasons = Reasons()
    for record in records:
        reasons.add(record)
        by_test.setdefault((record.suite, record.test), {}).setdefault(record.model, []).append(record)
    counts: dict[str, Count] = {}
    by_suite: dict[tuple[str, str], Count] = {}
    rows = []
    for (suite, test), trials in by_test.items():
        cells = {model: count(each) for model, each in trials.items()}
        for model, cell in cells.items():
            counts.setdefault(model, Count()).merge(cell)
            by_suite.setdefault((suite, model), Count()).merge(cell)
        rows.append(_row(suite, test, trials, cells))
    rows.sort(key=lambda row: (suite_order(row.suite), row.test))
    totals = {model: each.tally() for model, each in counts.items()}
    models = sorted(totals, key=lambda model: (-(totals[model].rate or 0.0), model))
    suites = sorted({suite for suite, _ in by_test}, key=suite_order)
    return Grid(
        tuple(models),
        tuple(suites),
        tuple(rows),
        {model: totals[model] for model in models},
        {key: each.tally() for key, each in by_suite.items()},
        reasons,
    )


def suite_order(suite: str) -> tuple[int, str]:
    """A sort key."""
    return (SUITE_ORDER.index(suite) if suite in SUITE_ORDER else len(SUITE_ORDER), suite)


def _row(suite: str, test: str, trials: dict[str, list[TrialRecord]], cells: dict[str, Count]) -> Row:
    newest = max(
        (record for each in trials.values() for record in each), key=lambda record: record.started_at
    )
    for each in trials.values():
        each.sort(key=lambda record: (record.epoch, record.started_at))
    total = Count()
    for cell in cells.values():
        total.merge(cell)
    tallies = {model: cell.tally() for model, cell in cells.items()}
    return Row(suite, test, newest.description, newest.tags, newest.source, trials, tallies, total.tally())
