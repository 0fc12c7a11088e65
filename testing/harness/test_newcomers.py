"""Slips and narrow windows of a first day: each is named, and nothing is written where nobody asked."""

import json
import os
import pty
import re
import shlex
import subprocess

import pytest

from assay.language.run import LanguageRun
from assay.records import Message
from assay.report.messages import broken
from assay.suites.unasked import unasked
from evaluator import Branch, ExtractCode, Node, Reason, SubstringEvaluator
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.model_wire import Reply


@pytest.fixture
def work(tmp_path):
    with ModelServer(replies={"say red": "red", "say two": "two"}) as server:
        made = Workspace(tmp_path, server)
        made.test_file("a", "DESCRIPTION = 'Names of colours, the warm ones'\n"
                            "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n")  # fmt: skip
        yield made


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("TestX = ['a' >> LLMRun(), 3]", "TestX[1] is of type int, but a test is made of nodes"),
        ("TestX = {'a' >> LLMRun()}", "TestX is a set of tests, which has no order"),
        (
            "TestX = {'a\\n': x >> LLMRun() for x in 'a'}",
            "TestX has a key 'a\\n', which cannot be shown on one line",
        ),
        ("TestX = b'GIF8' >> LLMVisionRun('?')", "b'GIF8' is bytes; a test begins with a node or a string"),
        ("TestX = 3 >> LLMRun()", "3 is an int; an operand of >> must be a node or a string"),
    ],
)
def test_what_is_no_test_is_named_with_what_to_write(work, line, said):
    work.test_file("b", line + "\n")
    out, err = work.main("--run-tests", "--model", "local/m", code=1)
    assert said in err and "1/1" in out, "the other tests run"
    assert said in work.main("--run-tests", "--model", "local/m", "--test", "b", code=1)[1]


def test_a_text_that_is_called_a_test_is_named_with_what_to_write(work):
    for value, kind in (("'a'", "a string"), ("7", "of type int")):
        work.test_file("b", f"TestX = {value}\n")
        err = work.main("--run-tests", "--model", "local/m")[1]
        assert f'TestX is {kind}, but a test is made of nodes, e.g. TestX = "a question" >> LLMRun()' in err


def test_a_test_that_passes_with_any_reply_is_warned_of_by_a_run(work):
    work.test_file("b", "".join(f"Test{n} = 'say red' >> LLMRun()\n" for n in range(4)))
    (work.tests / "c.csv").write_text("colour\nred\n")
    work.test_file("c", "TestC = Rows('c.csv') >> 'say <colour>' >> LLMRun()\n")
    _, err = work.main("--run-tests", "--model", "local/m", "--dry-run")
    assert "warning: b.Test0 ends in LLMRun, which passes with any reply; end with a judge" in err
    assert "b.Test3" not in err and "warning: 2 more end without a judge;" in err and "a.TestRed" not in err
    _, err = work.main("--run-tests", "--model", "local/m", "--test", "TestC", "--dry-run")
    assert "warning: c.TestC ends in LLMRun" in err


def test_of_steps_of_ones_own_only_code_of_ones_own_may_ask():
    class ShellRun(LanguageRun):
        language = "bash"

    class Ask(Node):
        async def run(self, value, ctx):
            yield Branch((await ctx.llm.complete([Message("user", value)])).text, Reason(self, ()))

    runs = ShellRun() >> SubstringEvaluator("7")
    said = unasked({"own": "7" >> ExtractCode() >> runs, "asks": "Say 7" >> Ask() >> runs})
    assert said.startswith("1 of 2 tests does not ask the model, so its verdict says nothing about it: own (")


def test_tests_that_do_not_ask_the_model_are_told_of_by_a_run(work):
    lines = "".join(f"Test{n} = 'Say red' >> SubstringEvaluator('red')\n" for n in range(4))
    work.test_file("b", lines + "TestLast = 'Say red' >> ExtractCode() >> SubstringEvaluator('red')\n")
    _, err = work.main("--run-tests", "--model", "local/m")
    assert (
        "5 of 6 tests do not ask the model, so their verdicts say nothing about it: "
        "b.Test0, b.Test1, b.Test2 and 2 more (forgot >> LLMRun()?)"
    ) in err
    (work.tests / "c.csv").write_text("colour\nred\nblue\n")
    work.test_file("c", "TestC = Rows('c.csv') >> 'say <colour>' >> SubstringEvaluator('red')\n")
    _, err = work.main("--run-tests", "--model", "local/m", "--test", "TestC", "--dry-run")
    assert "1 test does not ask the model, so its verdict says nothing about it: c.TestC (" in err
    seen = "Image(lambda: b'') >> LLMVisionRun('?') >> SubstringEvaluator('red')"
    work.test_file("p", f"TestP = {seen}\n")
    _, err = work.main("--run-tests", "--model", "local/m", "--test", "TestP", "--dry-run")
    assert "so its verdict says nothing about it: p.TestP (forgot llm=LLM?)" in err
    own = "class Own(Node):\n    async def run(self, value, ctx):\n        yield value\n"
    work.test_file("d", f"from assay.language.dsl import Node\n{own}TestD = 'a' >> Own()\n")
    assert "not ask" not in work.main("--run-tests", "--model", "local/m", "--test", "TestD", "--dry-run")[1]


def test_the_way_out_that_a_list_is_told_works(work):
    work.test_file(
        "b",
        "tests = ['say red' >> LLMRun() >> SubstringEvaluator('red')] * 2\n"
        "for at, each in enumerate(tests): globals()[f'TestX_{at}'] = each\n",
    )
    assert "b.TestX_1" in work.main("--run-tests", "--model", "local/m")[0]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            {"llms": {"local": {"base_ur": "http://x"}}},
            "unknown key llms.local.base_ur. Did you mean base_url?",
        ),
        ({"llms": {"local": {"API_key": "k"}}}, "unknown key llms.local.API_key. Did you mean api_key?"),
        ({"max_conections": 3}, "Did you mean max_connections"),
        ({"providers": {}}, "Did you mean llms"),
    ],
)
def test_a_slip_in_a_key_is_named(work, config, said):
    (work.folder / "config.json").write_text(json.dumps(config))
    assert said in work.main("--run-tests", "--model", "local/m", code=1)[1]


def test_saved_results_of_other_folders_of_tests_are_left_out(work):
    work.main("--run-tests", "--model", "local/m")
    other = work.folder / "other"
    other.mkdir()
    (other / "b.py").write_text(
        "from evaluator import *\nTestTwo = 'say two' >> LLMRun() >> SubstringEvaluator('two')\n"
    )
    work.main("--run-tests", "--model", "local/m", "--tests", str(other))
    out, _ = work.main("--load-saved", "--tests", str(other))
    assert "b.TestTwo" in out and "a.TestRed" not in out
    both = ("--tests", str(other), "--tests", str(work.tests))
    out, _ = work.main("--load-saved", *both)
    assert "b.TestTwo" in out and "a.TestRed" in out
    (other / "b.py").rename(other / "c.py")  # its file is gone: by its name
    assert "a.TestRed" in work.main("--load-saved")[0]
    assert "match these flags" in work.main("--load-saved", "--tests", str(other), code=1)[1]


def test_a_live_runs_report_lies_beside_its_results(work):
    command = [word for word in work.command("--run-tests", "--model", "local/m", "--live")]
    at = command.index("--report-dir")
    del command[at : at + 2]
    done = subprocess.run(
        command,
        cwd=work.folder,
        env=work.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "report: results/report/index.html" in done.stderr
    assert (work.results / "report" / "index.html").is_file()


def test_a_report_of_some_tests_says_of_how_many(work):
    work.many_tests(2)
    work.main("--run-tests", "--model", "local/m")
    said = "the report covers 1 of 3 tests with results; without --test"
    for flags in (["--test", "a"], []):
        _, err = work.main("--load-saved", "--generate-report", *flags)
        page = (work.folder / "report" / "index.html").read_text()
        assert (said in err, said in page) == (bool(flags), bool(flags))


def shown(work, columns, *flags, messages=False):
    """What a terminal of so many columns shows: of stdout, or of stderr."""
    screen, end = pty.openpty()
    environment = {**work.environment, "COLUMNS": str(columns), "TERM": "xterm"}
    out, err = (subprocess.DEVNULL, end) if messages else (end, subprocess.DEVNULL)
    process = subprocess.Popen(work.command(*flags), cwd=work.folder, env=environment, stdout=out, stderr=err)
    os.close(end)
    said = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:
            break
        said += part
    process.wait(60)
    os.close(screen)
    return re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\", "", said.decode()).replace("\r", "").splitlines()


def test_a_message_breaks_between_words(work):
    work.test_file("greeting", "TestIt = '' >> LLMRun()\n")
    flags = ("--run-tests", "--model", "mistral/small", "--test", "greeting")
    lines = shown(work, 60, *flags, messages=True)
    whole = shown(work, 500, *flags, messages=True)
    assert len(lines) > len(whole) and max(map(len, lines)) <= 60
    assert " ".join(lines).split() == " ".join(whole).split() and "config.json" in " ".join(lines)


def test_a_command_in_a_message_stays_in_one_piece_and_works(work):
    lines = shown(work, 60, "--run-tests", "--model", "local/m", "--test", "nosuch", messages=True)
    (named,) = [line for line in lines if " list " in line]
    assert named == f"{shlex.join(work.command()[:2])} list shows all tests"
    work.test_file("b", "TestIt = 'say red' >> LLMRun() >> SubstringEvaluator('two')\n")
    lines = shown(work, 60, "--run-tests", "--model", "local/m", "--report-dir", "report", messages=True)
    said = next(line for line in lines if "main.py report" in line)
    copied = [said, "--report-dir", "report", "--config", "config.json"]
    subprocess.run(" ".join(copied), shell=True, cwd=work.folder, env=work.environment, check=True)
    assert (work.folder / "report" / "index.html").is_file()


@pytest.mark.parametrize(
    "lines",
    [
        (
            "it is not here:",
            "make -C /a/folder/of/somebody setup EXTRAS='plots otel';",
            "nothing was run",
        ),
        ("podman is not here", "(apt-get install podman runc uidmap,", "dnf install podman); or ask"),
        ("get one with", "`ollama pull NAME or another name`"),
        ("  - indented words that go on and on,", "  make them"),
    ],
)
def test_lines_break_beside_commands(lines):
    text = lines[0] + "".join(f" {each.lstrip()}" for each in lines[1:])
    assert broken(text, 40).split("\n") == list(lines)


def test_a_list_on_a_narrow_screen_has_descriptions(work):
    work.test_file(
        "a_test_of_a_rather_long_name_indeed_so_long", "DESCRIPTION = 'Long name'\nTestIt = '' >> LLMRun()\n"
    )
    for columns in (80, 110):
        said = "\n".join(shown(work, columns, "--list"))
        assert "a.TestRed" in said and "Names of colours, the warm ones" in said
        assert "a_test_of_a_rather_long_name_indeed_so_long.TestIt" in said and "Long name" in said
        assert all(len(line) <= columns for line in said.splitlines())


def test_help_names_every_command_on_one_screen(work):
    out, _ = work.main("--help")
    commands = [
        "run",
        "show",
        "report",
        "compare",
        "rescore",
        "export",
        "list",
        "explain",
        "lint",
        "new",
        "doctor",
        "conformance",
        "image",
    ]
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  ")][:-1] == commands
    assert len(out.splitlines()) <= 24
    assert all(len(line) <= 80 for line in out.splitlines())


def test_why_a_verdict_changed_is_no_wider_than_a_screen(work):
    work.main("--run-tests", "--model", "local/m")
    work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('blue ' * 60)\n")
    out, _ = work.main("--rescore", "last")
    table = out.partition("Verdicts that changed")[2]
    assert "the grader changed" in table and max(map(len, table.splitlines())) <= 140
    changed = json.loads(work.main("--rescore", "last", "--format", "json")[0])[0]["changed"]
    assert len(changed[0]["now"]) > 100, "programs have it whole"


def test_a_models_table_keeps_its_headings_on_80_columns(work):
    work.main("--run-tests", "--model", "local/m")
    lines = shown(work, 80, "--load-saved")
    assert "passed" in "\n".join(lines[:4]) and all(len(line) <= 80 for line in lines)


def test_a_judge_that_had_to_be_asked_twice_is_not_asked_again(tmp_path):
    """What a repeated run finds in the cache is a whole trial: the reply that could not be read, too."""

    def replies(asked):
        judged = asked.model == "wise"
        in_words = 'a line "VERDICT: "' in asked.body["messages"][-1]["content"]
        return Reply(("It is red.\nVERDICT: YES" if in_words else '{"fine": true}') if judged else "red")

    with ModelServer(reply=replies) as server:
        work = Workspace(tmp_path, server)
        work.test_file("a", "TestRed = 'say red' >> LLMRun() >> Judge('Is it a colour?')\n")
        for asked in (3, 0):
            before = server.stats()["requests"]
            out, _ = work.main("--run-tests", "--model", "local/m", "--judge", "local/wise")
            assert "1/1" in out and server.stats()["requests"] - before == asked


def test_who_gives_no_model_is_told_that_the_oracle_runs(work):
    said = "no --model was given, and config.json names no other: the oracle replays references"
    assert said in work.main("--run-tests")[1]
    assert "no --model was given" not in work.main("--run-tests", "--model", "oracle")[1]


def test_a_run_without_a_trial_makes_no_file(work):
    (work.tests / "a.py").unlink()
    (work.tests / "c.csv").write_text("id,colour\nx,red\nx,blue\n")
    work.test_file(
        "c", "TestC = Rows('c.csv', id='id') >> 'say <colour>' >> LLMRun() >> SubstringEvaluator('r')\n"
    )
    _, err = work.main("--run-tests", "--model", "local/m", code=1)
    assert "local/m: nothing to run" in err and "0 trials to run" not in err
    assert not list(work.results.glob("*/*/*.jsonl"))


def test_a_judge_that_cannot_be_and_that_no_test_asks_stops_no_run(tmp_path):
    with ModelServer(replies={"say red": "red"}) as server:
        work = Workspace(tmp_path, server, judge="judge")
        work.test_file("a", "TestRed = 'say red' >> LLMRun() >> SubstringEvaluator('red')\n")
        assert "1/1" in work.main("--run-tests", "--model", "local/m")[0]
