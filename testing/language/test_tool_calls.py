"""Calls of tools as the answer: LLMRun(tools=...) and ToolCallEvaluator."""

import asyncio
import json
from typing import Literal

import pytest

from assay.errors import NodeError
from assay.records import Cause, Completion, Outcome, ToolCall
from assay.report.tree import tree
from assay.running.trial import run_trial
from assay.suites.rows import Rows
from assay.suites.suite import Sample
from evaluator import Judge, LLMRun, NoOutput, SubstringEvaluator, ToolCallEvaluator, tool
from testing.harness.standins import ScriptedPool
from testing.language.pipeline import ScriptedModel, run


@tool
def get_weather(city: str, days: int = 1, unit: Literal["C", "F"] = "C") -> str:
    """The weather in a city."""
    raise AssertionError("no tool is run")


TIME = {"name": "get_time", "description": "The time.", "parameters": {"type": "object", "properties": {}}}
ASK = "Weather in Oslo?" >> LLMRun(tools=[get_weather, TIME])


def reply(*calls, text=""):
    made = tuple(ToolCall(f"c{n}", name, arguments) for n, (name, arguments) in enumerate(calls))
    return Completion(text, calls=made, finish_reason="tool_calls")


def weather(**arguments):
    return "get_weather", json.dumps(arguments)


def judged(evaluator, *calls, text=""):
    """The output and the sentence."""
    ran = run(ASK >> evaluator, llm=ScriptedModel(reply(*calls, text=text)))
    return ran.output, ran.blocks[0].children[-1].body


def test_the_model_is_given_the_tools_and_its_calls_are_shown():
    model = ScriptedModel(reply(weather(city="Oslo"), text="I look."))
    ran = run(ASK >> ToolCallEvaluator("get_weather", {"city": "Oslo"}), llm=model)
    assert ran.output is True
    assert [each.name for each in model.tools[0]] == ["get_weather", "get_time"]
    assert "I look." in ran.text and 'called get_weather\n{"city": "Oslo"}' in ran.text


OSLO = {"city": "Oslo"}


@pytest.mark.parametrize(
    ("evaluator", "calls"),
    [
        (ToolCallEvaluator("get_weather"), [weather(anything=1)]),
        (ToolCallEvaluator("get_time", {}), [("get_time", "")]),
        (ToolCallEvaluator("get_weather", {"city": "Oslo", "days": 2}), [weather(days=2.0, city="Oslo")]),
        (ToolCallEvaluator("get_weather", OSLO), [weather(city="Oslo", days=1, unit="C")]),  # defaults
        (ToolCallEvaluator("get_weather", {"city": "Oslo", "days": 1}), [weather(city="Oslo")]),
        (ToolCallEvaluator("get_weather", OSLO, extra=True), [weather(city="Oslo", zone=3)]),
        (ToolCallEvaluator("get_weather", OSLO, among=True), [("get_time", "{"), weather(city="Oslo")]),
        (ToolCallEvaluator("get_weather", OSLO, among=True), [weather(city="Rome"), weather(city="Oslo")]),
        (ToolCallEvaluator("get_weather", '{"city": "Oslo"}'), [weather(city="Oslo")]),
        (~ToolCallEvaluator("get_weather", OSLO), [weather(city="Rome")]),
        (~ToolCallEvaluator("get_weather"), []),
    ],
)
def test_the_call_that_is_wanted(evaluator, calls):
    assert judged(evaluator, *calls)[0] is True


@pytest.mark.parametrize(
    ("evaluator", "calls", "why"),
    [
        (ToolCallEvaluator("get_weather"), [("get_time", "{}")], "called get_time, not get_weather"),
        (
            ToolCallEvaluator("get_weather", OSLO),
            [weather(city="oslo")],
            'get_weather: argument city should be "Oslo", is "oslo"',
        ),
        (ToolCallEvaluator("get_weather", OSLO), [weather(days=1)], "argument 'city' is missing"),
        (ToolCallEvaluator("get_weather", OSLO), [weather(city="Oslo", days=2)], "days should be 1, is 2"),
        (
            ToolCallEvaluator("get_weather", OSLO),
            [weather(city="Oslo", zone={"a": 1})],
            "argument 'zone' ({\"a\": 1}) is not wanted",
        ),
        (ToolCallEvaluator("get_weather", {"days": 1}), [weather(days=True)], "should be 1, is true"),
        (ToolCallEvaluator("get_weather", {"days": 1}), [weather(days="1")], 'should be 1, is "1"'),
        (ToolCallEvaluator("x", {"a": [1, {"b": 2}]}), [("x", '{"a": [1, {"b": 3}]}')], "a[1].b should be 2"),
        (ToolCallEvaluator("x", {"a": [1, 2]}), [("x", '{"a": [2, 1]}')], "a[0] should be 1, is 2"),
        (ToolCallEvaluator("x", {"a": [1]}), [("x", '{"a": []}')], "a should have 1 items, has 0"),
        (
            ToolCallEvaluator("get_weather", OSLO),
            [weather(city="Oslo"), weather(city="Rome")],
            "2 tools were called (get_weather, get_weather), where one call was wanted",
        ),
        (
            ToolCallEvaluator("get_weather", OSLO, among=True),
            [weather(city="Rome"), ("get_weather", "{")],
            'none of 2 calls of get_weather has the arguments {"city": "Oslo"}',
        ),
    ],
)
def test_what_differs_is_said(evaluator, calls, why):
    output, said = judged(evaluator, *calls)
    assert output is False and why in said


def test_broken_arguments_prove_nothing_either_way():
    wanted = ToolCallEvaluator("get_weather", OSLO)
    output, said = judged(wanted, ("get_weather", '{"city": '))
    assert isinstance(output, NoOutput) and "the arguments are not JSON" in said
    assert not judged(~wanted, ("get_weather", '{"city": '))[0]


@pytest.mark.parametrize(
    ("completion", "cause", "why"),
    [
        (Completion("It is cold."), Cause.NO_CALL, "no tool was called; the reply was 'It is cold.'"),
        (reply(("get_time", "{}")), Cause.WRONG, "called get_time, not get_weather"),
        (reply(weather(city="Rome")), Cause.WRONG, 'get_weather: argument city should be "Oslo", is "Rome"'),
        (reply(("get_weather", "[]")), Cause.BROKEN_CALL, "must be a JSON object, not list"),
        (Completion("", finish_reason="length"), Cause.CUT_OFF, "the reply was cut off; no tool was called"),
    ],
)
def test_the_cause_of_a_failure(completion, cause, why):
    model = ScriptedModel(completion)
    sample = Sample("t.TestT", ASK >> ToolCallEvaluator("get_weather", OSLO))
    record = asyncio.run(run_trial(sample, model, model, model, ScriptedPool()))
    assert (record.outcome, record.cause) == (Outcome.FAIL, cause)
    assert why in record.why


def test_a_tool_that_nobody_offered_is_still_a_cause():
    model = ScriptedModel(Completion("", finish_reason="tool_calls"))
    sample = Sample("t.TestT", "q" >> LLMRun() >> SubstringEvaluator("x"))
    assert asyncio.run(run_trial(sample, model, model, model, ScriptedPool())).cause == Cause.TOOL_CALL


def test_the_text_beside_the_calls_can_be_judged_too():
    model = ScriptedModel(reply(weather(city="Oslo"), text="<think>Hm.</think>One moment."))
    both = SubstringEvaluator("moment") & ~SubstringEvaluator("Hm") & ToolCallEvaluator("get_weather", OSLO)
    assert run(ASK >> both, llm=model).output is True


def test_rows_fill_the_arguments():
    rows = Rows([{"city": "Oslo", "days": 3}])
    made = rows >> "<city>?" >> LLMRun(tools=[get_weather])
    test = next(iter(made >> ToolCallEvaluator("get_weather", '{"city": "<city>", "days": <days>}'))).test
    assert run(test, llm=ScriptedModel(reply(weather(city="Oslo", days=3)))).output is True


def test_the_expression_names_the_functions():
    assert repr(LLMRun(tools=[get_weather])) == "LLMRun(tools=[get_weather])"
    hash(LLMRun(tools=[get_weather]))
    assert tree(LLMRun(tools=[get_weather]))[0].arguments == (("tools", "[get_weather]"),)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: LLMRun(tools=get_weather), "must be a list"),
        (lambda: LLMRun(tools=[get_weather, get_weather]), "two tools are called get_weather"),
        (lambda: LLMRun(tools=[get_weather], llm="eval_llm"), "for the model under test"),
        (lambda: ToolCallEvaluator(get_weather), "needs the name of a tool"),
        (lambda: ToolCallEvaluator("x", ["Oslo"]), "as a dict of JSON values"),
        (lambda: ToolCallEvaluator("x", {"a": {1, 2}}), "as a dict of JSON values"),
        (lambda: run("q" >> ToolCallEvaluator("x")), r"LLMRun\(tools=\[...\]\) before it"),
    ],
)
def test_mistakes_of_an_author_are_told(make, why):
    with pytest.raises(NodeError, match=why):
        make()


def test_a_judge_gets_the_text():
    model = ScriptedModel(reply(weather(city="Oslo"), text="One moment."))
    judge = ScriptedModel("VERDICT: YES")
    assert run(ASK >> Judge("It asks for patience."), llm=model, judge=judge).output
    assert "One moment." in judge.asked[0][-1].content


def planned(city: str, days: int = 1, tags: list[str] | None = None) -> str:
    """Say how warm it will be.

    city: where
    days: how many
    tags: of what kind
    """


@pytest.mark.parametrize(
    ("arguments", "extra", "passes"),
    [
        ('{"city": "Oslo", "days": 2, "zzz": 1}', True, True),
        ('{"city": "Oslo", "days": 2}', False, False),
        ('{"city": "Bergen"}', True, False),
        ('{"city": "Oslo", "tags": null}', False, True),
        ('{"city": "Oslo", "tags": ["x"]}', False, False),
        ('{"city": "Oslo", "zzz": null}', False, False),
    ],
)
def test_what_is_not_named_is_left_out_or_anything(arguments, extra, passes):
    reply = Completion("", calls=(ToolCall("c", "planned", arguments),))
    test = LLMRun(tools=[planned]) >> ToolCallEvaluator("planned", {"city": "Oslo"}, extra=extra)
    assert bool(run(test, "?", llm=ScriptedModel(reply)).output) is passes
