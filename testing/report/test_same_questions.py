"""A test that was renamed and checked otherwise in between is told of, and not compared with its old self."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assay.records import LLM, Outcome, Reply, TrialRecord
from assay.report.aggregate import make_grid
from assay.report.compared import compare_sides, compared_data, compared_tables
from assay.report.html import write_report
from assay.report.same_questions import about_rechecked
from assay.report.terminal import result_tables
from assay.results.serialize import decode_line, encode_line


def of_model(model: str, name: str, tests: int = 5) -> list[TrialRecord]:
    """A trial of each test; a test asks the same under each name, and checks it in its own way."""
    return [
        TrialRecord(
            f"qa.{name}{at}", model, 1, Outcome.PASS, expression=f"{name} {at}",
            replies=(Reply(LLM, f"question {at}", "4"),), started_at="2026-11-20T10:00:00",
        )
        for at in range(tests)
    ]  # fmt: skip


CHANGED = [*of_model("one", "TestOld"), *of_model("two", "TestNew")]


def light(records: list[TrialRecord]) -> list[TrialRecord]:
    """As a comparison reads them from disk."""
    return [decode_line(encode_line(each, lambda data: ""), light=True) for each in records]


@pytest.mark.parametrize("read", [list, light])
def test_both_names_are_said_and_nothing_is_compared(read) -> None:
    found = compare_sides(read(CHANGED), "one", "two")
    assert found.whole.found.tests == 0 and not found.gaps
    tables = {table.title: table for table in compared_tables(found, lambda row, label: "")}
    note = tables["Models"].note
    assert "5 questions were asked by different models in tests that differ in name and checks" in note
    assert "so these are 10 tests" in note and "qa.TestNew0 (two) and qa.TestOld0 (one)" in note
    assert "and 2 more" in note and "TestOld3" not in note and "rescore MODEL" in note
    alone = tables["Finished by only one of them"].note
    assert alone == "Not compared: 5 tests finished by one only, 5 tests finished by two only."
    data = compared_data(found, lambda row, label: "")
    assert data["same_questions"][0] == ["qa.TestNew0", "qa.TestOld0"] and len(data["same_questions"]) == 5


def test_every_table_of_models_and_the_report_say_it(tmp_path: Path) -> None:
    assert "5 questions were asked" in result_tables(CHANGED)[0].note
    page = write_report(CHANGED, tmp_path / "out", images=tmp_path, root=tmp_path).index.read_text()
    assert "5 questions were asked" in page


def test_tests_of_one_question_that_a_model_has_both_are_meant_so() -> None:
    assert not about_rechecked(make_grid([*CHANGED, *of_model("one", "TestNew")]))
    assert not about_rechecked(make_grid([replace(each, model="one") for each in CHANGED]))
    assert not about_rechecked(make_grid([replace(each, replies=()) for each in CHANGED]))
