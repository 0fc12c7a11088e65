"""Echo and UntilDone."""

import pytest

from assay.errors import NodeError
from assay.nodes.dsl import NoOutput
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
from testing.nodes.pipeline import Emit, ScriptedModel, run, run_in_sandbox

GROW = PyFunc(lambda value: value + "x")


@pytest.mark.parametrize("value", ["text", b"\x89PNG\r\n\x1a\n", {"a": 1}, None])
def test_echo_passes_the_value_on(value):
    assert run(Echo(), value).output is value


def test_echo_shows_the_value():
    assert "the value itself" in run(Echo(), "the value itself").text


def test_the_body_repeats_until_the_condition_is_true():
    ran = run(UntilDone(SubstringEvaluator("xxx"), GROW), "")
    assert ran.output == "xxx" and ran.output
    assert "done after 3 rounds" in ran.text
    assert "round 3" in ran.text and "check 4" in ran.text


def test_a_condition_that_holds_at_once_needs_no_round():
    assert run(UntilDone(EqualEvaluator(""), GROW), "").output == ""


def test_as_a_verdict_it_is_whether_the_condition_was_met():
    assert run(UntilDone(EqualEvaluator(""), GROW), "").output  # though the text is empty
    exhausted = run(UntilDone(SubstringEvaluator("no"), GROW, max_iters=2), "").output
    assert exhausted == "xx" and not exhausted


def test_the_last_value_goes_on_in_any_case():
    test = UntilDone(SubstringEvaluator("no"), GROW, max_iters=3) >> EqualEvaluator("xxx")
    assert run(test, "").output is True


def test_the_condition_has_a_last_look():
    assert run(UntilDone(EqualEvaluator("xx"), GROW, max_iters=2), "").output
    assert not run(UntilDone(EqualEvaluator("xx"), GROW, max_iters=1), "").output
    assert not run(UntilDone(EqualEvaluator("x"), GROW, max_iters=0), "").output


def test_values_other_than_text_keep_the_verdict():
    assert run(UntilDone(EqualEvaluator(3), PyFunc(lambda value: value + 1)), 0).output == 3
    assert isinstance(
        run(UntilDone(EqualEvaluator(9), PyFunc(lambda value: value + 1), 2), 0).output, NoOutput
    )
    assert run(UntilDone(EqualEvaluator(0), Echo()), 0).output is True


def test_a_body_without_output_ends_it():
    assert isinstance(run(UntilDone(EqualEvaluator(1), PyFunc(lambda value: 1 / 0)), "").output, NoOutput)
    assert not run(UntilDone(EqualEvaluator(1), Emit(())), "x").output


def test_the_body_keeps_its_conversation_and_the_condition_does_not():
    model = ScriptedModel("no", "one", "no", "two", "yes")
    cond = LLMConversation("finished?") >> SubstringEvaluator("yes")
    assert run(UntilDone(cond, LLMConversation("go on")), "", llm=model).output == "two"
    assert [message.content for message in model.asked[-1]] == ["go on", "one", "go on", "two", "finished?"]


def test_two_models_can_talk():
    model, judge = ScriptedModel("is it a cat?", "a dog!"), ScriptedModel("no", "right")
    body = LLMConversation() >> LLMRun("They say: <A>", llm="eval_llm")
    ran = run("guess" >> UntilDone(SubstringEvaluator("right"), body, max_iters=20), llm=model, judge=judge)
    assert ran.output == "right"
    assert [message.content for message in model.asked[1]] == ["guess", "is it a cat?", "no"]


def test_an_agent_types_commands_in_a_real_sandbox():
    model = ScriptedModel("mkdir work", "echo 42 > work/answer", "cat work/answer")
    test = "start" >> UntilDone(
        SubstringEvaluator("42"), LLMConversation("<A>\n$") >> TerminalRun(), max_iters=5
    )
    assert run_in_sandbox(test, llm=model).output == "42\n"


def test_it_takes_nodes_only():
    with pytest.raises(NodeError, match="two nodes"):
        UntilDone("text", GROW)
