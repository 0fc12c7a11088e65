"""The pytest plugin, as somebody meets it who keeps tests of this language in a folder of their own: real
runs of pytest, in a project that is not ours, on the local model server and on references."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest

from assay.plugins.pytest import _tests_of_assay
from testing.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "\x1b]0;owned\x07\x1b[2J no words \x1b[31m"
WORDS = """
from evaluator import *

DESCRIPTION = "Words"
TAGS = ["talk"]

TestPasses = "[[say hello there]]" >> LLMRun() >> SubstringEvaluator("hello")
TestFails = "what is it" >> LLMRun() >> SubstringEvaluator("hello")
TestBreaks = "[[400]]" >> LLMRun() >> SubstringEvaluator("hello")

def test_case(reply):
    raise AssertionError("pytest must not take this for a test")
"""
LACKS = """
from evaluator import *

REQUIRES = ["no-such-command"]
TestSkipped = "[[say hello]]" >> LLMRun() >> SubstringEvaluator("hello")
"""
BROKEN = "from evaluator import *\nTestNever = 'x' >> LLMRun() >> NoSuchNode()\n"
ORDINARY = "def test_of_the_project():\n    pass\n"
WRITES = """
from evaluator import *

TestWrites = "Print a word." >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("word")
"""
REFERENCES = """
RIGHT = {"TestWrites": ["```python\\nprint('word')\\n```", "```python\\nprint('a word')\\n```"]}
WRONG = {"TestWrites": ["```python\\nprint('nothing')\\n```"]}
"""
STRICT = "[pytest]\nfilterwarnings = error\naddopts = --strict-markers --import-mode=importlib\n"


class Project:
    """Somebody's repository, with an ordinary test and tests of models in the folder `mine`."""

    def __init__(self, folder: Path, server: ModelServer | None = None, **more: object) -> None:
        """`more`: settings of the server."""
        self.folder = folder
        (folder / "mine" / "references").mkdir(parents=True)
        settings = {"sandbox": "bubblewrap", "retries": 0}
        if server is not None:
            local = {"base_url": server.url + "/v1", "api_key": "sk-local-secret", **more}
            settings["llms"] = {"local": local}
        (folder / "config.json").write_text(json.dumps(settings))
        (folder / "pytest.ini").write_text(STRICT)
        self.write("test_ordinary", ORDINARY)

    def write(self, name: str, text: str) -> None:
        (self.folder / "mine" / f"{name}.py").write_text(text)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
        command = [sys.executable, "-m", "pytest", "-p", "assay.plugins.pytest", "-p", "no:hypothesispytest"]
        return subprocess.Popen(
            [*command, *arguments],
            cwd=self.folder,
            env={**kept, "PYTHONPATH": str(ROOT), "GIT_DIR": str(self.folder / "no git"), "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def pytest(self, *arguments: str, code: int = 0) -> str:
        process = self.start(*arguments)
        out, _ = process.communicate(timeout=200)
        assert process.returncode == code, f"exit code {process.returncode}\n{out}"
        return out

    def records(self) -> list[dict[str, object]]:
        files = sorted(self.folder.glob("results/*/*/run-*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def server():
    with ModelServer(replies={"what is it": HOSTILE}) as made:
        yield made


@pytest.fixture(scope="module")
def ran(tmp_path_factory, server):
    """(the project, what pytest printed, its --junitxml) of one run with every outcome in it."""
    made = Project(tmp_path_factory.mktemp("project"), server)
    for name, text in (("words", WORDS), ("lacks", LACKS), ("broken", BROKEN)):
        made.write(name, text)
    out = made.pytest("mine", "--model", "local/m", "-v", "-rA", "--junitxml", "junit.xml", code=1)
    return made, out, ElementTree.parse(made.folder / "junit.xml")


def test_each_outcome_is_pytests_own(ran):
    _, out, _ = ran
    for line in (
        "mine/words.py::TestPasses[local/m] PASSED",
        "mine/words.py::TestFails[local/m] FAILED",
        "mine/words.py::TestBreaks[local/m] ERROR",
        "mine/lacks.py::TestSkipped[local/m] SKIPPED",
        "mine/broken.py::TestNever[local/m] ERROR",
        "mine/test_ordinary.py::test_of_the_project PASSED",
    ):
        assert line in out
    assert "1 failed, 2 passed, 1 skipped, 2 errors" in out
    assert "test_case" not in out, "a file of tests of models is not read as a file of test functions"


def test_a_failure_shows_the_steps_and_drives_no_terminal(ran):
    _, out, _ = ran
    assert "asked local/m:" in out and "what is it" in out and "no words" in out
    assert "SubstringEvaluator: failed, output lacks 'hello'" in out
    assert "FAILED mine/words.py::TestFails[local/m] - wrong: output lacks 'hello'" in out
    assert "\x1b" not in out
    assert "ERROR mine/words.py::TestBreaks[local/m] - " in out and "400" in out
    assert re.search(r"broken\.py:2: NameError: name 'NoSuchNode' is not defined", out)
    assert "Traceback" not in out and "raise " not in out, "no source of ours, of which nobody asked"


def test_a_skip_says_why_and_nothing_was_asked(ran, server):
    _, out, _ = ran
    assert re.search(r"SKIPPED \[1\] mine.lacks\.py:5: .*lacks no-such-command", out)
    assert "sk-local-secret" not in out


def test_junitxml_has_the_outcomes_and_the_reasons(ran):
    _, _, tree = ran
    cases = {(case.get("classname"), case.get("name")): case for case in tree.iter("testcase")}
    failed = cases["mine.words", "TestFails[local/m]"]
    assert "output lacks 'hello'" in failed.find("failure").get("message")
    assert "what is it" in failed.find("failure").text
    assert cases["mine.words", "TestBreaks[local/m]"].find("error") is not None
    assert "no-such-command" in cases["mine.lacks", "TestSkipped[local/m]"].find("skipped").get("message")
    facts = {each.get("name"): each.get("value") for each in failed.iter("property")}
    assert facts["assay_model"] == "local/m" and facts["assay_outcome"] == "fail"


def test_results_are_kept_as_the_command_keeps_them(ran):
    made, out, _ = ran
    records = {(record["test"], record["outcome"]) for record in made.records()}
    assert records == {
        ("words.TestPasses", "pass"),
        ("words.TestFails", "fail"),
        ("words.TestBreaks", "error"),
        ("lacks.TestSkipped", "skipped"),
    }
    assert "assay: results in " in out
    shown = subprocess.run(
        [sys.executable, "-m", "assay", "--load-saved", "--format", "json"],
        cwd=made.folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert shown.returncode == 0 and "words.TestPasses" in shown.stdout


@pytest.mark.slow(2)
def test_choosing_by_name_tag_and_id_and_stopping_at_the_first_failure(ran, server):
    made, _, _ = ran
    listed = made.pytest(
        "mine/words.py", "--collect-only", "-q", "--model", "local/m", "--model", "local/n", "--times", "2"
    )
    names = [line for line in listed.splitlines() if "::" in line]
    assert names[:4] == [
        "mine/words.py::TestPasses[local/m-epoch1]",
        "mine/words.py::TestPasses[local/m-epoch2]",
        "mine/words.py::TestPasses[local/n-epoch1]",
        "mine/words.py::TestPasses[local/n-epoch2]",
    ]
    assert len(names) == 3 * 2 * 2
    asked = server.stats()["requests"]
    out = made.pytest("mine", "--model", "local/m", "-k", "talk and Passes")
    assert "1 passed" in out and "deselected" in out
    assert server.stats()["requests"] == asked, "the reply was in the cache"
    out = made.pytest("mine/words.py::TestPasses", "--model", "local/m", "-q")
    assert "1 passed" in out
    out = made.pytest("mine/words.py", "--model", "local/m", "-x", code=1)
    assert "1 failed, 1 passed" in out and "stopping after 1 failures" in out


COSTLY = """
from evaluator import *

TestFirst = "[[say one]] first" >> LLMRun() >> SubstringEvaluator("one")
TestSecond = "[[say one]] second" >> LLMRun() >> SubstringEvaluator("one")
TestThird = "[[say one]] third" >> LLMRun() >> SubstringEvaluator("one")
"""


@pytest.mark.slow(2)
def test_the_budget_ends_the_session_and_last_failed_goes_on(tmp_path, server):
    made = Project(tmp_path, server, prices={"*": {"input": 0, "output": 1e6}})  # one dollar a token
    made.write("costly", COSTLY)
    out = made.pytest("mine", "--model", "local/m", "--max-cost", "0.5", code=2)
    assert "1 passed, 1 error" in out and "--max-cost 0.5 reached: $1.00 spent" in out
    assert "TestThird" not in out and "line.py" not in out
    out = made.pytest("mine", "--model", "local/m", "--lf", "-v")
    assert "mine/costly.py::TestSecond[local/m] PASSED" in out and "1 passed" in out


@pytest.mark.slow(4)
def test_each_worker_of_xdist_has_sandboxes_of_its_own(tmp_path):
    made = Project(tmp_path)
    made.write("writes", WRITES)
    (tmp_path / "mine/references/writes.py").write_text(REFERENCES)
    out = made.pytest("mine/writes.py", "-n", "2", "--model", "oracle", "--model", "saboteur", code=1)
    assert "1 failed, 2 passed" in out
    assert "output lacks 'word'" in out
    verdicts = Counter((record["model"], record["outcome"]) for record in made.records())
    assert verdicts == {("oracle", "pass"): 2, ("saboteur", "fail"): 1}
    assert out.count("assay: results in ") == len({*made.folder.glob("results/*/*/run-*.jsonl")})


SLOW = """
from evaluator import *

TestSlow = "Wait." >> LLMRun() >> ExtractCode() >> PythonRun() >> SubstringEvaluator("word")
"""


def running(mark: str) -> list[str]:
    """The processes whose command line holds `mark`."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208 - a glob breaks if one ends
        try:
            command = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if mark in command:
            found.append(command)
    return found


def wait_until(condition, seconds=90.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "workers",
    [pytest.param((), id="alone"), pytest.param(("-n", "1"), marks=pytest.mark.slow(6), id="xdist")],
)
def test_ctrl_c_leaves_no_sandbox_behind(tmp_path, workers):
    mark = f"assay-sleeper-{os.getpid()}-{len(workers)}"
    made = Project(tmp_path)
    made.write("slow", SLOW)
    program = f"import subprocess\\nsubprocess.run(['bash', '-c', 'sleep 100; : {mark}'])"
    right = f'RIGHT = {{"TestSlow": ["```python\\n{program}\\n```"]}}\n'
    (tmp_path / "mine/references/slow.py").write_text(right)
    process = made.start("mine/slow.py", "--model", "oracle", *workers)
    try:
        wait_until(lambda: running(mark))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 2, out
    assert "KeyboardInterrupt" in out or "Interrupted" in out
    wait_until(lambda: not running(mark))


def test_it_does_nothing_unless_it_is_asked(tmp_path):
    made = Project(tmp_path)
    made.write("writes", WRITES)
    out = made.pytest("mine", "-v")
    assert "1 passed" in out and "writes" not in out and "\nassay: " not in out
    assert "language models" not in out
    made.write("test_own", WRITES)
    assert "language models" not in made.pytest("mine/test_own.py::test_nothing", code=4)
    assert "language models" not in made.pytest("mine", "-k", "nothing", code=5)
    out = made.pytest("mine/writes.py", code=5)
    assert "no tests ran" in out and "mine/writes.py has tests of language models: name a model" in out
    assert not (tmp_path / "results").exists()


def test_a_folder_of_pytests_own_files_has_no_tests_of_models(tmp_path):
    for name in ("test_own.py", "conftest.py"):
        (tmp_path / name).write_text("from evaluator import *\n")
    assert not _tests_of_assay([str(tmp_path)])
    (tmp_path / "writes.py").write_text("from evaluator import *\n")
    assert _tests_of_assay(["nowhere", f"{tmp_path}::a"]) == str(tmp_path)


def test_options_of_others_come_first(tmp_path):
    """A project whose conftest.py has a --model of its own keeps it; ours has a longer name as well."""
    made = Project(tmp_path)
    made.write("writes", WRITES)
    (tmp_path / "mine/references/writes.py").write_text(REFERENCES)
    (tmp_path / "mine/conftest.py").write_text(
        "import pytest\n"
        "def pytest_addoption(parser):\n    parser.addoption('--model', default='theirs')\n"
        "@pytest.fixture\ndef model(request):\n    return request.config.getoption('--model')\n"
    )
    made.write("test_ordinary", "def test_it(model):\n    assert model == 'vgg16'\n")
    out = made.pytest("mine", "--model", "vgg16", "-v")
    assert "1 passed" in out and "writes" not in out
    out = made.pytest("mine", "--model", "vgg16", "--assay-model", "oracle", "--sandbox", "bubblewrap")
    assert "3 passed" in out


def test_settings_of_pytest_can_ask_for_it(tmp_path):
    made = Project(tmp_path)
    made.write("writes", WRITES)
    (tmp_path / "mine/references/writes.py").write_text(REFERENCES)
    (tmp_path / "pytest.ini").write_text(STRICT + "assay_model = oracle\nassay_flags = --times 3\n")
    assert "TestWrites[oracle-epoch3]" in made.pytest("mine/writes.py", "--collect-only", "-q")


def test_what_is_doubtful_in_rows_is_a_warning_of_pytest(tmp_path):
    made = Project(tmp_path)
    row = "TestRow = Rows([{'word': 'x'}]) >> 'a' >> LLMRun() >> SubstringEvaluator('the <noun>')"
    made.write("rows", f"from evaluator import *\n{row}\n")
    out = made.pytest("mine/rows.py", "--model", "oracle", "--collect-only")
    assert "PytestWarning: mine/rows.py:2: TestRow: list: <noun> in an argument of SubstringEvaluator" in out


def test_tests_that_do_not_ask_the_model_are_told_of_at_the_end(tmp_path):
    made = Project(tmp_path)
    made.write("asks", "from evaluator import *\nTestNone = 'say x' >> SubstringEvaluator('x')\n")
    out = made.pytest("mine/asks.py", "--model", "oracle")
    assert (
        "assay: 1 of 1 test does not ask the model, so its verdict says nothing about it: asks.TestNone"
        in out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--model", "nonsense"), "the provider of model 'nonsense' is unknown"),
        (("--model", "oracle", "--times", "none"), "'none' is not a whole number above 0"),
        (("--model", "oracle", "--sandbox", "bubblewarp"), "Did you mean bubblewrap?"),
        (("--model", "oracle", "--assay-flags", "--test x"), "--test is not for pytest"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, arguments, message):
    out = Project(tmp_path).pytest("mine", *arguments, code=4)
    assert message in out and "Traceback" not in out


@pytest.mark.slow(2)
def test_where_nothing_can_be_kept_nothing_is_asked(tmp_path):
    """The run of that name is there already: each test says so, and none is paid for."""
    with ModelServer() as server:
        made = Project(tmp_path, server)
        made.write("words", WORDS)
        flags = ("mine", "--model", "local/m", "--assay-flags=--runid ci --no-cache")
        made.pytest(*flags, "-k", "Passes")
        asked = server.stats()["requests"]
        out = made.pytest(*flags, code=1)
        assert "run ci of local/m" in out and "3 errors" in out
        assert server.stats()["requests"] == asked and len(made.records()) == 1


@pytest.mark.slow(3)
def test_workers_of_xdist_share_a_run_id(tmp_path):
    with ModelServer() as server:
        made = Project(tmp_path, server)
        made.write("words", WORDS)
        made.pytest("mine", "--model", "local/m", "--assay-flags=--runid ci", "-n", "2", code=1)
        assert len(made.records()) == 3
