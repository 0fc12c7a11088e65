from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from assay.results.stats import holm, mcnemar_exact, pass_at_k, pass_hat_k, wilson
from testing.report.worlds import paired_bootstrap

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(counts)
@settings(deadline=None)
def test_wilson_holds_the_share_and_is_symmetric(pair: tuple[int, int]) -> None:
    k, n = pair
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1
    other_low, other_high = wilson(n - k, n)
    assert low == pytest.approx(1 - other_high, abs=1e-12) and high == pytest.approx(1 - other_low, abs=1e-12)


@given(counts)
@settings(deadline=None)
def test_wilson_ends_are_where_the_score_test_is_just_rejected(pair: tuple[int, int]) -> None:
    k, n = pair
    for end in wilson(k, n):
        if 0 < end < 1:  # |p - end| = z * sqrt(end (1 - end) / n) defines the interval
            assert abs(k / n - end) == pytest.approx(1.959964 * math.sqrt(end * (1 - end) / n), rel=1e-6)


@given(counts, st.floats(0.5, 0.999))
@settings(deadline=None)
def test_wilson_widens_with_confidence_and_agrees_with_scipy(
    pair: tuple[int, int], confidence: float
) -> None:
    k, n = pair
    theirs = binomtest(k, n).proportion_ci(confidence, method="wilson")
    ours = wilson(k, n, confidence)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_wilson_of_nothing_says_nothing_and_nonsense_is_refused() -> None:
    assert wilson(0, 0) == (0, 1)
    for k, n, confidence in ((-1, 5, 0.95), (6, 5, 0.95), (1, 5, 0), (1, 5, 1)):
        with pytest.raises(ValueError):
            wilson(k, n, confidence)


@given(st.integers(0, 60), st.integers(0, 60))
@settings(deadline=None)
def test_mcnemar_is_the_two_sided_binomial_test(b: int, c: int) -> None:
    p = mcnemar_exact(b, c)
    assert p == mcnemar_exact(c, b)
    assert p == pytest.approx(binomtest(b, b + c).pvalue if b + c else 1.0, abs=1e-12)


def test_mcnemar_takes_large_counts() -> None:
    assert 0 <= mcnemar_exact(2000, 4000) < 1e-100
    assert mcnemar_exact(3000, 3000) == 1.0


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
@settings(deadline=None)
def test_pass_at_k_and_pass_hat_k_count_every_draw(numbers: tuple[int, int, int]) -> None:
    n, c, k = numbers
    tries = [True] * c + [False] * (n - c)
    draws = list(itertools.combinations(tries, k))
    assert pass_at_k(n, c, k) == pytest.approx(float(Fraction(sum(map(any, draws)), len(draws))))
    assert pass_hat_k(n, c, k) == pytest.approx(float(Fraction(sum(map(all, draws)), len(draws))))


@given(st.lists(st.floats(0, 1), max_size=12))
@settings(deadline=None)
def test_holm_keeps_the_order_and_rejects_as_the_steps_do(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, q in zip(p_values, adjusted, strict=True):
        assert p <= q <= min(1.0, p * len(p_values)) + 1e-15 or q == max(adjusted[: len(p_values)])
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)
    for level in (0.01, 0.05, 0.3):  # the procedure as published: stop at the first that fails
        rejected = set()
        for rank, i in enumerate(order):
            if p_values[i] * (len(order) - rank) > level:
                break
            rejected.add(i)
        assert rejected == {i for i, q in enumerate(adjusted) if q <= level}


def test_bootstrap_is_paired_clustered_and_seeded() -> None:
    draw = random.Random(3)
    ease = {f"t{i}": draw.random() for i in range(40)}
    a = {test: [min(1.0, e + 0.1)] for test, e in ease.items()}
    b = {test: [e] for test, e in ease.items()} | {"only in b": [1.0]}
    found = paired_bootstrap(a, b)
    assert found.tests == 40 and 0.05 < found.low <= found.mean <= found.high <= 0.1 + 1e-9
    assert found == paired_bootstrap(dict(reversed(a.items())), b)
    assert paired_bootstrap(a, b, seed=1) != found
    back = paired_bootstrap(b, a)
    assert back.mean == pytest.approx(-found.mean)
    # Trials of a test are one cluster: repeating them tells nothing new.
    assert paired_bootstrap({t: v * 5 for t, v in a.items()}, b) == pytest.approx(found)


def test_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    draw, hits, runs = random.Random(1), 0, 150
    for run in range(runs):
        a = {str(t): [float(draw.random() < 0.6) for _ in range(3)] for t in range(50)}
        b = {str(t): [float(draw.random() < 0.5) for _ in range(3)] for t in range(50)}
        found = paired_bootstrap(a, b, resamples=400, seed=run)
        hits += found.low <= 0.1 <= found.high
    assert 0.88 <= hits / runs <= 0.99


def test_bootstrap_of_one_test_claims_nothing() -> None:
    assert paired_bootstrap({"t": [0.75]}, {"t": [0.25]}) == (0.5, -math.inf, math.inf, 1)


def test_bootstrap_without_common_tests_says_nothing() -> None:
    assert paired_bootstrap({"a": [1.0]}, {"b": [1.0]}) == (0.0, -math.inf, math.inf, 0)
