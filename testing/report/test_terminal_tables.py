from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.records import Outcome, Table, TrialRecord
from assay.report.aggregate import make_grid
from assay.report.terminal import (
    markdown_table,
    result_tables,
    results_data,
    show_results,
    show_tables,
)
from assay.report.versus import comparison_table
from testing.report.injections import INJECTIONS, hostile_records, hostile_tables
from testing.report.sample_records import MODELS, sample_records, sample_tables, scored_records


def drawn(records: list[TrialRecord], **how: object) -> str:
    out = io.StringIO()
    show_results(records, file=out, **how)  # type: ignore[arg-type]
    return out.getvalue()


def test_rates_come_with_denominator_interval_errors_and_skipped(tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=4, tests=20, epochs=3, pictures=False)
    (models, tries, causes, tests, differences) = result_tables(records)
    row = dict(zip(models.columns, next(row for row in models.rows if row[0] == MODELS[1]), strict=True))
    its = [record for record in records if record.model == MODELS[1]]
    passed = sum(record.outcome is Outcome.PASS for record in its)
    failed = sum(record.outcome is Outcome.FAIL for record in its)
    assert row["passed"] == f"{passed}/{passed + failed}"
    assert row["pass rate"] == f"{100 * passed / (passed + failed):.1f}%"
    assert re.fullmatch(r"\d+–\d+%", str(row["95% interval"]))  # noqa: RUF001
    assert row["errors"] + row["skipped"] == len(its) - passed - failed
    assert len(tests.rows) == 20 and tests.columns[0] == "test"
    assert len(differences.rows) == 6 and "SKIPPED" in tests.note
    assert causes.title == "Why trials failed"
    assert tries.columns == ("model", "pass@1", "pass@2", "pass^2", "pass@3", "pass^3")


def test_numbers_of_several_trials_say_of_how_many_tests_where_these_are_fewer() -> None:
    def records(of_second: int) -> list[TrialRecord]:
        found = [("a.T", number) for number in range(1, 4)] + [("b.T", number) for number in range(of_second)]
        return [TrialRecord(test, "m", number, Outcome.PASS) for test, number in found]

    (_, tries, *_) = result_tables(records(3))
    assert tries.rows == (("m", *["100%"] * 5),) and tries.note.endswith("averaged over 2 tests.")
    (_, tries, *_) = result_tables(records(2))
    assert tries.rows == (("m", *["100%"] * 3, "100% of 1", "100% of 1"),)
    assert tries.note.endswith(
        'averaged over 2 tests, or those with at least k of them ("of": their number).'
    )


def test_every_width_shows_every_cell(tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=12, tests=10, epochs=2, pictures=False)
    for width in (40, 60, 80, 120, 300):
        text = drawn(records, width=width)
        assert max(map(len, text.splitlines())) <= width
        flat = re.sub(r"\s", "", text)
        for model in MODELS:
            assert model in flat or width < 80
    cells = re.findall(r"\b\d/\d\b", drawn(records, width=80))
    assert len(cells) >= 10 * 11
    assert "12: " in drawn(records, width=80)  # headings too wide for the screen become numbers


@pytest.mark.parametrize("models", [1, 2, 3, 5])
@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_narrow_screen_keeps_models_names_whole(models: int, width: int, tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=models, tests=8, epochs=2, pictures=False)
    text = drawn(records, width=width)
    assert max(map(len, text.splitlines())) <= width
    rates = text[: text.index("Tests")]
    for model in MODELS[:models]:
        lines = [line for line in rates.splitlines() if line.strip().startswith(model)]
        assert lines and re.search(r"\d/\d+ +\d", lines[0])
        assert model in text[text.index("Tests") :]
    if models > 1:
        shown = text[text.index("Differences") :]
        in_columns, above = r"^ (\S+) +(\S+) +8 +[-+0]", r"^ (\S+) against (\S+)\n +8 +[-+0]"
        named = {*re.findall(in_columns, shown, re.MULTILINE), *re.findall(above, shown, re.MULTILINE)}
        assert named == {(str(a), str(b)) for a, b, *_ in comparison_table(make_grid(records)).rows}


def test_names_too_long_for_columns_stand_above_their_row(tmp_path: Path) -> None:
    long = Table(
        "Differences", ("model", "against", "tests", *"abcdefgh"),
        (("aurora/" + "x" * 20, "fjord/" + "y" * 20, 8, *("+12.5",) * 8),),
    )  # fmt: skip
    file = io.StringIO()
    show_tables([long], file=file, width=80)
    text = file.getvalue()
    assert f"\n {long.rows[0][0]} against {long.rows[0][1]}\n" in text and "1: " not in text
    assert max(map(len, text.splitlines())) <= 80 and text.count("+12.5") == 8


def test_only_headings_that_are_too_wide_become_numbers() -> None:
    models = ("aurora/" + "x" * 40, "fjord/" + "y" * 40)
    file = io.StringIO()
    table = Table(
        "By tag", ("tag", *models, "tests", "95% interval"), (("code", "1/2", "2/2", 8, "+1 to +2"),)
    )
    show_tables([table], file=file, width=80)
    text = file.getvalue()
    assert f"1: {models[0]}\n2: {models[1]}\n" in text and "3: " not in text
    assert re.search(r"^ tag +1 +2 +tests +interval *$", text, re.MULTILINE)


def test_a_file_gets_whole_names(tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=12, tests=5, epochs=1, pictures=False)
    text = drawn(records)
    assert all(model in text for model in MODELS) and "\x1b" not in text


def test_json_is_numbers_and_parses() -> None:
    data = json.loads(drawn(scored_records(3), tables=sample_tables(), format="json"))
    assert [model["counted"] for model in data["models"]] == [12, 12, 12]
    assert data["tests"][0]["models"][MODELS[0]]["score"] > 0
    assert data["tables"][0]["rows"][1] == {
        "model": "fjord/petrel-9", "mean": 0.803, "shapes_easy": None, "tasks": 3,
    }  # fmt: skip
    assert len(data["differences"]) == 3
    assert results_data([])["models"] == []


def test_markdown_is_one_line_a_row_and_takes_no_markup() -> None:
    for text in INJECTIONS:
        lines = markdown_table(Table(text, (text, "b"), ((text, None), ("x|y", 0.5)), "")).splitlines()
        assert len(lines) == 6
        for line in lines[2:]:
            assert len(re.findall(r"(?<!\\)\|", re.sub(r"\\\\", "", line))) == 3
            assert "<" not in line.replace("&lt;", "")
    assert (
        markdown_table(Table("T", ("a",), ((None,),), "note")) == "### T\n\n| a |\n| --- |\n| - |\n\nnote\n"
    )


def test_names_cannot_drive_the_terminal() -> None:
    for how in ({"width": 80}, {}, {"format": "markdown"}, {"format": "json"}):
        text = drawn(hostile_records(), tables=hostile_tables(), **how)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
        text.encode("utf-8")


@given(
    st.lists(st.tuples(st.text(), st.one_of(st.none(), st.integers(), st.floats(), st.text())), max_size=4)
)
@settings(deadline=None)
def test_any_table_can_be_printed(rows: list[tuple[object, ...]]) -> None:
    table = Table("t", ("a", "b"), tuple(rows))  # type: ignore[arg-type]
    for how in ("table", "markdown", "json"):
        show_tables([table], format=how, file=io.StringIO(), width=30)  # type: ignore[arg-type]


def test_best_model_against_the_others_when_there_are_many(tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=8, tests=10, epochs=1, pictures=False)
    table = result_tables(records)[-1]
    assert "against the others" in table.title and len(table.rows) == 7
    assert "28 pairs" in table.note


def test_no_records_print_empty_tables() -> None:
    assert "Models" in drawn([])
