"""Confidence intervals of a pass rate over several tests with several trials each.

Trials of one test resemble each other: most tests are passed always or never. So the sample is the tests, and
a hundred more trials of the same twenty tests say little about a twenty-first.
testing/report/test_clustered.py shows by simulation how often the intervals cover the truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.results.paired import t_quantile
from assay.results.stats import Interval, wilson


@dataclass(frozen=True, slots=True)
class Spread:
    """What an interval needs to know about its tests, test i having passed k_i of n_i counted trials: the
    number of tests with any, and the sums of k_i², k_i n_i and n_i²."""

    tests: int = 0
    passed_squared: int = 0
    crossed: int = 0
    counted_squared: int = 0

    @classmethod
    def of(cls, tests: Iterable[tuple[int, int]]) -> Spread:
        """The spread of tests given as (k_i, n_i)."""
        return cls.of_alike((test, 1) for test in tests)

    @classmethod
    def of_alike(cls, tests: Iterable[tuple[tuple[int, int], int]]) -> Spread:
        """The spread of tests given as (k_i, n_i) and the number of tests with this result."""
        some = [(k, n, m) for (k, n), m in tests if n]
        return cls(
            sum(m for _, _, m in some),
            sum(m * k * k for k, _, m in some),
            sum(m * k * n for k, n, m in some),
            sum(m * n * n for _, n, m in some),
        )


def clustered_wilson(passed: int, counted: int, spread: Spread, confidence: float = 0.95) -> Interval:
    """The interval of the pass rate `passed` / `counted`, for tests like those in `spread`.

    Wilson's score interval at the effective sample size of Korn and Graubard (Confidence Intervals for
    Proportions with Small Expected Number of Positive Counts Estimated from Survey Data, Survey Methodology
    24, 1998), as compared by Franco, Little, Louis and Slud (Comparative Study of Confidence Intervals for
    Proportions in Complex Sample Surveys, J. Survey Statistics and Methodology 7, 2019). With m tests,
    n trials, p = passed / n and v = m/(m-1) sum (k_i - p n_i)² / n², the variance of a ratio of sums over
    clusters (W. G. Cochran, Sampling Techniques, 1977, chapter 9A):

        r  = v m / (p (1 - p)), at least m/n: 1 if each test passes always or never, m/n if trials of a
             test are as different as trials of others
        r' = (4 p (1 - p) m r + 1) / (4 p (1 - p) m + 1)
        Wilson at m/r' times (t of n-1 / t of m-1 degrees of freedom)², but at least m trials

    r' for r is our own: where nearly all tests pass or nearly all fail, the few others say little about r,
    and r' leans towards 1, at p = 0 or 1 wholly. With one trial a test it is Wilson's interval itself. Of a
    single test nothing is known about others: its interval is Wilson's, of further trials of that test.

    >>> spread = Spread.of([(3, 3), (3, 3), (0, 3), (3, 3), (1, 3)])
    >>> [round(end, 2) for end in clustered_wilson(10, 15, spread)], [round(end, 2) for end in wilson(10, 15)]
    ([0.28, 0.91], [0.42, 0.85])
    """
    tests = spread.tests
    if tests < 2 or tests == counted:
        return wilson(passed, counted, confidence)
    p = passed / counted
    squares = spread.passed_squared - 2 * p * spread.crossed + p * p * spread.counted_squared
    weight = 4 * p * (1 - p) * tests
    alike = 1.0
    if weight > 0:
        variance = tests / (tests - 1) * max(0.0, squares) / (counted * counted)
        alike = max(tests / counted, variance * tests / (p * (1 - p)))
        alike = (weight * alike + 1) / (weight + 1)
    level = 0.5 + confidence / 2
    surer = t_quantile(level, counted - 1) / t_quantile(level, tests - 1)
    effective = max(float(tests), tests / alike * surer * surer)
    return wilson(p * effective, effective, confidence)
