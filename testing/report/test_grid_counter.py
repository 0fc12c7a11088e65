"""Counting trials as they come says the same as looking at all of them."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from assay.records import Outcome, Table, TrialRecord
from assay.report.aggregate import Grid, GridCounter, make_grid
from assay.report.reasons import DIFFERENT, OTHERS, Reasons
from assay.report.tally import tally
from assay.report.terminal import result_tables, show_results, show_tables
from testing.report.injections import hostile_records, hostile_tables
from testing.report.sample_records import sample_records, scored_records


def counted(records: list[TrialRecord]) -> GridCounter:
    counter = GridCounter()
    for record in records:
        counter.add(record)
    return counter


def as_json(results: list[TrialRecord] | Grid) -> dict[str, object]:
    out = io.StringIO()
    show_results(results, file=out, format="json")
    # sums of seconds and dollars end in other digits when they are added in another order
    return json.loads(out.getvalue(), parse_float=lambda text: round(float(text), 9))


def test_the_tables_are_the_same(tmp_path: Path) -> None:
    records = sample_records(tmp_path, models=3, tests=30, epochs=3, pictures=False)
    records += [replace(record, suite="euler") for record in scored_records(3)]
    for found in (records, hostile_records(), []):
        random.Random(1).shuffle(found)
        grid = counted(found).grid()
        assert result_tables(grid) == result_tables(found)
        assert as_json(grid) == as_json(found)
        seen = make_grid(found)
        assert [row.total.passed for row in grid.rows] == [row.total.passed for row in seen.rows]
        assert grid.suites == seen.suites and grid.by_suite.keys() == seen.by_suite.keys()
    assert grid.rows[:] == []


def test_a_row_can_be_picked(tmp_path: Path) -> None:
    grid = counted(sample_records(tmp_path, models=2, tests=5, epochs=1, pictures=False)).grid()
    assert grid.rows[3] == list(grid.rows)[3] and len(grid.rows[1:3]) == 2 and len(grid.rows) == 5


def test_the_mean_of_scores_does_not_depend_on_their_order() -> None:
    scores = [0.1, 0.7, 1e-17, 0.2, 1 / 3, float("nan"), float("inf"), 0.3] * 5
    records = [TrialRecord("a.T", "m", n, Outcome.PASS, score=score) for n, score in enumerate(scores)]
    means = {tally(random.Random(seed).sample(records, len(records))).score for seed in range(20)}
    assert len(means) == 1  # what is no number is none: the two of these that passed count as 1
    assert means.pop() == pytest.approx((1.3 + 1 / 3 + 2) / 8)


def test_errors_that_all_differ_do_not_pile_up() -> None:
    reasons = Reasons()
    for number in range(DIFFERENT + 50):
        reasons.add(TrialRecord("a.T", "m", number, Outcome.ERROR, error=f"failed at {number}"))
    assert reasons.lines(1) == [f"ERROR 50x: {OTHERS}", f"and {DIFFERENT} other reasons"]


def test_errors_are_told_with_a_test() -> None:
    reasons = Reasons()
    for test, error in (("a.T", "HTTP 404"), ("b.T", "HTTP 404"), ("b.T", "no key"), ("c.T", "no model")):
        reasons.add(TrialRecord(test, "m", 1, Outcome.ERROR, error=error))
    reasons.add(TrialRecord("d.T", "m", 1, Outcome.SKIPPED, error="no gcc"))
    assert reasons.errors(2) == [
        "ERROR 2x: HTTP 404 (first in a.T)",
        "ERROR 1x: no key (in b.T)",
        "and 1 other reasons",
    ]


def test_a_file_gets_every_cell_of_a_table_in_line() -> None:
    table = Table("Rates", ("model", "passed"), (("a|b", "10/10"), ("漢字", "9/10"), ("c", None)), "note")
    out = io.StringIO()
    show_tables([table, *hostile_tables()], file=out)
    title, _, head, rule, *rows = out.getvalue().splitlines()[:8]
    assert title == "Rates" and head == " model  passed" and rule == " " + "─" * 13
    assert rows == [" a|b     10/10", " 漢字     9/10", " c           -", ""]
    assert "\x1b" not in out.getvalue() and out.getvalue() == "\n".join(
        line.rstrip() for line in out.getvalue().split("\n")
    )


def test_a_terminal_gets_colours_and_its_width(monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = io.StringIO()
    show_tables([Table("Rates", ("model", "passed"), (("m", "0/1"),))], file=out)
    assert "\x1b[31m" in out.getvalue()
