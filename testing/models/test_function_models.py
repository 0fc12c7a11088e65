"""A caller's own models: functions, and objects with traits."""

import asyncio

import pytest

from assay.config import Config
from assay.errors import BudgetExceeded, ConfigError, ProviderError, Refused
from assay.models.function_model import model
from assay.records import Completion, Outcome, Tool, ToolCall, Traits, Usage
from assay.results.conditions import mixed_surroundings, self_judged
from assay.running.engines import workers_for
from assay.running.plan import make_plan
from assay.running.roles import load_roles
from assay.running.trial import run_trial
from assay.suites.suite import Sample
from evaluator import Call, LLMRun, SubstringEvaluator, Turn
from testing.harness.standins import ScriptedPool
from testing.models.acme import ASK, inside


class Panic(BaseException): ...


STRAYS = [StopIteration, StopAsyncIteration, SystemExit, asyncio.CancelledError, Panic]


def played(own, *, config=None, **settings):
    """The record of one trial of a caller's model, loaded as a run loads it."""
    sample = Sample(
        "t.TestT", "2+2?" >> LLMRun() >> SubstringEvaluator("4"), source="tests/t.py", time_limit_s=20
    )

    async def body(models):
        roles = load_roles(models, models.add(own), config or Config(), {}, {})
        return await run_trial(sample, roles.llm, roles.eval_llm, roles.vision_eval_llm, ScriptedPool())

    return inside(body, **settings)


def test_what_to_do_about_the_price_of_a_function_is_said():
    async def hints(models):
        return [models.price_hint(name) for name in (models.add(model(four, name="mine")), "openai/x")]

    own, served = inside(hints)
    assert "Traits(free=True)" in own and "config.json" not in own
    assert served == "set llms.openai.prices in config.json"


async def four(messages):
    return Completion("4", Usage(3, 1), cost=0.5)


@pytest.mark.parametrize("function", [lambda messages: "it is 4", four], ids=["sync", "async"])
def test_a_function_plays_in_a_trial_and_its_replies_are_recorded(function):
    record = played(model(function, name="mine"))
    assert (record.outcome, record.model, record.calls) == (Outcome.PASS, "mine", 1)
    assert [reply.role for reply in record.replies] == ["llm"]


def test_what_a_function_raises_is_an_error_that_names_it():
    def breaks(messages):
        raise KeyError("weights")

    record = played(model(breaks))
    assert record.outcome is Outcome.ERROR
    assert "breaks: KeyError: 'weights'" in record.error and "test_function_models.py:" in record.error
    assert "a string, a Call, a Turn or a Completion, not int" in played(model(lambda _: 4, name="m")).error
    assert "not bool; a judge replies 'VERDICT: YES'" in played(model(lambda _: True, name="m")).error


@pytest.mark.parametrize("kind", [*STRAYS, GeneratorExit, KeyboardInterrupt])
def test_what_no_coroutine_could_raise_is_an_error_that_names_the_function(kind):
    def breaks(messages):
        raise kind("out")

    assert f"breaks: {kind.__name__}: out (test_function_models.py:" in played(model(breaks)).error


@pytest.mark.parametrize("kind", [*STRAYS, KeyError])
def test_what_an_asynchronous_model_raises_is_an_error_that_names_it(kind):
    class Theirs:
        name = "theirs"

        def for_trial(self, trial):
            return self

        async def complete(self, messages, *, json=False):
            raise kind("out")

    async def breaks(messages):
        raise kind("out")

    for own, name in ((Theirs(), "theirs"), (model(breaks), "breaks")):
        error = played(own).error
        assert f"{name}: {kind.__name__}: {kind('out')} (test_function_models.py:" in error


def test_an_error_of_assay_that_a_function_raises_names_it_once():
    again = ConfigError("no weights")

    def breaks(messages):
        raise again

    for _ in range(2):
        record = played(model(breaks))
        assert (record.outcome, record.error) == (Outcome.ERROR, "ConfigError: breaks: no weights")


def test_a_lambda_needs_a_name():
    with pytest.raises(ConfigError, match="name="):
        model(lambda messages: "4")


@pytest.mark.parametrize(("cached", "calls"), [(False, 2), (True, 1)])
def test_a_function_is_cached_only_if_asked(tmp_path, cached, calls):
    asked = []

    def count(messages):
        asked.append(messages)
        return "4"

    for _ in range(2):
        assert played(model(count, cached=cached), cache=tmp_path / "c.sqlite").outcome is Outcome.PASS
    assert len(asked) == calls


def test_a_function_is_told_to_reply_in_json():
    def last(messages):
        return messages[0].content

    reply = asyncio.run(model(last).complete(ASK, json=True))
    assert "JSON" in reply.text


def test_a_budget_counts_a_callers_model():
    async def body(models):
        its = models.load(models.add(model(four)))
        for _ in range(3):
            await its.complete(ASK)

    with pytest.raises(BudgetExceeded):
        inside(body, max_cost=0.9)


def test_a_name_stands_for_one_model():
    async def body(models):
        models.add(model(four))
        models.add(model(lambda messages: "5", name="four"))

    with pytest.raises(ConfigError, match="another model is already named 'four'"):
        inside(body)
    with pytest.raises(ConfigError, match="another model is already named 'oracle'"):
        inside(lambda models: asyncio.to_thread(models.add, model(four, name="oracle")))


class Prover:
    """A stranger's model that proves tests: it has three replies to each."""

    name = "prover"
    traits = Traits(free=True, replays=True, self_judged=True)

    def variants(self, trial):
        return 3

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False):
        return Completion("4", cost=0.0)


def test_a_strangers_model_with_traits_is_treated_like_ours():
    sample = Sample("t.TestT", "2+2?" >> LLMRun())

    async def body(models):
        models.add(Prover())
        roles = load_roles(models, "prover", Config(judge="openai/gpt-4o"), {}, {})
        return roles, make_plan(lambda: [sample], "prover", models, None).size()

    roles, trials = inside(body)
    assert roles.eval_llm.name == roles.vision_eval_llm.name == "prover", "it judges itself"
    assert trials == 3, "one for each of its replies"
    config = Config(max_connections=100)
    assert workers_for(config, Prover.traits) == workers_for(config) - 100, "it waits for nobody"
    record = played(Prover())
    assert self_judged(record) and mixed_surroundings([record]) == []
    assert not self_judged(played(model(four)))


def test_an_error_of_a_provider_is_not_hidden():
    def refuses(messages):
        raise ProviderError("no more today")

    assert "no more today" in played(model(refuses)).error


TOOLS = (Tool("shell", "Runs a command."),)


def asked_with(function, tools=TOOLS):
    return asyncio.run(model(function, name="own").complete(ASK, tools=tools))


def second(messages, given):
    return Call("shell", command=given[0].name if given else "none")


async def by_name(messages, *, tools=()):
    return Turn("I look.", *(Call(tool.name, command="ls") for tool in tools), Call("shell", "{broken"))


def test_a_function_is_given_the_tools_and_calls_them():
    reply = asked_with(second)
    assert reply.calls == (ToolCall("call_1_1", "shell", '{"command": "shell"}'),)
    assert (reply.text, reply.finish_reason) == ("", "tool_calls")
    assert asked_with(second, ()).calls[0].arguments == '{"command": "none"}'
    reply = asked_with(by_name)
    assert reply.text == "I look." and [call.arguments for call in reply.calls] == [
        '{"command": "ls"}',
        "{broken",
    ]
    assert len({call.id for call in reply.calls}) == 2


def test_a_completion_s_calls_keep_their_ids():
    made = Completion("", calls=(ToolCall("own", "shell"), ToolCall("", "shell")))
    assert [call.id for call in asked_with(lambda messages, tools: made).calls] == ["own", "call_1_2"]


def test_a_function_that_takes_no_tools_says_so_when_a_test_gives_some():
    def plain(messages, style="short"):
        return style

    with pytest.raises(Refused, match=r"own: the test gives tools.*def reply\(messages, tools\)"):
        asked_with(plain)
    assert asked_with(plain, ()).text == "short"
