"""CSV and Parquet: what Python's csv module and pandas read is what was recorded."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from assay.results.export.csv_file import text_cell, write_csv
from assay.results.export.parquet_file import write_parquet
from assay.results.export.registry import exports_of, write_exports
from assay.results.export.rows import COLUMNS
from assay.results.export.source import Source
from assay.results.serialize import decode_line
from assay.results.store import Results
from assay.results.workspace import Workspace
from testing.export.recorded import COMMIT, NEWER, hostile, recorded

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    return folder, recorded(folder)


@pytest.fixture(scope="module")
def frame(results, tmp_path_factory):
    import pandas

    folder, records = results
    path = tmp_path_factory.mktemp("out") / "all.parquet"
    assert write_parquet(Source(Results(folder).files()), path) == len(records)
    return pandas.read_parquet(path)


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_pandas_reads_a_typed_table(frame, results):
    _, records = results
    assert len(frame) == len(records)
    assert str(frame.started_at.dtype) == "datetime64[ms, UTC]" and frame.started_at.max().year == 2026
    assert str(frame.outcome.dtype) == "category" and str(frame.model.dtype) == "category"
    assert frame.input_tokens.dtype == "int64" and frame.seconds.dtype == "float64"
    assert frame.groupby("outcome", observed=True).size().to_dict() == Counter(r.outcome for r in records)
    assert frame.cost.sum() == pytest.approx(sum(r.cost or 0 for r in records))
    assert json.loads(frame.versions[0]) == {"assay": "0.1.0"} and frame.tags[0][0] == "code"


def test_rates_come_out_as_the_terminal_has_them(frame, results):
    _, records = results
    rates = frame.groupby("model", observed=True).passed.agg(["sum", "count"])
    for model, row in rates.iterrows():
        its = [r for r in records if r.model == model]
        counted = [r for r in its if r.outcome in ("pass", "fail")]
        assert (row["sum"], row["count"]) == (sum(r.outcome == "pass" for r in counted), len(counted))


def test_the_newest_trial_counts_and_says_its_run_and_commit(frame):
    anew = frame[frame.commit == NEWER]
    assert len(anew) == 1 and anew.outcome.item() == "pass" and anew.run.item() == "1"
    assert not (frame.error if "error" in frame else frame.why).str.contains("503").any()


def test_the_docs_name_every_column():
    page = (ROOT / "docs" / "exporting.md").read_text("utf-8")
    table = page[page.index("| column |") : page.index("| `metric_NAME`")]
    named = [name for line in table.splitlines() for name in re.findall("`([a-z_]+)`", line.split("|")[1])]
    assert sorted(named) == sorted(column.name for column in COLUMNS)


def test_a_metric_is_a_column(frame):
    scored = frame[frame.suite == "weirdml"]
    assert scored.metric_best.notna().all() and frame[frame.suite != "weirdml"].metric_best.isna().all()
    assert scored.score.mean() == pytest.approx(scored.metric_best.mean())


def test_question_answer_and_the_reason_are_there(frame):
    row = frame[(frame.outcome == "fail") & (frame.suite == "applied")].iloc[0]
    assert row.question.startswith("Write a python program") and row.answer.startswith("Here is a program")
    assert (row.why, row.cause) == ("output lacks '12.5'", "wrong")
    assert frame[frame.outcome == "skipped"].iloc[0].why.startswith("sandbox ")


def test_csv_and_parquet_hold_the_same(frame, results, tmp_path):
    import pandas

    folder, records = results
    assert write_csv(Source(Results(folder).files()), tmp_path / "a.csv") == len(records)
    rows = read_csv(tmp_path / "a.csv")
    assert list(rows[0]) == list(frame.columns)
    for row, (_, known) in zip(rows, frame.iterrows(), strict=True):
        assert row["test"] == known.test and row["outcome"] == known.outcome
        assert row["answer"] == known.answer
        assert float(row["seconds"]) == known.seconds and int(row["output_tokens"]) == known.output_tokens
        assert row["passed"] == {True: "true", False: "false"}.get(known.passed, "")
        known_at = (
            "" if known.started_at is pandas.NaT else known.started_at.isoformat(timespec="milliseconds")
        )
        assert row["started_at"] == known_at


def test_hostile_records_are_harmless_rows(tmp_path):
    """No cell that a spreadsheet computes, no escape sequence, no half of a pair; every row is there."""
    import pandas

    records = hostile(tmp_path / "results")
    source = Source(Results(tmp_path / "results").files())
    assert (
        write_csv(source, tmp_path / "a.csv") == len(records) == write_parquet(source, tmp_path / "a.parquet")
    )
    rows, frame = read_csv(tmp_path / "a.csv"), pandas.read_parquet(tmp_path / "a.parquet")
    assert len(rows) == len(frame) == len(records)
    texts = [c.name for c in COLUMNS if c.kind in ("text", "word", "words", "json")]
    for row in rows:
        for name in texts:
            assert not row[name].startswith(("=", "+", "-", "@")), row[name]
            assert "\x1b" not in row[name] and "\x00" not in row[name] and "\u202e" not in row[name]
    assert {row["test"] for row in rows} >= {"'=1+1.cmd", "../../../etc/passwd"}
    assert "=1+1.cmd" in set(frame.test)  # Parquet has types: nothing computes its texts


def test_only_what_is_kept_is_written(results, tmp_path):
    folder, records = results
    model = records[0].model
    source = Source(
        Results(folder).files(), lambda record: record.model == model and record.suite == "applied"
    )
    assert write_csv(source, tmp_path / "a.csv") == sum(
        r.model == model and r.suite == "applied" for r in records
    )


def test_of_two_equally_old_trials_the_later_line_counts(tmp_path):
    from dataclasses import replace

    from testing.export.recorded import keep
    from testing.report.sample_records import scored_records

    first = scored_records(1)[0]
    keep(Results(tmp_path), COMMIT, [first, replace(first, score=0.25), replace(first, epoch=2)])
    ((one, two),) = [list(Source(Results(tmp_path).files()).trials())]
    assert (one.record.score, two.record.epoch) == (0.25, 2)


MANY = """
import sys, resource
from pathlib import Path
from assay.results.export.csv_file import write_csv
from assay.results.export.source import Source
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
files = sorted(Path(sys.argv[1]).glob("*/*/run-*.jsonl"))
assert write_csv(Source(files), Path(sys.argv[2])) == int(sys.argv[3])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.slow(3)
def test_what_models_wrote_is_never_all_in_memory(tmp_path):
    """1,000 trials with a reply of 50 kB each: 50 MB on disk."""
    from assay.records import Block, Outcome, TrialRecord
    from assay.results.serialize import encode_line

    path = tmp_path / "results" / COMMIT / "m" / "run-1.jsonl"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        for number in range(1000):
            said = Block("chat", "m replied", f"{number} " + "x" * 50_000, role="assistant")
            record = TrialRecord(f"a.Test{number}", "m", 1, Outcome.PASS, reason=said)
            file.write(encode_line(record, lambda data: ""))
    arguments = [str(tmp_path / "results"), str(tmp_path / "a.csv"), "1000"]
    done = subprocess.run(
        [sys.executable, "-c", MANY, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    grown = int(done.stdout) * (1 if sys.platform == "darwin" else 1024)
    assert (tmp_path / "a.csv").stat().st_size > 50_000_000 and grown < 25_000_000


@pytest.mark.parametrize(
    "begin", [*"=+-@\uff1d\uff0b\uff0d\uff20", "\n=", "\t=", "\r\n=", " =", "\u3000\uff1d", "\n"]
)
def test_a_cell_that_a_spreadsheet_would_compute_gets_an_apostrophe(begin):
    assert text_cell(begin + "1+1").startswith("'")


def test_no_failure_and_no_error_is_without_cause_and_why(frame):
    broken = frame[frame.outcome.isin(["fail", "error"])]
    assert len(broken) and (broken.cause != "").all() and (broken.why != "").all()


def test_a_line_whose_explanation_cannot_be_read_costs_no_other_trial_and_is_told(tmp_path, capsys):
    """It can be read without its explanation, as for the tables."""
    recorded(tmp_path)
    path = Results(tmp_path).files()[0]
    lines = path.read_bytes().splitlines(keepends=True)
    before = [trial.record.key for trial in Source([path]).trials()]
    at = [n for n, line in enumerate(lines) if decode_line(line).key == before[0]][-1]
    bad = json.loads(lines[at])
    bad["reason"]["kind"] = "info"
    lines[at] = json.dumps(bad).encode() + b"\n"
    path.write_bytes(b"".join(lines))
    source = Source([path])
    assert len(source.records) == len(before)
    assert [trial.record.key for trial in source.trials()] == before[1:]
    said = f"{path}:{at + 1}: unreadable line left out"
    assert any(said in each for each in source.problems)
    wanted = exports_of([f"csv={tmp_path / 'a.csv'}", f"inspect={tmp_path / 'logs'}"])
    workspace = Workspace(tmp_path, Results(tmp_path), path, None)
    for exports in (wanted, wanted[1:]):
        write_exports(exports, [path], lambda record: True, workspace)
        assert capsys.readouterr().err.count(said) == 1
