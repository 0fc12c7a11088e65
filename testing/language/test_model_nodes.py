"""Nodes that ask a model."""

import io

import pytest
from PIL import Image

from assay.errors import NodeError, Transient
from assay.records import Message
from evaluator import EVAL_LLM, LLM, VISION_EVAL_LLM, LLMConversation, LLMRun
from testing.language.pipeline import ScriptedModel, run


def picture(kind="PNG", size=(3, 2)):
    out = io.BytesIO()
    Image.new("RGB", size, "red").save(out, kind)
    return out.getvalue()


def test_llm_run_fills_the_prompt_and_remembers_nothing():
    model = ScriptedModel("first", "second")
    assert run("q" >> LLMRun("Say: <A>, <A>!") >> LLMRun(), llm=model).output == "second"
    assert model.asked == [(Message("user", "Say: q, q!"),), (Message("user", "first"),)]
    assert model.json == [False, False]


def test_llm_run_can_ask_the_judge_and_for_json():
    judge = ScriptedModel("{}")
    assert run("q" >> LLMRun("judge <A>", llm=EVAL_LLM, json=True), judge=judge).output == "{}"
    assert judge.json == [True]


@pytest.mark.parametrize(("value", "sent"), [(b"caf\xc3\xa9 \xff", "café \ufffd"), (7, "7"), (None, "None")])
def test_any_value_becomes_text(value, sent):
    model = ScriptedModel("ok")
    run(LLMRun(), value, llm=model)
    assert model.asked[0][0].content == sent


@pytest.mark.parametrize("node", [LLMRun(), LLMConversation()])
def test_thinking_is_shown_and_not_passed_on(node):
    reply = "<think>41? Or 42?</think>\nIt is 41."
    ran = run("q" >> node, llm=ScriptedModel(reply))
    assert ran.output == "It is 41." and reply in ran.text


def test_an_unknown_role_says_what_there_is():
    with pytest.raises(NodeError, match="EVAL_LLM"):
        run("q" >> LLMRun(llm="gpt-4"))
    assert (LLM, EVAL_LLM, VISION_EVAL_LLM) == ("llm", "eval_llm", "vision_eval_llm")


def test_a_provider_failure_is_no_answer():
    with pytest.raises(Transient):
        run("q" >> LLMRun(), llm=ScriptedModel(Transient("429")))


def test_a_conversation_keeps_the_dialogue():
    model = ScriptedModel("one", "two")
    ran = run("a" >> LLMConversation("<A>.") >> LLMConversation(), llm=model)
    assert ran.output == "two"
    assert model.asked[1] == (Message("user", "a."), Message("assistant", "one"), Message("user", "one"))
    assert "turn 2 of the conversation" in ran.text


def test_the_explanation_shows_prompt_and_reply():
    block = run("q" >> LLMRun("P <A>"), llm=ScriptedModel("R")).blocks[0].children[1]
    assert [(chat.kind, chat.role, chat.body) for chat in block.children] == [
        ("chat", "user", "P q"),
        ("chat", "assistant", "R"),
    ]
