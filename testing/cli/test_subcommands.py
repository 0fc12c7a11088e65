"""The subcommands: their help, what stands behind their names, and that `python main.py` with flags does the
same."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from assay.cli.arguments import ACTIONS, DEFAULTS, make_parser, overview, parse
from assay.cli.commands import COMMANDS
from assay.cli.flags import FLAGS
from assay.cli.request import request_of
from assay.errors import ConfigError
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer


@pytest.fixture
def work(tmp_path):
    with ModelServer() as server:
        made = Workspace(tmp_path, server)
        made.test_file(
            "colours",
            "TAGS = ['word']\nTestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n"
            "TestBlue = 'say red' >> LLMRun() >> SubstringEvaluator('blue')\n",
        )
        made.test_file("counting", "TestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n")
        yield made


def assay(work, *words, code=0, cwd=None):
    """(stdout, stderr) of `python -m assay WORDS` in the folder of `work`."""
    done = subprocess.run(
        [sys.executable, "-m", "assay", *words], cwd=cwd or work.folder, env=work.environment,
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert done.returncode == code and "Traceback" not in done.stderr, done.stdout + done.stderr
    return done.stdout, done.stderr


# ---------------------------------------------------------------- help


def test_the_list_of_commands_fits_one_screen():
    lines = overview().splitlines()
    assert len(lines) <= 23 and max(map(len, lines)) <= 80  # and a line for the shell's prompt
    assert all(any(line.startswith(f"  {name} ") for line in lines) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_teaches(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = make_parser(COMMANDS[name]).format_help()
    assert "examples:" in page and f" {name}" in page.partition("examples:")[2]
    assert page.startswith("usage: ")
    assert max(map(len, page.splitlines())) <= 92, "80 columns, and the name of main.py in an example"


def test_every_flag_is_in_the_help_of_a_command():
    shown = {word for each in COMMANDS.values() for word in make_parser(each).format_help().split()}
    shown = {word.rstrip(",") for word in shown}
    assert [name for each in FLAGS for name in each.names if name not in shown] == []


def test_help_is_found_where_people_look_for_it(work):
    page, _ = assay(work, "run", "--help")
    assert page.startswith("usage: assay run [TEST ...] [flags]")
    assert assay(work, "help", "run")[0] == page == assay(work, "--run-tests", "--help")[0]
    assert assay(work)[0] == assay(work, "--help")[0] == assay(work, "help")[0] == overview_of(work)
    assert assay(work, "--version")[0].startswith("assay ")


def overview_of(work):
    return assay(work, "-h")[0]


# ---------------------------------------------------------------- the same by both forms

SAME = [
    (["run", "print_*", "--model", "m"], ["--run-tests", "--test", "print_*", "--model", "m"]),
    (
        ["run", "--times", "3", "a.T", "--report"],
        ["--run-tests", "--test", "a.T", "--times", "3", "--generate-report"],
    ),
    (["run", "--dry-run", "--suite", "applied"], ["--dry-run", "--suite", "applied"]),
    (
        ["show", "m", "n", "--fail-under", "8"],
        ["--load-saved", "--model", "m", "--model", "n", "--fail-under", "8"],
    ),
    (["compare", "a", "b", "--in-full"], ["--compare", "a", "b", "--in-full"]),
    (["rescore", "last", "--runid", "x"], ["--rescore", "last", "--runid", "x"]),
    (["list", "a", "--only-changed", "main"], ["--list", "--test", "a", "--only-changed", "main"]),
    (["lint", "a", "--tag", "t"], ["--lint-tests", "--test", "a", "--tag", "t"]),
    (["explain", "a", "b"], ["--explain", "a", "--explain", "b"]),
    (["doctor", "--attack"], ["--doctor", "--attack"]),
]  # fmt: skip


@pytest.mark.parametrize(("new", "old"), SAME, ids=[" ".join(new) for new, _ in SAME])
def test_both_forms_make_the_same_request(new, old, tmp_path):
    one, other = parse(new, tmp_path), parse(old, tmp_path)
    assert one.cli_command == other.cli_command and not one.cli_old and other.cli_old
    requests = [request_of(each, tmp_path) for each in (one, other)]
    differ = {name for name in vars(requests[0]) if getattr(requests[0], name) != getattr(requests[1], name)}
    assert differ <= {"selection"}
    selections = [{**vars(each.selection), "flags": None} for each in requests]
    assert selections[0] == selections[1]
    of_form = {"cli_words", "test", *(each.old_dest for each in ACTIONS if not each.old_about)}
    assert {n for n in DEFAULTS if getattr(one, n) != getattr(other, n)} <= of_form


# ---------------------------------------------------------------- words behind a command


def chosen(work, *words, cwd=None):
    out, _ = assay(
        work, "list", *words, "--format", "json", "--config", str(work.folder / "config.json"), cwd=cwd
    )
    return {row["test"].partition(".")[2] for row in json.loads(out)}


def test_a_test_may_be_named_by_its_file_folder_or_name(work):
    assert chosen(work, "t") == {"TestRed", "TestBlue", "TestTwo"}
    assert chosen(work, "t/colours.py") == {"TestRed", "TestBlue"}
    assert chosen(work, "t/colours.py::TestBlue", "t/counting.py") == {"TestBlue", "TestTwo"}
    assert chosen(work, "t", "Test[RT]*") == {"TestRed", "TestTwo"}
    assert chosen(work, "t/colours.py", "TestRed") == {"TestRed"}
    assert chosen(work, "t", "t/colours.py") == {"TestRed", "TestBlue", "TestTwo"}
    assert chosen(work, "colours", "--tests", "t") == {"TestRed", "TestBlue"}
    assert chosen(work, "colours.py", cwd=work.tests) == {"TestRed", "TestBlue"}


def test_a_file_beside_those_of_another_folder_needs_a_name_of_its_own(work):
    other = work.folder / "other"
    other.mkdir()
    (other / "colours.py").write_text("from evaluator import *\nTestGreen = 'q' >> LLMRun()\n")
    _, err = assay(work, "list", "t/counting.py", "other/colours.py", code=1)
    assert "other/colours.py: t/colours.py has the same name" in err
    (other / "colours.py").rename(other / "greens.py")
    assert chosen(work, "t/counting.py", "other/greens.py") == {"TestTwo", "TestGreen"}


def test_a_suite_is_named_by_its_name_or_folder(work):
    assert chosen(work, "arithmetic", "--depths", "1", "--trials", "1")
    folder = work.tests / "sums"
    folder.mkdir()
    (folder / "suite.py").write_text(
        "from assay.suites.suite import Sample, Suite\nfrom evaluator import *\n"
        "TEST = 'q' >> LLMRun()\n"
        "SUITE = Suite('sums', 'adds', lambda options: [Sample('sums.Zero', TEST, suite='sums')])\n"
    )
    assert chosen(work, "t/sums") == {"Zero"} == chosen(work, "sums", "--tests", "t")
    assert chosen(work, "t/sums", "t/counting.py") == {"Zero", "TestTwo"}


@pytest.mark.slow(5)
def test_a_run_is_shown_reported_exported_compared_and_resumed(work):
    out, err = assay(work, "run", "t/colours.py", "--model", "local/m", "--times", "2", "--report")
    assert "2/4" in out and "evaluation_examples/index.html (2 pages" in err
    assert {line["test"] for line in work.lines()} == {"colours.TestRed", "colours.TestBlue"}
    assert "2/4" in assay(work, "show", "local/m")[0]
    out, err = assay(work, "report", "--report-dir", "r")
    assert not out and "report: r/index.html" in err
    out, err = assay(work, "export", "a.csv", "junit=b.xml", "--model", "local/m")
    assert not out and "export: a.csv (4 trials)" in err and (work.folder / "b.xml").is_file()
    said = assay(work, "export", "csv=x.csv", "--model", "local/n", code=1)[1]
    assert "no saved results of a model 'local/n'. Did you mean local/m?" in said and "x.csv" not in said
    assay(work, "run", "t/colours.py", "--model", "local/n")
    assert "local/n" in assay(work, "compare", "local/m", "local/n")[0]
    _, err = assay(work, "run", "--resume")
    assert " -m assay run t/colours.py --model local/n --resume --runid 1" in err and "1 done" not in err
    assert "0 trials to run, 2 done before" in err
    assert "--resume" in assay(work, "--resume")[1]


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnu"], "there is no command 'rnu'. Did you mean run?"),
        (["red_picture"], "assay run NAME runs a test"),
        (["run", "--tiems", "3"], "unrecognized arguments: --tiems. Did you mean --times?"),
        (["list", "--times", "3"], "--times is a flag of run, not of list"),
        (
            ["show", "--sandbox", "podman"],
            "--sandbox is a flag of run, rescore, doctor and conformance, not of show",
        ),
        (["compare", "a"], "write assay compare A B"),
        (["doctor", "podman"], "write assay doctor"),
        (["new"], "write assay new NAME"),
        (["new", "flip", "--language", "pyhton"], "Did you mean python?"),
        (["run", "colour", "--tests", "t"], "Did you mean colours?"),
        (["--model", "m", "run"], "The command comes first: assay run"),
        (["run", "--otel-content"], "--otel-content goes with --otel"),
        (["run", "--dry-run", "--live"], "leave out one of them"),
        (["export", "a.doc"], "write one of"),
        (["export", "csv=x.csv"], "/results; run something first: "),
    ],
)
def test_a_mistake_is_one_line_that_helps(work, words, said):
    out, err = assay(work, *words, code=1)
    assert said in err and not out and err.startswith("error: ") and len(err.splitlines()) == 1


def test_what_stands_beside_an_action_without_doing_anything_still_may():
    """Scripts give the same flags to several actions of `python main.py`."""
    shared = ["--model", "m", "--sandbox", "podman", "--no-cache", "--retries", "2", "--logdir", "x"]
    for action in (["--list"], ["--load-saved"], ["--lint-tests"], ["--doctor"], ["--explain", "a"]):
        assert parse([*action, *shared]).model == ["m"]
    with pytest.raises(ConfigError, match="--times goes with --run-tests"):
        parse(["--list", "--times", "3"])
