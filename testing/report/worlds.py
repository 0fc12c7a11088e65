"""Kinds of tests to draw from, with a known difference of two models, for simulating comparisons.

`python -m testing.report.worlds` prints the table of docs/comparing.md: how often the 95% intervals hold the
true difference, ours and the percentile bootstrap's, and how wide they are. About two minutes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from assay.results.paired import compare

World = Callable[[random.Random], tuple[float, float]]
"""Draws a test: the chances of both models to pass it."""


def ushape(draw: random.Random) -> tuple[float, float]:
    """Most tests are easy or hard; on a fifth the second model differs at random."""
    ease = draw.betavariate(0.4, 0.4)
    return ease, draw.random() if draw.random() < 0.2 else ease


def ceiling(draw: random.Random) -> tuple[float, float]:
    """Both pass nearly always, but the second fails 8% of the tests for good."""
    return 0.98, 0.0 if draw.random() < 0.08 else 0.98


def apart(draw: random.Random) -> tuple[float, float]:
    return draw.betavariate(2, 1), draw.betavariate(1, 2)


def alike(draw: random.Random) -> tuple[float, float]:
    ease = draw.betavariate(0.5, 0.5)
    return ease, ease


WORLDS = {ushape: 0.0, ceiling: 0.0784, apart: 1 / 3, alike: 0.0}  # kind of tests -> true difference


def gaps_of(world: World, n: int, k: int, draw: random.Random) -> list[float]:
    def passed(p: float) -> float:
        return sum(draw.random() < p for _ in range(k)) / k

    return [passed(a) - passed(b) for a, b in (world(draw) for _ in range(n))]


class Difference(NamedTuple):
    """`mean` of (a - b) over `tests` that both sides finished, and its confidence interval."""

    mean: float
    low: float
    high: float
    tests: int


def paired_bootstrap(
    a: Mapping[str, Sequence[float]],
    b: Mapping[str, Sequence[float]],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Difference:
    """How much better `a` is than `b`: mean over tests of (mean of a's trials - mean of b's trials).

    `a` and `b` map a test to the values of its trials; tests that either lacks are left out. The
    interval is the percentile bootstrap over tests (whole clusters are drawn, so trials of one
    test stay together): Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapters 8
    and 13. The same seed gives the same interval. One test says nothing about others: interval (-inf, inf);
    without a common test mean 0, too.
    """
    tail = (1 - confidence) / 2
    common = sorted(test for test in a if a[test] and b.get(test))
    gaps = [math.fsum(a[test]) / len(a[test]) - math.fsum(b[test]) / len(b[test]) for test in common]
    if not gaps:
        return Difference(0.0, -math.inf, math.inf, 0)
    mean = math.fsum(gaps) / len(gaps)
    if len(gaps) == 1:
        return Difference(mean, -math.inf, math.inf, 1)
    if len(set(gaps)) == 1:
        return Difference(mean, mean, mean, len(gaps))
    draw = random.Random(seed)
    means = sorted(math.fsum(draw.choices(gaps, k=len(gaps))) / len(gaps) for _ in range(resamples))
    return Difference(mean, _quantile(means, tail), _quantile(means, 1 - tail), len(gaps))


def _quantile(ordered: Sequence[float], q: float) -> float:
    """Linear interpolation between order statistics (Hyndman and Fan's type 7)."""
    place = q * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def main() -> None:
    print("| tests | trials | kind | ours | width | bootstrap | width |")
    print("| ---: | ---: | --- | ---: | ---: | ---: | ---: |")
    runs = 1000
    for n, k in ((6, 1), (20, 1), (100, 1), (6, 3), (20, 3), (100, 3), (20, 10)):
        for world, truth in WORLDS.items():
            draw = random.Random(f"{world.__name__}/{n}/{k}")
            held, width = [0, 0], [0.0, 0.0]
            for run in range(runs):
                gaps = gaps_of(world, n, k, draw)
                ours = compare(gaps, single=k == 1)
                a = {str(place): [gap] for place, gap in enumerate(gaps)}
                theirs = paired_bootstrap(a, {key: [0.0] for key in a}, resamples=400, seed=run)
                for place, (low, high) in enumerate(((ours.low, ours.high), (theirs.low, theirs.high))):
                    held[place] += low - 1e-9 <= truth <= high + 1e-9
                    width[place] += (high - low) / runs
            cells = (f"{100 * held[i] / runs:.1f}% | {100 * width[i]:.0f}" for i in (0, 1))
            print(f"| {n} | {k} | {world.__name__} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
