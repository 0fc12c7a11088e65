"""PyFunc: a function of the test on the host."""

import re
from functools import partial

import pytest

from assay.language.dsl import NoOutput
from assay.records import Outcome
from evaluator import PyEvaluator, PyFunc, Score, SubstringEvaluator
from testing.language.pipeline import run, trial


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
    assert trial("41" >> PyFunc(lambda text: re.search("42", text))).why == "returned None; called with '41'"
    assert len(trial("41" >> PyFunc(lambda _: (False, "x " * 10**6))).why) < 400


def only_asserts(value):
    assert value


def forgets_one(value):
    if value == "right":
        return Score(1.0, True)


def forgets_yes(value):
    if not value:
        return False
    if value == "left":
        return None
    print(value == "right")


def says_yes_or_nothing(value):
    if value == "right":
        return True


def looks_for(value):
    return re.search("right", value)


def says_nothing_to(seed, value):
    print(seed, value)


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (PyFunc(only_asserts), "only_asserts() returned nothing, which is neither a verdict nor a score: no"),
        (PyFunc(forgets_one), "forgets_one() returned nothing, which is neither a verdict nor a score: else"),
        (PyFunc(partial(says_nothing_to, 3)), "says_nothing_to() returned nothing"),
        (~PyFunc(only_asserts), "no line of it returns a value"),
        (PyFunc(lambda text: text) & PyFunc(only_asserts), "let it return True where the answer is right"),
        (PyEvaluator(only_asserts), "only_asserts() returned nothing, which is neither"),
        (PyFunc(forgets_yes), "forgets_yes() returned nothing, which is neither"),
        (PyEvaluator(forgets_yes), "no line of it returns a value that is true; let it return True"),
    ],
)
def test_a_judge_that_returns_nothing_by_mistake_is_never_the_models_fail(node, said):
    record = trial("wrong" >> node)
    assert (record.outcome, record.cause, record.score) == (Outcome.ERROR, "grader", None)
    assert re.search(r"^GraderError: test_pyfunc\.py:\d+: ", record.error) and said in record.error


@pytest.mark.parametrize("fn", [says_yes_or_nothing, looks_for, lambda text: None])
def test_a_judge_that_means_no_by_nothing_is_a_fail(fn):
    assert trial("wrong" >> PyFunc(fn)).outcome is Outcome.FAIL


def test_a_step_that_returns_nothing_passes_that_on():
    assert trial("x" >> PyFunc(only_asserts) >> PyFunc(lambda value: value is None)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "error", [ValueError("odd"), SystemExit(3), AssertionError("odd"), StopIteration("none")]
)
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
