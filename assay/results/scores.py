"""Scores lie between 0, the worst, and 1, the best; a suite with another scale declares it.

If a test has scores, a verdict without one gets an end of the scale: a FAIL (an empty reply, no code in it)
the worst, a PASS the best. Otherwise a model that answers little would have the better mean.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from assay.errors import GraderError
from assay.records import VERDICTS, Outcome, TrialRecord

Scale = tuple[float, float]
"""The worst score and the best one."""
USUAL: Scale = (0.0, 1.0)
SLACK = 1e-9  # a mean of ones may come out above 1 by a hair
NAMED = 5  # tests in a message


def share(value: float, scale: Scale | None) -> float:
    """The position of `value` between the worst (0) and the best (1). Raises GraderError if it is outside.

    >>> share(75, (0, 100)), share(0.25, None), share(2.0, (10, 0))
    (0.75, 0.25, 0.8)
    """
    worst, best = scale or USUAL
    found = (float(value) - worst) / (best - worst)
    if not -SLACK <= found <= 1 + SLACK:  # false for NaN too
        between = f"between {min(worst, best):g} and {max(worst, best):g}"
        hint = "; a suite with another scale declares Suite(scores=(worst, best))" if scale is None else ""
        raise GraderError(f"Score.value must be {between}, not {value!r:.100}{hint}")
    return min(1.0, max(0.0, found))


def is_scale(scale: object) -> bool:
    """Whether a suite may declare this scale."""
    if not isinstance(scale, tuple) or len(scale) != 2:
        return False
    known = all(isinstance(end, (int, float)) and math.isfinite(end) for end in scale)
    return known and scale[0] != scale[1]


def _test(record: TrialRecord) -> tuple[str, str]:
    return record.suite, record.test


def _scored(record: TrialRecord) -> bool:
    return record.score is not None and record.outcome in VERDICTS and math.isfinite(record.score)


def _outside(records: Iterable[TrialRecord]) -> list[TrialRecord]:
    return [each for each in records if _scored(each) and not 0 <= (each.score or 0) <= 1]


def scored_tests(records: Sequence[TrialRecord]) -> set[tuple[str, str]]:
    """(suite, test) of those that count by score: a model has one, and none is outside 0 to 1."""
    return {_test(each) for each in records if _scored(each)} - set(map(_test, _outside(records)))


def filled(record: TrialRecord, scored: Collection[tuple[str, str]]) -> TrialRecord:
    """The record, with the score that its verdict implies if it has none and its test is in `scored`."""
    if record.outcome not in VERDICTS or _scored(record) or _test(record) not in scored:
        return record
    return replace(record, score=float(record.outcome is Outcome.PASS))


def with_scores(records: Sequence[TrialRecord]) -> list[TrialRecord]:
    """The records, in which every verdict of a scored test has a score."""
    scored = scored_tests(records)
    return [filled(record, scored) for record in records] if scored else list(records)


def unusable(records: Iterable[TrialRecord]) -> list[str]:
    """Warnings about scores saved before such scores were refused, a sentence for each suite."""
    suites: dict[str, dict[str, None]] = {}
    for record in _outside(records):
        suites.setdefault(record.suite, {})[record.test] = None
    said = []
    for suite, tests in suites.items():
        have = "1 test has" if len(tests) == 1 else f"{len(tests)} tests have"
        named = ", ".join([*tests][:NAMED]) + (" ..." if len(tests) > NAMED else "")
        said.append(
            f"suite {suite}: {have} scores outside 0 to 1, so only pass or fail counts there "
            f"({named}); declare Suite(scores=(worst, best)), then rescore"
        )
    return said
