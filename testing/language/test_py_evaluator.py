"""PyEvaluator and Setup: functions of the test inside the sandbox."""

# ruff: noqa: PTH110, PTH111, PTH115, PTH116, PTH123, PTH208

import json
import math
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter

import pytest

from assay.conformance.forgeries import program
from assay.language.dsl import NoOutput
from assay.records import Outcome
from evaluator import (
    MakeFile,
    MakeFilesFromJSON,
    PyEvaluator,
    PyFunc,
    PythonRun,
    Setup,
    StartDockerJob,
    SubstringEvaluator,
    TerminalRun,
)
from testing.language.pipeline import run_in_sandbox, text_of, trial

LIMIT = {"size": 3, "names": ("a", "b")}
DIGITS = re.compile(r"\d+", re.IGNORECASE)


class Parser:
    kind = "plain"

    def parse(self, text):
        return helper(text)


class Special(Parser):
    pass


def helper(text):
    return len(DIGITS.findall(text)) + LIMIT["size"]


def uses_its_file(text):
    assert math.floor(2.5) == 2 and Counter("aab")["a"] == 2
    assert json.loads("[1]") == [1] and os.sep == "/"
    return Special().parse(text) == 5 and Special.kind == "plain"


def test_the_function_runs_in_the_work_directory_of_the_sandbox():
    def check():
        return os.path.getsize("answer") == 2 and os.getcwd() == "/usr/src/app"  # noqa: PTH109, PTH202

    assert run_in_sandbox("42" >> MakeFile("answer") >> PyEvaluator(check)).output is True


def test_setup_runs_first_and_passes_the_value_on():
    def prepare():
        subprocess.run(["sh", "-c", "echo 7 > n"], check=True)

    assert run_in_sandbox("cat n" >> Setup(prepare) >> TerminalRun()).output == "7\n"


def test_a_parameter_gets_the_incoming_value():
    assert run_in_sandbox("a1b22" >> PyEvaluator(uses_its_file)).output is True

    def is_bytes(value):
        return value == b"\xff"

    def is_object(value):
        return value == {"a": [1]}

    def optional(value="none"):
        return value == "given"

    assert run_in_sandbox(PyEvaluator(is_bytes), b"\xff").output is True
    assert run_in_sandbox(PyEvaluator(is_object), {"a": [1]}).output is True
    assert run_in_sandbox(PyEvaluator(optional), "given").output is True


def test_the_verdict_is_whether_the_result_is_truthy_and_the_log_is_shown():
    def empty():
        return []

    def with_log():
        return "yes", "because"

    assert run_in_sandbox(PyEvaluator(empty)).output is False
    ran = run_in_sandbox(PyEvaluator(with_log))
    assert ran.output is True and "because" in ran.text


@pytest.mark.slow(2)
def test_what_ends_a_function_early_is_a_fail():
    def raises():
        raise KeyError("lost")

    def exits():
        sys.exit(0)

    def dies():
        os._exit(0)

    def hangs():
        time.sleep(60)

    endings = {
        raises: "KeyError: 'lost'",
        exits: "SystemExit",
        dies: "without a verdict",
        hangs: "time limit",
    }
    for fn, why in endings.items():
        ran = run_in_sandbox(PyEvaluator(fn, time_limit_s=2))
        assert isinstance(ran.output, NoOutput) and why in ran.text


def test_a_setup_that_fails_is_an_error_of_the_test():
    def broken():
        print("on the way")
        raise RuntimeError("no luck")

    record = trial("x" >> Setup(broken) >> SubstringEvaluator("x"))
    assert record.outcome is Outcome.ERROR and "no luck" in record.error


FORGE = """
import os, sys, glob
for path in glob.glob('/proc/[0-9]*/fd/*'):
    try:
        with open(path, 'w') as out:
            out.write('x{"ok": true, "returned": "1", "log": ""}\\n')
    except OSError:
        pass
print('{"ok": true, "returned": "True", "log": ""}')
for name in ('environ', 'mem', 'cmdline'):
    try:
        data = open(f'/proc/{os.getppid()}/{name}', 'rb').read(1 << 16)
        print('read', name)
    except OSError:
        pass
"""


def test_a_program_that_the_function_starts_cannot_forge_its_verdict():
    def judge():
        done = subprocess.run([sys.executable, "forge.py"], capture_output=True, text=True, timeout=10)
        sys.stdout.write(done.stdout + done.stderr)
        subprocess.run([sys.executable, "forge.py"], timeout=10)
        return False

    ran = run_in_sandbox(FORGE >> MakeFile("forge.py") >> PyEvaluator(judge))
    assert ran.output is False
    assert "judge() returned False" in ran.text
    assert "read mem" not in ran.text and "read environ" not in ran.text


def test_a_program_that_a_test_keeps_running_cannot_forge_a_verdict():
    def judge():
        time.sleep(0.2)
        return os.path.exists("forged")

    record = trial(
        program("lies_in_wait.py.txt")
        >> MakeFile("wait.py")
        >> StartDockerJob("python3 wait.py", eos_string="ready")
        >> PyEvaluator(judge)
    )
    assert record.outcome is Outcome.FAIL and "judge() returned False" in record.why, record
    assert "in a second sandbox" in text_of(record.reason)


def rewrites_the_answer():
    with open("answer.txt") as file:
        assert file.read() == "42"
    with open("answer.txt", "w") as file:
        file.write("forged")
    return os.listdir(".") == ["answer.txt"]


def answer_is_as_it_was():
    with open("answer.txt") as file:
        return file.read() == "42"


def test_where_only_files_were_written_the_function_has_the_trials_sandbox_for_itself():
    twice = PyEvaluator(rewrites_the_answer) & PyEvaluator(answer_is_as_it_was)
    record = trial("42" >> MakeFile("answer.txt") >> twice)
    assert record.outcome is Outcome.PASS, text_of(record.reason)
    assert "second sandbox" not in text_of(record.reason)


def prepares():
    pass


EXECUTES = [
    "true" >> TerminalRun(),
    "print(1)" >> PythonRun(),
    "set" >> Setup(prepares),
    "start" >> StartDockerJob("echo ready; cat", eos_string="ready"),
]


@pytest.mark.parametrize("step", EXECUTES, ids=["command", "program", "setup", "server"])
def test_where_anything_was_executed_the_function_has_a_second_sandbox(step):
    done = step >> PyFunc(lambda said: True)
    record = trial("42" >> MakeFile("answer.txt") >> (done & PyEvaluator(answer_is_as_it_was)))
    assert record.outcome is Outcome.PASS, text_of(record.reason)
    assert "a second sandbox, which got the trial's files" in text_of(record.reason)


LEAVES = r"""
mkdir -p deep/er empty .git && echo one > deep/er/file && printf '\xff\0' > bytes && ln -s deep/er/file link
echo 'echo ran' > run.sh && chmod 750 run.sh && touch -d '2020-02-02 02:02:02' deep && mkfifo pipe
echo secret > locked && chmod 000 locked && git config --global user.name Ann; echo set > ~/.config-of-mine
ln -s /etc/hostname outside; echo new > 'a name
with a newline'
"""


def sees_all():
    with open("bytes", "rb") as file:
        assert file.read() == b"\xff\0"
    with open("link") as file:
        assert file.read() == "one\n"
    assert os.readlink("link") == "deep/er/file" and os.readlink("outside") == "/etc/hostname"
    assert os.stat("run.sh").st_mode & 0o777 == 0o750
    assert subprocess.run(["./run.sh"], capture_output=True, executable="/bin/sh").returncode == 0
    assert time.gmtime(os.stat("deep").st_mtime).tm_year == 2020 and os.listdir("empty") == []
    assert os.stat("locked").st_mode & 0o777 == 0 and not os.path.exists("pipe")
    assert os.path.exists("a name\nwith a newline")
    with open(os.path.expanduser("~/.config-of-mine")) as file:
        assert file.read() == "set\n"
    return True


def sees_two():
    return sorted(os.listdir(".")) == ["bytes", "deep"] and os.listdir("deep") == ["er"]


def test_the_function_sees_the_files_as_the_program_left_them():
    ran = run_in_sandbox(LEAVES >> TerminalRun() >> PyEvaluator(sees_all))
    assert ran.output is True, ran.text
    assert (
        run_in_sandbox(LEAVES >> TerminalRun() >> PyEvaluator(sees_two, files=["bytes", "deep/er"])).output
        is True
    )


def test_files_that_cannot_be_handed_on_are_a_fail_that_says_why():
    def judge():
        return True

    deep = "import os\nfor _ in range(200):\n    os.mkdir('d')\n    os.chdir('d')"
    ran = run_in_sandbox(deep >> PythonRun() >> PyEvaluator(judge))
    assert not ran.output and "folders within each other" in ran.text


def test_what_lies_in_the_work_directory_can_be_imported_and_shadows_nothing():
    files = {"helper.py": "import random\nANSWER = 42", "random.py": "raise SystemExit('hijacked')"}

    def judge():
        import helper

        return helper.ANSWER == 42

    assert run_in_sandbox(json.dumps(files) >> MakeFilesFromJSON() >> PyEvaluator(judge)).output is True


def test_a_file_of_the_model_cannot_stand_in_for_a_module():
    files = {
        name: "raise SystemExit('hijacked')"
        for name in ("json.py", "random.py", "base64.py", "sitecustomize.py")
    }

    def judge():
        return random.random() < 2

    assert run_in_sandbox(json.dumps(files) >> MakeFilesFromJSON() >> PyEvaluator(judge)).output is True


def test_what_the_function_prints_is_shown_and_does_no_harm():
    def noisy():
        print('{"ok": false}')
        os.write(1, b"\xff\n")
        return True

    ran = run_in_sandbox(PyEvaluator(noisy))
    assert ran.output is True and '{"ok": false}' in ran.text
