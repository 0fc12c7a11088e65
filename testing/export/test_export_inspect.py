"""Logs for inspect_ai: the real package, in an environment of its own, reads what was recorded."""

from __future__ import annotations

import json
import math
import subprocess
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from assay.records import Block, Outcome, TrialRecord, Usage
from assay.results.export.inspect_log import write_logs
from assay.results.export.source import Source
from assay.results.store import Results
from testing.export.recorded import COMMIT, NEWER, hostile, keep, recorded
from testing.inspect_environment import PYTHON, install_inspect

pytestmark = pytest.mark.slow(3)
READER = Path(__file__).with_name("inspect_reader.py")
JUDGED = TrialRecord(
    "jokes.TestJoke",
    "sun/ray-1",
    1,
    Outcome.PASS,
    usage=Usage(10, 20, 5),
    cost=None,
    started_at="2026-11-20T10:00:00.250+00:00",
    seconds=2.5,
    model_seconds=1.0,
    judges={"eval_llm": "moon/judge"},
    parameters={"temperature": 0.5, "thinking_budget": 100, "reasoning_effort": "odd", "flavour": {"a": 1}},
    conditions={"seed": 7},
    commit=COMMIT,
    suite="jokes",
    reason=Block(
        "group",
        children=(
            Block("group", "LLMVisionRun", children=(
                Block("image", "picture sent", data=b"\x89PNG\r\n\x1a\npicture"),
                Block("chat", "asked sun/ray-1", "What is funny here?", role="user"),
                Block("chat", "sun/ray-1 replied", "The `hat`.", role="assistant"),
            )),
            Block("group", "PythonRun", children=(Block("code", "output", "```\nfence\n```"),)),
            Block("group", "LLMRun", children=(
                Block("chat", "asked moon/judge", "Is 'the hat' right?", role="user"),
                Block("chat", "moon/judge replied", "yes", role="assistant"),
            )),
            Block("verdict", "SubstringEvaluator", "output contains 'yes'", passed=True),
        ),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """(the exported records, what inspect_ai says of their logs)"""
    folder = tmp_path_factory.mktemp("inspect")
    results = Results(folder / "results")
    records = recorded(results.root)
    keep(results, COMMIT, [JUDGED])
    hostile(results.root)
    logs = folder / "logs"
    write_logs(Source(results.files(), images=results.images), logs)
    install_inspect()
    done = subprocess.run(
        [str(PYTHON), str(READER), str(logs), str(folder / "bundle")],
        capture_output=True,
        text=True,
        timeout=240,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return records, json.loads(done.stdout.splitlines()[-1]), logs


def logs_of(read, **wanted):
    return [log for log in read[1]["logs"] if all(log[name] == value for name, value in wanted.items())]


def test_a_log_for_each_run_suite_and_model(read):
    records, said, logs = read
    ours = [log for log in said["logs"] if log["commit"] in ("4f3c2b1a9d8e7f60", NEWER)]
    models = {r.model for r in records if r.suite == "applied"}
    anew = {r.model for r in records if r.commit == NEWER}
    assert sorted(log["model"] for log in ours) == sorted([*models, *anew])
    assert {log["status"] for log in said["logs"]} == {"success"}
    assert len(list(logs.iterdir())) == len(said["logs"]) and not list(logs.glob(".*"))


def test_every_sample_is_the_trial(read):
    records, _, _ = read
    by_key = {(r.model, r.test, r.epoch): r for r in records if r.commit != NEWER}
    checked = 0
    for log in logs_of(read, commit="4f3c2b1a9d8e7f60"):
        for sample in log["samples"]:
            record = by_key.get((log["model"], sample["id"], sample["epoch"]))
            if record is None:  # made anew at the newer commit
                continue
            checked += 1
            wanted = {"pass": "C", "fail": "I"}.get(record.outcome)
            if wanted:
                assert sample["scores"]["passed"] == wanted and sample["error"] is None
                assert sample["messages"][0][0] == "user" and sample["messages"][-1][0] == "assistant"
                assert sample["completion"] == sample["messages"][-1][1]
                assert sample["events"].count("model") == 1 and "score" in sample["events"]
            elif record.outcome == "error":
                assert sample["scores"] == {} and "503" in sample["error"]
            else:
                assert math.isnan(sample["scores"]["passed"]) and sample["error"] is None
                assert sample["why"]["passed"] == record.error
            usage = sample["usage"][record.model]
            read_in = (usage[f"input_tokens{kind}"] or 0 for kind in ("", "_cache_read", "_cache_write"))
            assert sum(read_in) == record.usage.input_tokens and usage["total_cost"] == record.cost
            assert sample["seconds"] == round(record.seconds, 4) and sample["metadata"]["sandbox"] == "podman"
    assert checked > 40


def test_results_are_what_inspect_computes_from_the_samples(read):
    """Accuracy, mean and standard error, over samples after the mean over epochs."""
    for log in read[1]["logs"]:
        assert log["same_in_header"] and log["results"].keys() == log["computed"].keys()
        for name, value in log["results"].items():
            assert value == pytest.approx(log["computed"][name], nan_ok=True), (log["model"], name)


def test_accuracy_is_the_mean_over_tests(read):
    records, _, _ = read
    (log,) = logs_of(read, task="weirdml", model="aurora/heron-4-large")
    its = [r for r in records if r.suite == "weirdml" and r.model == log["model"]]
    tests = defaultdict(list)
    for record in its:
        tests[record.test].append(record.score)
    means = {test: sum(scores) / len(scores) for test, scores in tests.items()}
    assert log["results"]["score/score/mean"] == pytest.approx(sum(means.values()) / len(means))
    assert log["reductions"]["score"] == pytest.approx(means)
    assert log["headline"]["metric"] == "mean" and log["epochs"] == 3 and log["ids"] == list(means)
    assert log["results"]["metrics/best/mean"] == log["results"]["score/score/mean"]
    assert log["samples"][0]["scores"]["metrics"].keys() == {"first", "best"}


def test_skipped_and_broken_samples_are_not_scored(read):
    log = logs_of(read, task="applied", model="fjord/petrel-9")[0]
    counted = {s["id"] for s in log["samples"] if s["scores"].get("passed") in ("C", "I")}
    assert log["unscored"]["passed"] == len(set(log["ids"]) - counted)


def test_a_judge_is_in_the_transcript_and_not_in_the_conversation(read):
    (log,) = logs_of(read, model="sun/ray-1")
    (sample,) = log["samples"]
    assert [role for role, _ in sample["messages"]] == ["user", "assistant"] and sample["pictures"] == 1
    assert sample["completion"] == "The `hat`." and sample["asked"] == ["sun/ray-1", "moon/judge"]
    assert sample["events"] == ["model", "info", "model", "info", "score"]
    assert "````\n```\nfence\n```\n````" in sample["information"]
    assert sample["started_at"].startswith("2026-11-20T10:00:00.25")
    assert (
        sample["usage"]["sun/ray-1"]["reasoning_tokens"] == 5
        and log["usage"]["sun/ray-1"]["total_cost"] is None
    )


def test_parameters_go_where_inspect_has_them(read):
    (log,) = logs_of(read, model="sun/ray-1")
    assert log["config"] == {"temperature": 0.5, "reasoning_tokens": 100}
    assert log["args"] == {"reasoning_effort": "odd", "flavour": {"a": 1}} and log["task_args"] == {"seed": 7}


def test_a_single_sample_and_summaries_can_be_read(read):
    for log in read[1]["logs"]:
        assert log["summaries"] == len(log["samples"])
        assert log["one"]["messages"] == log["samples"][0]["messages"]


def test_tables_and_the_viewer_take_them(read):
    _, said, _ = read
    samples = [sample for log in said["logs"] for sample in log["samples"]]
    assert said["evals_df"][0] == len(said["logs"]) and said["samples_df"][0] == len(samples)
    assert said["samples_df"][2].count("C") == sum(s["scores"].get("passed") == "C" for s in samples)
    assert {"index.html", "logs"} <= set(said["bundle"])


def test_hostile_names_stay_in_the_log(read):
    _, _, logs = read
    import zipfile

    for path in logs.iterdir():
        for name in zipfile.ZipFile(path).namelist():
            assert ".." not in name.split("/") and not name.startswith("/") and "\\" not in name
            assert name.count("/") <= 1


def test_exporting_again_replaces_the_logs(tmp_path):
    results = Results(tmp_path / "results")
    keep(results, COMMIT, [JUDGED])
    for _ in range(2):
        assert write_logs(Source(results.files(), images=results.images), tmp_path / "logs") == 1
    with results.open_existing(COMMIT, JUDGED.model, "1") as store:
        store.append(replace(JUDGED, epoch=2, started_at="2026-11-20T11:00:00+00:00"))
    write_logs(Source(results.files(), images=results.images), tmp_path / "logs")
    assert len(list((tmp_path / "logs").iterdir())) == 1
