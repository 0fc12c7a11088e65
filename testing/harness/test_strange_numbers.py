"""A results file of a stranger, or of a server that lied, is read or its line is left out: never a crash."""

import io
import json

import pytest

from assay.records import Outcome, TrialRecord, Usage
from assay.report.html import write_report
from assay.report.terminal import show_results
from assay.results.past_usage import past_usage
from assay.results.serialize import encode_line, record_from_json
from assay.results.spending import Spending
from assay.results.store import load_records, read_file

GOOD = json.loads(
    encode_line(
        TrialRecord("t.T", "m", 1, Outcome.PASS, usage=Usage(5, 5), cost=0.1, seconds=1.0), lambda data: ""
    )
)
HUGE = 10**400
LEFT_OUT = [
    {"usage": [HUGE, 1, 0]},
    {"usage": [-1, 1, 0]},
    {"usage": ["x", 1, 0]},
    {"seconds": 1e308},
    {"model_seconds": -1.0},
    {"queue_seconds": float("nan")},
    {"calls": HUGE},
    {"epoch": HUGE},
    {"suite": "s" * 5000},
    {"model": "m" * 5000},
]
ODD = [
    {"replies": [{"role": []}], "judges": {"eval_llm": "j"}},
    {"replies": [{"role": {}}], "judges": {"x": []}},
]
READ = [{"cost": -5}, {"cost": float("nan")}, {"cost": HUGE}, {"cost": 1e308}]


@pytest.mark.parametrize("change", LEFT_OUT, ids=lambda change: next(iter(change)))
def test_what_cannot_be_a_trial_is_no_trial(change):
    with pytest.raises(ValueError, match=r"\w"):
        record_from_json({**GOOD, **change})


@pytest.mark.parametrize("change", ODD, ids=lambda change: str(change["replies"]))
def test_what_is_read_without_its_replies_may_have_any(tmp_path, change):
    path = tmp_path / "run-1.jsonl"
    path.write_text(f"{json.dumps({**GOOD, **change})}\n{json.dumps(GOOD)}\n")
    assert len(list(read_file(path, [], light=True))) == 2


@pytest.mark.parametrize("change", READ, ids=lambda change: repr(change["cost"])[:6])
def test_a_cost_that_cannot_be_is_unknown(change):
    assert record_from_json({**GOOD, **change}).cost is None


def test_a_run_goes_on_beside_such_lines(tmp_path):
    path = tmp_path / "results" / "c" / "m" / "run-1.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        json.dumps({**GOOD, "test": f"t.T{n}", **change}) for n, change in enumerate([*LEFT_OUT, *READ, {}])
    ]
    path.write_text("\n".join(lines) + "\n")
    read = load_records([path])
    records = read.records
    assert len(records) == len(READ) + 1 and read.problems
    show_results(records, file=io.StringIO())
    write_report(records, tmp_path / "out", images=tmp_path, root=tmp_path)
    tests = {("applied", f"t.T{n}") for n in range(len(lines))}
    assert past_usage([path], tests).trials >= 1


def test_the_account_of_what_was_paid_leaves_them_out(tmp_path):
    path = tmp_path / "run-1.spent"
    path.write_text(
        f'["m", {HUGE}, 1, 0, 0.5]\n["m", 1, 1, 0, -5]\n["m", 2, 2, 0, NaN]\n["m", 3, 3, 0, 0.25]\n'
    )
    total = Spending(path).total()
    assert (total.usage, total.cost) == (Usage(6, 6), 0.25)


def test_a_long_suite_name_is_shortened_when_it_is_written():
    record = TrialRecord("t.T", "m", 1, Outcome.PASS, suite="s" * 5000)
    assert len(record_from_json(json.loads(encode_line(record, lambda data: ""))).suite) < 600
