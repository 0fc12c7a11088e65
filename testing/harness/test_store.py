"""Results on disk: nothing finished is lost, nothing hostile gets through, old and broken lines are read."""

import errno
import json
import math
import os
import resource
import stat
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import ConfigError, StoreError
from assay.records import Block, Outcome, TrialKey, TrialRecord, Usage
from assay.results import conditions
from assay.results.conditions import mixed_conditions
from assay.results.serialize import BODY_CHARS, RECORD_CHARS, decode_line, encode_line, record_from_json
from assay.results.store import (
    Results,
    Store,
    broken_trials,
    folder_name,
    load_records,
    read_earlier,
)

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"


def record(test="a.TestA", epoch=1, outcome=Outcome.PASS, **fields):
    return TrialRecord(test, fields.pop("model", "openai/gpt-4o"), epoch, outcome, **fields)


def open_store(tmp_path, **kwargs):
    return Store(tmp_path / "run-1.jsonl", tmp_path / "images", **kwargs)


def lines(tmp_path):
    return (tmp_path / "run-1.jsonl").read_bytes().split(b"\n")[:-1]


def load(tmp_path, **kwargs):
    return load_records([tmp_path / "run-1.jsonl"], **kwargs)


FULL = record(
    suite="sums",
    score=0.5,
    metrics={"rate": 0.25},
    error="why",
    usage=Usage(1, 2, 3),
    cost=0.125,
    calls=3,
    cached_calls=1,
    attempts=2,
    seconds=1.5,
    model_seconds=1.0,
    sandbox_seconds=0.25,
    queue_seconds=7.5,
    waited_seconds=0.125,
    sandbox="podman",
    limits="default",
    started_at="2026-01-01T00:00:00.000+00:00",
    commit="abc",
    fingerprint="f",
    versions={"python": "3.11"},
    judges={"eval_llm": "j"},
    description="d",
    tags=("x", "y"),
    source="tests/a.py",
    extra={"depth": 3, "answers": [1, 2.5, None, True, "x"]},
    reason=Block(
        "group",
        "t",
        children=(
            Block("text", body="b"),
            Block("code", body="c", language="python"),
            Block("chat", role="user", body="q"),
            Block("verdict", passed=False, body="no"),
        ),
    ),
)


def test_a_record_comes_back_as_it_was(tmp_path):
    with open_store(tmp_path) as store:
        store.append(FULL)
        store.append(record(epoch=2, cost=None))
    assert load(tmp_path).records == [FULL, record(epoch=2, cost=None)]
    assert load(tmp_path, light=True).records[0].reason is None


def test_pictures_are_kept_once_by_their_content(tmp_path):
    reason = Block("group", children=(Block("image", data=PNG), Block("image", data=PNG)))
    with open_store(tmp_path) as store:
        store.append(record(reason=reason))
    (file,) = (tmp_path / "images").iterdir()
    assert file.suffix == ".png" and file.read_bytes() == PNG
    (read,) = load(tmp_path).records
    assert [child.file for child in read.reason.children] == [file.name] * 2


def test_each_line_is_on_its_way_before_append_returns(tmp_path):
    store = open_store(tmp_path)
    store.append(record())
    assert len(lines(tmp_path)) == 1
    store.close()
    store.close()


HOSTILE = "\ud800 \0 \x1b[31m \u2028 \r\n </script> \U0001f600 \x85"


def test_hostile_text_is_bounded_and_encodable(tmp_path):
    reason = Block("group", HOSTILE, children=(Block("text", body=HOSTILE + "x" * 10_000_000 + "end"),))
    hostile = record(
        HOSTILE, model=HOSTILE, error="e" * 10_000_000, reason=reason,
        extra={HOSTILE: {HOSTILE: [HOSTILE, {1}]}}, tags=(HOSTILE,),
        metrics={"bad": math.nan, "worse": math.inf}, score=math.inf,
    )  # fmt: skip
    with open_store(tmp_path) as store:
        store.append(hostile)
    (line,) = lines(tmp_path)
    assert len(line) < 2 * BODY_CHARS
    json.loads(line.decode("utf-8"))  # strict
    (read,) = load(tmp_path).records
    body = read.reason.children[0].body
    assert body.startswith("\ufffd \0 \x1b[31m \u2028") and body.endswith("end")
    assert "characters left out" in body and "characters left out" in read.error
    assert math.isnan(read.metrics["bad"]) and read.score is None
    body.encode()


def test_a_record_as_a_whole_is_bounded(tmp_path):
    many = tuple(Block("text", body="y" * 90_000) for _ in range(3000))
    deep = Block("text", body="bottom")
    for _ in range(500):
        deep = Block("group", "deeper", children=(deep,))
    with open_store(tmp_path) as store:
        store.append(record(reason=Block("group", children=many)))
        store.append(record(epoch=2, reason=deep))
    assert all(len(line) < 2 * RECORD_CHARS for line in lines(tmp_path))
    assert len(load(tmp_path).records) == 2 and not load(tmp_path).problems


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(blacklist_categories=())), st.text(st.characters(blacklist_categories=())))
def test_any_text_survives(tmp_path_factory, title, body):
    folder = tmp_path_factory.mktemp("any")
    with open_store(folder) as store:
        store.append(record(reason=Block("text", title, body), error=body))
        store.append(record(epoch=2))
    assert len(load(folder).records) == 2 and not load(folder).problems


def test_numbers_and_texts_of_other_types_are_saved_as_plain_ones():
    numpy = pytest.importorskip("numpy")
    values = [numpy.float64(1.5), numpy.int64(3), numpy.bool_(True), Decimal("2.5"), Fraction(10**400), 7.0]
    line = encode_line(record(extra={"values": [*values, numpy.float64("nan")]}), lambda data: "")
    saved = decode_line(line).extra["values"]
    assert saved == [1.5, 3, True, 2.5, repr(Fraction(10**400)), 7.0, None]


def test_keys_never_reach_the_file(tmp_path):
    key = 'sk-"quoted\\'
    with open_store(tmp_path, secrets=[key, "plain-secret"]) as store:
        store.append(record(error=f"401 for {key}", reason=Block("text", body="key=plain-secret")))
    text = (tmp_path / "run-1.jsonl").read_text()
    assert "quoted" not in text and "plain-secret" not in text
    assert load(tmp_path).records[0].error == "401 for [secret]"


def test_broken_lines_are_told_and_skipped(tmp_path):
    path = tmp_path / "run-1.jsonl"
    good = {"v": 1, "test": "a.TestA", "model": "m", "epoch": 1, "outcome": "pass"}
    bad = [
        b'{"v": 1, "test": "a',
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        json.dumps({**good, "outcome": "maybe"}).encode(),
        json.dumps({**good, "epoch": "1"}).encode(),
        json.dumps({**good, "metrics": 3}).encode(),
        b'{"v": 1, "test": "a", "model": "m", "epoch": 1, "outcome": "pass", "calls": Infinity}',
        b'{"v": 1, "test": "a", "model": "m", "epoch": 1, "outcome": "pass", "usage": [Infinity, 1, 1]}',
        b'{"v": 1, "test": "a", "model": "m", "epoch": 1, "outcome": "pass", "seconds": NaN}',
        b'{"v": 1, "test": "a", "model": "m", "epoch": 1, "outcome": "pass", "model_seconds": 1e999}',
        json.dumps({**good, "reason": {"kind": "script"}}).encode(),
        b'{"model": "m"}',
        b"\0" * 512,
        b"\0" * 9 + json.dumps({**good, "epoch": 3}).encode(),
    ]
    path.write_bytes(
        b"\n".join([json.dumps(good).encode(), *bad, b"", json.dumps({**good, "epoch": 2}).encode()])
    )
    read = load(tmp_path)
    assert [each.epoch for each in read.records] == [1, 3, 2]
    assert len(read.problems) == len(bad)
    for number, problem in enumerate(read.problems, 2):
        what = "line" if number < len(bad) else "bytes"
        said = f"{path}:{number}: unreadable {what} left out: "
        assert problem.startswith(said) and "line 1" not in problem
        assert f"to end this message, delete the {what})" in problem
    assert "left out: it is not UTF-8 (" in read.problems[2]
    assert [each.count("it has bytes that are 0") for each in read.problems] == [*[0] * 13, 1, 1]


def test_lines_of_other_versions_are_read(tmp_path):
    path = tmp_path / "run-1.jsonl"
    least = {"test": "a.TestA", "model": "m", "epoch": 1, "outcome": "fail"}
    path.write_text(
        json.dumps(least) + "\n" + json.dumps({**least, "epoch": 2, "v": 99, "news": {"a": 1}}) + "\n"
    )
    read = load(tmp_path)
    assert [each.outcome for each in read.records] == [Outcome.FAIL] * 2 and not read.problems


def test_a_stranger_cannot_name_files_outside_the_images(tmp_path):
    least = {"test": "a", "model": "m", "epoch": 1, "outcome": "fail"}
    for name in ("../../../etc/passwd", "/etc/passwd", "x" * 64 + ".png", "0" * 64 + ".png/../../x"):
        assert record_from_json({**least, "reason": {"kind": "image", "file": name}}).reason.file == ""
    fine = "0" * 64 + ".png"
    assert record_from_json({**least, "reason": {"kind": "image", "file": fine}}).reason.file == fine


def test_a_torn_last_line_does_not_spoil_the_next(tmp_path):
    with open_store(tmp_path) as store:
        store.append(record())
    path = tmp_path / "run-1.jsonl"
    path.write_bytes(path.read_bytes() + b'{"v": 1, "te')
    with open_store(tmp_path) as store:
        store.append(record(epoch=2))
    read = load(tmp_path)
    assert [each.epoch for each in read.records] == [1, 2]
    assert len(read.problems) == 1 and ":2: unreadable line left out: it is cut off" in read.problems[0]


def test_a_folder_that_is_a_link_to_nothing_is_told(tmp_path):
    (link := tmp_path / "results").symlink_to("gone")
    with pytest.raises(StoreError, match="a link to nothing, is in the way"):
        Results(link).open_new("abc", "m")


def test_one_writer_at_a_time(tmp_path):
    with open_store(tmp_path), pytest.raises(ConfigError, match="another process is writing to"):
        open_store(tmp_path)
    open_store(tmp_path).close()


FULL_DISK = """
import sys
from pathlib import Path
from assay.errors import StoreError
from assay.results.store import Store
from testing.harness.test_store import record
folder = Path(sys.argv[1])
store = Store(folder / "run-1.jsonl", folder / "images")
for epoch in range(1, 10_000):
    try:
        store.append(record(epoch=epoch, error="x" * 997))
    except StoreError as error:
        print(error)
        break
store.close()
"""


def check_full_disk(folder, limit=None):
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=60,
        preexec_fn=limit, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # it would be cut off, too
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    read = load(folder)
    assert len(read.records) > 10 and not read.problems, "no half line is left"
    assert [each.epoch for each in read.records] == list(range(1, len(read.records) + 1))
    assert "cannot write results to" in done.stdout and "--resume" in done.stdout
    return done.stdout


def test_a_file_size_limit_stops_cleanly(tmp_path):
    import signal

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_500, 50_500))

    assert "has reached its size limit" in check_full_disk(tmp_path, limit)


def test_a_full_disk_stops_cleanly(tmp_path):
    """On a real file system of 64 KB where we may mount one, else with the system's own error injected."""
    mounted = os.geteuid() == 0 and not subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(tmp_path)], capture_output=True, timeout=10
    ).returncode  # fmt: skip
    if mounted:
        try:
            assert "the disk is full" in check_full_disk(tmp_path)
        finally:
            subprocess.run(["umount", str(tmp_path)], check=True, timeout=10)
        return
    with open_store(tmp_path) as store:
        store.append(record())
        store._file, whole = os.open("/dev/full", os.O_WRONLY), store._file
        with pytest.raises(StoreError, match="the disk is full"):
            store.append(record(epoch=2))
        os.close(store._file)
        store._file = whole


def test_a_half_written_line_is_taken_back(tmp_path, monkeypatch):
    with open_store(tmp_path) as store:
        store.append(record())
        real = os.write

        def half(file, data):
            if len(data) < 50:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(file, data[: len(data) // 2])

        monkeypatch.setattr(os, "write", half)
        with pytest.raises(StoreError):
            store.append(record(epoch=2))
        monkeypatch.undo()
        store.append(record(epoch=3))
    read = load(tmp_path)
    assert [each.epoch for each in read.records] == [1, 3] and not read.problems


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write results to"):
        Store(tmp_path / "file" / "run-1.jsonl", tmp_path / "images")
    (tmp_path / "run-1.jsonl").mkdir()
    with pytest.raises(StoreError, match="cannot write results to"):
        open_store(tmp_path)


def test_runs_are_numbered_and_found(tmp_path):
    results = Results(tmp_path)
    first, second = results.open_new("abc", "m/x"), results.open_new("abc", "m/x")
    named = results.open_new("abc", "m/x", "nightly")
    assert [each.path.name for each in (first, second, named)] == [
        "run-1.jsonl",
        "run-2.jsonl",
        "run-nightly.jsonl",
    ]
    assert first.path == tmp_path / "abc" / "m__x" / "run-1.jsonl"
    assert stat.S_IMODE(first.path.stat().st_mode) & 0o400
    with pytest.raises(ConfigError, match="run nightly of m/x exists already"):
        results.open_new("abc", "m/x", "nightly")
    for store in (first, second, named):
        store.close()
    os.utime(first.path, (2e9, 2e9))
    assert results.latest("abc", "m/x") == "1" and results.latest("abc", "other") is None
    assert len(results.files()) == 3
    with pytest.raises(ConfigError, match="--runid"):
        results.run_file("abc", "m", "../../x")


@given(st.lists(st.text("ab_/.%: \0\u00e4", min_size=1, max_size=8), unique=True))
def test_models_do_not_share_folders(names):
    folders = [folder_name(name) for name in names]
    assert len(set(folders)) == len(names)
    assert all("/" not in each and "\0" not in each and not each.startswith(".") for each in folders)
    assert folder_name("x" * 1000) != folder_name("x" * 1001) and len(folder_name("x" * 1000)) < 200


def test_the_newest_verdict_of_a_trial_counts(tmp_path):
    results = Results(tmp_path)
    for commit, outcome, at in (("aaa", Outcome.PASS, "2026-01-02"), ("bbb", Outcome.FAIL, "2026-01-01")):
        with results.open_new(commit, "m") as store:
            store.append(record(outcome=outcome, started_at=at))
            store.append(record(epoch=2, outcome=outcome, started_at=at))
    with results.open_existing("bbb", "m", "1") as store:
        store.append(record(epoch=2, outcome=Outcome.ERROR, started_at="2026-01-03"))
    read = load_records(results.files())
    assert {each.epoch: (each.outcome, each.later) for each in read.records} == {
        1: (Outcome.PASS, ""),
        2: (Outcome.PASS, "ERROR: no reason given"),
    }


def test_what_needs_no_other_try(tmp_path):
    with open_store(tmp_path) as store:
        for epoch, outcome in enumerate(Outcome, 1):
            store.append(record(epoch=epoch, outcome=outcome))
        store.append(record(epoch=3, outcome=Outcome.ERROR, error="again"))
    earlier = read_earlier(tmp_path / "run-1.jsonl", [])
    keys = {epoch: TrialKey("a.TestA", epoch, "applied") for epoch in range(1, 5)}
    assert [epoch for epoch, key in keys.items() if key in earlier.done] == [1, 2] and len(earlier.done) == 2
    broken = broken_trials(tmp_path / "run-1.jsonl", earlier.broken)
    assert {each.epoch: each.error for each in broken} == {3: "again", 4: ""}
    none = read_earlier(tmp_path / "none.jsonl", [])
    assert not none.done and not none.broken and none.conditions == {} and none.judges == []


def test_a_trial_that_was_tried_again_and_done_is_not_broken(tmp_path):
    with open_store(tmp_path) as store:
        for outcome in (Outcome.ERROR, Outcome.ERROR, Outcome.PASS):
            store.append(record(outcome=outcome))
    earlier = read_earlier(tmp_path / "run-1.jsonl", [])
    assert len(earlier.done) == 1 and not earlier.broken


def test_a_verdict_that_is_no_truth_value_is_none(tmp_path):
    least = {"test": "a", "model": "m", "epoch": 1, "outcome": "fail"}
    for passed, read in (("yes", None), (1, None), (True, True), (None, None)):
        reason = {"kind": "verdict", "passed": passed}
        assert record_from_json({**least, "reason": reason}).reason.passed is read


def test_the_newest_verdict_says_under_which_conditions_a_model_is_shown(tmp_path):
    """A trial that broke, or one under other conditions, hides no verdict of those that are shown."""
    with open_store(tmp_path) as store:
        for number, (test, limit, outcome) in enumerate(
            (
                ("one", 5, Outcome.PASS),
                ("two", 5, Outcome.PASS),
                ("one", 6, Outcome.FAIL),
                ("three", 5, Outcome.PASS),
                ("two", 7, Outcome.ERROR),
            )
        ):
            given = {
                "suite": "s",
                "conditions": {"limit": limit, "other": ""},
                "started_at": f"2026-01-0{number + 1}",
            }
            store.append(record(test=test, outcome=outcome, **given))
    read = load(tmp_path)
    assert {(each.test, each.outcome) for each in read.records} == {
        (test, Outcome.PASS) for test in ("one", "two", "three")
    }
    (problem,) = read.problems
    assert problem.startswith("2 results of suite s by openai/gpt-4o are left out") and problem.endswith(
        "(limit 5)"
    )


def test_what_two_models_or_two_halves_of_one_were_asked_with_is_told():
    def of(model, **given):
        return record(model=model, suite="s", **given)

    same = [of("a", conditions={"limit": 5, "task": ""}), of("b", conditions={"limit": 5, "task": ""})]
    assert mixed_conditions(same) == []
    other = of("b", conditions={"limit": 6, "task": ""})
    assert mixed_conditions([same[0], other]) == [
        "suite s: not comparable, because models ran under different conditions: a: limit 5; b: limit 6"
    ]
    assert mixed_conditions([same[0], replace(other, outcome=Outcome.ERROR)]) == []
    halves = [of("a", parameters={"think": value, "seed": 1}) for value in (True, False)]
    assert mixed_conditions([*halves, of("b")]) == [
        "suite s: the results of a were made with different parameters (think True; think False); a name "
        "such as a+think=VALUE keeps them apart"
    ]


def test_verdicts_that_are_alike_are_looked_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr(conditions, "mixed_versions", lambda records, tests: looked.extend(records) or [])
    orders = [{"limit": 5, "task": ""}, {"task": "", "limit": 5}]
    alike = [record(epoch=epoch, conditions=orders[epoch % 2]) for epoch in range(1, 9)]
    broken = [replace(each, outcome=Outcome.ERROR) for each in alike]
    another = record(epoch=9, conditions={"limit": 6, "task": ""})
    said = conditions.mixed([*broken, *alike, another])
    assert looked == [alike[0], another] and said == mixed_conditions([alike[0], another])
