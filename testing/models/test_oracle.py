"""The oracle and the saboteur: references beside the tests, shared by a trial's roles."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.model_registry import ModelRegistry
from assay.records import Message, Tool, ToolCall, TrialKey
from testing.model_server import ModelServer
from testing.models.asking import llms_for

REFERENCES = """
seen = []

def by_dialogue(messages):
    seen.append(len(messages))
    return f"{len(seen)}: {messages[-1].content.upper()}"

def broken(messages):
    return messages[99].content

RIGHT = {
    "TestOne": ["only"],
    "TestBare": "bare",
    "TestMany": [["first", "judge says yes", "third"], "second variant"],
    "TestFunction": [by_dialogue],
    "TestBroken": [broken],
    "TestNumber": [lambda messages: 3],
}
WRONG = {"TestOne": ["wrong 1", "wrong 2"]}
"""
ASK = (Message("user", "q"),)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "tests" / "references").mkdir(parents=True)
    (tmp_path / "tests" / "sample.py").write_text("")
    (tmp_path / "tests" / "references" / "sample.py").write_text(REFERENCES)
    return tmp_path


def key(test, epoch=1, source="tests/sample.py"):
    return TrialKey(f"sample.{test}", epoch, "applied", source)


def run(root, body, **settings):
    async def inner():
        async with ModelRegistry({}, {}, cache=None, root=root, **settings) as models:
            return await body(models)

    return asyncio.run(inner())


def replies(root, name, trial, calls=1, **settings):
    async def body(models):
        model = models.load(name).for_trial(trial)
        return [(await model.complete(ASK)).text for _ in range(calls)]

    return run(root, body, **settings)


def test_one_reply_as_a_list_or_bare(root):
    assert replies(root, "oracle", key("TestOne")) == ["only"]
    assert replies(root, "oracle", key("TestBare")) == ["bare"]
    assert replies(root, "oracle", key("TestOne", source=str(root / "tests" / "sample.py"))) == ["only"]


def test_epochs_take_turns_in_the_variants(root):
    assert [replies(root, "saboteur", key("TestOne", epoch))[0] for epoch in (1, 2, 3)] == [
        "wrong 1",
        "wrong 2",
        "wrong 1",
    ]


def test_all_roles_of_a_trial_share_one_sequence(root):
    async def body(models):
        roles = [models.load("oracle", role) for role in ("llm", "eval_llm", "vision_eval_llm")]
        llm, judge, _ = (model.for_trial(key("TestMany")) for model in roles)
        said = [(await model.complete(ASK)).text for model in (llm, judge, llm)]
        with pytest.raises(ProviderError, match=r"sample.TestMany made call 4.*only 3 replies"):
            await judge.complete(ASK)
        return said

    assert run(root, body) == ["first", "judge says yes", "third"]


def test_a_trial_run_again_starts_anew_and_others_do_not_disturb(root):
    async def body(models):
        llm, judge = models.load("oracle"), models.load("oracle", "eval_llm")
        one = llm.for_trial(key("TestMany")), judge.for_trial(key("TestMany"))
        other = llm.for_trial(key("TestMany", epoch=2)), judge.for_trial(key("TestMany", epoch=2))
        assert (await one[0].complete(ASK)).text == "first"
        assert (await other[0].complete(ASK)).text == "second variant"
        again = llm.for_trial(key("TestMany")), judge.for_trial(key("TestMany"))  # while `one` still runs
        assert (await again[0].complete(ASK)).text == "first"
        assert (await one[1].complete(ASK)).text == "judge says yes"
        assert (await again[1].complete(ASK)).text == "judge says yes"

    run(root, body)


def test_a_function_answers_each_dialogue_and_remembers_only_its_trial(root):
    assert replies(root, "oracle", key("TestFunction"), calls=2) == ["1: Q", "2: Q"]
    assert replies(root, "oracle", key("TestFunction")) == ["1: Q"]


def test_a_call_beyond_the_references_is_an_error(root):
    with pytest.raises(
        ProviderError, match=r"sample.TestOne made call 2.*only 1 reply; add .*references/sample.py"
    ):
        replies(root, "oracle", key("TestOne"), calls=2)


def test_missing_references_say_where_to_add_them(root):
    with pytest.raises(ProviderError, match=r'RIGHT\["TestNew"\] to .*references/sample.py'):
        replies(root, "oracle", key("TestNew"))
    with pytest.raises(ProviderError, match=r'WRONG\["TestX"\]'):
        replies(root, "saboteur", key("TestX", source="tests/absent.py"))
    with pytest.raises(ProviderError, match="only inside a trial"):

        async def body(models):
            await models.load("oracle").complete(ASK)

        run(root, body)


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        ("RIGHT = {\n  'TestOne': [", r"references/sample.py:\d+: "),
        ("x = 1\ny = 1 / 0\n", r"references/sample.py:2: ZeroDivisionError"),
        ("import nowhere_at_all", r"references/sample.py:1: ModuleNotFoundError"),
        ("RIGHT = 3", "RIGHT must be a dict"),
        ("RIGHT = {'TestOne': 3}", "must be a list of variants, not int"),
        ("RIGHT = {'TestOne': ['x', 3]}", "variant 2 must be a string"),
        (
            "RIGHT = {\n 'TestTwo': 'x',\n 'TestOne': ['x', ['y', 3]]}",
            "sample.py:3: .*variant 2: turn 2 .* not int",
        ),
        (
            "from evaluator import Call\nRIGHT = {'TestOne': [\n Call('a', 3)]}",
            r"sample.py:3: TypeError: a call is",
        ),
        (
            "from evaluator import *\nRIGHT = {\n 'TestOne': Turn('a', 3)}",
            r"sample.py:3: TypeError: a Turn has",
        ),
    ],
)
def test_errors_in_references_name_file_and_line(root, content, advice):
    (root / "tests" / "references" / "sample.py").write_text(content)
    with pytest.raises(ConfigError, match=advice):
        replies(root, "oracle", key("TestOne"))
    with pytest.raises(ConfigError, match=advice):
        run(root, lambda models: count(models, "oracle", key("TestOne")))


async def count(models, name, trial):
    return models.variants(name, trial)


def test_errors_in_a_references_function_name_its_line(root):
    with pytest.raises(ConfigError, match=r"references/sample.py:9: RIGHT: IndexError"):
        replies(root, "oracle", key("TestBroken"))
    with pytest.raises(ConfigError, match="must return a string, a Call or a Turn, not int"):
        replies(root, "oracle", key("TestNumber"))


def test_an_edited_reference_is_never_stale(root):
    path = root / "tests" / "references" / "sample.py"

    async def body(models):
        said = []
        for text in ("one", "two"):  # same length, most likely the same second
            path.write_text(f"RIGHT = {{'TestOne': '{text}'}}")
            said.append((await models.load("oracle").for_trial(key("TestOne")).complete(ASK)).text)
        return said

    assert run(root, body) == ["one", "two"]
    assert not (path.parent / "__pycache__").exists()


def test_variants_are_counted(root):
    async def body(models):
        return [
            models.variants("oracle", key("TestMany")),
            models.variants("saboteur", key("TestOne")),
            models.variants("saboteur", key("TestMany")),
            models.variants("openai/gpt-4o", key("TestMany")),
        ]

    assert run(root, body) == [2, 2, 0, 1]


def test_a_suite_may_bring_its_references(root):
    def hook(trial, right):
        return [f"hooked {right}"] if trial.suite == "made up" else None

    async def body(models):
        models.references = hook
        model, wrong = models.load("oracle"), models.load("saboteur")
        own = await model.for_trial(TrialKey("x.Y", suite="made up")).complete(ASK)
        bad = await wrong.for_trial(TrialKey("x.Y", suite="made up")).complete(ASK)
        file = await model.for_trial(key("TestOne")).complete(ASK)
        return own.text, bad.text, file.text

    assert run(root, body) == ("hooked True", "hooked False", "only")


def test_a_hook_set_after_loading_counts(root):
    async def body(models):
        model = models.load("oracle")
        models.references = lambda trial, right: ["late"]
        return (await model.for_trial(key("TestOne")).complete(ASK)).text

    assert run(root, body) == "late"


def test_the_oracle_costs_nothing_and_is_never_cached(root, tmp_path):
    async def inner():
        path = tmp_path / "c.sqlite"
        with ModelServer() as server:
            async with ModelRegistry(
                llms_for(server.url), {}, cache=path, root=root, max_cost=0.001
            ) as models:
                reply = await models.load("oracle").for_trial(key("TestOne")).complete(ASK)
                assert (reply.cost, reply.cached, models.spent[1]) == (0.0, False, 0.0)
        assert not path.exists()

    asyncio.run(inner())


TOOLS = (
    Tool("look", "Looks."),
    Tool("shell", "Runs.", '{"type": "object", "properties": {"script": {}}, "required": ["script"]}'),
)
CALLING = """
from evaluator import Call, Script, Turn

def by_dialogue(messages):
    return Call("look", where=messages[-1].content)

RIGHT = {
    "TestCall": Call("look", where="here"),
    "TestTurns": [[
        Turn("Both.", Call("look", where="a"), Call("look", where="b")), Call("shell", script="ls"), "Done."
    ]],
    "TestFunction": by_dialogue,
    "TestScript": [Script("make\\nmake test")],
    "TestJudged": [[Script("make"), "yes"]],
    "TestUnknown": Call("find"),
}
WRONG = {"TestCall": [Call("find"), Call("look", "{")]}
"""


def played(root, name, test, calls=1, tools=TOOLS, epoch=1):
    (root / "tests" / "references" / "sample.py").write_text(CALLING)

    async def body(models):
        model = models.load(name).for_trial(key(test, epoch))
        asked, found = ASK, []
        for _ in range(calls):
            found.append(await model.complete(asked, tools=tools))
            asked = (*asked, found[-1].turn, Message("tool", "done"))
        return found

    return run(root, body)


def called(reply):
    return reply.text, [(call.name, call.arguments) for call in reply.calls]


def test_a_reference_may_call_tools(root):
    (reply,) = played(root, "oracle", "TestCall")
    assert reply.calls == (ToolCall("call_1_1", "look", '{"where": "here"}'),)
    assert (reply.finish_reason, reply.cost) == ("tool_calls", 0.0)
    assert called(*played(root, "oracle", "TestFunction")) == ("", [("look", '{"where": "q"}')])


def test_a_reference_of_several_turns_has_calls_with_ids_of_their_own(root):
    replies = played(root, "oracle", "TestTurns", calls=3)
    assert [called(reply) for reply in replies] == [
        ("Both.", [("look", '{"where": "a"}'), ("look", '{"where": "b"}')]),
        ("", [("shell", '{"script": "ls"}')]),
        ("Done.", []),
    ]
    assert len({call.id for reply in replies for call in reply.calls}) == 3


def test_a_script_is_run_by_the_shell_of_the_test(root):
    replies = played(root, "oracle", "TestScript", calls=2)
    assert [called(each) for each in replies] == [
        ("", [("shell", '{"script": "make\\nmake test"}')]),
        ("Done.", []),
    ]
    assert [each.text for each in played(root, "oracle", "TestJudged", calls=3)] == ["", "Done.", "yes"]


def test_a_right_reference_calls_only_tools_of_the_test(root):
    with pytest.raises(ConfigError, match=r"TestUnknown has no tool 'find'; it has look, shell"):
        played(root, "oracle", "TestUnknown")
    with pytest.raises(ConfigError, match=r"TestScript has no tool 'shell'; it has none"):
        played(root, "oracle", "TestScript", tools=())


def test_a_wrong_reference_may_call_what_there_is_not(root):
    assert called(*played(root, "saboteur", "TestCall")) == ("", [("find", "{}")])
    assert called(*played(root, "saboteur", "TestCall", epoch=2)) == ("", [("look", "{")])
