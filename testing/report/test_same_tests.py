"""A test that was run from a file and from a notebook is one test for every statistic."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assay.records import Outcome, TrialRecord
from assay.report.aggregate import Grid, GridCounter, make_grid
from assay.report.compared import compare_sides, compared_data, compared_tables
from assay.report.discrimination import judged_tests
from assay.report.html import write_report
from assay.report.live.board import Board, Place
from assay.report.publish import tables_of
from assay.report.repeated import tries
from assay.report.same_tests import SameTests
from assay.report.terminal import result_tables, results_data
from assay.report.versus import pairs
from assay.results.export.registry import exports_of, write_exports
from assay.results.store import Results
from assay.results.workspace import Workspace
from testing.report.demo_suite import SUITE, with_parts


def of_file(
    passed: dict[str, str], *, name: str = "capitals.Test", suite: str = "applied"
) -> list[TrialRecord]:
    """A trial of each test by each model; `passed`: a character for each test."""
    return [
        TrialRecord(
            f"{name}[{at}]", model, 1, Outcome.PASS if sign == "+" else Outcome.FAIL, suite=suite,
            expression=f"question {at}", started_at="2026-11-20T10:00:00",
        )
        for model, signs in passed.items()
        for at, sign in enumerate(signs)
    ]  # fmt: skip


def of_notebook(passed: dict[str, str]) -> list[TrialRecord]:
    return of_file(passed, name="notebook.questions")


BOTH = {"a": "++++++-+", "b": "------+-"}
TWICE = [*of_notebook(BOTH), *of_file(BOTH)]


def counted(records: list[TrialRecord]) -> Grid:
    counter = GridCounter()
    for record in records:
        counter.add(record)
    return counter.grid()


def live(records: list[TrialRecord]) -> Grid:
    board = Board()
    for at, record in enumerate(records):
        board.add(record, Place(Path("run-1.jsonl"), at, 1))
    return board.grid()


def test_an_export_has_all_of_its_names_and_says_so(tmp_path: Path, capsys) -> None:
    results, path = Results(tmp_path), tmp_path / "x.csv"
    with results.open_new("c", "a") as store:
        for record in TWICE:
            store.append(record)
    workspace = Workspace(tmp_path, results, tmp_path, None)
    write_exports(exports_of([f"csv={path}"]), results.files(), lambda record: True, workspace)
    err = capsys.readouterr().err
    assert "8 tests ask and check the same as another (notebook.questions[0] as capitals.Test[0], " in err
    assert f"({len(TWICE)} trials" in err and err.count("exports and the list of tests have all") == 1
    write_exports(exports_of([f"csv={path}"]), results.files(), lambda r: r in of_file(BOTH), workspace)
    assert "ask and check" not in capsys.readouterr().err


@pytest.mark.parametrize("grid_of", [make_grid, counted, live])
def test_it_counts_once(grid_of) -> None:
    once, twice = grid_of(of_file(BOTH)), grid_of(TWICE)
    assert len(twice.rows) == 16 and twice.trials == 32  # all of it is shown
    assert len(twice.tests) == 8 and [row.test for row in twice.tests] == [row.test for row in once.rows]
    assert twice.totals["a"].interval == once.totals["a"].interval and twice.totals["a"].counted == 8
    assert twice.by_suite["applied", "b"].counted == 8
    assert [pair.found for pair in pairs(twice)] == [pair.found for pair in pairs(once)]


def test_in_a_comparison_too() -> None:
    once, twice = compare_sides(of_file(BOTH), "a", "b"), compare_sides(TWICE, "a", "b")
    assert twice.whole == once.whole and twice.whole.found.tests == 8
    assert not twice.suites and not twice.alone
    data = compared_data(twice, lambda row, label: "")
    assert [each["test"] for each in data["tests"]].count("capitals.Test[0]") == 1
    assert data["same_tests"][0] == ["capitals.Test[0]", "notebook.questions[0]"]
    note = compared_tables(twice, lambda row, label: "")[0].note
    assert "8 tests ask and check the same as another. " in note and "--test notebook" in note
    assert "capitals.Test[0] is notebook.questions[0]" in note


def test_discrimination_and_passes_of_several_tries_count_it_once() -> None:
    again = [replace(record, epoch=2) for record in TWICE]
    grid = make_grid([*TWICE, *again])
    assert len(judged_tests(grid)) == 8
    assert {found.tests for its in tries(grid).values() for found in its} == {8}


def test_results_under_either_name_are_compared() -> None:
    """One model was run from the shell, the other from a notebook."""
    records = [*of_file({"a": BOTH["a"]}), *of_notebook({"b": BOTH["b"]})]
    assert compare_sides(records, "a", "b").whole == compare_sides(of_file(BOTH), "a", "b").whole


def test_the_first_name_counts_unless_it_has_no_verdict() -> None:
    broke = [replace(each, outcome=Outcome.ERROR) for each in of_file({"a": "++"})]
    assert make_grid([*broke, *of_notebook({"a": "+-"})]).totals["a"].passed == 1
    assert make_grid([*of_file({"a": "++"}), *of_notebook({"a": "--"})]).totals["a"].passed == 2


@pytest.mark.parametrize("grid_of", [make_grid, counted, live])
def test_the_newest_verdicts_count_whatever_their_name(grid_of) -> None:
    """A test was renamed, and a model that passed it before fails it now."""
    later = [
        replace(each, started_at="2026-11-21T10:00:00")
        for each in of_file({"a": "--"}, name="capitals.Wider")
    ]
    for records in ([*of_file({"a": "++"}), *later], [*later, *of_file({"a": "++"})]):
        grid = grid_of(records)
        assert grid.totals["a"].passed == 0 and "(run last as capitals.Wider[0])" in grid.about_same
    broke = [replace(each, outcome=Outcome.ERROR) for each in later]
    assert grid_of([*of_file({"a": "++"}), *broke]).totals["a"].passed == 2


def test_each_suite_has_its_own_results_and_the_total_counts_once() -> None:
    grid = make_grid([*of_file(BOTH), *of_file(BOTH, suite="mine"), *of_notebook(BOTH)])
    assert grid.by_suite["applied", "a"].counted == grid.by_suite["mine", "a"].counted == 8
    assert grid.totals["a"].counted == 8


def test_other_tests_are_not_taken_for_one() -> None:
    unknown = [replace(record, expression="") for record in TWICE]
    grid = make_grid(unknown)
    assert len(grid.tests) == 16 and not grid.same and grid.about_same == ""
    assert results_data(grid)["same_tests"] == []


def test_it_is_told_below_the_models_and_in_the_report(tmp_path: Path) -> None:
    assert "Such a test counts once" in result_tables(TWICE)[0].note
    page = write_report(TWICE, tmp_path / "out", images=tmp_path, root=tmp_path).index.read_text()
    assert "8 tests ask and check the same as another. " in page and '"once":{"0":[' in page.replace(" ", "")
    one = SameTests.found({"applied": {"notebook.q": 1, "b.T": 1}})
    assert one.said({}).startswith("1 test asks and checks the same") and one.names == [["b.T", "notebook.q"]]
    renamed = SameTests.found({"applied": {"b.Test": 1, "b.TestNew": 1}})
    said = "any of its names: b.Test is b.TestNew; --test b.TestNew shows what was run under that name"
    assert said in renamed.said({})
    newest = {("applied", "b.Test"): "2026-11-20", ("applied", "b.TestNew"): "2026-11-21"}
    assert "b.Test is b.TestNew (run last as b.TestNew);" in renamed.said(newest)


def test_a_suites_own_tables_and_figures_have_what_counts(tmp_path: Path) -> None:
    old = of_file({"a": "+-", "b": "+"}, name="sums.Old", suite="sums")
    new = of_file({"a": "-"}, name="sums.New", suite="sums")
    newest = [replace(each, started_at="2026-11-21") for each in new]
    seen = []
    suite = with_parts(
        SUITE, name="sums", tables=lambda records: seen.append([*records]) or (),
        figures=lambda records: seen.append([*records]) or (), pages=lambda records: (),
    )  # fmt: skip
    assert tables_of([suite], [*old, *newest, *of_file(BOTH)]) == []
    write_report([*old, *newest, *of_file(BOTH)], tmp_path, images=tmp_path, root=tmp_path, suites=[suite])
    assert [sorted((each.test, each.model) for each in its) for its in seen] == 3 * [
        [("sums.New[0]", "a"), ("sums.Old[0]", "b"), ("sums.Old[1]", "a")]
    ]
