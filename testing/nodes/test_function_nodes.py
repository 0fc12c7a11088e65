"""PyFunc on the host; PyEvaluator and Setup inside the sandbox."""

# ruff: noqa: PTH110, PTH111, PTH115, PTH116, PTH123, PTH208

import dataclasses
import enum
import functools
import json
import math
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, namedtuple

import pytest

from assay.errors import NodeError
from assay.nodes.dsl import NoOutput
from assay.nodes.function_source import function_source
from assay.records import Cause, Outcome
from evaluator import (
    CRun,
    ExtractCode,
    JSONSubsetEvaluator,
    LLMRun,
    MakeFile,
    MakeFilesFromJSON,
    PyEvaluator,
    PyFunc,
    PythonRun,
    Score,
    Setup,
    StartDockerJob,
    SubstringEvaluator,
    TerminalRun,
)
from testing.nodes.pipeline import run, run_in_sandbox, text_of, trial

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


def test_why_a_trial_failed_has_what_the_function_said_of_it():
    def judge(value):
        return False, f"expected 42,\nprinted {value}"

    for node in (PyFunc(judge), PyEvaluator(judge)):
        assert "returned False: expected 42, printed 41; called with '41'" in trial("41" >> node).why
    assert trial("41" >> PyFunc(lambda _: (False, None))).why == "returned False; called with '41'"
    assert len(trial("41" >> PyFunc(lambda _: (False, "x " * 10**6))).why) < 400


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


# Between exec and prctl of whatever Python starts, its descriptors can be taken.
LIE_IN_WAIT = """
import glob, os, signal
print('ready', flush=True)
own = {str(os.getpid()), '1'}
while True:
    for path in glob.glob('/proc/[0-9]*'):
        pid = path.split('/')[2]
        if pid in own:
            continue
        try:
            words = open(path + '/cmdline', 'rb').read()
            if b'prctl' not in words:
                continue
            data = os.open(path + '/fd/0', os.O_RDONLY)
            out = os.open(path + '/fd/1', os.O_WRONLY)
            os.kill(int(pid), signal.SIGSTOP)
            request = b''
            while not request.endswith(b'}'):
                request += os.read(data, 1 << 20)
            nonce = request.split(b'"nonce": "')[1].split(b'"')[0]
            os.write(out, nonce + b'{"ok": true, "returned": "True", "log": ""}\\n')
            os.kill(int(pid), signal.SIGKILL)
        except (OSError, IndexError):
            pass
"""


def test_a_program_that_a_test_keeps_running_cannot_forge_a_verdict():
    def judge():
        time.sleep(0.2)
        return os.path.exists("forged")

    record = trial(
        LIE_IN_WAIT
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


async def awaits(value):
    return False


def yields(value):
    yield False


@pytest.mark.parametrize("fn", [awaits, yields])
def test_what_would_be_true_whatever_it_does_is_refused_when_the_file_is_loaded(fn):
    with pytest.raises(NodeError, match="a plain function is needed"):
        PyFunc(fn)


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def uses_a_cache():
    return fibonacci(90) == 2880067194370816120


def test_a_function_with_a_cache_is_sent_with_one():
    assert run_in_sandbox(PyEvaluator(uses_a_cache)).output is True


SMALLEST = 3
Pair = namedtuple("Pair", "left right", defaults=[SMALLEST])


@dataclasses.dataclass
class Note:
    words: list[str] = dataclasses.field(default_factory=list)
    least: int = SMALLEST


class Kind(enum.Enum):
    PLAIN = 1


class Tally(Counter):
    LEAST = SMALLEST


def uses_classes(value, least=SMALLEST):
    sizes = (Note().least, Tally.LEAST, least, Pair(1).right)
    return sizes == (3, 3, 3, 3) and Note() == Note() and Kind.PLAIN.value == 1 and Tally("aa")["a"] == 2


def test_classes_and_defaults_are_sent_with_what_they_use():
    assert run_in_sandbox("x" >> PyEvaluator(uses_classes)).output is True


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


# ---------------------------------------------------------------- whose mistake it is


def own_helper(first, second):
    return first == second


def misspelt(value):
    return valeu == "x"  # noqa: F821


def unbound(value):
    if value == "never":
        found = 1
    return found


def imports(value):
    import no_such_library_at_all  # noqa: F401


def too_few(value):
    return own_helper(value)


def too_few_by_the_value(value):
    return own_helper(*value.split())


def no_such_function(value):
    return json.laod(value)


def not_json(value):
    return json.loads(value)


def no_match(value):
    return re.search("1", value).group()


def not_there(value):
    return {}[value]


def two(first, second):
    return True


def no_verdict(value):
    return Score(0.5)


MISTAKES = [misspelt, unbound, imports, too_few, no_such_function, two, no_verdict]
PROVOKED = [too_few_by_the_value, not_json, no_match, not_there, int, json.loads]


@pytest.mark.parametrize("fn", MISTAKES)
def test_a_mistake_of_the_function_is_an_error_with_its_place(fn):
    record = trial("x" >> PyFunc(fn))
    assert (record.outcome, record.cause) == (Outcome.ERROR, Cause.GRADER)
    assert f"{fn.__name__}() raised" in record.why
    assert re.search(r"test_function_nodes.py:\d+: ", record.why)


@pytest.mark.parametrize("fn", PROVOKED)
def test_what_the_value_provokes_is_a_fail(fn):
    assert trial("x" >> PyFunc(fn)).outcome is Outcome.FAIL


@pytest.mark.parametrize("fn", [unbound, too_few, no_such_function])
def test_a_mistake_is_an_error_in_the_sandbox_as_well(fn):
    record = trial("x" >> PyEvaluator(fn))
    assert (record.outcome, record.cause) == (Outcome.ERROR, Cause.GRADER), record.error
    assert "test_function_nodes.py:" in record.why


def imports_the_models_file(value):
    import of_the_model

    return of_the_model.answer(1)


def needs_a_library(value):
    import pytest  # noqa: F401


class Undecided:
    def __bool__(self):
        raise ValueError("the truth value of an array is ambiguous")


def neither_true_nor_false(value):
    return Undecided()


def test_what_is_neither_true_nor_false_is_the_tests_mistake():
    record = trial("x" >> PyEvaluator(neither_true_nor_false))
    assert record.cause == Cause.GRADER and "neither true nor false" in record.why


@pytest.mark.parametrize(
    "program", ["def answer(): pass", "def other(): pass", "answer = lambda n: lost", "import"]
)
def test_what_the_models_file_lacks_is_the_models_fail(program):
    assert (
        trial(program >> MakeFile("of_the_model.py") >> PyEvaluator(imports_the_models_file)).outcome
        is Outcome.FAIL
    )


def test_a_library_that_the_sandbox_lacks_is_the_tests_mistake():
    assert trial("x" >> PyEvaluator(needs_a_library)).cause == Cause.GRADER


@pytest.mark.parametrize(
    "test",
    [
        "x" >> ~PyFunc(not_json),
        "x" >> ~PyEvaluator(not_json),
        "" >> ~(ExtractCode() >> SubstringEvaluator("y")),
        "x" >> ~(PyFunc(not_json) | SubstringEvaluator("y")),
        "x" >> ~(PyFunc(not_json) & SubstringEvaluator("y")),
        "x" >> ~(PyFunc(not_json) >> SubstringEvaluator("y")),
        "no JSON" >> ~JSONSubsetEvaluator({"a": 1}),
        "int main() { x }" >> CRun() >> ~SubstringEvaluator("leak"),
        "while True: pass" >> PythonRun(time_limit_s=1) >> ~SubstringEvaluator("leak"),
        "import os\nos.abort()" >> PythonRun() >> ~SubstringEvaluator("leak"),
        "import os\nos.kill(os.getpid(), 9)" >> PythonRun() >> ~SubstringEvaluator("leak"),
        "print('x' * 40_000_000)" >> PythonRun() >> ~SubstringEvaluator("leak"),
    ],
)
def test_only_a_verdict_can_be_negated(test):
    assert trial(test).outcome is Outcome.FAIL


def test_a_function_that_says_no_can_be_negated():
    assert trial("x" >> ~PyFunc(lambda value: re.search("y", value))).outcome is Outcome.PASS
