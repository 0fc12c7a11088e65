"""What a model's records add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

from assay.records import Outcome, TrialRecord, Usage

from .grade import Class

CellKey = tuple[str, int]  # variant, depth


@dataclass
class Tally:
    """Counts of one model, or of one of its cells. `trials` includes the errors; rates do not count them.

    `cost`: in US dollars, None once that of any reply is unknown.
    """

    trials: int = 0
    lenient: Counter[str] = field(default_factory=Counter)
    strict: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    date: str = ""  # of the newest trial, ISO 8601
    absolute: list[float] = field(default_factory=list)  # errors of the trials that deviate
    relative: list[float] = field(default_factory=list)

    def add(self, record: TrialRecord) -> None:
        """Count one trial; one that was skipped is none."""
        if record.outcome is Outcome.SKIPPED:
            return
        self.trials += 1
        kinds = record.extra.get("classification")
        if record.outcome is Outcome.ERROR or not isinstance(kinds, dict):
            kinds = {"lenient": Class.ERROR, "strict": Class.ERROR}
        self.lenient[kinds["lenient"]] += 1
        self.strict[kinds["strict"]] += 1
        self.usage += record.usage
        if self.cost is not None:
            self.cost = None if record.cost is None else self.cost + record.cost
        self.date = max(self.date, str(record.extra.get("timestamp", record.started_at)))
        for name, errors in (("absolute_error", self.absolute), ("relative_error", self.relative)):
            if (error := record.metrics.get(name)) is not None:
                errors.append(error)

    @property
    def errors(self) -> int:
        return self.lenient[Class.ERROR]

    @property
    def counted(self) -> int:
        """Trials with a reply: what rates are shares of."""
        return self.trials - self.errors

    @property
    def correct(self) -> int:
        return self.lenient[Class.CORRECT]

    def share(self, count: int) -> float | None:
        return count / self.counted if self.counted else None

    @property
    def accuracy(self) -> float | None:
        return self.share(self.correct)

    @property
    def mean_error(self) -> float | None:
        """Mean absolute error of the trials that deviate by a measurable amount."""
        count = len(self.absolute)
        return sum(error / count for error in self.absolute) if count else None

    @property
    def median_relative_error(self) -> float | None:
        return median(self.relative) if self.relative else None


def by_model(records: Iterable[TrialRecord]) -> dict[str, list[TrialRecord]]:
    """Model -> its records, in the order of their first ones."""
    found: dict[str, list[TrialRecord]] = {}
    for record in records:
        found.setdefault(record.model, []).append(record)
    return found


def tally(records: Iterable[TrialRecord]) -> Tally:
    total = Tally()
    for record in records:
        total.add(record)
    return total


def cell_of(record: TrialRecord) -> CellKey:
    """(variant, depth) of a trial."""
    return str(record.extra["variant"]), int(record.extra["depth"])


def by_cell(records: Sequence[TrialRecord]) -> dict[CellKey, Tally]:
    found: dict[CellKey, Tally] = {}
    for record in records:
        found.setdefault(cell_of(record), Tally()).add(record)
    return found
