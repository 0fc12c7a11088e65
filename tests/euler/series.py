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


def series_sizes(numbers: Iterable[int]) -> list[int]:
    """The series that have some of these problems: the first 100, the first 200, or all up to the last.

    >>> series_sizes([1, 99]), series_sizes([7, 150]), series_sizes([914]), series_sizes([])
    ([100], [100, 200], [914], [])
    """
    found = sorted(numbers)
    sizes = [size for size, above in ((100, 0), (200, 100)) if any(above < n <= size for n in found)]
    return [*sizes, found[-1]] if found and found[-1] > 200 else sizes


def series_of(
    records: Sequence[TrialRecord], problems: Mapping[int, Problem], size: int | None = None
) -> list[Series]:
    """Every model in every language that has a verdict in the series of `size` problems (default: the
    longest of those that `records` have), in the order in which they come."""
    trials: dict[tuple[str, str], dict[int, list[bool]]] = {}
    for record in records:
        number, language = record.extra.get("problem"), record.extra.get("language")
        if not isinstance(number, int) or number not in problems or not isinstance(language, str):
            continue
        if record.outcome in COUNTED:
            its = trials.setdefault((record.model, language), {})
            its.setdefault(number, []).append(record.outcome is Outcome.PASS)
    sizes = series_sizes({number for its in trials.values() for number in its})
    last = size or (sizes[-1] if sizes else 100)
    found = []
    for (model, language), its in trials.items():
        solved = {n: sum(each) / len(each) for n, each in sorted(its.items()) if n <= last}
        if solved:
            found.append(Series(model, language, last, solved))
    return found
