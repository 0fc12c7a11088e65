"""Several runs of one trial: what is never displaced, what is not mixed, and that it is said."""

import csv
import itertools
import json
import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from assay import LLMRun, PyFunc
from assay.home import typed
from assay.records import Outcome, Reply, TrialRecord
from assay.report.cell_page import facts
from assay.report.environment import copied
from assay.report.live.board import Board, Place
from assay.report.packs import number_of
from assay.results.conditions import (
    SELF_JUDGED,
    mixed,
    mixed_assays,
    mixed_conditions,
    mixed_surroundings,
    mixed_versions,
)
from assay.results.export.source import Source
from assay.results.merging import Merge
from assay.results.result_set import ResultSet, changed_tests, warnings_of
from assay.results.store import Store, load_records
from assay.results.test_versions import STYLE, is_other, version_of, with_content
from assay.results.trial_index import TrialIndex
from assay.running.plan import Plan, run_again
from assay.running.trial import facts_of
from assay.suites.sample import Sample
from testing.harness.commanding import ROOT, Workspace
from testing.model_server import ModelServer
from testing.report.written import cell_of

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
            "3 results of suite applied by m, n are left out: they were made with another version of the "
            "test than its newest verdict (a.TestA); if only the checks were changed, judge the saved "
            f"replies by the current test: {typed()} rescore MODEL; if the question was, run them again, "
            "which is paid"
        ]
        assert f": <code>{typed()} rescore MODEL</code>; if" in copied(left_out[0])
    assert len(shown(old)[0]) == 3  # nothing newer is there


def test_that_a_test_asks_something_else_now_is_said_where_that_is_known():
    def tried(test, at, version, asked):
        return record(Outcome.PASS, at, test=test, model=version, fingerprint=version, first_asked=asked)

    versions = [
        (tried(test, 1, "old", test), tried(test, 2, "new", now)) for test, now in (("a", "a"), ("b", "c"))
    ]
    same, other = sorted(shown([each for pair in versions for each in pair])[1])
    assert "(a); if only the checks were changed, " in same
    assert other.endswith(
        "(b); it asks something else now, so only another run, which is paid, gives a verdict on it"
    )


def test_results_that_a_new_version_replaced_are_told_and_each_is_counted():
    """Of two epochs tried by three versions, one has the newest."""
    tries = [
        record(Outcome.PASS, at, epoch=epoch, fingerprint=f"version {at}")
        for at, epochs in ((1, (1, 2)), (2, (1, 2)), (3, (1,)))
        for epoch in epochs
    ]
    assert sorted(each.partition(";")[0] for each in shown(tries)[1]) == [
        "2 earlier results of suite applied by m do not count: their tests were changed and run again "
        "(a.TestA)",
        "2 results of suite applied by m are left out: they were made with another version of the test than "
        "its newest verdict (a.TestA)",
    ]
    again = [replace(each, fingerprint="same") for each in tries]
    assert shown(again)[1] == []  # a newer verdict of the same test replaces silently
    then, now = tries[0], replace(tries[4], fingerprint=f"{STYLE}0123456789abcdef")
    (said,) = shown([then, now])[1]
    assert said.endswith("does not count: its test was run again (a.TestA)")  # perhaps it was not changed


def test_a_broken_try_of_an_outdated_version_shows_nowhere():
    old = [
        record(Outcome.FAIL, 1, fingerprint="old"),
        record(Outcome.ERROR, 6, fingerprint="old", error="old"),  # from an old checkout, later
        record(Outcome.ERROR, 1, model="n", fingerprint="old", error="never judged"),
    ]
    new = record(Outcome.PASS, 3, fingerprint="new")
    for order in itertools.permutations([*old, new]):
        (found,), said = shown(order)
        assert (found.outcome, found.later) == (Outcome.PASS, "")
        assert [each.partition(":")[0] for each in sorted(said)] == [
            "1 earlier result of suite applied by m does not count",
            "1 result of suite applied by n is left out",
        ]
    to_come = record(Outcome.ERROR, 4, fingerprint="next", error="no key")
    before = record(Outcome.ERROR, 2, fingerprint="never judged", error="no key")
    for order in itertools.permutations([*old, new, to_come, before]):
        ((found,), _) = shown(order)
        assert (found.outcome, found.later) == (Outcome.PASS, "ERROR: no key")  # nothing newer was judged
    only = [replace(to_come, model="n"), new]
    assert {each.outcome for each in shown(only)[0]} == {Outcome.PASS, Outcome.ERROR}


def test_the_newest_version_is_that_of_all_that_is_read_whatever_is_shown(tmp_path):
    old = [record(Outcome.PASS, 1, model=model, fingerprint="old") for model in ("m", "n")]
    new = record(Outcome.FAIL, 2, model="new", fingerprint="new")
    files = []
    for at, each in enumerate([new, *old]):
        files.append(tmp_path / "c" / each.model / f"run-{at}.jsonl")
        with Store(files[-1], tmp_path / "images") as store:
            store.append(each)

    def keep(each):
        return each.model in ("m", "n")

    read, source = load_records(files, keep=keep), Source(files, keep)
    assert (read.records, source.records) == ([], []) and len(read.outdated) == 2
    assert read.left_out == source.problems and "2 results of suite applied by m, n" in read.left_out[0]
    assert len(load_records(files, keep=keep, alone=True).records) == 2
    assert [each.record.model for each in Source(files, lambda r: r.model == "new").trials()] == ["new"]
    for order in itertools.permutations([*old, new]):
        board = Board()
        for each in order:
            if keep(each):
                board.add(each, Place(Path("x"), 0, 0))
            else:
                board.know(each)
        assert not any(row.cells for row in board.grid().rows)


def test_versions_are_told_apart_under_the_same_conditions_only():
    """A suite's fingerprint may hold its conditions, say a time limit that the prompt tells."""
    first = record(Outcome.PASS, 1, suite="s", fingerprint="10 s", conditions={"run_limit": 10})
    other = record(Outcome.FAIL, 2, suite="s", model="n", fingerprint="20 s", conditions={"run_limit": 20})
    found, left_out = shown([first, other])
    assert len(found) == 2 and left_out == []
    assert "different conditions: m: run_limit 10; n: run_limit 20" in mixed_conditions(found)[0]
    newer = replace(other, model="o", fingerprint="20 s, mended", started_at="2026-01-03")
    assert [each.model for each in shown([first, other, newer])[0]] == ["m", "o"]


def test_the_conditions_of_the_newest_answer_count_whenever_it_was_judged_again():
    def judged(outcome, at, seed, answered):
        return record(outcome, at, conditions={"seed": seed}, rescored={"judged_at": f"2025-01-0{answered}"})

    newest, older = judged(Outcome.FAIL, 1, 2, 2), judged(Outcome.PASS, 3, 1, 1)
    for order in itertools.permutations([newest, older]):
        board = Board()
        for each in order:
            board.add(each, Place(Path("x"), 0, 0))
        ((row),) = board.grid().rows
        assert shown(order)[0] == [newest] and row.cells["m"].failed == 1
    other = judged(Outcome.PASS, 4, 3, 2)  # by other flags of the command
    assert shown([newest, other, older])[0] == [other]


def test_what_tests_hold_tells_versions_apart_if_one_assay_hashed_it():
    """The row of a file elsewhere was edited, say, so that the fingerprint of the test's file is the same."""
    old, new = (with_content("test:abc", "0a1b2c3d", held) for held in ("00000000", "11111111"))
    upgraded, before = with_content("test:abc", "ffffffff", "22222222"), "test:abc"
    assert is_other(old, new) and not is_other(old, old)
    assert not any(is_other(*pair) for pair in ((old, upgraded), (upgraded, new), (before, old), (new, "")))
    assert is_other("test:abd", old) and is_other(with_content("test:abd", "ffffffff", "00000000"), old)
    edited = [record(Outcome.PASS, 1, fingerprint=old), record(Outcome.PASS, 2, model="n", fingerprint=new)]
    sides = [ResultSet(each.model, each.model, [each]) for each in edited]
    assert changed_tests(*sides) == ["a.TestA"] and [each.model for each in shown(edited)[0]] == ["n"]
    for other in (before, upgraded):
        sides[0] = replace(sides[0], records=[replace(edited[0], fingerprint=other)])
        assert not changed_tests(*sides) and len(shown([*sides[0].records, edited[1]])[0]) == 2


def test_a_sample_to_which_its_suite_gives_no_fingerprint_has_one():
    def sample(name, wanted, fingerprint=""):
        def check(text):
            return text == wanted  # which the question does not tell

        test = f"{name}?" >> LLMRun() >> PyFunc(check)
        return Sample(id=f"s.{name}", test=test, suite="s", fingerprint=fingerprint)

    def tried(model, at, *samples):
        facts = [(facts_of(each), each.expression) for each in samples]
        records = [
            TrialRecord(**its, model=model, epoch=1, outcome=Outcome.PASS, started_at=f"{at}", expression=of)
            for its, of in facts
        ]
        return ResultSet(model, model, records)

    then = tried("m", 1, sample("A", 1), sample("B", 1))
    now = tried("n", 2, sample("A", 1), sample("B", 2))
    assert changed_tests(then, now) == ["s.B"]
    found, (said,) = shown([*then.records, *now.records])
    assert [(each.model, each.test) for each in found] == [("m", "s.A"), ("n", "s.A"), ("n", "s.B")]
    assert said.startswith("1 result of suite s by m is left out: it was made with another version of the")
    before = replace(then, records=[replace(each, fingerprint="") for each in then.records])
    given = tried("n", 2, sample("B", 2, "text"))
    for earlier, later in ((before, now), (then, given), (given, then)):
        assert not changed_tests(earlier, later), "it is unknown whether the test was the same"
    for records in (then.records, before.records, [replace(each, expression="") for each in then.records]):
        done = TrialIndex()
        for each in records:
            done.put(each.key, version_of(each))
        plan = Plan(lambda: [sample("A", 1), sample("B", 2)], lambda _: 1, 1)
        assert [key.test for key in run_again(plan, done)[0]] == ["s.B"]


def test_what_was_made_when_fingerprints_covered_assay_may_be_the_same_test_or_not():
    then = record(Outcome.PASS, 1, fingerprint="0123456789abcdef")
    same = record(Outcome.PASS, 1, model="n", fingerprint="0123456789abcdef")
    now = record(Outcome.FAIL, 2, model="new", fingerprint=f"{STYLE}0123456789abcdef")
    assert len(shown([then, same])[0]) == 2  # equal is equal
    found, (said,) = shown([then, same, now])
    assert [each.model for each in found] == ["new"]
    assert said == (
        "2 results of suite applied by m, n are left out: it is unknown whether the test was the same as "
        "for its newest verdict, because fingerprints then covered Assay's own code (a.TestA); if only "
        f"the checks were changed, judge the saved replies by the current test: {typed()} rescore MODEL; "
        "if the question was, run them again, which is paid"
    )


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
    assert board.cell(number_of(name))[2][0].later == "ERROR: no key"


def test_the_live_page_forgets_a_try_of_a_version_that_turns_out_to_be_an_older_one():
    """The skipped try could be of a version to come, until an older verdict of the same version is read."""
    board, merge, place = Board(), Merge(), Place(Path("x"), 0, 0)
    for each in (
        record(Outcome.SKIPPED, 4, model="m", fingerprint="old"),
        record(Outcome.FAIL, 3, model="n", fingerprint="new"),
        record(Outcome.PASS, 2, model="o", fingerprint="old"),
    ):
        board.add(each, place)
        merge.add(each, place)
    ((row),) = board.grid().rows
    assert set(row.cells) == {"n"} == {each.model for each, _ in merge.all_shown()}


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


def test_what_differs_between_two_models_counts_where_they_share_a_test():
    def made(model, sandbox, test="a.TestA", **fields):
        versions = {"assay": sandbox, "sandbox bash": sandbox}
        return record(Outcome.PASS, 1, model=model, test=test, sandbox=sandbox, versions=versions, **fields)

    apart = [made("m", "podman"), made("n", "bench", "b.TestB")]
    proof = [made("oracle", "podman", "b.TestB", about={SELF_JUDGED: True})]
    assert mixed([*apart, *proof]) == [] == warnings_of(*(ResultSet(r.model, r.model, [r]) for r in apart))
    own = [*apart, made("m", "bench", "b.TestB"), made("o", "podman", "c.TestC")]
    assert [said.partition(": ")[2] for said in mixed(own)] == [
        "not all verdicts had the same sandbox: podman (m); bench (m)",
        "verdicts are by several versions of Assay: podman (m); bench (m)",
        "not all verdicts were made with the same versions: sandbox bash podman (m), bench (m)",
    ]
    sides = [ResultSet(name, name, [each for each in own if each.model == name]) for name in "mn"]
    assert warnings_of(*sides) == [], "both have b.TestB by the same"
    renamed = [replace(each, expression="same") for each in apart]
    assert len(mixed(renamed)) == 3 and "different sandboxes: m: podman; n: bench" in warnings_of(
        *(ResultSet(each.model, each.model, [each]) for each in renamed)
    )


def test_a_trial_that_broke_before_a_reply_shows_no_judge():
    broken = record(Outcome.ERROR, 1, judges={"eval_llm": "j", "vision_eval_llm": "j"})
    assert "j" not in dict(facts(broken)).values()
    assert "j" in dict(facts(replace(broken, replies=(Reply("eval_llm", "y", "2"),)))).values()


def test_versions_of_assay_that_are_not_the_same_are_said():
    def made(release, code, model="m", **fields):
        code = {"assay code": code} if code else {}
        return record(Outcome.PASS, 1, model=model, versions={"assay": release, **code}, **fields)

    assert mixed_assays([made("0.1", "a"), made("0.1", "a", "n"), made("0.1", "", "n")]) == []
    assert mixed_assays([made("0.1", "a"), made("0.1", "b", "oracle"), made("0.1", "b", suite="s")]) == []
    assert mixed_assays([made("0.1", "a"), made("0.1", "b", "n"), made("0.1", "b", "o")]) == [
        "suite applied: verdicts are by several versions of Assay: 0.1, code a (m); 0.1, code b (n, o)"
    ]
    told = [made("0.1", ""), made("0.2", "b", "n")]
    assert mixed_assays(told) == [
        "suite applied: verdicts are by several versions of Assay: 0.1 (m); 0.2, code b (n)"
    ]
    assert mixed_versions(told) == []


@pytest.fixture
def work(tmp_path):
    with ModelServer(replies={"say red": "red"}) as server:
        made = Workspace(tmp_path, server)
        made.server = server
        made.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n")
        yield made


@pytest.mark.slow(3)
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
    assert "1/1 (1 broke later)" in out and "ERROR later 1x:" in out and "A later run of 1 trial by" in out
    (row,) = csv.DictReader((work.folder / "out.csv").read_text().splitlines())
    assert row["outcome"] == "pass" and row["later"].startswith("ERROR: ") and "401" in row["later"]
    assert "<system-out>a later run ended without" in (work.folder / "out.xml").read_text()
    assert "(!1)" in (work.folder / "report" / "index.html").read_text()
    (trial,) = cell_of(work.folder / "report")["trials"]
    assert trial["outcome"] == "pass" and trial["later"].startswith("ERROR: ")
    data = json.loads(work.main("--load-saved", "--format", "json")[0])
    assert (data["models"][0]["passed"], data["models"][0]["broke_later"]) == (1, 1)
    work.server.desk.key = None
    work.main("--run-tests", "--model", "local/n")
    _, err = work.main("--compare", "local/m", "local/n")
    assert "local/m: a later run of 1 trial ended without a verdict" in err


def test_a_changed_test_is_not_mixed_with_what_it_was(work):
    work.main(*RUN, "--times", "2")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    work.main(*RUN, "--generate-report")
    out, err = work.main("--load-saved")
    assert "0/1" in out
    said = "1 result of suite applied by local/m is left out: it was made with another version of the test"
    assert said in err and said in (work.folder / "report" / "index.html").read_text()


@pytest.mark.slow(3)
def test_a_run_that_is_gone_on_with_has_one_version_of_each_test(work):
    work.main(*RUN, "--times", "2")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    out, err = work.main(*RUN, "--times", "2", "--resume")  # all is done: it stands
    assert "2/2" in out and "2 of these were made by an earlier version" in err
    again = "2 trials done before were made by an earlier version of their test and are run again"
    out, err = work.main(*RUN, "--times", "3", "--resume", "--dry-run")
    assert "3" in out and again in err
    out, err = work.main(*RUN, "--times", "3", "--resume")
    assert again in err
    assert "0/3" in out and "0/3" in work.main("--load-saved")[0]


def test_a_run_whose_trials_are_of_two_versions_is_made_of_one_when_it_is_gone_on_with(work):
    """Killed while it made the trials of an older version anew."""
    work.main(*RUN, "--times", "2")
    (file,) = work.results.glob("*/*/run-1.jsonl")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    work.main(*RUN, "--times", "1", "--runid", "new")
    (other,) = work.results.glob("*/*/run-new.jsonl")
    file.write_text(file.read_text() + other.read_text())
    other.unlink()
    out, err = work.main(*RUN, "--times", "2", "--resume", "--runid", "1")
    assert "1 trial done before was made by an earlier version of its test and is run again" in err
    assert "0/2" in out and "0/2" in work.main("--load-saved")[0]


@pytest.fixture
def upgraded(tmp_path):
    """A copy of Assay in which a node is another one."""
    made = tmp_path / "upgraded"
    made.mkdir()
    for name in ("main.py", "evaluator.py", "llm.py"):
        shutil.copy(ROOT / name, made)
    shutil.copytree(ROOT / "assay", made / "assay", ignore=shutil.ignore_patterns("__pycache__"))
    with (made / "assay" / "language" / "judge.py").open("a") as file:
        file.write("\n# mended\n")
    return made


@pytest.mark.slow(3)
def test_an_upgrade_of_assay_takes_no_model_out_of_tables(work, upgraded):
    """A new model each week, and Assay upgraded meanwhile: all stay comparable, and the upgrade is said."""
    work.main(*RUN)
    command = work.command("--run-tests", "--model", "local/n")
    command[1] = str(upgraded / "main.py")
    done = subprocess.run(
        command, cwd=work.folder, env={**work.environment, "PYTHONPATH": str(upgraded)}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert "1/1" in done.stdout
    out, err = work.main("--load-saved")
    assert out.count("1/1") >= 2 and "left out" not in err
    (said,) = [line for line in err.splitlines() if "Assay" in line]
    assert "suite applied: verdicts are by several versions of Assay: 0.1.0, code " in said
    _, err = work.main("--compare", "local/m", "local/n")
    assert "by several versions of Assay" in err and "changed in between" not in err
    work.main("--load-saved", "--model", "local/n", "--fail-if-worse-than", "local/m")
    out, err = work.main(*RUN, "--resume")
    assert "earlier version" not in err


@pytest.mark.slow(2)
def test_only_older_models_asked_for_are_left_out_by_name(work):
    """In tables and exports the version of a model that is not shown counts; --compare has its two."""
    for name, part in (("b", "r"), ("c", "re")):
        work.test_file(name, f"Test{name} = 'say red' >> LLMRun() >> SubstringEvaluator({part!r})\n")
    for model in ("local/m", "local/n"):
        work.main("--run-tests", "--model", model)
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n")
    work.main("--run-tests", "--model", "local/new")
    out, err = work.main("--load-saved", "--model", "local/m", "--export", "csv=out.csv")
    assert "2/2" in out and "1 result of suite applied by local/m is left out" in err
    assert len((work.folder / "out.csv").read_text().splitlines()) == 3
    out, err = work.main("--compare", "local/m", "local/n", "--format", "json")
    assert not json.loads(out)["changed_tests"] and json.loads(out)["difference"]["tests"] == 3
    assert "1 test was changed since these verdicts, as newer ones show: a.TestRed; if only the checks" in err
    out, err = work.main("--compare", "local/m", "local/new", "--format", "json")
    assert json.loads(out)["changed_tests"] == ["a.TestRed"] and json.loads(out)["difference"]["tests"] == 2
    assert "1 test was changed in between and left out: a.TestRed; if only the checks were changed," in err
    out, _ = work.main("--compare", "local/m", "local/new", "--format", "json", "--with-changed")
    assert json.loads(out)["difference"]["tests"] == 3
    with work.start("--load-saved", "--model", "local/m", "--live", "0") as live:
        said = [live.stderr.readline() for _ in range(2)]
        live.terminate()
    assert "1 result of suite applied by local/m is left out" in said[0] and "live report: http" in said[1]
    one = ("--load-saved", "--model", "local/m", "--test", "TestRed")
    _, err = work.main(*one, code=1)
    assert "1 result of suite applied by local/m is left out" in err and "are left out, as said above" in err


def plainly(records, keep):
    """The rule as it is told, without any bookkeeping: (suite, test, model, epoch) -> when the one that
    counts began, its version, and whether a later try broke."""
    number = {id(each): at for at, each in enumerate(records)}

    def age(each):
        return each.started_at, number[id(each)]

    def judged(each):
        return each.outcome in (Outcome.PASS, Outcome.FAIL)

    found, kept = {}, [each for each in records if keep(each)]
    for one in kept:
        group = [each for each in kept if (each.suite, each.model) == (one.suite, one.model)]
        kind = max(group, key=lambda each: (judged(each), *age(each))).conditions
        test = [each for each in records if each.test == one.test and each.conditions == kind]
        versions = [each for each in test if judged(each) and each.fingerprint]
        newest = max(versions, key=age, default=None)
        known = {each.fingerprint for each in versions}

        def outdated(each, newest=newest, known=known):
            if newest is None or each.fingerprint in ("", newest.fingerprint):
                return False
            return each.fingerprint in known or age(each) < age(newest)

        tries = [each for each in test if (each.model, each.epoch) == (one.model, one.epoch)]
        tries = [each for each in tries if not outdated(each)]
        verdict = max(filter(judged, tries), key=age, default=None)
        broken = max((each for each in tries if not judged(each)), key=age, default=None)
        if its := verdict or broken:
            later = verdict is not None and broken is not None and age(broken) > age(verdict)
            found[one.suite, one.test, one.model, one.epoch] = its.started_at, its.fingerprint, later
    return found


@pytest.mark.parametrize("seed", range(300))
def test_what_counts_of_any_history_is_what_the_rule_says(seed):
    draw = random.Random(seed)
    records = [
        TrialRecord(
            f"t{draw.randrange(2)}", f"m{draw.randrange(3)}", draw.randrange(2), draw.choice([*Outcome]),
            suite="s", conditions={"c": draw.choice([1, 1, 1, 2])}, fingerprint=draw.choice(["", *"abc"]),
            started_at=str(draw.randrange(10, 22)), error="e",
        )
        for _ in range(draw.randrange(1, 25))
    ]  # fmt: skip

    def keep(each):
        return bool(seed % 2) or each.model != "m2"

    merge = Merge()
    for each in records:
        if keep(each):
            merge.add(each, None)
        else:
            merge.know(each)
    shown = {
        (each.suite, each.test, each.model, each.epoch): (each.started_at, each.fingerprint, bool(each.later))
        for each, _ in merge.all_shown()
    }
    assert shown == plainly(records, keep)
