"""Whether a test counts by its score or by passed and failed: decided once, over all models."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from assay.records import Outcome, TrialRecord, Usage
from assay.report.aggregate import Grid, GridCounter, make_grid
from assay.report.cell_page import facts
from assay.report.grid_page import render_statistics, total_text
from assay.report.terminal import models_table
from assay.report.versus import pairs

PASS, FAIL, ERROR = Outcome.PASS, Outcome.FAIL, Outcome.ERROR


def trial(
    model: str, outcome: Outcome, score: float | None = None, test: int = 0, epoch: int = 1
) -> TrialRecord:
    return TrialRecord(f"t{test:03}.T", model, epoch, outcome, suite="sums", score=score)


def counted(records: Iterable[TrialRecord]) -> Grid:
    counter = GridCounter()
    for record in records:
        counter.add(record)
    return counter.grid()


MAKERS = pytest.mark.parametrize("grid_of", [make_grid, counted], ids=["written", "counted"])


@MAKERS
def test_a_fail_without_a_score_counts_as_the_worst(grid_of) -> None:
    records = [trial("a", PASS, 0.8), trial("a", FAIL, None, epoch=2), trial("a", ERROR, None, epoch=3)]
    grid = grid_of(records)
    assert grid.rows[0].cells["a"].score == 0.4 and grid.totals["a"].score == 0.4
    assert grid.by_suite["sums", "a"].score == 0.4 and total_text(grid.rows[0].total) == "0.400"


@MAKERS
def test_a_model_that_leaves_hard_tests_unanswered_is_not_the_better_one(grid_of) -> None:
    """One passes three trials of four by 0.6; the other one of four by 0.9, and answers nothing else."""
    draw, records = random.Random(1), []
    for test in range(60):
        for epoch in range(1, 9):
            for model, share, score in (("steady", 0.75, 0.6), ("silent", 0.25, 0.9)):
                passed = draw.random() < share
                records.append(trial(model, PASS if passed else FAIL, score if passed else None, test, epoch))
    (pair,) = pairs(grid_of(records))
    assert (pair.first, pair.second, pair.verdict) == ("steady", "silent", "better")
    assert pair.found.tests == 60


@MAKERS
def test_a_model_without_any_score_has_the_worst_where_others_have_one(grid_of) -> None:
    grid = grid_of([trial("a", FAIL, 0.3), trial("b", FAIL), trial("c", PASS)])
    assert {model: cell.score for model, cell in grid.rows[0].cells.items()} == {"a": 0.3, "b": 0, "c": 1}
    assert list(grid.totals) == ["c", "a", "b"]


@MAKERS
def test_a_score_outside_makes_the_test_pass_or_fail_for_all(grid_of) -> None:
    grid = grid_of([trial("a", PASS, 32.1), trial("b", PASS, 0.2), trial("b", FAIL, 0.1, epoch=2)])
    assert not grid.scored
    assert {model: (cell.score, cell.ratio) for model, cell in grid.rows[0].cells.items()} == {
        "a": (None, 1.0),
        "b": (None, 0.5),
    }
    assert pairs(grid)[0].found.mean == 0.5


@MAKERS
def test_one_scored_test_does_not_stand_for_its_suite(grid_of) -> None:
    records = [
        trial(model, PASS if test < passed else FAIL, score if test == 0 else None, test)
        for model, passed, score in (("a", 88, 1.0), ("b", 62, 2 / 3))
        for test in range(165)
    ]
    grid = grid_of(records)
    for model, value in (("a", 88 / 165), ("b", (61 + 2 / 3) / 165)):
        assert grid.totals[model].score == pytest.approx(value)
        assert grid.by_suite["sums", model].score == pytest.approx(value)
    assert pairs(grid)[0].found.mean == pytest.approx(grid.totals["a"].score - grid.totals["b"].score)


@MAKERS
def test_a_suite_s_unit_is_the_same_for_all_models(grid_of) -> None:
    grid = grid_of([trial("a", PASS, 0.5), trial("a", PASS, None, 1), trial("b", PASS, None, 1)])
    assert grid.by_suite["sums", "a"].score == 0.75 and grid.by_suite["sums", "b"].score == 1.0


@MAKERS
def test_a_test_counts_once_however_often_it_was_tried(grid_of) -> None:
    records = [trial("a", FAIL, 0.2, 0, epoch) for epoch in range(9)] + [trial("a", PASS, 0.8, 1)]
    assert grid_of(records).totals["a"].score == pytest.approx(0.5)


@MAKERS
def test_a_suite_without_scores_has_none(grid_of) -> None:
    grid = grid_of([trial("a", PASS), trial("b", FAIL)])
    assert not grid.scored and grid.rows[0].cells["a"].score is None


@MAKERS
def test_models_that_finished_different_tests_are_said_to_have(grid_of) -> None:
    both = [trial(model, PASS, test=test) for model in ("a", "b") for test in range(3)]
    assert "different tests" not in models_table(grid_of(both)).note
    assert "different tests" not in models_table(grid_of([*both, trial("a", ERROR, test=3)])).note
    grid = grid_of([*both, trial("a", FAIL, test=3), trial("b", ERROR, test=3), trial("b", PASS, test=4)])
    said = "Models finished different tests (b 4, a 4), so their rates are not directly comparable."
    assert said in models_table(grid).note
    assert said in render_statistics(grid)["parts"]["coverage"]
    many = grid_of([trial(f"m{n}", PASS, test=t) for n in range(9) for t in range(9 - n)])
    assert "(m0 9 ... m8 1)" in models_table(many).note


@pytest.mark.parametrize(
    ("usage", "shown"),
    [
        (Usage(12_345, 678), "12,345 in, 678 out"),
        (Usage(12_345, 678, 0, 10_000, 2000), "12,345 in (10,000 cached), 678 out"),
        (Usage(12_345, 678, 500, 10_000), "12,345 in (10,000 cached), 678 out (500 reasoning)"),
    ],
)
def test_a_trials_page_says_how_much_was_cached(usage, shown):
    assert dict(facts(TrialRecord("t.T", "m", 1, Outcome.PASS, usage=usage)))["tokens"] == shown
