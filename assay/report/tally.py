"""Count trials of a test by one model, and of many tests.

A test counts by its score if any model has one for it and none is outside 0 to 1, else by passed or failed;
this is decided once for all models. Under a score, an unscored FAIL (an empty reply, no code) counts as the
worst, 0, and an unscored PASS as the best, 1. The result of many tests is the mean over the tests, each by
its own unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from operator import add as plus
from operator import attrgetter

from assay.records import Cause, Outcome, TrialRecord
from assay.results.causes import cause_of
from assay.results.clustered import Spread, clustered_wilson
from assay.results.stats import Interval, wilson

Passes = tuple[int, int]
"""Passed and counted trials of a test."""
SCALE = 1 << 1074  # every float is a multiple of 1 / SCALE, so sums are exact in any order
EXCUSED = frozenset((Cause.CUT_OFF, Cause.FILTERED))
"""Causes of a FAIL that are a limit of the run or of the provider, not the model's answer."""

Causes = tuple[tuple[str, int], ...]
"""(cause, number of trials), by cause."""
SHARED = 20  # trials of a cell; up to this many, equal causes are shared by all cells

_shared: dict[Causes, Causes] = {}


def joined(one: Causes, other: Causes) -> Causes:
    """The sums of both. Those of a few trials are shared, because thousands of cells are alike.

    >>> joined((("wrong", 1),), (("cut off", 2), ("wrong", 1)))
    (('cut off', 2), ('wrong', 2))
    """
    if not other:
        return one
    found = dict(one)
    for cause, n in other:
        found[cause] = found.get(cause, 0) + n
    causes = tuple(sorted(found.items()))
    return _shared.setdefault(causes, causes) if sum(found.values()) <= SHARED else causes


@dataclass(slots=True)
class Tally:
    """The results of a set of trials. Errors and skipped trials are shown, never counted as wrong.

    `cost`: US dollars of the trials with a known price; `cost_unknown` trials have none. `seconds`: the
    sum of their wall times without the run's own queues.
    `causes`: of the trials that failed; `breaks`: of those that ended in an ERROR. `later`: trials with a
    verdict that were tried again later without one. `scores`: the number of counted trials with a score from
    0 to 1; `total`: the sum of these times SCALE; `outside`: the number with another score, which cannot be
    used; `unscored_passes`: the number that passed without a score. `newest`: when the last of the counted
    trials began.

    `score`, in [0, 1]: the mean over the counted trials of a test that counts by its score; of several tests,
    if any counts by its score, the mean over all of score or pass rate; else None. `spread`: how much the
    tests differ in being passed; None for a single one. Both are set by `counting`.
    """

    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0
    cost: float = 0.0
    cost_unknown: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    later: int = 0
    scores: int = 0
    total: int = field(default=0, repr=False)
    outside: int = 0
    unscored_passes: int = 0
    causes: Causes = ()
    breaks: Causes = ()
    newest: str = field(default="", repr=False)
    score: float | None = None
    spread: Spread | None = None

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
    def excused(self) -> int:
        """Trials that failed for reasons that are not the model's fault (EXCUSED)."""
        return sum(n for cause, n in self.causes if cause in EXCUSED)

    @property
    def rate_without_excused(self) -> float | None:
        left = self.counted - self.excused
        return self.passed / left if left else None

    @property
    def interval(self) -> Interval:
        """The 95% interval of the pass rate, for other tests of the same kind; for a single test, of further
        trials."""
        if self.spread is None:
            return wilson(self.passed, self.counted)
        return clustered_wilson(self.passed, self.counted, self.spread)

    @property
    def ratio(self) -> float | None:
        """The value that colours the grid and compares models: the score if there is one, else the rate."""
        return self.rate if self.score is None else self.score

    def add(self, record: TrialRecord) -> None:
        """Count one more trial."""
        outcome = record.outcome
        if outcome is Outcome.PASS:
            self.passed += 1
        elif outcome is Outcome.FAIL:
            self.failed += 1
            self.causes = joined(self.causes, ((cause_of(record), 1),))
        elif outcome is Outcome.ERROR:
            self.errors += 1
            self.breaks = joined(self.breaks, ((cause_of(record), 1),))
        else:
            self.skipped += 1
        if outcome is Outcome.PASS or outcome is Outcome.FAIL:
            self._add_score(record.score, outcome is Outcome.PASS)
            self.newest = max(self.newest, record.started_at)
        if record.cost is not None:
            self.cost += record.cost
        elif record.calls:
            self.cost_unknown += 1
        self.seconds += record.working_seconds
        self.input_tokens += record.usage.input_tokens
        self.output_tokens += record.usage.output_tokens
        self.later += bool(record.later)

    def _add_score(self, score: float | None, passed: bool) -> None:
        if score is None or not math.isfinite(score):  # treated as when read back from a results file
            self.unscored_passes += passed
        elif 0 <= score <= 1:
            self.scores += 1
            self.total += scaled(score)
        else:
            self.outside += 1

    def merge(self, other: Tally) -> None:
        """Add another tally's trials."""
        (
            self.passed, self.failed, self.errors, self.skipped, self.cost, self.cost_unknown, self.seconds,
            self.input_tokens, self.output_tokens, self.later, self.scores, self.total, self.outside,
            self.unscored_passes,
        ) = map(plus, _sums(self), _sums(other))  # fmt: skip
        self.causes = joined(self.causes, other.causes)
        self.breaks = joined(self.breaks, other.breaks)
        self.newest = max(self.newest, other.newest)

    def mean_score(self) -> float:
        """The mean score or pass over the counted trials, of which there must be one."""
        return (self.total + self.unscored_passes * SCALE) / (self.counted * SCALE)

    def counting(self, by_score: bool = False, spread: Spread | None = None) -> Tally:
        """The tally with its score and spread. `by_score`: what `counts_by_score` says of the test."""
        found = Tally(*_sums(self))
        found.causes, found.breaks, found.newest, found.spread = self.causes, self.breaks, self.newest, spread
        found.score = self.mean_score() if by_score and self.counted else None
        return found


_sums = attrgetter(*(each.name for each in fields(Tally)[:14]))


class Sum:
    """The sum over several tests, being made.

    Tests with equal results are counted together, and scores are added as whole numbers, so that nothing
    depends on the order of the tests.
    """

    __slots__ = ("_by_rate", "_by_score", "_scores", "trials")

    def __init__(self) -> None:
        self.trials = Tally()
        self._by_rate: dict[Passes, int] = {}  # number of tests with this result, without scores
        self._by_score: dict[Passes, int] = {}  # number with scores
        self._scores = 0  # sum of their means, times SCALE

    def add(self, test: Tally, by_score: bool) -> None:
        """Add a test."""
        self.trials.merge(test)
        if test.counted:
            its, passes = self._by_score if by_score else self._by_rate, (test.passed, test.counted)
            its[passes] = its.get(passes, 0) + 1
            self._scores += scaled(test.mean_score()) if by_score else 0

    def merge(self, other: Sum) -> None:
        """Add the other sum's tests."""
        self.trials.merge(other.trials)
        self._scores += other._scores
        for mine, its in ((self._by_rate, other._by_rate), (self._by_score, other._by_score)):
            for passes, tests in its.items():
                mine[passes] = mine.get(passes, 0) + tests

    def tally(self, by_score: bool) -> Tally:
        """The tally of all tests. `by_score`: whether any of the tests, by any model, counts by its score."""
        spread = Spread.of_alike([*self._by_rate.items(), *self._by_score.items()])
        found = self.trials.counting(spread=spread if spread.tests > 1 else None)
        if by_score and spread.tests:
            rates = math.fsum(
                tests * (passed / counted) for (passed, counted), tests in self._by_rate.items()
            )
            found.score = (self._scores / SCALE + rates) / spread.tests
        return found


def scaled(value: float) -> int:
    """`value` times SCALE, which is a whole number."""
    numerator, denominator = float(value).as_integer_ratio()
    return numerator * (SCALE // denominator)


def counts_by_score(cells: Iterable[Tally]) -> bool:
    """Whether a test counts by its score. `cells`: its tallies, one for each model."""
    cells = list(cells)
    return any(cell.scores for cell in cells) and not any(cell.outside for cell in cells)


def count(records: Iterable[TrialRecord]) -> Tally:
    """Count `records`."""
    found = Tally()
    for record in records:
        found.add(record)
    return found


def tally(records: Iterable[TrialRecord]) -> Tally:
    """The tally of one test's records."""
    found = count(records)
    return found.counting(counts_by_score([found]))
