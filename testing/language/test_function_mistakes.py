"""What breaks in a function of the test: the test's mistake, an ERROR, or the model's, a FAIL."""

import json
import re

import pytest

from assay.records import Cause, Outcome
from evaluator import (
    BashRun,
    ContainsIntEvaluator,
    CRun,
    EqualEvaluator,
    ExtractCode,
    JSONSubsetEvaluator,
    MakeFile,
    PyEvaluator,
    PyFunc,
    PythonRun,
    RegexEvaluator,
    Score,
    SubstringEvaluator,
)
from testing.language.pipeline import trial


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
    assert re.search(r"test_function_mistakes.py:\d+: ", record.why)


def has_no_brackets(value):
    return value.isdigit


def is_lazy(value):
    return (each == "y" for each in value)


@pytest.mark.parametrize("fn", [has_no_brackets, is_lazy])
@pytest.mark.parametrize("node", [PyFunc, PyEvaluator])
def test_what_is_true_whatever_was_given_is_no_verdict(node, fn):
    record = trial("x" >> node(fn))
    assert (record.outcome, record.cause) == (Outcome.ERROR, Cause.GRADER)
    assert ", which is always true; " in record.why and f"{fn.__name__}() r" in record.why
    assert trial("x" >> PyFunc(fn) >> PyFunc(lambda value: value is not None)).outcome is Outcome.PASS


@pytest.mark.parametrize("fn", PROVOKED)
def test_what_the_value_provokes_is_a_fail(fn):
    record = trial("x" >> PyFunc(fn))
    assert (record.outcome, record.cause) == (Outcome.FAIL, Cause.RAISED)


def asserts(value):
    assert value == "y"


@pytest.mark.parametrize(("fn", "cause"), [(not_there, Cause.RAISED), (asserts, Cause.WRONG)])
@pytest.mark.parametrize("node", [PyFunc, PyEvaluator])
def test_an_assertion_is_a_verdict_like_any_other(node, fn, cause):
    record = trial("x" >> node(fn))
    assert (record.outcome, record.cause) == (Outcome.FAIL, cause) and f"{fn.__name__}() raised" in record.why


@pytest.mark.parametrize("fn", [unbound, too_few, no_such_function])
def test_a_mistake_is_an_error_in_the_sandbox_as_well(fn):
    record = trial("x" >> PyEvaluator(fn))
    assert (record.outcome, record.cause) == (Outcome.ERROR, Cause.GRADER), record.error
    assert "test_function_mistakes.py:" in record.why


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
        "1 / 0" >> PythonRun() >> ~SubstringEvaluator("leak"),
        "1 / 0" >> PythonRun(out_bytes=True) >> ~SubstringEvaluator("leak"),
        "print(" >> PythonRun() >> ~SubstringEvaluator("leak"),
        "if true" >> BashRun() >> ~SubstringEvaluator("leak"),
    ],
)
def test_only_a_verdict_can_be_negated(test):
    assert trial(test).outcome is Outcome.FAIL


@pytest.mark.parametrize("status", [3, 130, 141])  # the last two a shell has, too, of what a signal ended
def test_an_exit_status_alone_is_no_crash(status):
    test = f"print(6)\nraise SystemExit({status})" >> PythonRun()
    record = trial(test >> (~SubstringEvaluator("leak") & EqualEvaluator("6")))
    assert (record.outcome, record.why) == (Outcome.PASS, "")


@pytest.mark.parametrize(
    ("check", "said"),
    [
        (SubstringEvaluator("6"), "output contains '6'"),
        (ContainsIntEvaluator(6), "output contains the number 6"),
        (RegexEvaluator("6"), "output matches /6/ with '6'"),
        (~SubstringEvaluator("9") | SubstringEvaluator("6"), "output contains '6'"),
    ],
)
def test_a_pass_by_what_was_printed_before_a_crash_says_so(check, said):
    record = trial("print(6, flush=True)\n1 / 0" >> PythonRun() >> check)
    assert (record.outcome, record.cause) == (Outcome.PASS, "")
    assert record.why == f"{said}; the program crashed (exit 1): ZeroDivisionError: division by zero"


def test_a_check_for_an_error_message_passes_by_it():
    record = trial("1 / 0" >> PythonRun(errors=True) >> SubstringEvaluator("ZeroDivisionError"))
    assert record.outcome is Outcome.PASS and record.why.startswith(
        "output contains 'ZeroDivisionError'; the"
    )


def test_a_function_that_says_no_can_be_negated():
    assert trial("x" >> ~PyFunc(lambda value: re.search("y", value))).outcome is Outcome.PASS
