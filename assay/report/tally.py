"""Count a set of trials."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assay.harness.stats import Interval, wilson
from assay.records import Outcome, TrialRecord

SCALE = 1 << 1074  # any float is a whole multiple of 1 / SCALE: sums are exact, whatever the order


@dataclass(frozen=True, slots=True)
class Tally:
    """A set of trials, counted. Errors and skipped trials are shown, never counted as wrong.

    `score`: mean of the numeric scores of counted trials, None where there are none. `cost`: US
    dollars of the trials whose price is known; `cost_unknown` trials have none. `seconds`: sum.
    """

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    score: float | None = None
    cost: float = 0.0
    cost_unknown: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def counted(self) -> int:
        """The denominator: trials with a verdict."""
        return self.passed + self.failed

    @property
    def trials(self) -> int:
        return self.counted + self.errors + self.skipped

    @property
    def rate(self) -> float | None:
        return self.passed / self.counted if self.counted else None

    @property
    def interval(self) -> Interval:
        return wilson(self.passed, self.counted)

    @property
    def ratio(self) -> float | None:
        """What the grid colours and models are compared by: a score that is a share, else the pass rate."""
        if self.score is not None and 0 <= self.score <= 1:
            return self.score
        return self.rate


class Count:
    """A tally in the making. Small: a run has one for each of its tests."""

    __slots__ = (
        "cost", "cost_unknown", "errors", "failed", "input_tokens", "output_tokens", "passed", "scores",
        "seconds", "skipped", "total",
    )  # fmt: skip

    def __init__(self) -> None:
        self.passed = self.failed = self.errors = self.skipped = 0
        self.scores = self.total = 0  # how many trials have a score, and the sum times SCALE
        self.cost, self.cost_unknown, self.seconds = 0.0, 0, 0.0
        self.input_tokens = self.output_tokens = 0

    def add(self, record: TrialRecord) -> None:
        outcome = record.outcome
        if outcome is Outcome.PASS:
            self.passed += 1
        elif outcome is Outcome.FAIL:
            self.failed += 1
        elif outcome is Outcome.ERROR:
            self.errors += 1
        else:
            self.skipped += 1
        score = record.score  # not finite: none, as when it is read back from a results file
        counted = outcome is Outcome.PASS or outcome is Outcome.FAIL
        if score is not None and counted and math.isfinite(score):
            numerator, denominator = float(score).as_integer_ratio()
            self.scores += 1
            self.total += numerator * (SCALE // denominator)
        if record.cost is not None:
            self.cost += record.cost
        elif record.calls:
            self.cost_unknown += 1
        self.seconds += record.seconds
        self.input_tokens += record.usage.input_tokens
        self.output_tokens += record.usage.output_tokens

    def merge(self, other: Count) -> None:
        """Add another count's trials to this one's."""
        self.passed += other.passed
        self.failed += other.failed
        self.errors += other.errors
        self.skipped += other.skipped
        self.scores += other.scores
        self.total += other.total
        self.cost += other.cost
        self.cost_unknown += other.cost_unknown
        self.seconds += other.seconds
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens

    def tally(self) -> Tally:
        return Tally(
            self.passed,
            self.failed,
            self.errors,
            self.skipped,
            self.total / (self.scores * SCALE) if self.scores else None,
            self.cost,
            self.cost_unknown,
            self.seconds,
            self.input_tokens,
            self.output_tokens,
        )


def count(records: Iterable[TrialRecord]) -> Count:
    """Count `records`."""
    found = Count()
    for record in records:
        found.add(record)
    return found


def tally(records: Iterable[TrialRecord]) -> Tally:
    """What `records` come to."""
    return count(records).tally()
