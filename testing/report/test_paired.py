"""The statistics of two models: against published numbers, against counting, and by simulation.

Simulations are seeded. Their bounds are the nominal rate less (or more) four standard errors of so many
runs, so that they hold for one seed in ten thousand others; only a change of the method breaks them.
"""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from assay.results import paired
from assay.results.paired import (
    Comparison,
    compare,
    fewest,
    padded_t,
    paired_permutation,
    smallest_mean,
    smallest_single,
    t_quantile,
    tango,
)
from assay.results.stats import mcnemar_exact
from testing.report.worlds import WORLDS, alike, ceiling, gaps_of


def four_errors(rate: float, runs: int) -> float:
    return 4 * math.sqrt(rate * (1 - rate) / runs)


# ---------------------------------------------------------------- against numbers known otherwise


@pytest.mark.parametrize("free", [1, 2, 3, 4, 5, 6, 9, 30, 77, 299, 300, 301, 5000])
@pytest.mark.parametrize("p", [0.8, 0.9, 0.975, 0.995])
def test_t_quantile_is_scipys(free: int, p: float) -> None:
    assert t_quantile(p, free) == pytest.approx(stats.t.ppf(p, free), rel=2e-6)


def test_tango_gives_the_published_interval() -> None:
    # of 21 pairs 1 against 7: the example of Fagerland, Lydersen and Laake (2014)
    assert tango(1, 7, 21) == pytest.approx((-0.517, -0.026), abs=5e-4)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
@settings(deadline=None)
def test_tango_ends_are_where_the_score_test_is_just_rejected(b: int, c: int, ties: int) -> None:
    n = b + c + ties
    if not n:
        return
    low, high = tango(b, c, n)
    assert -1 <= low <= (b - c) / n <= high <= 1 and high - low > 0
    assert tango(c, b, n) == pytest.approx((-high, -low), abs=1e-9)
    for end in (low, high):
        if abs(end) < 1 - 1e-9:  # the likeliest share of losses given the difference, found by searching
            from scipy.optimize import minimize_scalar

            def loss(q: float, d: float = end) -> float:
                parts = ((b, q + d), (c, q), (ties, 1 - 2 * q - d))
                return -sum(k * math.log(max(p, 1e-300)) for k, p in parts)

            q = minimize_scalar(loss, bounds=(max(0, -end), (1 - end) / 2), method="bounded",
                                options={"xatol": 1e-10}).x  # fmt: skip
            z = abs(b - c - n * end) / math.sqrt(n * (2 * q + end * (1 - end)))
            assert z == pytest.approx(1.959964, abs=2e-3)


def by_counting(gaps: list[float]) -> float:
    sums = [
        abs(sum(gap * sign for gap, sign in zip(gaps, signs, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(gaps))
    ]
    return sum(each >= abs(sum(gaps)) - 1e-9 for each in sums) / len(sums)


@given(st.integers(1, 7), st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=9))
@settings(deadline=None)
def test_the_permutation_test_counts_every_swap(k: int, trials: list[tuple[int, int]]) -> None:
    gaps = [min(a, k) / k - min(b, k) / k for a, b in trials]
    assert paired_permutation(gaps) == pytest.approx(by_counting(gaps), abs=1e-12)


@given(st.lists(st.floats(-1, 1), max_size=9))
@settings(deadline=None)
def test_the_permutation_test_takes_gaps_as_they_are(gaps: list[float]) -> None:
    gaps = [gap for gap in gaps if abs(gap) > 1e-6]
    if abs(sum(gaps)) > 1e-6 or not gaps:
        assert paired_permutation(gaps) == pytest.approx(by_counting(gaps), abs=1e-12)


@pytest.mark.parametrize("n", [15, 26, 27, 35, 60])
@pytest.mark.parametrize("kind", ["scores", "few large ones"])
def test_the_permutation_test_of_gaps_without_a_common_unit(
    n: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against gaps with one, of which every swap is counted."""
    draw = random.Random(f"{n}/{kind}")
    for _ in range(6):
        each = [draw.gauss(0, 0.1) if kind == "scores" else draw.gauss(0, 0.5) ** 3 for _ in range(n)]
        gaps = [round(5000 * (gap + draw.random() / 30)) / 5000 for gap in each]
        with monkeypatch.context() as patched:
            patched.setattr(paired, "MAX_WORK", 10**9)
            counted = paired_permutation(gaps)
            patched.setattr(paired, "MAX_UNITS", 1)
            assert paired_permutation(gaps) == pytest.approx(
                counted, abs=1e-9 if n <= paired.HALVES else 6e-4
            )


@given(st.integers(0, 40), st.integers(0, 40))
@settings(deadline=None)
def test_the_permutation_test_of_single_trials_is_mcnemars_test(b: int, c: int) -> None:
    assert paired_permutation([1.0] * b + [-1.0] * c + [0.0] * 3) == pytest.approx(
        mcnemar_exact(b, c), rel=1e-12
    )


def test_the_permutation_test_of_many_scores_agrees_with_a_million_swaps() -> None:
    import numpy

    swaps = numpy.random.default_rng(1)
    for n in (60, 400):  # counted; left to the normal distribution
        gaps = [random.Random(n + i).gauss(0.02, 0.15) for i in range(n)]
        signs = swaps.integers(0, 2, (20_000, n), dtype=numpy.int8) * 2.0 - 1
        there = float((abs(signs @ numpy.array(gaps)) >= abs(sum(gaps))).mean())
        assert paired_permutation(gaps) == pytest.approx(
            there, abs=four_errors(max(there, 0.01), 20_000) + 0.002
        )


# ---------------------------------------------------------------- what must never be said


@pytest.mark.parametrize("gap", [0.0, 1.0, -1.0, 0.25])
@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 5, 20, 200])
def test_equal_gaps_are_not_certainty(gap: float, n: int, single: bool) -> None:
    if single and gap == 0.25:
        return
    found = compare([gap] * n, single=single)
    assert found.low <= found.mean <= found.high and found.high - found.low >= min(1.0, 3 / (n + 4))
    if n < fewest():
        assert found.low <= 0 <= found.high and found.p > 0.05 and found.smallest is None


@given(st.lists(st.sampled_from([-1.0, -0.4, 0.0, 0.2, 1.0]), max_size=25), st.booleans())
@settings(deadline=None)
def test_seen_from_the_other_side_it_is_the_same(gaps: list[float], single: bool) -> None:
    gaps = [float(round(gap)) for gap in gaps] if single else gaps
    there, back = compare(gaps, single=single), compare([-gap for gap in gaps], single=single).turned()
    for name, value in vars(there).items():
        assert getattr(back, name) == pytest.approx(value, abs=1e-9), name
    assert -1 <= there.low <= there.mean <= there.high <= 1
    if there.tests and there.p > 0.05:
        assert there.low <= 0 <= there.high


def test_nothing_to_compare() -> None:
    assert compare([], single=True) == Comparison(0, 0.0, -1.0, 1.0, 0, 0, 1.0, True, None)


def test_where_mcnemar_finds_a_difference_the_interval_leaves_out_zero() -> None:
    for differing in range(6, 80):
        for losses in range(differing // 2):
            if mcnemar_exact(differing - losses, losses) <= 0.05:
                assert tango(differing - losses, losses, differing).low > 0
                assert tango(differing - losses, losses, 4 * differing).low > 0


# ---------------------------------------------------------------- simulations


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
@pytest.mark.parametrize(("n", "k"), [(5, 1), (12, 1), (40, 1), (5, 3), (12, 3), (40, 3), (12, 10)])
def test_intervals_hold_the_truth_as_often_as_they_say(world, n: int, k: int) -> None:
    runs = 400 if n < 40 else 200
    draw = random.Random(f"{world.__name__}/{n}/{k}")
    held = 0
    for _ in range(runs):
        found = compare(gaps_of(world, n, k, draw), single=k == 1)
        held += found.low <= WORLDS[world] <= found.high
    assert held / runs >= 0.945 - four_errors(0.945, runs)


@pytest.mark.parametrize("n", [6, 15, pytest.param(40, marks=pytest.mark.slow(5))])
def test_intervals_of_scores_hold_the_truth(n: int) -> None:
    draw, runs, held = random.Random(n), 600, 0
    for _ in range(runs):
        gaps = [draw.betavariate(8, 2) - draw.betavariate(6, 3) for _ in range(n)]
        found = compare(gaps, single=False)
        held += found.low <= 0.8 - 6 / 9 <= found.high
    assert held / runs == pytest.approx(0.95, abs=four_errors(0.95, runs) + 0.01)


def test_the_percentile_bootstrap_would_not_do() -> None:
    """Why intervals are not bootstrapped: with few tests that mostly agree it holds the truth too seldom."""
    from testing.report.worlds import paired_bootstrap

    draw, runs = random.Random(2), 200
    held = {"bootstrap": 0, "ours": 0}
    for _ in range(runs):
        gaps = gaps_of(ceiling, 12, 3, draw)
        theirs = paired_bootstrap({str(i): [g] for i, g in enumerate(gaps)},
                                  {str(i): [0.0] for i in range(12)}, resamples=200)  # fmt: skip
        ours = compare(gaps, single=False)
        held["bootstrap"] += theirs.low <= WORLDS[ceiling] <= theirs.high
        held["ours"] += ours.low <= WORLDS[ceiling] <= ours.high
    assert held["bootstrap"] / runs < 0.85 and held["ours"] / runs >= 0.95 - four_errors(0.95, runs)


@pytest.mark.parametrize(("n", "k"), [(8, 1), (40, 1), (8, 3), (40, 3)])
def test_false_alarms_are_as_rare_as_they_should(n: int, k: int) -> None:
    draw, runs = random.Random(f"{n}/{k}"), 800 if n < 40 else 400
    alarms = 0
    for _ in range(runs):
        found = compare(gaps_of(alike, n, k, draw), single=k == 1)
        alarms += found.p <= 0.05 and not found.low <= 0 <= found.high
    assert alarms / runs <= 0.05 + four_errors(0.05, runs)


@pytest.mark.parametrize("n", [12, 24, 50])
def test_a_loss_too_rare_to_be_seen_is_allowed_for(n: int) -> None:
    """On 60% of the tests both do the same, on most others the first is a little better, and on a few it
    fails altogether, so that the two are equal on average. p alone claims a difference far too often."""
    draw, runs = random.Random(n), 400
    kinds = {0.0: 0.6, 0.035: 0.4 / 1.035, -1.0: 0.4 * 0.035 / 1.035}
    alarms = by_p = 0
    for _ in range(runs):
        drawn = draw.choices([*kinds], [*kinds.values()], k=n)
        found = compare([2 * gap * draw.random() if gap > 0 else gap for gap in drawn], single=False)
        by_p += found.p <= 0.05
        alarms += found.p <= 0.05 and not found.low <= 0 <= found.high
    assert alarms / runs <= 0.05 and by_p / runs > 0.2


@pytest.mark.parametrize("n", [12, 30, 100, 400])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_single_trials_find_the_smallest_difference_four_times_out_of_five(n: int, share: float) -> None:
    least = smallest_single(round(share * n), n)
    assert least is not None
    differing = max(share, least)  # of the tests, decided differently; as many as the formula counts on
    draw, runs, found = random.Random(f"{n}/{share}"), 500, 0
    for _ in range(runs):
        wins = losses = 0
        for _ in range(n):
            x = draw.random()
            wins += x < (differing + least) / 2
            losses += (differing + least) / 2 <= x < differing
        found += mcnemar_exact(wins, losses) <= 0.05 and wins > losses
    assert 0.8 - four_errors(0.8, runs) <= found / runs <= 0.95


@pytest.mark.parametrize("n", [12, 40])
def test_scores_find_the_smallest_difference_four_times_out_of_five(n: int) -> None:
    draw, runs = random.Random(n), 400
    least = smallest_mean([draw.gauss(0, 0.1) for _ in range(20_000)])
    assert least is not None
    least *= math.sqrt(20_000 / n) * (1 + 2 / n)  # the same spread known exactly, n tests
    found = 0
    for _ in range(runs):
        gaps = [draw.gauss(least, 0.1) for _ in range(n)]
        seen = compare(gaps, single=False)
        found += seen.p <= 0.05 and seen.low > 0
    assert found / runs == pytest.approx(0.8, abs=four_errors(0.8, runs) + 0.03)


def test_confidence_widens() -> None:
    gaps = [0.2, 0.1, -0.1, 0.4, 0.0, 0.3, 0.3]
    narrow, wide = padded_t(gaps, 0.8), padded_t(gaps, 0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("rest", [[], [0.5, -0.25], [1.0] * 7])
def test_a_float_s_last_bit_is_no_difference(rest: list[float]) -> None:
    """(0.2 + 0.4) / 2 and (0.3 + 0.3) / 2 are the same score."""
    nothing = (0.2 + 0.4) / 2 - (0.3 + 0.3) / 2
    assert nothing != 0
    seen = compare([nothing, 0.0, -nothing, *rest], single=False)
    assert seen == compare([0.0, 0.0, 0.0, *rest], single=False)
    assert paired_permutation([nothing, -nothing, nothing]) == 1.0
