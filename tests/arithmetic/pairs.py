"""Two models on the same problems: what one got right and the other did not, and whether that is chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from assay.records import Cell, Outcome, Table, TrialRecord, Value
from assay.results.paired import compare as paired
from assay.results.stats import holm, mcnemar_exact

from .tally import cell_of

ProblemKey = str  # variant, depth, epoch and operands
NOTE = (
    "Each problem that both were asked is one pair. Points: percent right of the first less that of the second, with "
    "Tango's 95% interval. p: exact McNemar test on the problems that only one got right; Holm's "
    "correction is for all pairs in the table."
)


@dataclass(frozen=True)
class Pair:
    """Counts over the problems that both models have answered."""

    first: str
    second: str
    both: int
    only_first: int
    only_second: int
    neither: int
    points: tuple[float, float, float]  # difference of the shares, low, high

    @property
    def problems(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def p(self) -> float:
        return mcnemar_exact(self.only_first, self.only_second)


def verdicts(records: Sequence[TrialRecord]) -> dict[ProblemKey, bool]:
    """Problem -> whether it was right, by the lenient reading; without errors."""
    return {
        "/".join(map(str, (*cell_of(record), record.epoch, *record.extra["operands"]))): record.outcome
        is Outcome.PASS
        for record in records
        if record.outcome in (Outcome.PASS, Outcome.FAIL)
    }


def compare(first: str, second: str, a: Mapping[ProblemKey, bool], b: Mapping[ProblemKey, bool]) -> Pair:
    """The problems that both sides answered, counted by who was right."""
    common = [key for key in a if key in b]
    counts = {(x, y): 0 for x in (True, False) for y in (True, False)}
    for key in common:
        counts[a[key], b[key]] += 1
    gap = paired([float(a[key]) - float(b[key]) for key in common], single=True)
    return Pair(
        first,
        second,
        counts[True, True],
        counts[True, False],
        counts[False, True],
        counts[False, False],
        (gap.mean, gap.low, gap.high),
    )


def pairs_table(models: Mapping[str, Sequence[TrialRecord]]) -> Table:
    """Every two models that share problems, the most different first."""
    known = {model: verdicts(records) for model, records in models.items()}
    every = [compare(a, b, known[a], known[b]) for a, b in combinations(known, 2)]
    pairs = [pair for pair in every if pair.problems]
    adjusted = dict(zip(pairs, holm([pair.p for pair in pairs]), strict=True))
    rows = tuple(_row(pair, adjusted[pair]) for pair in sorted(pairs, key=lambda pair: pair.p))
    apart = len(every) - len(pairs)
    note = NOTE + (
        f" {apart} pairs have no problem in common (another seed) and are left out." if apart else ""
    )
    columns = (
        "model", "against", "problems", "both right", "only the first", "only the second", "neither", "points",
        "95% interval", "p", "p (Holm)",
    )  # fmt: skip
    return Table("The same problems", columns, rows, note)


def _row(pair: Pair, adjusted: float) -> tuple[Value | Cell, ...]:
    mean, low, high = (100 * each for each in pair.points)
    return (
        pair.first,
        pair.second,
        pair.problems,
        pair.both,
        pair.only_first,
        pair.only_second,
        pair.neither,
        Cell(mean, f"{mean:+.1f}", shade=max(-1.0, min(1.0, mean / 50)), scale="gap"),
        Cell(low, f"{low:+.1f} to {high:+.1f}"),
        _chance(pair.p),
        _chance(adjusted),
    )


def _chance(p: float) -> Cell:
    return Cell(p, "< 0.0001" if p < 0.0001 else f"{p:.2g}")
