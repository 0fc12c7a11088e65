"""Causes are counted by model, and shown wherever a verdict is."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assay.records import Block, Cause, Outcome, TrialRecord
from assay.report.aggregate import GridCounter, make_grid
from assay.report.failures import causes_table, failures
from assay.report.grid_page import numbers
from assay.report.html import write_report
from assay.report.reasons import Reasons
from assay.report.steps import print_steps
from assay.report.tally import tally
from assay.report.terminal import show_results
from testing.report.written import cell_of

CAUSES = [Cause.WRONG] * 7 + [Cause.CUT_OFF] * 3 + [Cause.DOES_NOT_BUILD] * 2


def trial(epoch: int, outcome: Outcome, cause: str = "", why: str = "", error: str = "") -> TrialRecord:
    reason = Block("verdict", "Sub", "output lacks 'x'", passed=False)
    return TrialRecord("t.TestT", "m", epoch, outcome, cause=cause, why=why, error=error, reason=reason)


def mixed() -> list[TrialRecord]:
    failed = [trial(n, Outcome.FAIL, cause, f"fact {n}") for n, cause in enumerate(CAUSES, 1)]
    passed = [trial(n, Outcome.PASS) for n in range(13, 21)]
    return [*failed, *passed, trial(21, Outcome.ERROR, Cause.PROVIDER, "HTTP 503", "Transient: HTTP 503")]


def test_causes_are_counted_and_the_excused_are_left_out_of_the_second_rate() -> None:
    total = tally(mixed())
    assert failures(total) == "12 FAIL: 7 wrong, 3 cut off, 2 do not build"
    assert total.rate == 8 / 20 and total.rate_without_excused == 8 / 17
    table = causes_table(make_grid(mixed()))
    assert table is not None
    assert table.rows == (
        ("m", "12 FAIL: 7 wrong, 3 cut off, 2 do not build; 1 ERROR: 1 provider", "40.0%", "47.1%"),
    )


def test_counting_one_by_one_says_the_same() -> None:
    counter = GridCounter()
    for record in mixed():
        counter.add(record)
    assert causes_table(counter.grid()) == causes_table(make_grid(mixed()))


def test_the_pages_script_gets_the_causes_of_a_cell() -> None:
    ((cell,),) = (row.cells.values() for row in make_grid(mixed()).rows)
    passed, counted, errors, skipped, causes = numbers(cell)
    assert (counted - passed, errors, skipped) == (12, 1, 0)
    assert sorted(list(Cause)[at] for at in causes) == ["cut off", "does not build", "provider", "wrong"]
    assert numbers(tally([trial(1, Outcome.PASS)])) == [1, 1, 0, 0]
    assert numbers(tally([replace(trial(1, Outcome.PASS), score=0.5)])) == [1, 1, 0, 0, [], 0.5]


def test_tables_and_json_have_the_causes() -> None:
    drawn, data = io.StringIO(), io.StringIO()
    show_results(mixed(), file=drawn, width=100)
    assert "7 wrong" in drawn.getvalue()
    show_results(mixed(), file=data, format="json")
    (model,) = json.loads(data.getvalue())["models"]
    assert model["causes"] == {"wrong": 7, "cut off": 3, "does not build": 2}
    assert model["causes_of_errors"] == {"provider": 1}


def test_the_page_of_a_cell_and_the_grid_say_them(tmp_path: Path) -> None:
    write_report(mixed(), tmp_path, images=tmp_path / "none", root=tmp_path)
    cell = cell_of(tmp_path)
    assert [trial["cause"] for trial in cell["trials"]].count("cut off") == 3
    assert cell["trials"][0]["why"] == "fact 1" and "12 FAIL: 7 wrong" in cell["said"]
    index = (tmp_path / "index.html").read_text("utf-8")
    assert re.search(r'title="[^"]*12 FAIL: 7 wrong[^"]*wrong: fact 1"', index)
    assert "Why trials failed" in index


def test_steps_end_with_the_cause() -> None:
    out = io.StringIO()
    print_steps(mixed()[0], out)
    assert out.getvalue().splitlines()[-2] == "wrong: fact 1"


def test_old_records_get_what_can_be_told() -> None:
    table = causes_table(
        make_grid([trial(1, Outcome.FAIL), trial(2, Outcome.ERROR, error="Refused: HTTP 401")])
    )
    assert table is not None and table.rows[0][1] == "1 FAIL: 1 wrong; 1 ERROR: 1 provider"
    assert table.columns == ("model", "why"), "the pass rate stands in the table of models"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ProviderError: x (gave up in 12.5 s)", "ProviderError: x (gave up in 9.1 s)", True),
        ("<Foo object at 0x7f01ab> is none", "<Foo object at 0x7f99cd> is none", True),
        ("refused at 127.0.0.1:4001", "refused at 127.0.0.1:4002", True),
        ("refused at http://localhost:4001/v1", "refused at http://localhost:4002/v1", True),
        ("HTTP 503: busy (request req_abc123)", "HTTP 503: busy (request req_xyz789)", True),
        ("HTTP 503: busy", "HTTP 500: busy", False),
        ("t.py:3: NameError", "u.py:3: NameError", False),
    ],
)
def test_errors_that_differ_in_seconds_or_addresses_are_one(one: str, other: str, same: bool) -> None:
    reasons = Reasons()
    for said in (one, other):
        reasons.add(trial(1, Outcome.ERROR, error=said))
    assert len(reasons.lines()) == (1 if same else 2)
    assert one in "\n".join(reasons.lines())


def test_a_function_that_raised_is_told_of_however_it_was_called():
    reasons = Reasons()
    for number in range(3):
        why = f"judge.py:3: judge() raised KeyError: 'n'; called with 'answer {number}'"
        reasons.add(trial(number, Outcome.FAIL, cause=Cause.RAISED, why=why))
    reasons.add(trial(4, Outcome.FAIL, cause=Cause.WRONG, why="expected 1"))
    assert reasons.lines() == ["FAIL 3x: judge.py:3: judge() raised KeyError: 'n'"]
