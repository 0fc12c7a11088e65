"""Echo and UntilDone."""

import pytest

from assay.errors import NodeError
from assay.language.outputs import NoOutput, carried
from evaluator import (
    Echo,
    EqualEvaluator,
    LLMConversation,
    LLMRun,
    PyFunc,
    SubstringEvaluator,
    TerminalRun,
    UntilDone,
)
from testing.language.pipeline import Emit, ScriptedModel, run, run_in_sandbox

GROW = PyFunc(lambda value: value + "x")


@pytest.mark.parametrize("value", ["text", b"\x89PNG\r\n\x1a\n", {"a": 1}, None])
def test_echo_passes_the_value_on(value):
    assert run(Echo(), value).output is value


def test_echo_shows_the_value():
    assert "the value itself" in run(Echo(), "the value itself").text


def test_the_body_repeats_until_the_condition_is_true():
    ran = run(UntilDone(SubstringEvaluator("xxx"), GROW), "")
    assert carried(ran.output) == "xxx" and ran.output
    assert "done after 3 rounds" in ran.text
    assert "round 3" in ran.text and "check 4" in ran.text


def test_a_condition_that_holds_at_once_needs_no_round():
    assert carried(run(UntilDone(EqualEvaluator(""), GROW), "").output) == ""


def test_as_a_verdict_it_is_whether_the_condition_was_met():
    assert run(UntilDone(EqualEvaluator(""), GROW), "").output  # though the text is empty
    exhausted = run(UntilDone(SubstringEvaluator("no"), GROW, max_iters=2), "").output
    assert carried(exhausted) == "xx" and not exhausted


def test_the_last_value_goes_on_in_any_case():
    test = UntilDone(SubstringEvaluator("no"), GROW, max_iters=3) >> EqualEvaluator("xxx")
    assert run(test, "").output is True


def test_the_condition_has_a_last_look():
    assert run(UntilDone(EqualEvaluator("xx"), GROW, max_iters=2), "").output
    assert not run(UntilDone(EqualEvaluator("xx"), GROW, max_iters=1), "").output
    assert not run(UntilDone(EqualEvaluator("x"), GROW, max_iters=0), "").output


def test_values_other_than_text_keep_the_verdict():
    assert run(UntilDone(EqualEvaluator(3), PyFunc(lambda value: value + 1)), 0).output == 3
    unmet = run(UntilDone(EqualEvaluator(9), PyFunc(lambda value: value + 1), 2), 0).output
    assert carried(unmet) == 2 and not unmet
    assert run(UntilDone(EqualEvaluator(0), Echo()), 0).output


@pytest.mark.parametrize("value", [0, [], {}, None, 0.0, b""])
def test_a_value_that_meets_the_condition_goes_on_as_it_is(value):
    """And is a PASS where nothing follows, though by itself it is false."""
    until = UntilDone(PyFunc(lambda value: True), Echo())
    assert run(until, value).output
    assert run(until >> PyFunc(lambda got: got == value and type(got) is type(value)), value).output is True


def test_a_value_that_never_meets_the_condition_goes_on_as_well():
    until = UntilDone(PyFunc(lambda value: False), Echo(), max_iters=1)
    assert not run(until, {"a": 1}).output
    assert run(until >> EqualEvaluator({"a": 1}), {"a": 1}).output is True
    assert run(~until, {"a": 1}).output is True


def test_a_body_without_output_ends_it():
    assert isinstance(run(UntilDone(EqualEvaluator(1), PyFunc(lambda value: 1 / 0)), "").output, NoOutput)
    assert not run(UntilDone(EqualEvaluator(1), Emit(())), "x").output


def test_the_body_keeps_its_conversation_and_the_condition_does_not():
    model = ScriptedModel("no", "one", "no", "two", "yes")
    cond = LLMConversation("finished?") >> SubstringEvaluator("yes")
    assert run(UntilDone(cond, LLMConversation("go on")), "", llm=model).output.value == "two"
    assert [message.content for message in model.asked[-1]] == ["go on", "one", "go on", "two", "finished?"]


def test_two_models_can_talk():
    model, judge = ScriptedModel("is it a cat?", "a dog!"), ScriptedModel("no", "right")
    body = LLMConversation() >> LLMRun("They say: <A>", llm="eval_llm")
    ran = run("guess" >> UntilDone(SubstringEvaluator("right"), body, max_iters=20), llm=model, judge=judge)
    assert carried(ran.output) == "right"
    assert [message.content for message in model.asked[1]] == ["guess", "is it a cat?", "no"]


def test_an_agent_types_commands_in_a_real_sandbox():
    model = ScriptedModel("mkdir work", "echo 42 > work/answer", "cat work/answer")
    test = "start" >> UntilDone(
        SubstringEvaluator("42"), LLMConversation("<A>\n$") >> TerminalRun(), max_iters=5
    )
    assert carried(run_in_sandbox(test, llm=model).output) == "42\n"


def test_it_takes_nodes_only():
    with pytest.raises(NodeError, match="two nodes"):
        UntilDone("text", GROW)
