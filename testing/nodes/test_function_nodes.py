"""PyFunc on the host; PyEvaluator and Setup inside the sandbox."""

import functools
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

from assay.errors import NodeError
from assay.nodes.dsl import NoOutput
from assay.nodes.function_source import function_source
from assay.records import Outcome
from evaluator import (
    LLMRun,
    MakeFile,
    MakeFilesFromJSON,
    PyEvaluator,
    PyFunc,
    Score,
    Setup,
    SubstringEvaluator,
    TerminalRun,
)
from testing.nodes.pipeline import run, run_in_sandbox, trial

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


# ---------------------------------------------------------------- PyFunc


@pytest.mark.parametrize(
    ("fn", "output"),
    [
        (str.upper, "TEXT"),
        (lambda value: ("out", "a log"), "out"),
        (lambda value: [1, 2], [1, 2]),
        (lambda value: Score(0.5, True), Score(0.5, True)),
        (lambda value: None, None),
    ],
)
def test_pyfunc_passes_on_what_the_function_returns(fn, output):
    assert run(PyFunc(fn), "text").output == output


def test_pyfunc_shows_the_log_and_what_it_was_called_with_when_it_fails():
    text = run(PyFunc(lambda value: (False, "the log")), "the input").text
    assert "the log" in text and "the input" in text


@pytest.mark.parametrize("error", [ValueError("odd"), SystemExit(3), AssertionError("odd")])
def test_an_exception_is_a_fail_with_its_message_and_later_steps_do_not_run(error):
    def broken(value):
        raise error

    ran = run("x" >> PyFunc(broken) >> ~SubstringEvaluator("y"))
    assert isinstance(ran.output, NoOutput)
    assert f"{type(error).__name__}: {error}" in ran.text


def test_pyfunc_exception_in_a_trial_is_a_fail_not_an_error():
    assert trial("x" >> PyFunc(lambda value: 1 / 0)).outcome is Outcome.FAIL


def test_a_score_sets_the_score_of_the_trial():
    record = trial("x" >> PyFunc(lambda value: Score(0.25, False, {"points": 1})))
    assert (record.outcome, record.score, record.metrics) == (Outcome.FAIL, 0.25, {"points": 1})


# ---------------------------------------------------------------- inside the sandbox


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
        assert ran.output is False and why in ran.text


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


# ---------------------------------------------------------------- what can be sent


def decorator(fn):
    @functools.wraps(fn)
    def wrapped():
        return not fn()

    return wrapped


@decorator
def decorated():
    return True


def test_decorators_are_left_out():
    assert function_source(decorated).source.startswith("def decorated")
    assert run_in_sandbox(PyEvaluator(decorated)).output is True


def test_a_lambda_is_refused_when_the_file_is_loaded():
    with pytest.raises(NodeError, match="lambda"):
        PyEvaluator(lambda: True)
    with pytest.raises(NodeError, match="needs a function"):
        Setup("ls")


def uses_a_node():
    return TREE


TREE = "q" >> LLMRun()


def uses_nothing_known():
    return undefined_name  # noqa: F821


def two_arguments(a, b):
    return True


async def asynchronous():
    return True


def test_what_cannot_be_sent_is_named():
    outer = 3

    def closure():
        return outer

    for fn, why in (
        (uses_a_node, "TREE"),
        (uses_nothing_known, "undefined_name"),
        (two_arguments, "2 arguments"),
        (asynchronous, "async"),
        (closure, "outer"),
    ):
        with pytest.raises(NodeError, match=why):
            function_source(fn)
