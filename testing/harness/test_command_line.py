"""main.py as a user meets it: flags, lists, exit codes, what goes to stdout and what to stderr."""

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from testing.harness.commanding import Workspace
from testing.model_server import ModelServer

RUN = ("--run-tests", "--model", "local/m")


@pytest.fixture
def server():
    with ModelServer(record=True) as made:
        yield made


@pytest.fixture
def work(tmp_path, server):
    made = Workspace(tmp_path, server)
    made.test_file(
        "colours",
        "DESCRIPTION = 'Names of colours'\nTAGS = ['word', 'easy']\n"
        "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"
        "TestBlue = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n",
    )
    made.test_file(
        "numbers", "TAGS = ['number']\nTestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n"
    )
    return made


def test_run_show_and_load(work):
    out, err = work.main(*RUN)
    assert "2/3" in out and "colours.TestRed" in out and "local/m: 3 trials to run" in err
    assert {line["test"]: line["outcome"] for line in work.lines()} == {
        "colours.TestRed": "pass",
        "colours.TestBlue": "fail",
        "numbers.TestTwo": "pass",
    }
    for line in work.lines():
        assert line["model"] == "local/m" and line["commit"] and line["fingerprint"] and line["calls"] == 1
    again, _ = work.main("--load-saved")
    assert "2/3" in again
    _, err = work.main("--load-saved", "--generate-report")
    assert "report: report/index.html (3 pages written" in err
    assert (work.folder / "report" / "index.html").exists()
    _, err = work.main("--load-saved", "--generate-report")
    assert "0 pages written, 3 unchanged" in err


def test_a_run_that_writes_the_report_does_not_advise_to_write_it(work):
    _, err = work.main(*RUN)
    assert "why a trial failed, step by step: " in err and "report: " not in err
    _, err = work.main(*RUN, "--live")
    assert "report: report/index.html (3 pages written" in err and "step by step" not in err


def test_no_key_in_any_output(work, server):
    server.desk.key = "another"
    out, err = work.main(*RUN, code=2)
    everything = out + err + "".join(path.read_text() for path in work.results.rglob("*.jsonl"))
    assert "401" in everything and "sk-local-secret" not in everything


def test_what_is_printed_in_a_run_goes_to_stderr(work):
    judge = "PyFunc(lambda reply: print('looking') or True)"
    work.test_file("numbers", f"TestTwo = 'say two' >> LLMRun() >> {judge}\n")
    out, err = work.main(*RUN, "--format", "json")
    assert json.loads(out)["tests"] and "looking" in err


def test_json_goes_to_stdout_and_messages_to_stderr(work):
    out, _ = work.main(*RUN, "--format", "json")
    data = json.loads(out)
    assert data["models"][0]["passed"] == 2 and len(data["tests"]) == 3
    assert json.loads(work.main("--load-saved", "--format", "json")[0])["models"] == data["models"]
    listed = json.loads(work.main("--list", "--format", "json")[0])
    assert [row["test"] for row in listed] == ["colours.TestRed", "colours.TestBlue", "numbers.TestTwo"]
    assert listed[0]["tags"] == ["word", "easy"] and listed[0]["line"] == 4
    assert isinstance(json.loads(work.main(*RUN, "--dry-run", "--format", "json")[0]), list)
    (work.tests / "long.py").write_text(f"""TAGS = {[f"tag {n}" for n in range(9)]}
DESCRIPTION = "Do columns stand in line?"
from evaluator import *
TestLong = "a" >> LLMRun() >> SubstringEvaluator("a")
""")
    head, *lines = work.main("--list")[0].splitlines()
    (long,) = [line for line in lines if line.startswith("long.")]
    assert long.index("Do columns") == head.index("description") and "tag 7, tag 8  Do" in long


def test_markdown(work):
    out, _ = work.main(*RUN, "--format", "markdown")
    assert "| local/m | 2/3 |" in out
    assert (
        "| colours.TestRed | word, easy | Names of colours |"
        in work.main("--list", "--format", "markdown")[0]
    )


@pytest.mark.parametrize(
    ("flags", "tests"),
    [
        (["--test", "colours"], {"TestRed", "TestBlue"}),
        (["--test", "colours.TestRed"], {"TestRed"}),
        (["--test", "TestTwo"], {"TestTwo"}),
        (["--test", "tests/colours.py"], {"TestRed", "TestBlue"}),
        (["--test", "*Red", "--test", "num*"], {"TestRed", "TestTwo"}),
        (["--tag", "number"], {"TestTwo"}),
        (["--tag", "number", "--tag", "easy"], {"TestRed", "TestBlue", "TestTwo"}),
        (["--tag", "easy", "--test", "*Blue"], {"TestBlue"}),
        (["--tier", "easy"], {"TestRed", "TestBlue"}),
    ],
)
def test_choosing_tests(work, flags, tests):
    work.main(*RUN, *flags)
    assert {line["test"].split(".")[1] for line in work.lines()} == tests
    listed = json.loads(work.main("--list", "--format", "json", *flags)[0])
    assert {row["test"].split(".")[1] for row in listed} == tests


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (
            [*RUN, "--test", "arithmetics"],
            "no test, suite, file or folder is named 'arithmetics'. Did you mean the suite arithmetic?",
        ),
        (
            [*RUN, "--test", "colour"],
            "no test, suite, file or folder is named 'colour'. Did you mean colours?",
        ),
        ([*RUN, "--test", "my-server/good"], "If it is a model, write --model my-server/good"),
        ([*RUN, "--test", "TestRad"], "Did you mean TestRed"),
        (
            [*RUN, "--test", "t/colour.py"],
            "there is no test file 't/colour.py'. Did you mean t/colours.py? ",
        ),
        (
            [*RUN, "--test", "colours.csv"],
            "'colours.csv' is not a test. A test of its rows is a line of a test file: ",
        ),
        ([*RUN, "--tag", "nummer"], "no test has the tag 'nummer'. Did you mean number?"),
        ([*RUN, "--tag", "nummer"], "list SUITE --tag nummer"),
        ([*RUN, "--suite", "aplied"], "unknown suite 'aplied'. Did you mean applied?"),
        ([*RUN, "--suite", "tests"], "tests is the suite of results of tests that were given from Python"),
        (["--run-tests", "--model", "nobody"], "nobody"),
        (["--run-tests", "--model", "openai/gpt-4o"], "OPENAI_API_KEY"),
        ([*RUN, "--sandbox"], "--sandbox"),
        ([*RUN, "--sandbox", "podmann"], "unknown sandbox 'podmann'. Did you mean podman?"),
        ([*RUN, "--sandbox", "unsafe_local"], "I_HAVE_BLIND_FAITH"),
        ([*RUN, "--max-tokens", "0"], "--max-tokens"),
        (["--list", "--max-tokens", "5"], "--max-tokens goes with --run-tests"),
        ([*RUN, "--frobnicate"], "unrecognized arguments: --frobnicate"),
        ([*RUN, "--times", "0"], "--times"),
        ([*RUN, "--max-cost", "much"], "--max-cost"),
        ([*RUN, "--judge", ""], "--judge: '' is not the name of a model"),
        ([*RUN, "--vision-judge", ""], "--vision-judge: '' is not the name of a model"),
        ([*RUN, "--fail-under", "101"], "--fail-under"),
        ([*RUN, "--fail-under", "0.9"], "--fail-under: 0.9 may mean 90% or 0.9%; write 90 or 0.9%"),
        ([*RUN, "--fail-under", "1"], "--fail-under: 1 may mean 100% or 1%; write 100 or 1%"),
        ([*RUN, "--load-saved"], "do not go together"),
        ([*RUN, "--all-models"], "do not go together"),
        (["--run-tests", "--all-models"], '"models" of config.json'),
        (["--model", "local/m"], "say what to do"),
        (["--generate-report"], "--load-saved --generate-report"),
        (["--attack"], "say what to do"),
        (["--list", "--attack"], "--attack goes with --doctor"),
        (["--list", "--resume"], "--resume goes with --run-tests"),
        (["--load-saved"], "no saved results"),
        ([*RUN, "--runid", "../x"], "--runid"),
        ([*RUN, "--config", "none.json"], "cannot read none.json"),
        ([*RUN, "--tests", "nowhere"], "cannot list tests in nowhere"),
        ([*RUN, "--only-changed", "HEAD"], "git repository"),
        ([*RUN, "--max-cost", "1"], "needs the price of local/m"),
    ],
)
def test_mistakes_end_with_one_clear_line_and_exit_code_1(work, server, flags, said):
    out, err = work.main(*flags, code=1)
    assert said in err and out == ""
    assert err.startswith("error: ") and len(err.strip().splitlines()) == 1
    assert server.desk.requests == 0 and not list(work.results.rglob("*.jsonl"))


def test_times_and_the_cache(work, server):
    work.main(*RUN, "--times", "3", "--test", "colours.TestRed")
    assert sorted(line["epoch"] for line in work.lines()) == [1, 2, 3] and server.desk.requests == 3
    work.main(*RUN, "--times", "3", "--test", "colours.TestRed")
    assert server.desk.requests == 3, "a repeat comes from the cache"
    assert len(work.lines()) == 6 and work.lines()[-1]["cached_calls"] == 1
    work.main(*RUN, "--times", "3", "--test", "colours.TestRed", "--no-cache")
    assert server.desk.requests == 6


def test_dry_run_asks_nothing(work, server):
    work.main(*RUN, "--test", "colours.TestRed")
    asked = server.desk.requests
    out, _ = work.main(*RUN, "--times", "2", "--dry-run", "--format", "json")
    (row,) = json.loads(out)[0]["rows"]
    assert server.desk.requests == asked and len(work.lines()) == 1
    assert (row["model"], row["trials"], row["calls"]) == ("local/m", 6, 6)
    assert row["first calls cached"] == "2 of 6", "TestRed and TestBlue ask the same, in the first epoch"
    assert work.main("--model", "local/m", "--dry-run")[0]
    (row,) = json.loads(work.main("--model", "oracle", "--dry-run", "--format", "json")[0])[0]["rows"]
    assert row["first calls cached"] is None, "the oracle has no cache"


def test_broken_files_are_told_and_make_exit_code_1(work):
    work.test_file("broken", "x = 1\nTestX = 1 / 0\n")
    work.test_file("twice", "TestX = 'q' >> LLMRun()\nTestX = 'r' >> LLMRun()\n")
    out, err = work.main(*RUN, "--format", "json", "--export", "junit=a.xml", code=1)
    assert "error: t/broken.py:3: ZeroDivisionError" in err
    assert "error: t/twice.py:3: TestX is assigned twice" in err
    assert len(work.lines()) == 3, "the others ran"
    told = [each.split(":")[0] for each in json.loads(out)["errors"]]
    cases = ElementTree.parse(work.folder / "a.xml").getroot().findall(".//testcase[error]")
    assert told == ["t/twice.py", "t/broken.py"] == [case.get("name") for case in cases]
    _, err = work.main("--list", code=1)
    assert "twice.py:3" in err
    work.main(*RUN, "--test", "colours"), "broken files that nobody asked for cost nothing"


def test_broken_references_cost_only_the_tests_of_their_file(work):
    work.test_file("other", "TestX = 'q' >> LLMRun() >> SubstringEvaluator('a')\n")
    references = work.tests / "references"
    references.mkdir(exist_ok=True)
    (references / "colours.py").write_text("RIGHT = {")
    (references / "other.py").write_text("RIGHT = {'TestX': ['a']}\n")
    _, err = work.main("--run-tests", "--model", "oracle", code=2)
    assert "references/colours.py:1: '{' was never closed" in err
    outcomes = {line["test"]: line["outcome"] for line in work.lines()}
    assert outcomes["other.TestX"] == "pass"
    assert outcomes["colours.TestRed"] == outcomes["colours.TestBlue"] == "error"


def test_the_precedence_trap_is_told(work):
    work.test_file("trap", "TestA = 'q' >> LLMRun() >> SubstringEvaluator('a') | SubstringEvaluator('b')\n")
    _, err = work.main(*RUN, "--test", "trap")
    assert "warning: " in err and "trap.py:2: TestA: >> binds tighter than |" in err


def test_errors_make_exit_code_2_and_say_why(work, server):
    server.script(["400"])
    out, err = work.main(*RUN, "--test", "numbers", code=2)
    assert "ERROR 1x" in out and "ERROR 1x" not in err and "--resume --runid 1" in err
    server.script(["400"])
    _, err = work.main(*RUN, "--test", "numbers", "--format", "json", code=2)
    assert re.search(r"^ERROR 1x: .*HTTP 400.* \(in numbers\.\w+\)$", err, re.M), "no table says it"


def test_fail_under(work):
    _, err = work.main(*RUN, "--fail-under", "70", code=3)
    assert "local/m: passed 66.7% (2/3), below 70%" in err
    work.main(*RUN, "--fail-under", "66%")
    work.main("--load-saved", "--fail-under", "0.5%")
    work.main("--load-saved", "--fail-under", "70", code=3)


def test_fail_under_names_no_rate_where_there_is_no_verdict(work, server):
    server.script(["400"] * 3)
    work.main(*RUN, code=2)
    _, err = work.main("--load-saved", "--fail-under", "50", code=3)
    assert "local/m: no trial has a verdict, so nothing shows that 50% pass" in err and "0/0" not in err


def test_several_models_side_by_side(tmp_path, server):
    work = Workspace(tmp_path, server, models=["local/a", "local/b"])
    work.many_tests(5)
    out, _ = work.main("--run-tests", "--all-models")
    assert "local/a" in out and "local/b" in out and "Differences" in out
    out, _ = work.main("--load-saved", "--model", "local/a")
    assert "local/b" not in out
    _, err = work.main("--load-saved", "--model", "local/c", code=1)
    assert "Models recorded: local/a, local/b" in err


def test_all_connections_are_in_use(tmp_path):
    with ModelServer(latency=0.1, record=False) as server:
        work = Workspace(tmp_path, server)
        work.many_tests(100)
        work.main(*RUN, "--max-connections", "25")
        assert server.stats()["in_flight_max"] == 25


JUDGED = (
    "JUDGE = LLMRun('is <A> fine? say yes', llm=EVAL_LLM) >> SubstringEvaluator('yes')\n"
    "TestJ = 'say x' >> LLMRun() >> JUDGE\n"
)


@pytest.mark.slow(5)
def test_judges(tmp_path, server):
    work = Workspace(tmp_path, server)
    work.test_file("judged", JUDGED)
    before = server.stats()["requests"]
    _, err = work.main(*RUN, code=1)
    assert "judged.TestJ asks a judge and none is set; give --judge" in err
    assert "in Python judge=..." in err
    assert server.stats()["requests"] == before and not work.lines(), "before anything is paid for"
    work.main(*RUN, "--judge", "local/wise", "--runid", "j")
    line = work.lines()[-1]
    assert line["outcome"] == "pass" and line["judges"]["eval_llm"] == "local/wise"
    assert server.desk.log[-1].model == "wise"
    _, err = work.main(*RUN, "--judge", "openai/gpt-4o", code=1)
    assert "OPENAI_API_KEY" in err, "a judge that some test needs is looked for before anything is asked"
    work.many_tests(1)
    work.main(*RUN, "--judge", "openai/gpt-4o", "--test", "many")


def test_oracle_and_saboteur(tmp_path):
    work = Workspace(tmp_path)
    work.test_file("judged", JUDGED)
    work.test_file("bare", "TestBare = 'q' >> LLMRun()\n")
    folder = work.tests / "references"
    folder.mkdir()
    (folder / "judged.py").write_text(
        "RIGHT = {'TestJ': [['x', 'yes'], ['y', 'yes, indeed']]}\nWRONG = {'TestJ': [['z', 'no']]}\n"
    )
    out, err = work.main("--run-tests", "--model", "oracle", "--model", "saboteur")
    assert "the oracle and the saboteur have no reference for 1 test\n" in err
    by = {(line["model"], line["test"], line["epoch"]): line["outcome"] for line in work.lines()}
    assert by == {
        ("oracle", "judged.TestJ", 1): "pass",
        ("oracle", "judged.TestJ", 2): "pass",
        ("saboteur", "judged.TestJ", 1): "fail",
        ("oracle", "bare.TestBare", 1): "skipped",
        ("saboteur", "bare.TestBare", 1): "skipped",
    }
    assert "no references" in out
    errors = {line["error"] for line in work.lines() if line["test"] == "bare.TestBare"}
    assert errors == {"no references: nothing proves this test (t/references/ holds them)"}
    work.main("--run-tests", "--model", "oracle", "--times", "3", "--test", "judged", "--runid", "t")
    assert sum(line["test"] == "judged.TestJ" and line["model"] == "oracle" for line in work.lines()) == 5
    (folder / "judged.py").write_text("RIGHT = {'TestJ': [['z', 'no']]}\nWRONG = {'TestJ': [['x', 'yes']]}\n")
    (folder / "bare.py").write_text("RIGHT = {'TestBare': ['x'], 'TestBear': ['x']}\n")
    (folder / "bear.py").write_text("RIGHT = {'TestBare': ['x']}\n")
    out, err = work.main(
        "--run-tests", "--model", "oracle", "--model", "saboteur", "--format", "json", code=3
    )
    assert "the saboteur has no reference for 1 test\n" in err
    (error,) = (said for line in work.lines() if "have no" in (said := line.get("error", "")))
    assert error == (
        "its references have no wrong answer: nothing proves that it can be failed (t/references/ holds them)"
    )
    assert "the oracle failed 1 test that it must pass: judged.TestJ\n" in err
    assert "the saboteur passed 1 test that it must fail: judged.TestJ\n" in err
    assert "t/references/bare.py:1: bare.py has no test TestBear, so" in err
    assert "t/references/bear.py: there is no test file bear.py for these references. Did you" in err
    said = ("that it must", "has no test", "is no test file")
    assert json.loads(out)["failed"] == [line for line in err.splitlines() if any(x in line for x in said)]


def test_a_file_without_a_test_is_named(tmp_path, server):
    work = Workspace(tmp_path, server)
    (work.tests / "small.py").write_text('from evaluator import *\n\ntest_small = "hi" >> LLMRun()\n')
    err = work.main("--run-tests", "--model", "my/small", code=1)[1]
    assert "small.py:3: test_small is not a test; a test is a variable whose name begins with Test" in err


@pytest.mark.slow(6)
def test_another_suite(tmp_path, server):
    work = Workspace(tmp_path, server)
    work.many_tests(2)
    folder = work.tests / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\n"
        "from assay.records import Table\nfrom evaluator import *\n"
        "def samples(options):\n"
        "    for i in range(options.depth):\n"
        "        test = f'{i}+{i}' >> LLMRun() >> SubstringEvaluator('Answer')\n"
        "        yield Sample(f'sums.{i}', test, suite='sums')\n"
        "def tables(records):\n"
        "    yield Table('Sums', ('right',), ((sum(r.outcome == 'pass' for r in records),),))\n"
        "SUITE = Suite('sums', 'adds numbers', samples, tables,\n"
        "              lambda parser: parser.add_argument('--depth', type=int, default=4))\n"
    )
    out, _ = work.main(*RUN, "--suite", "sums", "--depth", "3", "--format", "json")
    assert json.loads(out)["tables"][0]["rows"] == [{"right": 3}]
    assert "--depth" in work.main("--help", "--suite", "sums")[0] and "--depth" not in work.main("--help")[0]
    assert len(json.loads(work.main("--list", "--suite", "all", "--format", "json")[0])) == 6
    work.main(*RUN, "--suite", "all", "--runid", "all")
    assert sum(line["suite"] == "sums" for line in work.lines()) == 3 + 4
    assert "Sums" in work.main("--load-saved", "--suite", "sums")[0]
    _, err = work.main(*RUN, "--depth", "3", code=1)
    assert "--depth belongs to a suite: --suite sums --depth" in err


@pytest.mark.slow(7)
def test_only_changed_says_what_it_left_out(tmp_path, server):
    work = Workspace(tmp_path, server, with_git=True)
    work.test_file("old", "TestOld = 'q' >> LLMRun()\n")
    work.test_file("gone", "TestGone = 'q' >> LLMRun()\n")

    def git(*arguments):
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(
            ["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True, timeout=30
        )

    git("init", "-q")
    git("add", "t")
    git("commit", "-q", "-m", "first")
    git("commit", "-q", "-m", "second", "--allow-empty")
    (work.tests / "gone.py").unlink()
    work.test_file("new", "TestNew = 'q' >> LLMRun()\n")
    _, err = work.main(*RUN, "--only-changed", "HEAD")
    assert "deleted in or since HEAD: gone.py" in err and "1 of 2 test files changed in or since HEAD" in err
    assert [line["test"] for line in work.lines()] == ["new.TestNew"]
    assert [
        row["test"]
        for row in json.loads(work.main("--list", "--only-changed", "HEAD", "--format", "json")[0])
    ] == ["new.TestNew"]
    _, err = work.main(*RUN, "--only-changed", "nonsense", code=1)
    assert "'nonsense' is not a commit" in err
    (work.tests / "new.py").unlink()
    out, err = work.main(*RUN, "--only-changed", "HEAD", "--format", "json")
    assert "nothing to run" in err and json.loads(out)["tests"] == []
    assert json.loads(out)["deleted"] == ["gone.py"]
    folder = work.tests / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\nfrom evaluator import *\n"
        "SUITE = Suite('sums', 'adds', lambda options: [Sample('sums.0', 'q' >> LLMRun(), suite='sums')])\n"
    )
    git("add", "t")
    git("commit", "-q", "-m", "a suite")
    git("commit", "-q", "-m", "nothing", "--allow-empty")
    _, err = work.main(*RUN, "--only-changed", "HEAD", "--suite", "sums")
    assert "suite sums did not change in or since HEAD" in err and "nothing to run" in err
    (folder / "table.csv").write_text("1\n")
    work.main(*RUN, "--only-changed", "HEAD", "--suite", "sums")
    assert work.lines()[-1]["suite"] == "sums"


@pytest.mark.slow(5)
def test_skip_existing_goes_by_the_newest_verdict(work):
    work.main(*RUN, "--runid", "9")
    path = work.tests / "colours.py"
    path.write_text(path.read_text() + "# a comment\n")
    work.main(*RUN, "--runid", "10")  # as a name it stands before the older one
    assert "earlier version" not in work.main(*RUN, "--skip-existing")[1]
    path.write_text(path.read_text() + "# another\n")
    _, err = work.main(*RUN, "--skip-existing")
    assert "all 3 trials were done before, 2 of them on an earlier version of the test: to run" in err
    assert "name the test and leave out --skip-existing" in err


def test_resume_tells_of_tests_that_changed_since(work):
    work.main(*RUN)
    path = work.tests / "colours.py"
    path.write_text(path.read_text() + "# a comment\n")
    for flags in (("--resume", "--dry-run"), ("--resume",)):
        _, err = work.main(*RUN, *flags)
        assert "2 of these were made by an earlier version of their test and are kept; a new run (" in err
    assert len(work.lines()) == 3


def test_resume_at_another_commit(work):
    work.main(*RUN)
    (folder,) = work.results.glob("*/local__m")
    folder.parent.rename(work.results / "0123456789ab")
    for flags in (["--dry-run"], []):
        _, err = work.main(*RUN, "--resume", *flags)
        assert (
            "no run of local/m (--skip-existing keeps what was done at 0123456789ab); a new run begins" in err
        )
    assert len(work.lines()) == 6


def test_resume_where_no_trial_had_finished(work):
    work.main(*RUN)
    (path,) = work.results.glob("*/local__m/run-1.jsonl")
    path.write_text("")
    _, err = work.main(*RUN, "--resume")
    assert "local/m: no trial had finished; all 3 run\n" in err and "nothing to resume" not in err
    assert len(work.lines()) == 3


def test_resume_where_nothing_is(work):
    _, err = work.main(*RUN, "--resume")
    assert "--resume: there is no run of local/m; a new run begins" in err and len(work.lines()) == 3
    assert err.count("a new run begins") == 1
    _, err = work.main(*RUN, "--model", "local/n", "--resume")
    assert "local/m: 0 trials to run, 3 done before" in err and len(work.lines()) == 6
    assert "local/n: nothing to resume; a new run begins" in err


@pytest.mark.slow(3)
def test_a_broken_line_is_told_at_every_reading(work):
    work.main(*RUN)
    (path,) = work.results.glob("*/*/*.jsonl")
    path.write_bytes(b"{broken\n" + path.read_bytes())
    for flags in (["--load-saved"], [*RUN, "--resume"]):
        _, err = work.main(*flags)
        assert f"{path.relative_to(work.folder)}:1: unreadable line left out" in err


def test_a_reader_that_goes_away_is_no_failure(work):
    command = " ".join(work.command("--list")) + " | head -1; exit ${PIPESTATUS[0]}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=work.folder,
        env=work.environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert "Traceback" not in done.stderr and done.returncode in (0, 141)


@pytest.mark.parametrize("flags", [["--list"], ["--list", "--format", "json"], ["--load-saved"]])
def test_output_that_cannot_be_written_is_one_line(work, flags):
    work.main(*RUN)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            work.command(*flags),
            cwd=work.folder,
            env=work.environment,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    lines = [line for line in done.stderr.splitlines() if line.startswith(("error", "Trace", "Exception"))]
    assert done.returncode == 1 and lines == ["error: cannot read or write: No space left on device"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda report: report.write_text(""), "cannot write into report: it is not a folder"),
        (lambda report: report.symlink_to("gone"), "cannot write into report: it is a link to nothing"),
        (lambda report: (report / "index.html").mkdir(parents=True), "report/index.html was not written by"),
        (lambda report: (report.mkdir(), (report / "cells").touch()), "into report/cells: it is not a"),
    ],
)
def test_a_report_that_cannot_be_written_is_told_before_the_run(work, make, said):
    make(work.folder / "report")
    _, err = work.main(*RUN, "--generate-report", code=1)
    assert said in err and "--report-dir" in err and not [*work.folder.rglob("run-*.jsonl")]


def test_a_mistake_in_a_test_is_said_while_the_run_goes_on(tmp_path):
    with ModelServer() as server:
        work = Workspace(tmp_path, server)
        work.test_file(
            "mistaken",
            "def judge(reply):\n    return lenn(reply)\n\nTestA = 'q' >> LLMRun() >> PyFunc(judge)\n",
        )
        _, err = work.main("--run-tests", "--model", "local/m", "--times", "2", code=2)
    said = "error in mistaken.TestA: mistaken.py:3: judge() raised NameError"
    assert err.count(said) == 1 and err.index(said) < err.index("2/2 trials")
