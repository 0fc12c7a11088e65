"""Mistakes that authors make, each said at its line with what to write instead."""

from __future__ import annotations

import asyncio
import re

import pytest

from assay.records import Outcome
from assay.running.trial import run_trial
from assay.suites.diagnostics import pointed
from assay.suites.listing import read_test_file
from assay.suites.loading import load_file
from testing.harness.standins import ScriptedModel

HEAD = "from evaluator import *\n\n"
JUDGE = 'SubstringEvaluator("a")'

MISTAKES = {
    "a bracket too many": ('TestA = "q" >> LLMRun()) >> Echo()', 3, r"unmatched '\)'", ")"),
    "a bracket too few": ('TestA = ("q" >> LLMRun()\n', 3, r"'\(' was never closed", "("),
    "no indentation": ("def f(x):\nreturn x\n", 4, "expected an indented block", "return"),
    "letter case": (f'TestA = "q" >> LLMrun() >> {JUDGE}', 3, "Did you mean LLMRun", "LLMrun"),
    "an unknown argument": (
        f'TestA = "q" >> LLMRun(prompt="x") >> {JUDGE}',
        3,
        r"LLMRun\(check_prompt='<A>', llm='llm', json=False, tools=.*\)\. Did you mean check_prompt\?",
        'LLMRun(prompt="x")',
    ),
    "an argument of a class above it": (
        f'TestA = "q" >> ExtractCode() >> PythonRun(timeout=3) >> {JUDGE}',
        3,
        r"PythonRun: got an unexpected .*'timeout'; it is PythonRun\(.* Did you mean time_limit_s\?",
        "PythonRun(timeout=3)",
    ),
    "an argument handed on": (
        f'TestA = "q" >> BashRun(timeout=3) >> {JUDGE}',
        3,
        r"BashRun: got .*; it is BashRun\(test_case='', args=\(\), out_bytes.* Did you mean time_limit_s\?",
        "BashRun(timeout=3)",
    ),
    "a missing argument": (
        'TestA = "q" >> LLMRun() >> SubstringEvaluator()',
        3,
        r"'substr'; it is SubstringEvaluator\(substr, lower=False\)$",
        "SubstringEvaluator()",
    ),
    "a number": ('TestA = "q" >> LLMRun() >> 42', 3, "42 is an int; an operand of >> must be a node", "42"),
    "a class": (f'TestA = "q" >> LLMRun >> {JUDGE}', 3, r"py:3: LLMRun is .* write LLMRun\(\)$", "LLMRun"),
    "a class in a module": (
        f'import evaluator\nTestA = "q" >> evaluator.LLMRun >> {JUDGE}', 4, "is a class", "evaluator.LLMRun"
    ),
    "a class of judges": (
        f'TestA = "q" >> LLMRun() >> ({JUDGE} &\n EqualEvaluator)', 4, r"write EqualEvaluator\(goal\)", "Eq"
    ),
    "a negated class": (
        'TestA = "q" >> LLMRun() >> ~EqualEvaluator', 3, "is a class, not a node", "~EqualEvaluator"
    ),
    "a class of others": ('TestA = "q" >> LLMRun() >> str', 3, "str is a class; an operand of >>", "str"),
    "a function": (f'TestA = "q" >> LLMRun() >> len >> {JUDGE}', 3, r"write PyFunc\(len\)", "len"),
    "two texts": (f'TestA = "q" >> "r" >> LLMRun() >> {JUDGE}', 3, "both operands of >> are strings", '"r"'),
    "nothing": (f'TestA = "q" >> LLMRun() >> print("x") >> {JUDGE}', 3, r"nothing \(None\)", 'print("x")'),
    "a text as judge": (
        f'TestA = (\n    "q"\n    >> LLMRun()\n    >> ({JUDGE} | "b")\n)',
        6,
        r"such as SubstringEvaluator\('b'\)",
        '"b"',
    ),
    "and": (f'TestA = "q" >> LLMRun() >> ({JUDGE} and {JUDGE})', 3, "not and/or/not", f"{JUDGE} and {JUDGE}"),
    "a lambda for the sandbox": (
        'TestA = "q" >> PyEvaluator(lambda out: "a" in out)',
        3,
        "write it as a function with def",
        'PyEvaluator(lambda out: "a" in out)',
    ),
    "a called function": (
        'TestA = "q" >> PyFunc(len("x"))', 3, "needs a function, not int", 'PyFunc(len("x"))'
    ),
    "a broken pattern": (
        'TestA = "q" >> RegexEvaluator("(a")', 3, "is not a valid pattern", 'RegexEvaluator("(a")'
    ),
    "a role": (f'TestA = "q" >> LLMRun(llm="judge") >> {JUDGE}', 3, "unknown model role 'judge'", "LLMRun("),
    "an unknown import": ("from evaluator import PythonRunner", 3, "Did you mean PythonRun", None),
    "a module of json": ('TestA = json.load5("1") >> Echo()', 3, "Did you mean load", "json.load5"),
    "no pair": (
        'a, b = make_python_test([("f(1)", 2, 3)])', 3, "needs pairs", 'make_python_test([("f(1)", 2, 3)])'
    ),
    "in a function": (
        'def make(key):\n    return {"a": 1}[key]\n\nTestA = make("b") >> Echo()', 4, "KeyError: 'b'", None
    ),
    "one name twice": ('TestA = "q" >> Echo()\nTestA = "r" >> Echo()', 4, "assigned twice", None),
    "tags": ('TAGS = "code"\nTestA = "q" >> Echo()', 3, "TAGS must be a list of strings", None),
    "wide letters before it": ('x = "日本"; TestA = "q" >> 5 >> Echo()', 3, "5 is an int", "5"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_said_at_its_line(tmp_path, monkeypatch, name):
    text, line, words, marked = MISTAKES[name]
    (tmp_path / "mine.py").write_text(HEAD + text + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    loaded = load_file(read_test_file(tmp_path / "mine.py"), root=tmp_path)
    assert not loaded.samples and len(loaded.errors) == 1
    said, *below = loaded.errors[0].splitlines()
    assert said.startswith(f"mine.py:{line}: ") and re.search(words, said)
    assert below[0].strip() == (HEAD + text).splitlines()[line - 1].strip()
    assert "assay/" not in loaded.errors[0]
    if marked is not None:
        begin, width = below[1].index("^"), below[1].count("^")
        wide = sum(ord(char) > 0x2000 for char in below[0])
        assert below[0][begin - wide : begin - wide + width].startswith(marked[:width])
        assert width >= min(len(marked), 4)


def test_a_file_without_its_import_is_told_so(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(f'TestA = "q" >> LLMRun() >> {JUDGE}\n')
    (tmp_path / "other.py").write_text(
        f'from evaluator import {JUDGE[:18]}\nTestA = "q" >> LLMRum() >> {JUDGE}\n'
    )
    monkeypatch.chdir(tmp_path)
    (error,) = load_file(read_test_file(tmp_path / "mine.py"), root=tmp_path).errors
    assert "name 'LLMRun' is not defined: the file lacks \"from evaluator import *\"" in error
    (error,) = load_file(read_test_file(tmp_path / "other.py"), root=tmp_path).errors
    assert "lacks" not in error


WARNINGS = {
    f'TestA = (\n    "q"\n    >> LLMRun()\n    >> {JUDGE} | {JUDGE}\n)': (6, "binds tighter than |"),
    f'TestA = "q" >> LLMRun() >> {JUDGE},': (3, "remove the comma"),
    f'test_a = "q" >> LLMRun() >> {JUDGE}': (3, "so write Testa"),
}


@pytest.mark.parametrize("text", WARNINGS)
def test_a_doubtful_file_is_said_at_its_line(tmp_path, monkeypatch, text):
    line, words = WARNINGS[text]
    (tmp_path / "mine.py").write_text(HEAD + text + "\n")
    monkeypatch.chdir(tmp_path)
    (warning,) = load_file(read_test_file(tmp_path / "mine.py"), root=tmp_path).warnings
    assert warning.startswith(f"mine.py:{line}: ") and words in warning


def test_a_line_cannot_write_to_the_terminal_and_a_long_one_is_cut_around_the_place(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("x = '\x1b[2J'" + " + 'a'" * 100 + " + 1\n")
    message = pointed(path, 1, "wrong", 613, 614)
    assert "\x1b" not in message and all(len(line) < 110 for line in message.splitlines()[1:])
    shown, caret = message.splitlines()[1:]
    assert shown[caret.index("^")] == "1"


RUNNING = {
    "PyFunc(lambda text: text.split()[7])": ("mine.py:13: <lambda>() raised IndexError", Outcome.FAIL),
    "PyFunc(judge)": ("mine.py:4: judge() raised ZeroDivisionError", Outcome.FAIL),
    "Mine()": (
        "mine.py:11: Mine.run raised AttributeError: 'str' object has no attribute 'nope'",
        Outcome.ERROR,
    ),
    "Old()": ("mine.py:8: Old.__call__ raised KeyError: 'nope'", Outcome.ERROR),
}
NODES = """\
def judge(text):
    return 1 / 0
class Old(Node):
    def __init__(self): pass
    def __call__(self, text):
        yield {}["nope"], ()
class Mine(Old):
    async def run(self, value, ctx):
        yield value.nope, ()

"""


@pytest.mark.parametrize("step", RUNNING)
def test_an_exception_while_a_trial_runs_names_the_authors_line(tmp_path, step):
    words, outcome = RUNNING[step]
    (tmp_path / "mine.py").write_text(f"{HEAD}{NODES}TestA = 'q' >> {step}\n")
    loaded = load_file(read_test_file(tmp_path / "mine.py"), root=tmp_path)
    model = ScriptedModel()
    record = asyncio.run(run_trial(loaded.samples[0], model, model, model, None))
    said = record.error or str(record.reason)
    assert record.outcome is outcome and words in said
    assert "/assay/" not in said and "asyncio" not in said  # our own lines help no author
