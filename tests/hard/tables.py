"""Tables of the suite hard: by kind, and the published seed beside another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import mean

from assay.records import Table, TrialRecord


def tables(records: Sequence[TrialRecord]) -> Iterable[Table]:
    """The mean score by kind and, where another seed was asked, how far it differs from the published one."""
    judged = [each for each in records if each.outcome in ("pass", "fail")]
    if judged:
        yield _by_kind(judged)
        yield from _by_seed(judged)


def value(record: TrialRecord) -> float:
    """A trial's score, or 1 or 0."""
    return record.score if record.score is not None else float(record.outcome == "pass")


def _by_kind(records: Sequence[TrialRecord]) -> Table:
    models = sorted({each.model for each in records})
    kinds = dict.fromkeys(str(each.extra["family"]).partition("_")[0] for each in records)
    rows = []
    for kind in kinds:
        its = [each for each in records if str(each.extra["family"]).partition("_")[0] == kind]
        cells = []
        for model in models:
            mine = [each for each in its if each.model == model]
            passed = sum(each.outcome == "pass" for each in mine)
            cells.append(f"{passed}/{len(mine)}, {mean(map(value, mine)):.2f}" if mine else "")
        rows.append((kind, *cells))
    return Table("Passed and mean score by kind", ("kind", *models), tuple(rows))


def _by_seed(records: Sequence[TrialRecord]) -> Iterator[Table]:
    rows = []
    for model in sorted({each.model for each in records}):
        scores: dict[str, dict[bool, list[float]]] = {}
        for each in records:
            if each.model == model:
                by = scores.setdefault(str(each.extra["family"]), {})
                by.setdefault("@" in each.test, []).append(value(each))
        pairs = [(mean(by[False]), mean(by[True])) for by in scores.values() if len(by) == 2]
        if pairs:
            old, new = (mean(side) for side in zip(*pairs, strict=True))
            rows.append((model, str(len(pairs)), f"{old:.3f}", f"{new:.3f}", f"{new - old:+.3f}"))
    if rows:
        yield Table(
            "The published seed and another one",
            ("model", "families", "published", "other", "difference"), tuple(rows),
            "The mean score of the families that were asked by both seeds. A model that does much worse by the other "
            "seed has learnt the published answers.",
        )  # fmt: skip
