"""Which part of a reply is the program."""

import asyncio

import pytest

from assay.errors import ModelFault
from assay.records import Outcome
from assay.running.trial import run_trial
from assay.suites.suite import Sample
from testing.euler.trials import pipeline
from testing.language.pipeline import ScriptedModel, run, text_of
from tests.euler.nodes import ExtractProgram, program_in

ONE = "```python\nprint(1)\n```\n"


def fence(label, code, mark="```"):
    return f"{mark}{label}\n{code}\n{mark}\n"


@pytest.mark.parametrize(
    ("reply", "language", "code"),
    [
        (fence("python", "print(1)"), "python", "print(1)\n"),
        (fence("bash", "x" * 50) + fence("py", "print(1)") + fence("Python3", "print(2,2)"), "python",
         "print(2,2)\n"),
        (fence("java", "x" * 50) + fence("", "print(1)") + fence("", "print(22)"), "python", "print(22)\n"),
        (fence("java", "short") + fence("text", "longer one"), "python", "longer one\n"),
        (fence("clj", "(println 1)"), "clojure", "(println 1)\n"),
        (fence("rs", "fn main(){}"), "rust", "fn main(){}\n"),
        (fence("python", "print(1)", "~~~~"), "python", "print(1)\n"),
        (fence("python", "s = '''\n```\n'''", "````"), "python", "s = '''\n```\n'''\n"),
        ("1. So:\n   ```python\n   if 1:\n       print(1)\n   ```\n", "python", "if 1:\n    print(1)\n"),
        ("```python\r\nprint(1)\r\n```\r\n", "python", "print(1)\n"),
        ("```python\nprint(1)", "python", "print(1)\n"),
        ("<think>\n" + fence("python", "print(222222)") + "</think>\n" + ONE, "python", "print(1)\n"),
        ("<Reasoning>\n" + fence("python", "print(2)") + "</Reasoning>\nprint(1)\n", "python", "print(1)\n"),
        (ONE + "<thought>\n" + fence("python", "print(22222)"), "python", "print(1)\n"),
        ("so\n" + fence("python", "print(22222)") + "</thinking>\n" + ONE, "python", "print(1)\n"),
        ("print(1)\n", "python", "print(1)\n"),
        (fence("python", " ") + fence("", "print(1)"), "python", "print(1)\n"),
        ("<think>\nprint(1)", "python", ""),
        ("", "python", ""),
        (" \n", "python", ""),
    ],
)  # fmt: skip
def test_the_longest_block_of_the_asked_language(reply, language, code):
    assert program_in(reply, language)[0] == code


def test_a_reply_without_a_program_is_a_wrong_answer_and_runs_nothing():
    sample, model = Sample("t", "<think>hm</think>" >> pipeline("python")), ScriptedModel()
    record = asyncio.run(run_trial(sample, model, model, model, None))
    assert record.outcome is Outcome.FAIL and record.metrics["points"] == 0
    assert "the reply holds no program" in text_of(record.reason)


def test_one_block_is_the_program_even_if_it_was_split_over_two():
    reply = fence("python", "def f():\n    return 233168") + "and then\n" + fence("python", "print(f())")
    assert program_in(reply, "python")[0] == "def f():\n    return 233168\n"


def test_a_long_reply_is_read_in_a_process_that_can_be_killed():
    assert run(ExtractProgram("python"), "\n" * 800_000 + ONE).output == "print(1)\n"
    with pytest.raises(ModelFault, match="too many characters"):
        run(ExtractProgram("python"), "\n" * 1_100_000 + ONE)
