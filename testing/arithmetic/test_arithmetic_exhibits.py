"""Tables, pairs and pages: every number in them counted by hand."""

from __future__ import annotations

import json

import pytest

from assay.records import Cell as Shown
from assay.records import Completion, Outcome, Table, TrialRecord, Usage
from tests.arithmetic import exhibits
from tests.arithmetic.exhibits import MISTAKES, figures, pages
from tests.arithmetic.grade import facts_of, score_of
from tests.arithmetic.pairs import compare, pairs_table, verdicts
from tests.arithmetic.problems import Cell
from tests.arithmetic.tables import COLUMNS, aggregate, cells_map, summary, tables
from tests.arithmetic.tally import by_cell, tally


def record(model: str, cell: Cell, epoch: int, reply: str | None, cost: float | None = 0.5) -> TrialRecord:
    """A trial as the engine records it; `reply` N stands for the right answer, None for an ERROR."""
    problem = cell.problem(epoch)
    test = f"arithmetic.{cell.variant}_{cell.depth:02}"
    started = f"2026-11-{cell.depth + 10}T10:00:00Z"
    if reply is None:
        facts = {"variant": cell.variant, "depth": cell.depth}
        return TrialRecord(
            test, model, epoch, Outcome.ERROR, "arithmetic", started_at=started, extra=facts, cost=0.0
        )
    usage = Usage(10, 4, 1)
    score = score_of(facts_of(problem, Completion(reply.replace("N", f"{problem.correct}"), usage)))
    return TrialRecord(
        test, model, epoch, Outcome.PASS if score.passed else Outcome.FAIL, "arithmetic",
        metrics=score.metrics, usage=usage, cost=cost, started_at=started, extra=score.extra,
    )  # fmt: skip


SUMS, PRODUCTS = Cell("int_add", 3), Cell("float_mul", 2)
REPLIES = {
    "good": ["N", "**N**", "N", "N", None],
    "poor": ["1", "none", "N", "", "N"],
}
RECORDS = [
    record(model, SUMS, epoch, reply)
    for model, replies in REPLIES.items()
    for epoch, reply in enumerate(replies, 1)
]
RECORDS.append(record("poor", PRODUCTS, 1, "N", cost=None))


def row_of(table: Table, model: str) -> dict[str, object]:
    (row,) = (each for each in table.rows if each[0] == model)
    return dict(
        zip(table.columns, (each.value if isinstance(each, Shown) else each for each in row), strict=True)
    )


def test_the_table_of_models() -> None:
    first, *maps = tables(RECORDS)
    assert first.columns == COLUMNS and [row[0] for row in first.rows] == ["good", "poor"], "best first"
    assert row_of(first, "good") == {
        "model": "good", "date": "2026-11-13", "trials": 5, "correct %": 1.0, "NaN %": 0.0, "dev %": 0.0,
        "strict %": 0.75, "errors": 1, "completion tokens": 16, "cost": 2.0, "avg error": None,
        "median rel. error": None,
    }  # fmt: skip
    truth = int(SUMS.problem(1).correct)
    assert row_of(first, "poor") == {
        "model": "poor", "date": "2026-11-13", "trials": 6, "correct %": 0.5, "NaN %": 2 / 6, "dev %": 1 / 6,
        "strict %": 0.5, "errors": 0, "completion tokens": 24, "cost": None, "avg error": truth - 1,
        "median rel. error": (truth - 1) / truth,
    }  # fmt: skip
    texts = {each.text for row in first.rows for each in row if isinstance(each, Shown)}
    assert {"50.0 [18.8-81.2]", "100.0 [51.0-100.0]", "unknown", "$2.00"} <= texts
    assert [each.title for each in maps] == [
        "good: % correct by digits", "poor: % correct by digits", "% correct by model and variant",
    ]  # fmt: skip


def test_a_heat_map_leads_to_the_trials() -> None:
    shown = cells_map("", [each for each in RECORDS if each.model == "poor"])
    assert shown.columns == ("digits", "2", "3")
    (sums, empty, cell), (products, other, _) = shown.rows
    assert (sums, products, empty) == ("int +", "float ×", None)
    assert isinstance(cell, Shown) and (cell.value, cell.text) == (0.4, "40")
    assert cell.link == ("arithmetic.int_add_03", "poor") and "2 of 5" in cell.hover
    assert isinstance(other, Shown) and other.value == 1.0


def test_trials_without_a_reply_count_in_no_rate() -> None:
    alone = [record("m", SUMS, epoch, None) for epoch in (1, 2)]
    first, *_ = tables(alone)
    assert row_of(first, "m")["correct %"] is None and row_of(first, "m")["errors"] == 2
    assert list(tables([])) == [] and list(figures(alone)) == [] and list(pages(alone)) == []
    skipped = [TrialRecord("arithmetic.x", "m", 1, Outcome.SKIPPED, extra={})]
    assert tally(skipped).trials == 0 and list(tables(skipped)) == []


def test_pairs_count_problems_that_both_answered() -> None:
    known = {model: verdicts([each for each in RECORDS if each.model == model]) for model in REPLIES}
    pair = compare("good", "poor", known["good"], known["poor"])
    assert (pair.both, pair.only_first, pair.only_second, pair.neither) == (1, 3, 0, 0)
    assert pair.p == pytest.approx(0.25) and pair.points[0] == 0.75
    elsewhere = [record("poor", Cell("int_add", 3, seed=9), epoch, "N") for epoch in range(1, 5)]
    table = pairs_table({"good": RECORDS[:5], "poor": RECORDS[5:], "other": elsewhere})
    assert len(table.rows) == 1 and "2 pairs have no problem in common" in table.note


def test_the_pages() -> None:
    found = {page.name: page for page in pages(RECORDS)}
    assert list(found) == ["two-models", "mistakes-1", "mistakes-2"]
    _, versus, pairs = found["two-models"].items()
    assert len(pairs.rows) == 1
    shapes = {(table.columns, tuple(row[0] for row in table.rows)) for _, table in versus.tables}
    assert shapes == {(("digits", "2", "3"), ("int +", "float ×"))}, "the same shape, whoever lacks what"
    assert list(found["mistakes-1"].items()) == ["There are none."]
    _, table = found["mistakes-2"].items()
    assert [row[2] for row in table.rows] == ["1", None, None]
    many = [record("m", SUMS, epoch, "8" * 500) for epoch in range(1, MISTAKES + 3)]
    _, table = next(iter(pages(many))).items()
    assert len(table.rows) == MISTAKES and f"The first {MISTAKES} of {MISTAKES + 2}" in table.note
    assert all(len(str(row[4])) <= 60 for row in table.rows)


def test_pictures_are_drawn_for_light_and_dark_pages() -> None:
    (figure,) = figures(RECORDS)
    light, dark = (figure.draw("svg", each) for each in (False, True))
    assert light.startswith(b"<?xml") and light != dark
    assert figure.draw("png", False).startswith(b"\x89PNG")


def test_a_trial_is_counted_once_for_all_panels_and_files(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[TrialRecord] = []
    monkeypatch.setattr(exhibits, "by_cell", lambda records: counted.extend(records) or by_cell(records))
    (figure,) = figures(RECORDS)
    assert figure.draw("svg", False) != figure.draw("svg", True)
    two = next(page for page in pages(RECORDS) if page.name == "two-models")
    assert list(two.items()) and len(counted) == len(RECORDS) - 1, "an ERROR is in no picture"


def test_summaries_for_programs() -> None:
    poor = [each for each in RECORDS if each.model == "poor"]
    assert summary(poor)["lenient"] == {"Correct": 3, "Deviate": 1, "NaN": 2, "Error": 0}
    found = json.loads(json.dumps(aggregate(RECORDS[:5])))
    assert found["cells"] == {
        "int_add/3": {
            "trials": 5, "lenient": {"Correct": 4, "Deviate": 0, "NaN": 0, "Error": 1},
            "strict": {"Correct": 3, "Deviate": 0, "NaN": 1, "Error": 1},
        }
    }  # fmt: skip
    assert found["rates"]["correct_interval"] == [pytest.approx(0.5101, abs=1e-4), 1.0]
    assert found["tokens"] == {"prompt_tokens": 40, "completion_tokens": 16, "reasoning_tokens": 4}
    assert (found["cost"], found["mean_error"]) == (2.0, None)
