"""Intervals of a model's rate over tests with several trials each: how often they hold the truth.

What is drawn are tests of one kind, each with its own chance of being passed; the truth is the mean chance
over all such tests. Simulations are seeded. With one trial a test it is Wilson's interval, whose coverage
goes up and down with the number of tests, since passes are whole numbers: of 40 tests of which four fifths
are passed it is 93%.
"""

from __future__ import annotations

import numpy
import pytest
from numpy.typing import NDArray

from assay.records import Outcome, TrialRecord
from assay.report.aggregate import make_grid
from assay.results.clustered import Spread, clustered_wilson
from assay.results.stats import wilson

RUNS = 3000
Draw = numpy.random.Generator


def mostly_settled(draw: Draw, size: tuple[int, int]) -> NDArray[numpy.float64]:
    """Half of the tests always pass, a quarter never, the rest lie anywhere between."""
    kind = draw.random(size)
    return numpy.where(kind < 0.55, 1.0, numpy.where(kind < 0.8, 0.0, draw.random(size)))


def nine_in_ten(draw: Draw, size: tuple[int, int]) -> NDArray[numpy.float64]:
    """Four fifths always pass, one in twenty never."""
    kind = draw.random(size)
    return numpy.where(kind < 0.8, 1.0, numpy.where(kind < 0.85, 0.0, draw.beta(2, 1, size)))


def easy_or_hard(draw: Draw, size: tuple[int, int]) -> NDArray[numpy.float64]:
    return draw.beta(0.4, 0.4, size)


def now_and_then(draw: Draw, size: tuple[int, int]) -> NDArray[numpy.float64]:
    """Every test is passed sometimes, most of them mostly."""
    return draw.beta(4, 1, size)


KINDS = {mostly_settled: 0.65, nine_in_ten: 0.9, easy_or_hard: 0.5, now_and_then: 0.8}  # and the truth


def passed_of(kind, tests: int, trials: int) -> NDArray[numpy.int64]:
    """A row a run: how many trials of each test passed."""
    draw = numpy.random.default_rng([tests, trials, len(kind.__name__)])
    return draw.binomial(trials, kind(draw, (RUNS, tests)))


def coverage(kind, tests: int, trials: int, clustered: bool = True) -> float:
    """The share of intervals that hold the truth."""
    held = 0
    for row in passed_of(kind, tests, trials).tolist():
        spread = Spread.of((each, trials) for each in row)
        n = tests * trials
        low, high = clustered_wilson(sum(row), n, spread) if clustered else wilson(sum(row), n)
        held += low <= KINDS[kind] <= high
    return held / RUNS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("trials", [1, 3, 10])
@pytest.mark.parametrize("tests", [50, 165])
def test_an_interval_holds_the_truth_as_often_as_it_says(kind, tests: int, trials: int) -> None:
    assert 0.93 <= coverage(kind, tests, trials) <= 0.97


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("trials", [1, 3, 10])
@pytest.mark.parametrize("tests", [6, 12, 20])
def test_of_few_tests_it_holds_the_truth_no_less_often(kind, tests: int, trials: int) -> None:
    assert 0.93 <= coverage(kind, tests, trials) <= 0.995


@pytest.mark.parametrize(("trials", "at_most"), [(3, 0.85), (10, 0.6)])
@pytest.mark.parametrize("kind", [mostly_settled, nine_in_ten, easy_or_hard], ids=lambda kind: kind.__name__)
def test_trials_taken_for_tests_would_not_do(kind, trials: int, at_most: float) -> None:
    """Why it is not Wilson's interval over all trials."""
    assert coverage(kind, 165, trials, clustered=False) < at_most


def test_with_one_trial_a_test_it_is_wilsons_interval() -> None:
    for passed in range(8):
        spread = Spread.of([(1, 1)] * passed + [(0, 1)] * (7 - passed))
        assert clustered_wilson(passed, 7, spread) == wilson(passed, 7)


def test_of_one_test_it_is_about_that_test() -> None:
    assert clustered_wilson(15, 20, Spread.of([(15, 20)])) == wilson(15, 20)


@pytest.mark.parametrize("rate", [0, 1])
@pytest.mark.parametrize("trials", [1, 3, 100])
def test_all_or_nothing_is_no_certainty_however_often_it_is_tried(rate: int, trials: int) -> None:
    spread = Spread.of([(rate * trials, trials)] * 20)
    assert clustered_wilson(rate * 20 * trials, 20 * trials, spread) == wilson(20 * rate, 20)


def test_the_same_trials_again_say_nothing_new() -> None:
    tests = [(1, 1)] * 12 + [(0, 1)] * 8
    once = clustered_wilson(12, 20, Spread.of(tests))
    often = clustered_wilson(1200, 2000, Spread.of((100 * k, 100 * n) for k, n in tests))
    assert often.high - often.low > 0.99 * (once.high - once.low)


def test_a_test_s_trials_that_differ_say_something_new() -> None:
    """Where tests do not differ, trials are as good as tests, but for the one that leans the other way."""
    spread = Spread.of([(7, 10), (6, 10), (8, 10), (7, 10)] * 25)
    low, high = clustered_wilson(700, 1000, spread)
    assert 0.056 < high - low < 0.07  # Wilson's over 1000 trials: 0.0567; over 100: 0.177


def test_tests_with_errors_weigh_by_their_trials() -> None:
    tests = [(5, 5), (0, 5), (1, 1), (0, 2), (4, 5), (3, 3)] * 5
    passed, counted = (sum(column) for column in zip(*tests, strict=True))
    low, high = clustered_wilson(passed, counted, Spread.of(tests))
    assert low < passed / counted < high and high - low > 1.5 * (
        wilson(passed, counted)[1] - wilson(passed, counted)[0]
    )


def test_a_model_s_interval_is_clustered_and_a_test_s_is_of_its_trials() -> None:
    kinds = {"+": Outcome.PASS, "-": Outcome.FAIL}
    grid = make_grid(
        [
            TrialRecord(f"t{test}.T", "m", epoch, kinds[each])
            for test, trials in enumerate(["+++", "---", "+++", "+--"])
            for epoch, each in enumerate(trials)
        ]
    )
    spread = Spread.of([(3, 3), (0, 3), (3, 3), (1, 3)])
    assert grid.totals["m"].interval == clustered_wilson(7, 12, spread) != wilson(7, 12)
    assert grid.by_suite["applied", "m"].interval == clustered_wilson(7, 12, spread)
    assert grid.rows[3].cells["m"].interval == wilson(1, 3)
