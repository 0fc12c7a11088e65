"""Scores, tables and pictures: the rules exactly as stated, and pictures that stand for their data."""

import random
from dataclasses import replace
from statistics import mean, stdev

import pytest

from assay.records import Outcome, TrialRecord
from testing.weirdml.invented import MODELS, records
from tests.weirdml.aggregate import interval, model_mean, model_scores, percentile, summary
from tests.weirdml.examples import task_page
from tests.weirdml.figures import figures
from tests.weirdml.learn_tasks import LEARN
from tests.weirdml.suite import SUITE
from tests.weirdml.tables import tables
from tests.weirdml.tasks import TASKS

NAMES = list(TASKS)


def result(task, score, epoch=1, model="m", outcome=Outcome.FAIL, **more):
    extra = {"submissions": [], "source": "generated", "data": "d", "iterations": 5, **more.pop("extra", {})}
    return TrialRecord(
        f"weirdml.{task}", model, epoch, outcome, "weirdml", score, limits=more.pop("limits", "weirdml 600s"),
        started_at=more.pop("started_at", f"2026-01-01T00:00:{epoch:02}Z"), extra=extra, **more,
    )  # fmt: skip


def table(records, title):
    found = next(each for each in tables(records) if each.title == title)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def text(cell):
    return "-" if cell is None else getattr(cell, "text", "") or str(getattr(cell, "value", cell))


def test_a_row_of_a_published_table():
    """Four task scores, two tasks missing: the printed mean is that of the scores that are there."""
    shown = dict(zip(NAMES, (0.4203, 0.2131, 0.0356, 0.1127), strict=False))
    (row,) = table([result(name, score) for name, score in shown.items()], "Accuracy")
    assert text(row["mean"]) == "19.54" and row["tasks"] == "4/6" and row["rank"] is None
    assert [text(row[task.title]) for task in TASKS.values()] == ["42.03", "21.31", "3.56", "11.27", "-", "-"]


def test_means_are_taken_of_unrounded_scores():
    # rounded to two decimals first, the mean would be 33.34
    exact = [1 / 3 + 0.000049, 1 / 3 - 0.00004, 1 / 3 - 0.000019]
    runs = [result(name, score) for name, score in zip(NAMES, exact, strict=False)]
    assert text(table(runs, "Accuracy")[0]["mean"]) == f"{100 * mean(exact):.2f}" == "33.33"
    assert model_mean([0.5]) == 0.5


def test_a_task_with_more_runs_weighs_no_more():
    runs = [result("shapes_easy", 1.0, epoch) for epoch in range(1, 10)] + [result("shapes_hard", 0.0)]
    (score,) = model_scores(runs)
    assert score.mean == 0.5
    task = score.tasks["shapes_easy"]
    assert task.deviation == 0 and score.tasks["shapes_hard"].deviation is None
    two = model_scores([result("shapes_easy", 0.2), result("shapes_easy", 0.6, 2)])[0].tasks["shapes_easy"]
    assert two.deviation == pytest.approx(stdev([0.2, 0.6])) and two.error == pytest.approx(0.2)


def test_a_run_is_summed_up_unrounded():
    told = summary([result("shapes_easy", 1 / 3), result("shapes_hard", 0.2)])
    assert told["accuracy"] == (1 / 3 + 0.2) / 2 and told["coverage"] == "2/6"
    assert told["tasks"] == {"shapes_easy": 1 / 3, "shapes_hard": 0.2}
    assert summary([]) == {} and SUITE().aggregate([]) == {}


def test_only_complete_rows_are_ranked():
    runs = [result(name, 0.4, model="whole") for name in NAMES]
    runs += [result(name, 0.3, model="weaker") for name in NAMES]
    runs += [result(name, 0.9, model="partial") for name in NAMES[:5]]
    rows = table(runs, "Accuracy")
    assert [(row["rank"], row["model"]) for row in rows] == [(1, "whole"), (2, "weaker"), (None, "partial")]


def test_what_is_no_result_counts_nothing():
    runs = [result("shapes_easy", 0.5), result("shapes_easy", None, 2, outcome=Outcome.ERROR)]
    runs += [result("shapes_hard", None, outcome=Outcome.SKIPPED)]
    (score,) = model_scores(runs)
    assert score.mean == 0.5 and score.coverage == "1/6"
    assert list(tables([])) == [] and list(figures([])) == []
    assert list(tables(runs[1:])) == []


def test_results_under_other_limits_are_never_pooled():
    runs = [result("shapes_easy", 0.2), result("shapes_easy", 0.8, 2, limits="weirdml 60s")]
    runs += [result("shapes_easy", 0.5, 3, extra={"device": "GPU: X with 80 GiB, to be used"})]
    scores = model_scores(runs)
    assert sorted((score.mean, score.kind) for score in scores) == [
        (0.2, "600s, 5 submissions"),
        (0.5, "600s, 5 submissions, GPU: X with 80 GiB"),
        (0.8, "60s, 5 submissions"),
    ]
    assert len(table(runs, "Accuracy")) == 3 and "limits" in table(runs, "Accuracy")[0]


def test_sources_are_never_pooled():
    runs = [result("shuffle_easy", 0.2), result("shuffle_easy", 0.3, 2)]
    runs.append(result("shuffle_easy", 0.9, 3, extra={"source": "fashion", "data": "e"}))
    assert model_scores(runs)[0].tasks["shuffle_easy"].scores == [0.9], "the newest source counts"


def test_an_interval_is_student_s_over_runs():
    low, high = interval([[0.2, 0.4, 0.6, 0.8] * 5])
    assert (low, high) == pytest.approx(
        (0.5 - 2.093 * 0.2294 / 20**0.5, 0.5 + 2.093 * 0.2294 / 20**0.5), abs=1e-4
    )
    halved = interval([[0.2, 0.4, 0.6, 0.8] * 5, [0.5] * 5])
    assert (halved[1] - halved[0]) == pytest.approx((high - low) / 2)
    assert interval([[0.9, 1.0, 0.5]])[1] == 1.0


@pytest.mark.parametrize("tasks", [[[0.4]], [[0.4], [0.2, 0.9]], [[0.5] * 9], [[0.0, 0.0], [1.0, 1.0]]])
def test_without_a_spread_there_is_no_interval(tasks):
    assert interval(tasks) is None


def test_one_run_is_shown_without_an_interval():
    runs = [result(name, 0.4) for name in NAMES]
    assert text(table(runs, "Accuracy")[0]["95% interval"]) == "-"
    assert {text(row["95% interval"]) for row in table(runs, "Runs of each task")} == {"-"}
    assert "interval" not in table(runs, "Accuracy")[0][TASKS[NAMES[0]].title].hover
    assert summary(runs)["interval"] is None
    for figure in figures([replace(run, cost=0.5) for run in runs]):
        assert figure.draw("svg", False).startswith(b"<?xml")


@pytest.mark.parametrize("runs", [2, 5])
def test_an_interval_holds_the_mean_of_other_runs(runs):
    """Six tasks, half of them nearly always the same: in 93 to 98% of 1,500 simulated models."""
    draw, held, shapes = random.Random(runs), 0, [(8, 2), (2, 8), (3, 3), (60, 30), (200, 20), (40, 80)]
    truth = mean(a / (a + b) for a, b in shapes)
    for _ in range(1500):
        low, high = interval([[draw.betavariate(*shape) for _ in range(runs)] for shape in shapes])
        held += low <= truth <= high
    assert 0.93 <= held / 1500 <= 0.98


def test_curves_failures_and_effort():
    def one(accuracy, kind="", lines=10):
        return {"kind": kind, "accuracy": accuracy, "lines": lines, "source_bytes": 9, "literal_bytes": 3,
                "tokens": 5, "seconds": 2.0, "cpu_seconds": 1.0}  # fmt: skip

    first = result("shapes_easy", 0.5, extra={"submissions": [one(0.0, "crash"), one(0.5), one(0.2)]})
    second = result(
        "shapes_easy", 0.3, 2, extra={"submissions": [one(0.3), one(0.0, "no_code", 0), one(0.1)]}
    )
    runs = [replace(first, cost=0.5), replace(second, cost=1.5)]
    (score,) = model_scores(runs)
    assert score.tasks["shapes_easy"].curve == pytest.approx([0.15, 0.4, 0.4])
    assert score.failure_rate == pytest.approx(2 / 6) and score.cost_of_a_run == 1.0
    (row,) = table(runs, "Failed submissions")
    assert text(row["failed"]) == "33.33" and row["crash"].value == 1 and row["no code"].value == 1
    (row,) = table(runs, "Cost and effort")
    assert text(row["cost a run"]) == "$1.0000" and text(row["code lines"]) == "10 / 10 / 10"
    (row,) = table(runs, "What feedback gives")
    assert [text(row[f"after {turn}"]) for turn in (1, 2, 3)] == ["15.00", "40.00", "40.00"]
    assert model_scores([*runs, result("shapes_easy", 0.1, 3)])[0].cost_of_a_run is None, "unknown, not 0"
    assert percentile([5, 1, 3], 0.5) == 3 and percentile([1, 2], 0.9) == pytest.approx(1.9)


def test_pictures_are_drawn_for_light_and_dark_and_the_same_each_time():
    made = list(figures(records(runs=4)))
    titles = [each.title for each in made]
    assert titles == ["Mean accuracy", *(task.title for task in TASKS.values()), "Failed submissions",
                      "Accuracy and cost", "What feedback gives"]  # fmt: skip
    for figure in made:
        svg = figure.draw("svg", False)
        assert svg.startswith(b"<?xml") and len(svg) < 2_000_000
    assert made[0].draw("png", False).startswith(b"\x89PNG")
    assert made[1].draw("svg", True) == made[1].draw("svg", True)


def test_pictures_of_few_and_odd_results():
    """One model, one run, no cost; a name made of markup; equal scores."""
    odd = [replace(each, model="x/$\\alpha$<b>\n" + "y" * 90, cost=None) for each in records(1, 1)[:6]]
    equal = [replace(each, score=0.5, cost=0.0) for each in records(3, models=dict(list(MODELS.items())[:2]))]
    for its in (odd, equal):
        for figure in figures(its):
            assert figure.draw("svg", False)
        assert list(tables(its))


@pytest.mark.slow(3)
def test_the_page_shows_every_task():
    items = list(task_page())
    assert sum(isinstance(each, str) and each.startswith("## ") for each in items) == 12
    drawn = [each for each in items if hasattr(each, "draw")]
    assert len(drawn) == 8
    assert drawn[0].draw("svg", False) != drawn[1].draw("svg", False)
    games, lock, heaps, tongues = [each for each in items if getattr(each, "title", "") == "examples"]
    assert all(each.body.count(" -> ") == 8 for each in (lock, heaps, tongues))
    assert all(each.draw("svg", False).startswith(b"<?xml") for each in drawn)
    assert "1." in games.body and "-> " in games.body
    assert [page.name for page in SUITE().pages([])] == ["tasks"]


def test_the_new_tasks_are_counted_on_their_own():
    runs = [result(name, 0.4) for name in NAMES] + [result(name, 0.9) for name in list(LEARN)[:3]]
    assert model_scores(runs)[0].coverage == "6/6" and model_scores(runs)[0].mean == pytest.approx(0.4)
    (new,) = model_scores(runs, LEARN)
    assert new.coverage == "3/6" and new.mean == pytest.approx(0.9) and not new.complete
    assert [text(row["tasks"]) for row in table(runs, "Accuracy, new tasks")] == ["3/6"]
    titles = [each.title for each in tables(runs)]
    assert titles[0] == "Accuracy" and titles.index("Accuracy, new tasks") == len(titles) / 2
    assert not [each.title for each in tables(runs[:6]) if "new tasks" in each.title]
    assert "Mean accuracy, new tasks" in [each.title for each in figures(runs)]
    summed = summary(runs)
    assert summed["accuracy"] == pytest.approx(0.4) and summed["learn"]["accuracy"] == pytest.approx(0.9)
    assert "learn" not in summary(runs[:6])


def test_models_of_different_strength_come_out_in_order():
    scores = model_scores(records())
    order = [score.model for score in scores if score.complete]
    skill = {model: facts[0] for model, facts in MODELS.items()}
    assert order == sorted(order, key=lambda model: -skill[model])
