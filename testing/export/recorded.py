"""A results folder with every kind of outcome, made by the store itself, for the tests of exports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from assay.records import Block, Outcome, TrialRecord
from assay.results.serialize import encode_line
from assay.results.store import Images, Results, read_file
from testing.report.injections import hostile_records
from testing.report.sample_records import sample_records, scored_records

TESTS, EPOCHS, MODELS = 9, 2, 3
COMMIT, NEWER = "4f3c2b1a9d8e", "5a5a5a5a5a5a"


def keep(results: Results, commit: str, records: list[TrialRecord], run: str = "1") -> None:
    for model in dict.fromkeys(record.model for record in records):
        with results.open_new(commit, model, run) as store:
            for record in records:
                if record.model == model:
                    store.append(record)


def recorded(folder: Path) -> list[TrialRecord]:
    """Write results into `folder`; the records that tables would show. One test was passed anew at a newer
    commit, and one trial that broke was tried again in its run."""
    results = Results(folder)
    records = sample_records(results.images, MODELS, TESTS, EPOCHS) + scored_records(2)
    failed = next(r for r in records if r.outcome is Outcome.FAIL)
    skipped = next(r for r in records if r.outcome is Outcome.PASS and r.epoch == 2)
    records[records.index(skipped)] = skipped = replace(
        skipped, outcome=Outcome.SKIPPED, error="sandbox podman lacks gdb", reason=None
    )
    broken = replace(failed, outcome=Outcome.ERROR, error="Transient: 503", started_at="2026-11-20T01:00:00Z")
    keep(results, COMMIT, [broken, *records])
    anew = replace(failed, outcome=Outcome.PASS, started_at="2026-11-21T01:00:00Z", commit=NEWER)
    keep(results, NEWER, [anew])
    records[records.index(failed)] = anew
    return records


def hostile(folder: Path) -> list[TrialRecord]:
    """Results in which every string is an attack; some have no explanation, an old time, odd numbers. Those
    that the store refuses to read (a name of 5,000 characters, 10^30 trials) are said, and left out."""
    results = Results(folder)
    records = [replace(r, started_at="2026-11-20T01:00:00Z") for r in hostile_records()]
    records += [
        TrialRecord("=1+1.cmd", "-2+3|calc", 1, Outcome.FAIL, reason=Block("verdict", "@A1", passed=False)),
        TrialRecord("..", "../../m", 10**30, Outcome.PASS, score=float("nan"), metrics={"x": float("inf")}),
        TrialRecord("../../../etc/passwd", "m", 1, Outcome.FAIL, started_at="yesterday", seconds=1e5),
    ]  # fmt: skip
    # As a stranger's file has them: not cleaned by our store, halves of pairs escaped.
    path = results.run_file(COMMIT, "evil", "1")
    path.parent.mkdir(parents=True)
    lines = []
    for record in records:
        facts = json.loads(encode_line(replace(record, metrics={}), Images(results.images).save))
        facts |= {"test": record.test, "model": record.model, "metrics": dict(record.metrics)}
        lines.append(json.dumps(facts) + "\n")
    path.write_text("".join(lines), "ascii")
    refused: list[str] = []
    read = list(read_file(path, refused))
    assert len(read) + len(refused) == len(records) and len(read) > 50
    return read
