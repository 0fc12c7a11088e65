"""A results folder that somebody sent shows nothing of this machine, and keeps it waiting for nothing."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from assay.errors import StoreError
from assay.records import Block, Outcome, TrialRecord
from assay.report.html import write_report
from assay.report.live.follow import Follower
from assay.results import past_usage as usage
from assay.results import untrusted_files
from assay.results.export.inspect_sample import sample_of
from assay.results.journal import Journal
from assay.results.sandbox_contents import read_sandbox_contents
from assay.results.saved_command import last_command
from assay.results.saved_runs import newest_trials, run_files
from assay.results.spending import Spending
from assay.results.store import Results, Store, load_records

SECRET = b"\x89PNG\r\n\x1a\n of the host"
PICTURE = b"\x89PNG\r\n\x1a\n of the model"


def named(data, suffix="png"):
    return f"{hashlib.sha256(data).hexdigest()}.{suffix}"


def saved(root, *blocks):
    """A folder with one good run."""
    results = Results(root)
    record = TrialRecord("a.Test", "mock", 1, Outcome.PASS, reason=Block("group", children=blocks))
    with results.open_new("c1", "mock") as store:
        store.append(record)
    return results


@pytest.fixture
def host(tmp_path):
    """A file of this machine that nobody should see."""
    file = tmp_path / "host" / "secret"
    file.parent.mkdir()
    file.write_bytes(SECRET)
    return file


def shown(tmp_path, results):
    out = tmp_path / "out"
    write_report(load_records(results.files()).records, out, images=results.images, root=tmp_path)
    return {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_a_report_copies_only_pictures_that_are_what_their_name_says(tmp_path, host):
    names = [named(b"a link"), named(SECRET), named(b"other content"), named(b"<svg>", "jpg"), named(PICTURE)]
    results = saved(tmp_path / "results", *(Block("image", file=name) for name in names))
    results.images.mkdir()
    (results.images / names[0]).symlink_to(host)
    (results.images / names[1]).symlink_to(host)  # even if they know what they ask for
    (results.images / names[2]).write_bytes(SECRET)
    (results.images / names[3]).write_bytes(b"<svg>")
    (results.images / names[4]).write_bytes(PICTURE)
    files = shown(tmp_path, results)
    assert files[names[4]] == PICTURE and not set(names[:4]) & set(files)
    assert not any(b"of the host" in data for data in files.values())
    (record,) = load_records(results.files()).records
    assert "of the host" not in json.dumps(sample_of(record, results.images), default=str)


def traps(results, host):
    """Run files that are none, beside the good one; their names."""
    folder = results.run_file("c1", "mock", "1").parent
    (folder / "run-2.jsonl").symlink_to("/dev/zero")
    os.mkfifo(folder / "run-3.jsonl")
    (folder / "run-4.jsonl").symlink_to(host)
    (folder / "run-5.jsonl").mkdir()
    with (folder / "run-6.jsonl").open("wb") as file:
        file.truncate(1 << 40)  # zeros, and no end of a line
    for suffix in ("request", "sandboxes", "spent", "journal"):
        os.mkfifo(folder / f"run-8.{suffix}")
    outside = host.parent / "run-7.jsonl"
    outside.write_bytes(results.run_file("c1", "mock", "1").read_bytes().replace(b"a.Test", b"b.Private"))
    (folder.parent / "linked").symlink_to(host.parent)
    (results.root / "c2" / "mock").mkdir(parents=True)
    return [*(f"run-{number}.jsonl" for number in range(2, 7)), "run-7.jsonl"]


def test_no_reader_follows_waits_or_reads_without_end(tmp_path, host, monkeypatch):
    monkeypatch.setattr(untrusted_files, "MAX_LINE", 1 << 20)
    results = saved(tmp_path / "results")
    names = traps(results, host)
    read = load_records(results.files())
    assert [record.test for record in read.records] == ["a.Test"]
    assert sorted(Path(problem.split(": ")[0]).name for problem in read.problems) == names
    problems = []
    assert [key.test for key in newest_trials(run_files(results.root), problems)["mock"]] == ["a.Test"]
    assert usage.past_usage(results.files(), ()).trials == 0
    assert results.runs("c1", "mock") == [str(number) for number in range(1, 7)]
    beside = results.run_file("c1", "mock", "8")
    assert last_command(results.root) is None and not read_sandbox_contents(beside.with_suffix(".sandboxes"))
    assert not Spending(beside.with_suffix(".spent")).total().calls
    assert not Journal(beside.with_suffix(".journal")).begun()
    for name in names[:4]:
        assert not list(Follower(results.run_file("c1", "mock", "1").with_name(name)).news())


def test_nothing_is_appended_through_a_link(tmp_path, host):
    results = saved(tmp_path / "results")
    path = results.run_file("c1", "mock", "1").with_name("run-9.jsonl")
    path.symlink_to(host)
    with pytest.raises(StoreError, match="not a plain file"):
        Store(path, results.images)
    spent = results.run_file("c1", "mock", "1").with_suffix(".spent")
    spent.unlink(missing_ok=True)
    spent.symlink_to(host)
    assert not results.open_existing("c1", "mock", "1").spending().total().calls
    assert host.read_bytes() == SECRET
