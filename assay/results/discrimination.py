"""How difficult a test is and how well it tells models apart, by classical test theory.

Difficulty is the mean result that is missing; discrimination is the corrected item-total correlation, that of
a test with the mean of all other tests, over models (Crocker and Algina, Introduction to Classical and Modern
Test Theory, 1986, chapter 14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import mean, pvariance, variance
from typing import Literal

FEWEST_MODELS = 3  # for a correlation
SATURATED = 0.95  # of everybody's result, and less than 1 - SATURATED for a test that nobody can do
SPREAD = 0.25  # between the best and the worst model, for a test that tells them apart
AGAINST, AGAINST_OF_THREE = -0.2, -0.5  # the correlation of a test in which better models do worse

Verdict = Literal[
    "tells apart", "little", "unclear", "noisy", "against the trend", "all pass", "none passes"
]  # fmt: skip


@dataclass(frozen=True)
class Discrimination:
    """`means`: model -> mean result, 0 to 1. `difficulty`: 1 less the mean over models. `correlation`: with
    the rest of the tests, -1 to 1; None for fewer than three models, or if either side does not vary.
    `spread`: the best model's mean less the worst one's."""

    means: Mapping[str, float]
    difficulty: float
    correlation: float | None
    spread: float
    verdict: Verdict


def correlation(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Pearson's; None if either does not vary.

    >>> correlation([0, 1, 2], [1, 3, 5]), correlation([1, 1], [0, 1])
    (1.0, None)
    """
    x, y = mean(xs), mean(ys)
    product = sqrt(sum((each - x) ** 2 for each in xs) * sum((each - y) ** 2 for each in ys))
    if product < 1e-12:
        return None
    both = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return max(-1.0, min(1.0, both / product))


_mean, _variance = lru_cache(4096)(mean), lru_cache(4096)(variance)  # exact, slow, and few trials differ


def discriminations(tests: Sequence[Mapping[str, Sequence[float]]]) -> list[Discrimination | None]:
    """How each test discriminates. `tests`: for each, model -> results of its trials, 0 to 1; None for a test
    with fewer than two models. The rest of a test is the mean over the others that a model has."""
    means = [{model: _mean(tuple(its)) for model, its in test.items() if its} for test in tests]
    sums: dict[str, float] = {}
    counts: dict[str, int] = {}
    for each in means:
        for model, value in each.items():
            sums[model] = sums.get(model, 0.0) + value
            counts[model] = counts.get(model, 0) + 1
    found: list[Discrimination | None] = []
    for trials, its in zip(tests, means, strict=True):
        if len(its) < 2:
            found.append(None)
            continue
        rest = {m: (sums[m] - value) / (counts[m] - 1) for m, value in its.items() if counts[m] > 1}
        r = None
        if len(rest) >= FEWEST_MODELS:
            r = correlation([its[model] for model in rest], list(rest.values()))
        values = list(its.values())
        spread = max(values) - min(values)
        verdict = _verdict(values, spread, r, _is_noisy(trials, values), len(rest))
        found.append(Discrimination(its, 1 - mean(values), r, spread, verdict))
    return found


def _is_noisy(trials: Mapping[str, Sequence[float]], means: Sequence[float]) -> bool:
    """Whether chance explains the differences: models' means vary no more than those of repeated trials of
    one model do."""
    chance = [_variance(tuple(its)) / len(its) for its in trials.values() if len(its) > 1]
    return bool(chance) and mean(chance) > 0 and pvariance(means) <= mean(chance)


def _verdict(values: Sequence[float], spread: float, r: float | None, noisy: bool, models: int) -> Verdict:
    if min(values) >= SATURATED:
        return "all pass"
    if max(values) <= 1 - SATURATED:
        return "none passes"
    if noisy:
        return "noisy"
    if r is not None and r < (AGAINST if models > FEWEST_MODELS else AGAINST_OF_THREE):
        return "against the trend"
    if spread < SPREAD:
        return "little"
    return "unclear" if r is not None and r < 0 else "tells apart"
