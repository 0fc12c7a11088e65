"""--compare and --fail-if-worse-than, on saved results and on runs of a local model server."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace

import pytest

import assay
from assay.cli.main import main
from assay.records import LLM, Outcome, Reply, TrialRecord
from assay.results import run_notes, saved_command
from assay.results.paired import tango
from assay.results.store import Results
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

OLD, NEW = "aaaa1111bbbb", "cccc2222dddd"


def save(results, commit, model, passed, *, tests=20, times=1, run=None, **facts):
    """A run in which the first `passed` of the tests passed in every trial."""
    with results.open_new(commit, model, run) as store:
        for number in range(tests):
            for epoch in range(1, times + 1):
                outcome = Outcome.PASS if number < passed else Outcome.FAIL
                tags = ("odd",) if number % 2 else ("even",)
                record = TrialRecord(
                    f"t{number:02}.Test", model, epoch, outcome, commit=commit, tags=tags,
                    started_at=f"2026-11-2{commit == NEW:d}T10:00:00Z", fingerprint="f", sandbox="podman",
                )  # fmt: skip
                store.append(replace(record, **facts))


@pytest.fixture
def work(tmp_path):
    made = Workspace(tmp_path)
    made.saved = Results(made.results)
    save(made.saved, OLD, "lab/a", 18)
    save(made.saved, NEW, "lab/a", 9)
    save(made.saved, NEW, "lab/b", 17)
    return made


def test_two_models_in_full(work):
    out, err = work.main("--compare", "lab/a", "lab/b")
    low, high = (100 * end for end in tango(0, 8, 20))
    said = f"lab/a is worse than lab/b: -40.0 points (95% interval {low:.1f} to {high:.1f}) over 20 tests"
    assert said in out
    assert "exact McNemar test: p = 0.0078." in out
    assert "p (Holm) is for this one pair, so it equals p; a table of more models corrects it" in out
    assert "By tag" in out and "8 of the 20 tests that both finished" in out and "t16.Test" in out
    assert "different" not in err and "changed" not in err


def test_what_cannot_be_read_is_told_once_though_both_sides_are_read_from_it(work):
    path = work.saved.run_file(NEW, "lab/b", "1")
    path.write_bytes(path.read_bytes()[:-30])
    _, err = work.main("--compare", "lab/a", "lab/b")
    assert err.count(":20: unreadable line left out: it is cut off in the middle") == 1


def test_json_is_the_same_in_numbers_and_names_what_only_one_has(work):
    save(work.saved, NEW, "lab/c", 5, tests=24, fingerprint="other", sandbox="bubblewrap")
    out, err = work.main("--compare", "lab/c", "lab/b", "--format", "json", "--with-changed")
    data = json.loads(out)
    difference = data["difference"]
    assert difference["tests"] == 20 and difference["difference"] == pytest.approx(-0.6)
    assert (difference["better"], difference["worse"], difference["same"]) == (0, 12, 8)
    assert difference["verdict"] == "worse" and difference["test"] == "mcnemar"
    assert [part["tag"] for part in data["tags"]] == ["even", "odd"]
    assert data["only_first"] == ["t20.Test", "t21.Test", "t22.Test", "t23.Test"] and not data["only_second"]
    assert len(data["tests"]) == 20 and data["tests"][-1]["difference"] == -1
    assert len(data["changed_tests"]) == 20
    assert (
        "20 tests were changed in between and are compared anyway" in err
        and "sandboxes: lab/c: bubblewrap" in err
    )


def test_tests_that_were_changed_in_between_are_left_out(work):
    with work.saved.open_new(NEW, "lab/d", None) as store:
        for number in range(20):
            version = "other" if number >= 12 else "f"
            outcome = Outcome.PASS if number < 17 and version == "f" else Outcome.FAIL
            store.append(TrialRecord(f"t{number:02}.Test", "lab/d", 1, outcome, fingerprint=version))
    out, err = work.main("--compare", "lab/d", "lab/b", "--format", "json")
    data = json.loads(out)
    assert data["difference"]["tests"] == 12 and data["difference"]["verdict"] == "tie"
    assert data["second"]["counted"] == 12 and len(data["changed_tests"]) == 8
    assert "8 tests were changed in between and left out: t12.Test" in err
    assert (
        "; if only the checks were changed, judge the saved replies by the current tests: " in err
        and f" rescore lab/d lab/b --tests {work.tests} --logdir results. " in err
    )
    assert "--with-changed compares verdicts of two versions" in err
    gate = ("--load-saved", "--model", "lab/d", "--fail-if-worse-than", "lab/b")
    _, err = work.main(*gate)
    assert (
        "8 results of suite applied by lab/d are left out" in err and "a tie, the same on every test" in err
    )
    _, err = work.main(*gate, "--with-changed")
    assert "8 tests were changed in between and are compared anyway" in err
    assert "their verdicts are of two versions, which may ask and check different things" in err
    assert "-25.0 points" in err and "over 20 tests" in err


@pytest.mark.parametrize("with_changed", [False, True])
@pytest.mark.parametrize(
    "sides",
    [
        ("lab/b", "lab/d"),
        ("lab/b", f"lab/d@{NEW}"),
        ("lab/d", f"lab/a@{NEW}"),
        (f"lab/b@{NEW}", f"lab/d@{NEW}/run-1"),
        (f"{NEW}/lab__b/run-1.jsonl", f"{NEW}/lab__d"),
    ],
)
def test_an_older_version_that_both_sides_have_is_compared_and_told(work, sides, with_changed):
    save(work.saved, NEW, "lab/d", 9)
    save(work.saved, NEW, "lab/c", 1, tests=3, fingerprint="newer", started_at="2026-11-29T10:00:00Z")
    sides = [str(work.results / side) if side.startswith(NEW) else side for side in sides]
    data = assay.compare(*sides, with_changed=with_changed, logdir=work.results).data
    assert data["difference"]["tests"] == 20 and len(data["warnings"]) == 1
    said = "3 tests were changed since these verdicts, as newer ones show: t00.Test, t01.Test, t02.Test; if "
    assert data["warnings"][0].startswith(said)


def test_what_changed_of_an_older_version_is_told_from_python_too(work):
    save(work.saved, NEW, "lab/c", 1, tests=3, fingerprint="newer", started_at="2026-11-29T10:00:00Z")
    save(work.saved, NEW, "lab/c", 1, test="t03.Test", tests=1)
    said, *_ = assay.compare("lab/b", "lab/c", with_changed=False, logdir=work.results).data["warnings"]
    assert said.startswith("3 tests were changed in between and left out: t00.Test") and "--" not in said
    assert "with_changed=True compares verdicts of two versions" in said


def test_a_gate_of_changed_tests_only_cannot_tell(work):
    save(work.saved, NEW, "lab/c", 2, fingerprint="other")
    gate = ("--load-saved", "--model", "lab/c", "--fail-if-worse-than", "lab/b")
    _, err = work.main(*gate, code=1)
    assert "no finished test in common, of those that were not changed in between" in err
    _, err = work.main(*gate, "--with-changed", code=3)
    assert "lab/c is worse than lab/b" in err
    _, err = work.main("--list", "--with-changed", code=1)
    assert "--with-changed goes with --compare or --fail-if-worse-than" in err


def test_what_is_shown_is_short_unless_asked_for_in_full(work):
    with work.saved.open_new(NEW, "lab/even", None) as even, work.saved.open_new(NEW, "lab/odd", None) as odd:
        for number in range(60):
            for model, store, passed in (("lab/even", even, number % 2), ("lab/odd", odd, not number % 2)):
                outcome, tags = Outcome.PASS if passed else Outcome.FAIL, (f"tag{number % 9}",)
                test = f"x{number:02}.Test" if number < 40 else f"{model[4:]}{number}.Test"
                store.append(TrialRecord(test, model, 1, outcome, tags=tags))
    short, _ = work.main("--compare", "lab/even", "lab/odd")
    assert short.count("+100.0") == 5 and short.count("-100.0") == 5
    assert "Only the largest gains and losses are shown; --in-full shows 30 more" in short
    assert "--in-full shows 30 more" in short.partition("Finished by only one")[2]
    assert "By tag: no difference is shown in any of the 9 tags" in short and len(short.splitlines()) < 60
    full, _ = work.main("--compare", "lab/even", "lab/odd", "--in-full")
    assert full.count("+100.0") == 20 and "tag8" in full and "--in-full" not in full


@pytest.mark.parametrize("side", ["lab/a@aaaa", f"lab/a@{OLD}", f"lab/a@{OLD}/run-1", "FILE"])
def test_a_side_is_a_commit_a_run_or_a_file(work, side):
    side = side.replace("FILE", f"results/{OLD}/lab__a/run-1.jsonl")
    out, _ = work.main("--compare", side, "lab/a", "--format", "json")
    data = json.loads(out)
    assert data["first"]["passed"] == 18 and data["second"]["passed"] == 9
    assert data["difference"]["verdict"] == "better" and data["first"]["model"] != data["second"]["model"]


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (("lab/x", "lab/b"), "Did you mean lab/"),
        (("lab/a@ffff", "lab/b"), f"there are some at {OLD}, {NEW}"),
        (("lab/a@aaaa/run-7", "lab/b"), "it has run-1"),
        (("lab/a", "lab/a"), "two different sides"),
        (("results", "lab/a"), "several models (lab/a, lab/b)"),
    ],
)
def test_what_is_not_there_is_named(work, sides, said):
    _, err = work.main("--compare", *sides, code=1)
    assert said in err


def test_the_same_trials_and_other_conditions_are_warned_of(work):
    out, err = work.main("--compare", "lab/a", f"lab/a@{NEW}")
    assert "20 trials are the same" in err and "a tie, the same on every test" in out
    save(work.saved, NEW, "lab/d", 9, conditions={"digits": 4}, judges={"eval_llm": "j"}, parameters={"t": 0})
    save(work.saved, NEW, "lab/e", 9, conditions={"digits": 5}, judges={"eval_llm": "k"}, parameters={"t": 1})
    out, err = work.main("--compare", "lab/d", "lab/e")
    assert "not comparable" in err and "digits 5" in err
    assert "no finished test in common that can be compared" in out, "a name may stand for another question"
    found = json.loads(work.main("--compare", "lab/d", "lab/e", "--format", "json")[0])
    assert found["tests"] == found["only_first"] == [] and found["difference"]["tests"] == 0
    out, _ = work.main("--load-saved", "--model", "lab/d", "--model", "lab/e")
    assert "lab/d and lab/e: they have no finished test in common that can be compared" in out
    assert "different judges: lab/d: eval_llm j; lab/e: eval_llm k" in err and "parameters: lab/d: t 0" in err


def test_markdown_links_to_the_pages_of_trials(work):
    work.main("--load-saved", "--generate-report")
    out, err = work.main("--compare", "lab/a", "lab/b", "--format", "markdown")
    links = [line for line in out.splitlines() if "](report/cells/" in line]
    assert len(links) == 8 and "report/index.html" in err
    for line in links:
        for part in line.split("](")[1:]:
            assert (work.folder / part.split(")")[0]).is_file()
    save(work.saved, NEW, "lab/a", 18, tests=21)  # newer than the report
    _, err = work.main("--compare", "lab/a", "lab/b")
    assert "report/index.html" not in err and "step by step: " in err


def test_several_trials_are_compared_by_test_with_pass_at_k(work):
    save(work.saved, NEW, "lab/many", 10, times=4)
    save(work.saved, NEW, "lab/more", 12, times=4)
    out, _ = work.main("--compare", "lab/many", "lab/more")
    assert "paired permutation test: p = 0.5." in out and "pass^4" in out and "averaged over 20 tests" in out
    data = json.loads(work.main("--load-saved", "--format", "json")[0])
    tries = {model["model"]: model["tries"] for model in data["models"]}
    assert tries["lab/a"] == [{"k": 1, "tests": 20, "pass_at_k": 0.45, "pass_hat_k": 0.45}]
    assert [each["k"] for each in tries["lab/many"]] == [1, 2, 3, 4]


# ---------------------------------------------------------------- the gate


def test_worse_than_a_model_or_a_commit_is_exit_code_3(work):
    _, err = work.main("--load-saved", "--fail-if-worse-than", "lab/b", code=3)
    assert "failed: lab/a is worse than lab/b: -40.0 points" in err
    _, err = work.main("--load-saved", "--model", "lab/a", "--fail-if-worse-than", "aaaa", code=3)
    assert f"failed: lab/a is worse than lab/a@{OLD}: -45.0 points" in err
    _, err = work.main("--load-saved", "--model", "lab/a", "--fail-if-worse-than", NEW)
    assert f"lab/a is better than lab/a@{NEW}: +45.0 points" in err  # what is not of that commit
    _, err = work.main("--load-saved", "--model", "lab/b", "--fail-if-worse-than", "lab/a")
    assert "not shown to be worse: lab/b is better than lab/a" in err


@pytest.mark.slow(2)
def test_the_gate_lets_through_chance_and_the_margin(work):
    save(work.saved, NEW, "lab/near", 14)
    _, err = work.main("--load-saved", "--model", "lab/near", "--fail-if-worse-than", "lab/b")
    assert "a tie, no difference shown; 20 tests could show a difference of about ±" in err
    gate = ("--load-saved", "--model", "lab/a", "--fail-if-worse-than", "lab/b")
    _, err = work.main(*gate, "--margin", "20")
    assert "within the margin of 20 points" in err
    work.main(*gate, "--margin", "10", code=3)
    # five tests lost and none won: p = 0.0625, enough for one side at 5 percent
    save(work.saved, NEW, "lab/five", 12)
    gate = ("--load-saved", "--model", "lab/five", "--fail-if-worse-than", "lab/b")
    work.main(*gate)
    work.main(*gate, "--confidence", "90", code=3)


@pytest.mark.parametrize(
    ("tests", "passed", "flags", "code"),
    [
        (3, 0, (), 1),
        (3, 3, (), 0),
        (3, 2, ("--margin", "40"), 0),
        (5, 0, ("--confidence", "90"), 3),
        (6, 5, (), 0),
    ],
)
def test_a_loss_on_too_few_tests_to_decide_does_not_pass(work, tests, passed, flags, code):
    save(work.saved, NEW, "lab/few", passed, tests=tests)
    gate = ("--load-saved", "--model", "lab/few", "--fail-if-worse-than", "lab/b", *flags)
    _, err = work.main(*gate, code=code)
    assert ("undecided: lab/few and lab/b: too few tests to tell" in err) is (code == 1)
    assert ("lab/few did worse, on too few tests to tell" in err) is (code == 1)


def test_that_a_run_has_too_few_tests_is_told_before_any_is_tried(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ("run", "t", "--model", "oracle", "--model", "saboteur", "--fail-if-worse-than", "saboteur")
    warning = "warning: --fail-if-worse-than: 5 tests cannot show a difference, whatever the models do"
    work = Workspace(tmp_path)
    work.many_tests(5)
    for flags, warned in (((), True), (("--confidence", "90"), False)):
        main([*run, *flags], tmp_path)
        before, tried, _ = capsys.readouterr().err.partition("no reference for")
        assert tried and (warning in before) is warned, before
    work.many_tests(6)
    assert main([*run, "--model", "openai/gpt-4o", "--dry-run"], tmp_path) == 0
    warning = "warning: --fail-if-worse-than: 6 tests cannot show a difference among 2 comparisons"
    assert f"{warning}, whatever the models do: that takes at least 7" in capsys.readouterr().err


def test_that_a_run_has_nothing_to_compare_is_told_before_any_is_tried(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    work = Workspace(tmp_path)
    work.many_tests(8)
    assert main(["run", "t", "--model", "oracle"], tmp_path) == 0
    run = ["run", "t", "--model", "saboteur", "--fail-if-worse-than", "oracle", "--dry-run"]
    assert main(run, tmp_path) == 1
    assert "have no finished test in common\n" in capsys.readouterr().err, "all were skipped"
    references = work.tests / "references"
    references.mkdir()
    right, wrong = ({f"Test{each:03}": [reply] for each in range(8)} for reply in ("the answer", "no"))
    (references / "many.py").write_text(f"RIGHT = {right}\nWRONG = {wrong}\n")
    assert main(["run", "t", "--model", "oracle"], tmp_path) == 0
    capsys.readouterr()
    assert main(run, tmp_path) == 0
    assert not capsys.readouterr().err.count("warning")
    work.test_file("new", "TestNew = 'say new' >> LLMRun() >> SubstringEvaluator('new')\n")
    only = [*run[:-1], "--test", "new"]
    assert main(only, tmp_path) == 1
    assert "no saved results of oracle on these tests to compare with" in capsys.readouterr().err
    file = work.tests / "many.py"
    file.write_text(file.read_text() + "# changed\n")
    for flags in (run, run[:-1]):
        assert main(flags, tmp_path) == 1
        err = capsys.readouterr().err
        assert "in common, of those that were not changed in between" in err and "trials" not in err
    assert main([*run, "--with-changed"], tmp_path) == 0


def test_the_gates_speak_also_if_a_file_cannot_be_loaded(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    work = Workspace(tmp_path)
    references = work.tests / "references"
    references.mkdir()
    work.many_tests(8)
    tests = [f"Test{number:03}" for number in range(8)]
    right, wrong = ({test: [reply] for test in tests} for reply in ("the answer", "no"))
    (references / "many.py").write_text(f"RIGHT = {right}\nWRONG = {wrong}\n")
    work.test_file("broken", "TestX = 1 / 0\n")
    run = ("run", "t", "--model", "oracle", "--model", "saboteur", "--fail-if-worse-than", "oracle")
    assert main([*run, "--fail-under", "50", "--format", "json"], tmp_path) == 1
    out, said = capsys.readouterr()
    assert "tests are missing because of 1 error" in said and "saboteur: passed 0.0% (0/8), below 50%" in said
    assert "failed: saboteur" in said
    failed = json.loads(out)["failed"]
    assert len(failed) == 3 and all(f"\n{each}" in said for each in failed)


@pytest.mark.slow(2)
def test_what_two_models_together_cannot_show_is_undecided(work):
    for model in ("lab/few", "lab/less"):
        save(work.saved, NEW, model, 0, tests=6)
    gate = ("--load-saved", "--model", "lab/few", "--model", "lab/less", "--fail-if-worse-than", "lab/b")
    _, err = work.main(*gate, code=1)
    assert err.count("undecided: ") == 2 and "lab/few and lab/less did worse" in err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--load-saved", "--fail-if-worse-than", "lab/zzz"), "not a model with results (lab/a, lab/b)"),
        (("--load-saved", "--fail-if-worse-than", OLD), f"no results of lab/b at commit {OLD}"),
        (("--load-saved", "--model", "lab/b", "--fail-if-worse-than", "lab/b"), "no other model"),
        (("--load-saved", "--margin", "3"), "--margin goes with"),
        (("--load-saved", "--confidence", "90"), "--confidence goes with"),
        (("--list", "--fail-if-worse-than", "lab/a"), "goes with --run-tests or --load-saved"),
        (("--compare", "lab/a", "lab/b", "--model", "lab/c"), "is given its models"),
    ],
)
def test_a_gate_that_cannot_tell_is_a_mistake(work, flags, said):
    _, err = work.main(*flags, code=1)
    assert said in err


def test_a_gate_does_not_pass_while_trials_are_missing_and_a_comparison_says_so(work, capsys):
    def run(*words, folder=("--logdir", str(work.results))):
        code = main([*words, *folder], work.folder)
        return code, capsys.readouterr().err

    lacking = f"the last run of lab/b at commit {NEW} is not finished: 10 of 30 trials are missing"
    stopped = work.saved.run_file(NEW, "lab/b", "1")
    run_notes.begin(stopped, 30)
    rest = "the same command with --skip-existing goes on, or the same call of assay.run with skip_existing"
    both = f"{lacking}; if it was stopped, {rest}"
    assert both in run("compare", "lab/a", "lab/b")[1], "its command is not known"
    stopped.with_suffix(saved_command.SUFFIX).touch()  # somebody else's
    assert both in run("compare", "lab/a", "lab/b")[1]
    stopped.with_suffix(saved_command.SUFFIX).unlink()
    saved_command.save_command(saved_command.SavedCommand((), "/", NEW, {"lab/b": "1"}), stopped)
    assert "if it was stopped, go on with cd / && " in run("compare", "lab/a", "lab/b")[1]
    shutil.copytree(work.results, work.results / "rescored")
    judged = run("compare", "lab/a", "lab/b", folder=("--logdir", str(work.results / "rescored")))[1]
    assert "if it was stopped, the same rescore goes on" in judged
    shutil.rmtree(work.results / "rescored")
    for gate in (("--fail-under", "80"), ("--fail-if-worse-than", "lab/a")):
        code, err = run("show", "--model", "lab/b", *gate)
        assert code == 1 and lacking in err, gate
    assert "so far: not shown to be worse: lab/b is better than lab/a" in err
    code, err = run("show", "--model", "lab/a", "--fail-if-worse-than", "lab/b", "--margin", "20")
    assert code == 1 and f"--fail-if-worse-than: {lacking}" in err, "of the other side, too"
    assert run("show", "--model", "lab/b", "--fail-under", "90")[0] == 3
    code, err = run("show", "--model", "lab/a", "--fail-if-worse-than", "lab/b")
    assert code == 3 and "so far" not in err
    run_notes.begin(work.saved.run_file(OLD, "lab/a", "1"), 30)
    assert run("show", "--model", "lab/a", "--fail-if-worse-than", NEW)[0] == 1


def test_a_run_that_was_stopped_before_any_trial_ended_is_missing_too(work, capsys):
    def run(*words):
        code = main([*words, "--logdir", str(work.results)], work.folder)
        return code, capsys.readouterr().err

    for model, run_id in (("lab/b", "2"), ("lab/down", "1")):
        work.saved.open_new(NEW, model, run_id).close()
        run_notes.begin(work.saved.run_file(NEW, model, run_id), 30)
    lacking = f"the last run of {{}} at commit {NEW} is not finished: 30 of 30 trials are missing".format
    code, err = run("show", "--fail-under", "2")
    assert code == 1 and lacking("lab/b") in err and lacking("lab/down") in err
    assert len(assay.load(work.results).unfinished) == 2
    assert run("show", "--model", "lab/a", "--fail-under", "2") == (0, "")
    code, err = run("show", "--test", "t01", "--fail-under", "2")
    assert code == 1 and lacking("lab/b") in err, "which has other runs of this test"
    assert lacking("lab/down") not in err
    assert lacking("lab/b") in run("compare", "lab/a", "lab/b")[1]


def test_a_gate_does_not_pass_while_trials_ended_in_an_error(work, capsys):
    def run(*words, code):
        assert main([*words, "--logdir", str(work.results)], work.folder) == code
        return capsys.readouterr().err

    save(work.saved, NEW, "lab/c", 19, tests=19, run="1")
    save(work.saved, NEW, "lab/c", 0, tests=20, run="2", outcome=Outcome.ERROR, epoch=2)
    lacking = "is undecided: 20 of 39 trials of lab/c ended in ERROR"
    assert f"--fail-under 95 {lacking}" in run("show", "--model", "lab/c", "--fail-under", "95", code=2)
    worse = ("--fail-if-worse-than", "lab/a")
    assert f"worse-than {lacking}" in run("show", "--model", "lab/c", *worse, code=2)
    worse = ("--fail-if-worse-than", "lab/c", "--margin", "60")
    assert f"worse-than {lacking}" in run("show", "--model", "lab/b", *worse, code=2), "of the other side"
    assert "ERROR" not in run("show", "--fail-under", "95", code=3), "lab/a failed anyway"
    assert "undecided" not in run("show", "--model", "lab/c", code=0)


class Elsewhere(Workspace):
    """Assay as it runs outside of its checkout, where the commits are those of the working directory."""

    def command(self, *flags):
        python, _, *rest = super().command(*flags)
        return [python, "-m", "assay", *rest]


@pytest.mark.slow(4)
def test_a_run_is_held_against_the_commit_before(tmp_path):
    """As in CI: the model got worse between two commits, which are named as git names them."""

    def git(*arguments):
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
            cwd=tmp_path, check=True, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "one")
    answer = ["the answer"]
    with ModelServer(reply=lambda asked: answer[0]) as server:
        work = Elsewhere(tmp_path, server, with_git=True)
        work.many_tests(8)
        run = ("--run-tests", "--model", "local/m", "--no-cache")
        _, err = work.main(*run, "--fail-if-worse-than", "HEAD", code=1)
        assert "no saved results at commit HEAD" in err and not list(work.results.glob("*/*/*"))  # none asked
        work.main(*run)
        _, err = work.main(*run, "--fail-if-worse-than", "HEAD")
        assert "a tie, the same on every test" in err
        git("commit", "-q", "--allow-empty", "-m", "two")
        work.main(*run)
        answer[0] = "nothing of the kind"
        work.main(*run, "--fail-if-worse-than", "HEAD", code=3)  # this run is no baseline for itself
        _, err = work.main(*run, "--fail-if-worse-than", "HEAD~1", code=3)
        asked = server.stats()["requests"]
        both = (*run, "--fail-if-worse-than", "HEAD~1", "--only-changed", "HEAD~1")
        _, refused = work.main(*both, code=1)
        assert "leaves out tests that were changed, and --only-changed runs no others" in refused
        assert server.stats()["requests"] == asked
        work.main(*both, "--with-changed", code=3)
    before = git("rev-parse", "--short=12", "HEAD~1")
    assert f"failed: local/m is worse than local/m@{before}: -100.0 points" in err
    out, _ = work.main("--compare", "local/m@HEAD~1", "local/m@HEAD")
    assert f"local/m@{before} is better than" in out


def test_where_every_test_was_changed_that_is_said_first_with_the_command_that_helps(work):
    save(work.saved, NEW, "lab/c", 1, tests=1, fingerprint="older")
    save(work.saved, NEW, "lab/d", 1, tests=1, fingerprint="newer", started_at="2026-11-29T10:00:00Z")
    _, err = work.main("--compare", "lab/c", "lab/d", code=1)
    first = "error: no test is left that lab/c and lab/d both finished in one version: 1 test was changed "
    assert err.startswith(first)
    rescore = f"rescore lab/c lab/d --test t00.Test --tests {work.tests} --logdir results. --with-changed"
    assert rescore in err
    for model in ("lab/c", "lab/d"):
        save(Results(work.results / "rescored"), NEW, model, 1, tests=1, fingerprint="newer")
    _, err = work.main("--compare", "lab/c", "lab/d", code=1)
    assert "their saved replies were judged again, by one version: " in err and " rescore " not in err
    assert f"compare lab/c lab/d --test t00.Test --tests {work.tests} --logdir results/rescored. " in err
    out, _ = work.main("--compare", "lab/c", "lab/d", "--with-changed")
    assert "too few tests" in out


def test_saved_replies_to_another_question_are_not_to_be_judged_again(work):
    for version, model in (("older", "lab/c"), ("newer", "lab/d")):
        with work.saved.open_new(NEW, model, None) as store:
            for test, asked in (("same.Test", "q"), ("row.Test[a]", version)):
                replies = (Reply(LLM, asked, "yes"),)
                store.append(TrialRecord(test, model, 1, Outcome.PASS, fingerprint=version, replies=replies))
    _, err = work.main("--compare", "lab/c", "lab/d", code=1)
    assert " rescore lab/c lab/d --test same.Test --tests " in err
    assert "; 1 of them (row.Test[a]) asks something else now, so only another run, which is paid" in err
    sides = [f"{model}@{NEW}/run-{work.saved.runs(NEW, model)[-1]}" for model in ("lab/c", "lab/d")]
    for pair in (("lab/c", "lab/d"), sides):
        _, err = work.main("--compare", *pair, "--test", "row.Test*", code=1)
        assert "it asks something else now" in err and "rescore" not in err
