"""A run goes on with the parameters and judges that it began with; flags, and what they would miss."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from assay.cli.regression_gate import below
from assay.report.tally import Tally
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

RUN = ("--run-tests", "--model", "local/m")
TESTS = """
TestPlain = "one" >> LLMRun() >> SubstringEvaluator("answer")
TestJudged = "two" >> LLMRun() >> LLMRun("judge <A>", llm=EVAL_LLM) >> SubstringEvaluator("answer")
"""


@pytest.fixture(scope="module")
def server():
    with ModelServer(record=False, reply=lambda asked: "the answer") as server:
        yield server


@pytest.fixture
def work(tmp_path, server):
    work = Workspace(tmp_path, server, hparams={"presets": {"hot": {"temperature": 1.0}}})
    work.test_file("both", TESTS)
    return work


def test_other_parameters_are_another_run(work):
    work.main(*RUN, "--judge", "local/j", "--test", "TestPlain", "--params", '{"temperature": 0}')
    for params, said in (('{"temperature": 1}', "temperature 1"), ("{}", "temperature not given")):
        _, err = work.main(*RUN, "--judge", "local/j", "--resume", "--params", params, code=1)
        assert f"was made with temperature 0, but this command has {said}: give the same, or" in err
    assert len(work.lines()) == 1
    work.main(*RUN, "--judge", "local/j", "--resume", "--params", '{"temperature": 0}')
    assert len(work.lines()) == 2


def test_a_preset_that_was_changed_is_another_run(work):
    hot = ("--run-tests", "--model", "local/m+hot", "--test", "TestPlain")
    work.main(*hot)
    config = work.folder / "config.json"
    config.write_text(config.read_text().replace("1.0", "0.5"))
    _, err = work.main(*hot, "--times", "2", "--resume", code=1)
    assert "was made with temperature 1.0, but this command has temperature 0.5" in err


def test_another_judge_is_another_run_for_tests_that_ask_one(work):
    work.main(*RUN, "--judge", "local/j", "--times", "1")
    _, err = work.main(*RUN, "--judge", "local/k", "--times", "2", "--resume", code=1)
    assert "was made with the judge local/j, but this command has the judge local/k" in err
    work.main(*RUN, "--judge", "local/k", "--times", "2", "--resume", "--test", "TestPlain")
    assert len(work.lines()) == 3, "nobody judges this one"


def test_a_dry_run_counts_what_is_left(work):
    work.main(*RUN, "--judge", "local/j", "--test", "TestPlain", "--times", "3")
    dry = (*RUN, "--judge", "local/j", "--times", "4", "--dry-run", "--format", "json")
    for flags, left in (((), 8), (("--resume",), 5), (("--skip-existing",), 5)):
        out, err = work.main(*dry, *flags)
        (row,) = json.loads(out)[0]["rows"]
        assert row["trials"] == left
        assert ("local/m: 3 trials done already" in err) == bool(flags)


def test_only_errors_are_something_to_resume(tmp_path):
    with ModelServer(record=False, reply=lambda asked: None) as server:
        work = Workspace(tmp_path, server)
        work.test_file("breaks", "TestB = '[[400]]' >> LLMRun() >> SubstringEvaluator('x')\n")
        work.main(*RUN, code=2)
        _, err = work.main(*RUN, "--resume", code=2)
        assert "nothing to resume" not in err


def test_flags_that_would_miss_something_are_refused(work):
    for flags, said in (
        (
            (*RUN, "--skip-existing", "--fail-under", "50"),
            "--fail-under would miss what --skip-existing skips",
        ),
        ((*RUN, "--skip-existing", "--export", "csv=x"), "--export would miss what --skip-existing skips"),
        (("--compare", "a", "b", "--fail-under", "50"), "--fail-under goes with"),
        (("--rescore", "last", "--judge", "local/k"), "--rescore asks no judge"),
        (("--rescore", "last", "--dry-run"), "--dry-run and --rescore do not go together"),
    ):
        assert said in work.main(*flags, code=1)[1]


def test_with_nothing_left_the_report_is_written_all_the_same(work):
    work.main(*RUN, "--test", "TestPlain")
    _, err = work.main(*RUN, "--test", "TestPlain", "--skip-existing", "--generate-report")
    assert "nothing left to run" in err and (work.folder / "report" / "index.html").is_file()


@pytest.mark.parametrize("counted", [7, 50, 100, 150, 200])
def test_a_rate_that_is_just_enough_is_enough(counted, capsys):
    for passed in range(counted + 1):
        percent = Fraction(100 * passed, counted)
        if percent.denominator == 1:
            assert below(float(percent), {"m": Tally(passed=passed, failed=counted - passed)}) == 0
            assert below(float(percent) + 0.01, {"m": Tally(passed=passed, failed=counted - passed)}) == 3
    assert (
        "passed 33.75% (27/80), below 33.8%"
        in (below(33.8, {"m": Tally(passed=27, failed=53)}), said(capsys))[1]
    )


def said(capsys):
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--load-saved",), 0),
        (("--load-saved", "--fail-under", "50"), 3),
        (("--load-saved", "--format", "json"), 0),
        (("--load-saved", "--model", "nosuch"), 1),
        (("--compare", "x", "y"), 1),
        (("--load-saved", "--fail-if-worse-than", "nosuch"), 1),
        (("--rescore", "results"), 0),
    ],
)
def test_what_a_stranger_s_results_say_drives_no_terminal(work, flags, code):
    folder = work.results / "c" / "evil"
    folder.mkdir(parents=True)
    line = {
        "v": 1,
        "test": "both.TestPlain",
        "model": "evil\x1b]0;owned\x07\x1b[2J",
        "epoch": 1,
        "outcome": "fail",
    }
    (folder / "run-1.jsonl").write_text(json.dumps(line) + "\n")
    done = subprocess.run(
        work.command(*flags),
        cwd=work.folder,
        env=work.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "\x1b" not in done.stdout + done.stderr and "\x07" not in done.stdout + done.stderr
    assert "evil" in done.stdout + done.stderr or code == 0, done.stderr


def test_a_disk_that_cannot_sync_is_told_at_once_and_the_tables_are_shown(work):
    """One fsync of the run's file fails, later ones do not: the lines are in the file all the same. The first
    of all keeps the command."""
    stub = (
        "import os, sys\ncalls, real = [], os.fsync\n"
        "def fsync(file):\n"
        "    calls.append(file)\n    if len(calls) == 2:\n        raise OSError(5, 'Input/output error')\n"
        "    return real(file)\n"
        "os.fsync = fsync\nfrom pathlib import Path\nfrom assay.cli.main import main\n"
        "sys.exit(main(root=Path('.')))"
    )
    command = [sys.executable, "-c", stub, *work.command(*RUN, "--test", "TestPlain")[2:]]
    done = subprocess.run(
        command, cwd=work.folder, env=work.environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1, done.stderr
    assert "both.TestPlain" in done.stdout and "1/1" in done.stdout, "the tables"
    assert done.stderr.count("cannot write results") == 2 and "the run is not complete" in done.stderr
    assert len(work.lines()) == 1


def test_a_broken_file_that_is_asked_for_by_name_says_what_is_wrong_with_it(work):
    work.test_file("broken", "TestX = ('q' >> LLMRun(\n")
    work.test_file("twice", "TestX = 'q' >> LLMRun()\nTestX = 'r' >> LLMRun()\n")
    for flags in (RUN, ("--lint-tests",), ("--list",)):
        out, err = work.main(*flags, "--test", "broken", code=1)
        assert "broken.py:" in out + err and "no test named" not in err
    _, err = work.main("--explain", "broken", code=1)
    assert "broken.py:" in err
    _, err = work.main(*RUN, "--test", "twice.TestX", code=1)
    assert "TestX is assigned twice" in err


def test_a_script_s_misspelt_flag(work):
    work.test_file("alone", "TestX = 'one' >> LLMRun()\nif __name__ == '__main__':\n    run_test(TestX)\n")
    done = subprocess.run(
        [sys.executable, "t/alone.py", "--modl", "local/m"],
        cwd=work.folder, env=work.environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2 and "unknown flag --modl. Did you mean --model?" in done.stderr


def test_the_last_run_is_that_of_all_its_models(work):
    work.main("--run-tests", "--model", "local/old", "--test", "TestPlain")
    work.main("--run-tests", "--model", "local/a", "--model", "local/b", "--test", "TestPlain")
    _, err = work.main("--rescore", "last")
    assert (
        "local/a: judging 1 saved trial" in err
        and "local/b: judging 1 saved trial" in err
        and "local/old" not in err
    )
    os.utime(next(work.results.glob("*/local__old/run-1.jsonl")))
    _, err = work.main("--rescore", "last")
    assert "local/old: judging 1 saved trial" in err


SUITE = """
from assay import LLMRun, PyFunc
from assay.suites.suite import Sample, Suite
from . import words
SEEN, COUNT, RIGHT = {}, 0, {"a": ["answer"]}
RIGHT["b"] = RIGHT["a"] + ["reply"]
def right(text, memo={}, *, more=[]):
    global COUNT
    COUNT += 1
    memo[text] = SEEN.setdefault(text, text in words.KNOWN or any(each in text for each in RIGHT["b"]))
    more.append(text)
    return memo[text]
class Own(Suite):
    name, description = "own", "Own"
    def samples(self, options):
        for n in range(3):
            yield Sample(f"own.s{n}", test=f"question {n}" >> LLMRun() >> PyFunc(right))
SUITE = Own()
"""


@pytest.mark.slow(8)
def test_what_functions_fill_makes_no_other_question(tmp_path, server):
    """And each edit of a file's values does, at whatever line."""
    work = Workspace(tmp_path, server)
    (folder := work.tests / "own").mkdir()
    (suite := folder / "suite.py").write_text(SUITE)
    (words := folder / "words.py").write_text("KNOWN = []\nKNOWN += ['a reply']\n")
    run = ("--run-tests", "--suite", "own", "--model", "local/m")

    def left():
        for flag in ("--resume", "--skip-existing"):
            (row,) = json.loads(work.main(*run, flag, "--dry-run", "--format", "json")[0])[0]["rows"]
            yield row["trials"]

    work.main(*run)
    suite.write_text(f"# a comment\n{SUITE}")
    assert [*left()] == [0, 0]
    for file, then, now in ((words, "'a reply'", "'another reply'"), (suite, '"reply"', '"replies"')):
        before = file.read_text()
        file.write_text(before.replace(then, now))
        assert [*left()] == [3, 3]
        file.write_text(before)
