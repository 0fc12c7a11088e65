"""Several runs of one trial: what is never displaced, what is not mixed, and that it is said."""

import csv
import itertools
import json
from pathlib import Path

import pytest

from assay.harness.conditions import mixed_surroundings
from assay.harness.merging import Merge
from assay.live.board import Board, Place
from assay.records import Outcome, Reply, TrialRecord
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

RUN = ("--run-tests", "--model", "local/m")


def record(outcome, at, **fields):
    fields = {"test": "a.TestA", "model": "m", "epoch": 1, **fields}
    return TrialRecord(**fields, outcome=outcome, started_at=f"2026-01-0{at}")


def shown(records):
    merge = Merge()
    for each in records:
        merge.add(each, None)
    return [each for each, _ in merge.all_shown()], merge.left_out()


def test_no_order_of_tries_displaces_the_newest_verdict():
    tries = [
        record(Outcome.PASS, 1),
        record(Outcome.FAIL, 3),
        record(Outcome.SKIPPED, 2, error="no rust"),
        record(Outcome.ERROR, 5, error="no key"),
        record(Outcome.ERROR, 4, error="refused"),
    ]
    for order in itertools.permutations(tries):
        ((found,), left_out) = shown(order)
        assert (found.outcome, found.later, left_out) == (Outcome.FAIL, "ERROR: no key", [])
    ((found,), _) = shown([tries[0], tries[2]][::-1])
    assert (found.outcome, found.later) == (Outcome.PASS, "SKIPPED: no rust")
    assert shown([tries[1], tries[2]])[0][0].later == ""  # it came before the verdict
    assert [each.error for each in shown([tries[3], tries[4]])[0]] == ["no key"]


def test_one_version_of_a_test_counts_and_the_rest_is_named():
    old = [record(Outcome.PASS, 1, epoch=epoch, fingerprint="old") for epoch in (1, 2, 3)]
    other = record(Outcome.FAIL, 1, model="n", fingerprint="old")
    new = record(Outcome.FAIL, 2, fingerprint="new")
    unknown = record(Outcome.PASS, 1, epoch=4)
    dead = record(Outcome.ERROR, 3, fingerprint="newest", error="no key")
    for order in itertools.permutations([*old[1:], other, new, unknown, dead]):
        found, left_out = shown(order)
        assert {(each.epoch, each.fingerprint) for each in found} == {(1, "new"), (4, "")}
        assert left_out == [
            "3 results of suite applied by m, n are left out: they were made by another version of the test, "
            "or of Assay, than its newest verdict (a.TestA); to run them again is free where the replies are "
            "still in the cache"
        ]
    assert len(shown(old)[0]) == 3  # nothing newer is there


def test_the_live_page_forgets_a_version_as_soon_as_a_newer_one_is_there():
    board, place = Board(), Place(Path("x"), 0, 0)
    for model in ("m", "n"):
        board.add(record(Outcome.PASS, 1, model=model, fingerprint="old"), place)
    board.add(record(Outcome.FAIL, 2, fingerprint="new"), place)
    board.add(record(Outcome.ERROR, 3, error="no key"), place)
    ((row),) = board.grid().rows
    assert {model: (its.passed, its.counted, its.later) for model, its in row.cells.items()} == {
        "m": (0, 1, 1)
    }
    name = board.links()["applied", "a.TestA", "m"].rpartition("/")[2]
    assert board.cell(name)[2][0].later == "ERROR: no key"


def test_judges_and_sandboxes_that_are_not_the_same_are_said():
    asked = (Reply("llm", "x", "1"), Reply("eval_llm", "y", "2"))
    first = record(Outcome.PASS, 1, sandbox="podman", judges={"eval_llm": "j"}, replies=asked)
    other = record(Outcome.PASS, 1, model="n", sandbox="bubblewrap+host", judges={"eval_llm": "k"})
    assert mixed_surroundings([first, first]) == []
    assert mixed_surroundings([first, other]) == [
        "suite applied: not all verdicts had the same judge: j (m); k (n)",
        "suite applied: not all verdicts had the same sandbox: podman (m); bubblewrap+host (n)",
    ]
    not_asked = record(Outcome.PASS, 1, judges={"eval_llm": "k"}, replies=asked[:1])
    assert mixed_surroundings([first, not_asked]) == []


@pytest.fixture
def work(tmp_path):
    with ModelServer(replies={"say red": "red"}) as server:
        made = Workspace(tmp_path, server)
        made.server = server
        made.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n")
        yield made


def test_a_dead_server_takes_no_verdict_away(work):
    """In tables, report, CSV, JSON, --compare and --fail-under alike."""
    work.main(*RUN)
    work.server.desk.key = "another"
    out, _ = work.main(*RUN, "--no-cache", code=2)
    assert "0/0" in out
    out, err = work.main(
        "--load-saved", "--fail-under", "100", "--generate-report", "--export", "csv=out.csv", "--export",
        "junit=out.xml",
    )  # fmt: skip
    assert "1/1 (1 broke later)" in out and "ERROR later 1x:" in out and "A later try of 1 trial by" in out
    (row,) = csv.DictReader((work.folder / "out.csv").read_text().splitlines())
    assert row["outcome"] == "pass" and row["later"].startswith("ERROR: ") and "401" in row["later"]
    assert "<system-out>a later try ended without" in (work.folder / "out.xml").read_text()
    assert "(!1)" in (work.folder / "report" / "index.html").read_text()
    (page,) = (work.folder / "report" / "cells").iterdir()
    assert "Tried again later, without a verdict:" in page.read_text()
    data = json.loads(work.main("--load-saved", "--format", "json")[0])
    assert (data["models"][0]["passed"], data["models"][0]["broke_later"]) == (1, 1)
    work.server.desk.key = None
    work.main("--run-tests", "--model", "local/n")
    _, err = work.main("--compare", "local/m", "local/n")
    assert "local/m: a later try of 1 trial ended without a verdict" in err


def test_a_changed_test_is_not_mixed_with_what_it_was(work):
    work.main(*RUN, "--times", "2")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    work.main(*RUN, "--generate-report")
    out, err = work.main("--load-saved")
    assert "0/1" in out
    said = "1 result of suite applied by local/m is left out: it was made by another version of the test"
    assert said in err and said in (work.folder / "report" / "index.html").read_text()


def test_a_run_that_is_gone_on_with_has_one_version_of_each_test(work):
    work.main(*RUN, "--times", "2")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    out, err = work.main(*RUN, "--times", "2", "--resume")  # all is done: it stands
    assert "2/2" in out and "2 of these were made by an earlier version" in err
    assert "3" in work.main(*RUN, "--times", "3", "--resume", "--dry-run")[0]
    out, err = work.main(*RUN, "--times", "3", "--resume")
    assert "2 trials of tests that are not finished were made by an earlier version" in err
    assert "0/3" in out and "0/3" in work.main("--load-saved")[0]
