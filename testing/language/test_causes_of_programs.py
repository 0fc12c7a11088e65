# ruff: noqa: E501 - programs read best in one piece
"""How a program ended stands as the cause of the FAIL, with the deciding fact, in every language."""

import pytest

import evaluator
from assay.language.program_causes import of_build, of_run
from assay.records import Cause, ExecResult
from evaluator import (
    ExtractCode,
    ExtractJSON,
    JSONSubsetEvaluator,
    LLMRun,
    PythonRun,
    SubstringEvaluator,
    make_python_test,
)
from testing.language.pipeline import trial

RUNS = [
    (evaluator.PythonRun, "print(41)", Cause.WRONG, "output lacks '42'; it was '41\\n'"),
    (evaluator.PythonRun, "print(41", Cause.DOES_NOT_BUILD, "cannot be read: SyntaxError: '(' was never closed"),
    (evaluator.PythonRun, "import json\njson.loads('{')", Cause.CRASHED, "(exit 1): json.decoder.JSONDecodeError: "),
    (evaluator.PythonRun, "assert 1 + 1 == 3, 'two'", Cause.WRONG, "a check of the program failed: AssertionError: two"),
    (evaluator.PythonRun, "import os; os.kill(os.getpid(), 11)", Cause.CRASHED, "signal 11 (SIGSEGV)"),
    (evaluator.PythonRun, "import sys; print(41); sys.exit(3)", Cause.WRONG, "output lacks '42'"),
    (evaluator.PythonRun, "while True: pass", Cause.TIMED_OUT, "stopped at its time limit of 0.5 s"),
    (evaluator.PythonRun, "print('x' * 3_000_000)", Cause.OUTPUT_CUT, "more than is kept"),
    (evaluator.BashRun, "echo 41; exit 3", Cause.WRONG, "output lacks '42'"),
    (evaluator.BashRun, "echo 41\nif true; then echo 1", Cause.DOES_NOT_BUILD, "cannot be read: main.sh: line 3: syntax error: "),
    (evaluator.BashRun, "echo 'a", Cause.DOES_NOT_BUILD, "unexpected EOF while looking for matching"),
    (evaluator.BashRun, "echo hi)", Cause.DOES_NOT_BUILD, "near unexpected token `)'"),
    (evaluator.BashRun, "eval 'if'; exit 1", Cause.WRONG, "output lacks '42'"),
    (evaluator.TerminalRun, "echo 'a", Cause.DOES_NOT_BUILD, "cannot be read: bash: -c: line 1: unexpected EOF"),
    (evaluator.SQLRun, "selec 1;", Cause.DOES_NOT_BUILD, 'near "selec": syntax error'),
    (evaluator.SQLRun, "select 1 from t;", Cause.CRASHED, "no such table: t"),
    (evaluator.PythonRun, "eval('1 +')", Cause.CRASHED, "(exit 1): SyntaxError: "),
    (evaluator.CRun, "int main() { return x; }", Cause.DOES_NOT_BUILD, "does not build: main.c:1:"),
    (evaluator.CRun, "int main() { return *(volatile int *)0; }", Cause.CRASHED, "signal 11 (SIGSEGV)"),
    (evaluator.JavaScriptRun, "let a = ;", Cause.DOES_NOT_BUILD, "cannot be read: SyntaxError: "),
    (evaluator.JavaScriptRun, "import x from 'fs'\nlet a = ;", Cause.DOES_NOT_BUILD, "cannot be read: SyntaxError: "),
    (evaluator.JavaScriptRun, "JSON.parse('{')", Cause.CRASHED, "(exit 1): SyntaxError: "),
    (evaluator.JavaScriptRun, "new Function('let = ;')", Cause.CRASHED, "(exit 1): SyntaxError: "),
    (evaluator.TypeScriptRun, "let a: = ;", Cause.DOES_NOT_BUILD, "does not build: "),
    (evaluator.TypeScriptRun, "JSON.parse('{')", Cause.CRASHED, "(exit 1): SyntaxError: "),
    (evaluator.ClojureRun, "(println 1", Cause.DOES_NOT_BUILD, "EOF while reading"),
    (evaluator.JavaScriptRun, "null.x", Cause.CRASHED, "TypeError: "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("node", "code", "cause", "fact"), RUNS, ids=[f"{r[0].__name__}-{r[2]}-{n}" for n, r in enumerate(RUNS)]
)
def test_a_program_that_fails_says_how_it_ended(node, code, cause, fact):
    limit = 0.5 if cause is Cause.TIMED_OUT else 20.0
    record = trial(code >> node(time_limit_s=limit) >> SubstringEvaluator("42"))
    assert (record.outcome, record.cause) == ("fail", cause), record.why
    assert fact in record.why


@pytest.mark.parametrize(
    ("language", "stderr", "code", "cause", "fact"),
    [
        ("rust", "\nthread 'main' panicked at main.rs:1:13:\nindex out of bounds\nnote: run with", 101, Cause.CRASHED, "main.rs:1:13: index out of bounds"),
        ("java", 'Exception in thread "main" java.lang.ArithmeticException: / by zero\n\tat Main.main', 1, Cause.CRASHED, "/ by zero"),
        ("java", "Main.java:1: error: ';' expected\nint x\n1 error\nerror: compilation failed\n", 1, Cause.DOES_NOT_BUILD, "';' expected"),
        ("clojure", "Execution error (ArithmeticException) at user/eval1 (main.clj:1).\nDivide by zero\n", 1, Cause.CRASHED, "ArithmeticException"),
        ("sql", "Parse error near line 1: no such table: t\n", 1, Cause.CRASHED, "no such table: t"),
        ("cpp", "terminate called after throwing an instance of 'int'\n", 134, Cause.CRASHED, "terminate called"),
        ("cpp", "terminate called after throwing an instance of 'std::out_of_range'\n  what():  index 9\nAborted\n", 134, Cause.CRASHED, "'std::out_of_range' what():  index 9"),
        ("clojure", "Execution error (ArithmeticException) at user/eval1 (main.clj:1).\nDivide by zero\n", 1, Cause.CRASHED, "(main.clj:1). Divide by zero"),
        ("clojure", "Syntax error reading source at (main.clj:2:1).\nEOF while reading\n", 1, Cause.DOES_NOT_BUILD, "(main.clj:2:1). EOF while reading"),
        ("java", 'Note: Main.java uses unchecked operations.\nException in thread "main" java.lang.RuntimeException: boo\n', 1, Cause.CRASHED, "RuntimeException: boo"),
        ("javascript", "/usr/src/app/main.js:1\nthrow new Error('7')\n^\n\nError: bad 7\n    at main.js:1:7\n\nNode.js v20\n", 1, Cause.CRASHED, "(exit 1): Error: bad 7"),
        ("javascript", "/usr/src/app/main.js:2\nthrow new Odd('3')\n^\n\nOdd [Error]: oops 3\n    at main.js:2:7\n", 1, Cause.CRASHED, "(exit 1): Odd [Error]: oops 3"),
        ("typescript", "/usr/src/app/main.ts:1\nthrow 'words'\n^\nwords\n(Use `node --trace-uncaught ...`)\n", 1, Cause.CRASHED, "(exit 1): words"),
        ("python", 'Traceback (most recent call last):\n  File "main.py", line 1, in <module>\n    f()\nException: two\nlines\n', 1, Cause.CRASHED, "(exit 1): Exception: two"),
        ("python", 'Traceback (most recent call last):\n  File "main.py", line 2, in <module>\nZeroDivisionError: division by zero\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "main.py", line 4, in <module>\nBoom: went off\n', 1, Cause.CRASHED, "(exit 1): Boom: went off"),
        ("python", '  + Exception Group Traceback (most recent call last):\n  |   File "main.py", line 1, in <module>\n  |     f()\n  | ExceptionGroup: g (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | ValueError: inner\n', 1, Cause.CRASHED, "(exit 1): ExceptionGroup: g"),
    ],
)  # fmt: skip
def test_reports_of_other_languages_are_read(language, stderr, code, cause, fact):
    (mark,) = of_run(ExecResult(b"", stderr.encode(), code), language)
    assert mark.cause == cause and fact in mark.body


def test_memory_and_a_slow_compiler_are_named():
    (mark,) = of_run(ExecResult(b"", b"", -9, out_of_memory=True), "c")
    assert mark.cause == Cause.OUT_OF_MEMORY
    (mark,) = of_build(ExecResult(b"", b"", None, timed_out=True, time_limit_s=60))
    assert mark.cause == Cause.TIMED_OUT


def test_a_program_of_many_lines_of_report_is_read_in_no_time():
    flood = (
        b"Traceback (most recent call last):\n" + b'  File "a.py", line 1\n' * 200_000 + b"ValueError: x\n"
    )
    (mark,) = of_run(ExecResult(b"", flood, 1), "python")
    assert mark.body.endswith("ValueError: x")


def test_of_a_test_case_the_check_that_failed_is_said():
    case, answer = make_python_test([("f(2)", "4"), ("f(3)", "9")])
    record = trial("def f(x): return 4" >> PythonRun(case) >> SubstringEvaluator(answer))
    assert record.cause == Cause.WRONG and "f(3) is 4, should be 9" in record.why[:80]


ASK = "q" >> LLMRun()


@pytest.mark.parametrize(
    ("test", "replies", "fact"),
    [
        (ASK >> ExtractCode() >> PythonRun(), [""], "the reply is empty"),
        (ASK >> ExtractCode() >> PythonRun() >> SubstringEvaluator("42"), ["I can't", "No, sorry!"], "neither reply holds a block of code"),
        (ASK >> ExtractJSON() >> JSONSubsetEvaluator({"a": 1}), ["none", "none"], "no JSON object or list"),
    ],
)  # fmt: skip
def test_a_reply_without_code_is_named(test, replies, fact):
    record = trial(test, *replies)
    assert record.cause == Cause.NO_CODE and fact in record.why


@pytest.mark.parametrize(
    ("reply", "fact"),
    [("", "the reply is empty; no 42"), ("<think>42", "the reply contains only reasoning; no 42")],
)
def test_a_reply_that_says_nothing_is_named(reply, fact):
    record = trial(ASK >> evaluator.ContainsIntEvaluator(42), reply)
    assert record.outcome == "fail" and record.why.startswith(fact)


def test_of_a_long_text_the_first_missing_line_is_said():
    record = trial("print('one'); print('three')" >> PythonRun() >> SubstringEvaluator("one\ntwo\nthree"))
    assert record.why.startswith("no line 'two'; output lacks 'one\\ntwo\\nthree'; it was 'one\\nthree")


def test_what_the_tools_said_is_what_it_was():
    record = trial("cat nothing_here" >> evaluator.BashRun() >> evaluator.EqualEvaluator(""))
    assert record.outcome == "fail" and "it was ''" not in record.why and "nothing_here" in record.why


def test_a_program_that_does_not_link_says_what_it_lacks():
    stderr = b"/usr/bin/ld: a.o: in function `main':\nmain.c:(.text+0x9): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status\n"
    (mark,) = of_build(ExecResult(b"", stderr, 1))
    assert (mark.cause, mark.body.endswith("undefined reference to `foo'")) == (Cause.DOES_NOT_BUILD, True)


def test_a_traceback_that_is_not_judged_is_not_said_to_be_what_was():
    test = ASK >> ExtractCode() >> PythonRun() >> SubstringEvaluator("42")
    record = trial(test, "```python\nprint(41); nothing_here\n```")
    verdict = record.reason.children[-1].body
    assert "output lacks '42'; all that was printed, errors too: '41\\nTraceback" in verdict
