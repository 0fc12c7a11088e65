"""Finished parts of unfinished trials, and a second sandbox in one trial."""

import asyncio

from assay.language.dsl import Branch, Node, Reason
from assay.records import Completion, TrialKey, Usage
from assay.results.journal import Journal
from assay.running.meter import Meter
from assay.running.trial import run_trial
from assay.running.trial_journal import TrialJournal
from assay.suites.suite import Sample
from testing.harness.standins import ScriptedModel, ScriptedPool

KEY, OTHER = TrialKey("t", 1, "s"), TrialKey("t", 2, "s")


def test_parts_survive_the_process(tmp_path):
    path = tmp_path / "run-1.journal"
    meter = Meter()
    meter.add("m", Completion("x", Usage(3, 2, 1), cost=0.5, seconds=1.0, model="m-1"))
    trial = TrialJournal(Journal(path), KEY, meter)
    assert trial.recall("v1") == []
    trial.keep({"a": 1})
    trial.keep(["b"])
    after = Meter()
    assert TrialJournal(Journal(path), KEY, after).recall("v1") == [{"a": 1}, ["b"]]
    assert after == meter, "what was spent goes with them"
    assert TrialJournal(Journal(path), OTHER, Meter()).recall("v1") == []
    assert TrialJournal(Journal(path), KEY, Meter()).recall("v2") == [], "made under other rules"
    assert TrialJournal(Journal(path, fresh=True), KEY, Meter()).recall("v1") == [], "of another run"


def test_a_torn_line_loses_only_what_follows(tmp_path):
    path = tmp_path / "run-1.journal"
    journal = Journal(path)
    for part in range(3):
        journal.add(KEY, {"part": part})
    journal.add(OTHER, {"part": "whole"})
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1][:20] + b"\n" + lines[2] + lines[3][:-5])
    again = Journal(path)
    assert [part["part"] for part in again.of(KEY)] == [0]
    assert again.of(OTHER) == []
    again.add(OTHER, {"part": "new"})
    assert [part["part"] for part in Journal(path).of(OTHER)] == ["new"]


def test_it_goes_when_nothing_is_left(tmp_path):
    path = tmp_path / "run-1.journal"
    journal = Journal(path, lambda line: line.replace(b"secret-key", b"[secret]"))
    journal.add(KEY, {"part": "secret-key"})
    journal.add(OTHER, {"part": 1})
    assert b"secret-key" not in path.read_bytes()
    journal.forget(KEY)
    assert path.exists()
    journal.forget(OTHER)
    assert not path.exists()


def test_it_does_not_grow_with_the_trials_that_have_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("assay.results.journal.SLACK", 10_000)
    path = tmp_path / "run-1.journal"
    journal, largest = Journal(path, lambda line: line.replace(b"secret-key", b"[secret]")), 0
    journal.add(KEY, {"part": "secret-key"})
    journal.add(KEY, {"part": 1})
    for epoch in range(10, 200):
        trial = TrialKey("t", epoch, "s")
        for part in range(5):
            journal.add(trial, {"part": f"{part}" * 500})
        largest = max(largest, path.stat().st_size)
        journal.forget(trial)
    assert largest < 20_000
    journal.add(KEY, {"part": 2})
    again = Journal(path)
    assert [part["part"] for part in again.of(KEY)] == ["[secret]", 1, 2]
    again.forget_all({TrialKey("t", epoch, "s") for epoch in range(10, 200)})
    assert again.begun() == 1 and [each.name for each in tmp_path.iterdir()] == [path.name]


def test_what_follows_a_part_that_was_forgotten_stands_in_its_place(tmp_path):
    journal = Journal(tmp_path / "run-1.journal")
    for part in "abc":
        journal.add(KEY, {"part": part})
    journal.forget(KEY, 1)
    assert [part["part"] for part in journal.of(KEY)] == ["a"]
    journal.add(KEY, {"part": "d"})
    assert [part["part"] for part in Journal(journal.path).of(KEY)] == ["a", "d"]


class TwoSandboxes(Node):
    async def run(self, value, ctx):
        first = await ctx.open_sandbox()
        assert await ctx.open_sandbox() is first, "the same until another is asked for"
        await first.run(["a"])
        second = await ctx.fresh_sandbox()
        await second.run(["b"])
        yield Branch(second is not first, Reason(self, "two"))


def test_a_fresh_sandbox_in_the_middle_of_a_trial():
    pool, model = ScriptedPool(), ScriptedModel()
    record = asyncio.run(run_trial(Sample("t", TwoSandboxes()), model, model, model, pool))
    assert record.outcome == "pass" and record.sandbox == "scripted"
    assert [(each.ran, each.closed) for each in pool.opened] == [([("a",)], 1), ([("b",)], 1)]
