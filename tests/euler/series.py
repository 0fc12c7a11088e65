"""Scores of a series: the mean of the points of the solved problems, for each model and language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.records import Outcome, TrialRecord

from .facts import Problem

COUNTED = (Outcome.PASS, Outcome.FAIL)


def series_score(solved: Iterable[float], count: int) -> float:
    """round(sum of the points of the solved problems / number of problems in the series, 2)."""
    return round(sum(solved) / count, 2)


@dataclass
class Series:
    """One model in one language. `solved`: problem -> the share of its trials that passed, for those with
    a verdict. `size`: how many problems the series has; a score over fewer says so."""

    model: str
    language: str
    size: int
    solved: dict[int, float] = field(default_factory=dict)

    def score(self, problems: Mapping[int, Problem]) -> float | None:
        """Over the problems that have a verdict; None if none has."""
        if not self.solved:
            return None
        return series_score(
            (share * problems[n].points for n, share in self.solved.items()), len(self.solved)
        )

    @property
    def count(self) -> int:
        """Of solved problems; one that only some trials solved counts as that share."""
        return round(sum(self.solved.values()))

    @property
    def complete(self) -> bool:
        return len(self.solved) >= self.size


def series_size(numbers: Iterable[int]) -> int:
    """100 or 200: the shortest published series that holds all of `numbers`."""
    return 100 if max(numbers, default=0) <= 100 else 200 if max(numbers) <= 200 else max(numbers)


def series_of(records: Sequence[TrialRecord], problems: Mapping[int, Problem]) -> list[Series]:
    """Every model in every language that `records` hold, in the order in which they come."""
    trials: dict[tuple[str, str], dict[int, list[bool]]] = {}
    numbers = set()
    for record in records:
        number, language = record.extra.get("problem"), record.extra.get("language")
        if not isinstance(number, int) or number not in problems or not isinstance(language, str):
            continue
        numbers.add(number)
        its = trials.setdefault((record.model, language), {})
        if record.outcome in COUNTED:
            its.setdefault(number, []).append(record.outcome is Outcome.PASS)
    size = series_size(numbers)
    return [
        Series(model, language, size, {n: sum(each) / len(each) for n, each in sorted(its.items())})
        for (model, language), its in trials.items()
    ]
