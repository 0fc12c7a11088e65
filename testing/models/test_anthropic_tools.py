"""Tools, thinking and prompt caching as Anthropic's API has them, streamed and not."""

from __future__ import annotations

import asyncio
import dataclasses
import json

import anthropic
import pytest

from assay.errors import ProviderError
from assay.models.anthropic_messages import usage_in
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import Unreadable
from assay.records import Message, Tool, ToolCall, Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply, stream_anthropic
from testing.models.asking import SHELL, ask
from testing.models.test_model_providers import PNG
from testing.models.test_plain_wire import both

STREAMED = "anthropic/claude-opus-4-5"
WAYS = [(STREAMED, {}), ("anthropic/claude-opus-4-5", {"max_tokens": 20_000})]  # streamed, and not
LOOK = Tool("look", "Shows a picture.")
TOOLS = (SHELL, LOOK)


def thinking(text="First I list the files.", signature="EqQBCgIYAhIM+/="):
    return {"type": "thinking", "thinking": text, "signature": signature}


def use(number, name="shell", arguments={"command": "ls"}):
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}


def said(text):
    return {"type": "text", "text": text}


REDACTED = {"type": "redacted_thinking", "data": "EmwKAhgB+/=="}


def message(*content, stop="tool_use", **usage):
    counted = {"input_tokens": 10, "output_tokens": 5, **usage}
    return Reply("", extra={"content": list(content), "stop_reason": stop, "usage": counted})


def answered(replies, dialogue, way, **options):
    """The completion of each of `replies`, whatever is asked, and the bodies that were sent."""
    queue = iter(replies)
    name, hparams = way
    with ModelServer(reply=lambda asked: next(queue)) as server:
        found = ask(server, name, messages=dialogue, hparams=hparams, **{"tools": TOOLS, **options})
        return found, server.bodies()


@pytest.mark.parametrize("way", WAYS)
def test_tools_are_offered_and_their_calls_read(way):
    content = (
        thinking(),
        said("Let me look.\n"),
        use(1),
        use(2, "look", {}),
        use(3, arguments={"command": "é\n\"'"}),
    )
    reply, (body,) = answered([message(*content)], [Message("user", "hi")], way)
    assert [
        {name: its for name, its in tool.items() if name != "cache_control"} for tool in body["tools"]
    ] == [
        {"name": "shell", "description": "Runs a command.", "input_schema": json.loads(SHELL.parameters)},
        {
            "name": "look",
            "description": "Shows a picture.",
            "input_schema": {"type": "object", "properties": {}},
        },
    ]
    assert ("stream" in body) == (way[1] == {})
    assert (reply.text, reply.finish_reason) == ("Let me look.\n", "tool_calls")
    assert reply.reasoning == "First I list the files."
    assert [(call.id, call.name) for call in reply.calls] == [
        ("toolu_1", "shell"),
        ("toolu_2", "look"),
        ("toolu_3", "shell"),
    ]
    assert [json.loads(call.arguments) for call in reply.calls] == [
        {"command": "ls"},
        {},
        {"command": "é\n\"'"},
    ]


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_is_handed_back_as_it_came(way):
    """Signatures, hidden thoughts and what else the API puts into a turn; nobody else gets them."""
    content = (thinking(), REDACTED, said("Let me look."), {**use(1), "caller": {"type": "direct"}})
    first, _ = answered([message(*content)], [Message("user", "hi")], way)
    result = Message("tool", "a.py", call_id="toolu_1")
    _, (body,) = answered(
        [message(said("done"), stop="end_turn")], [Message("user", "hi"), first.turn, result], way
    )
    assert body["messages"][1] == {"role": "assistant", "content": list(content)}
    _, (body,) = answered(
        [message(said("done"), stop="end_turn")],
        [Message("user", "hi"), first.turn, result],
        ("anthropic/claude-haiku-4-5", {}),
    )
    assert body["messages"][1]["content"] == [said("Let me look."), use(1)], "another model's signatures"


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_of_which_all_is_known_is_kept_once(way):
    first, _ = answered([message(said("Let me look."), use(1))], [Message("user", "hi")], way)
    assert first.native == "" and first.turn.calls == (ToolCall("toolu_1", "shell", '{"command": "ls"}'),)


def test_all_results_of_a_turn_are_in_one_turn():
    calls = tuple(ToolCall(f"c{n}", "shell", "{}") for n in range(3))
    dialogue = (
        Message("user", "hi"),
        Message("assistant", "", calls=calls),
        Message("tool", "one", call_id="c0"),
        Message("tool", "no such file", call_id="c1", failed=True),
        Message("tool", "", (PNG,), call_id="c2", failed=True),
        Message("user", "and now?"),
        Message("assistant", " "),
        Message("user", "x"),
    )
    _, (body,) = answered([message(said("x"), stop="end_turn")], dialogue, WAYS[1])
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user", "assistant", "user"]
    assert body["messages"][1]["content"] == [
        {"type": "tool_use", "id": f"c{n}", "name": "shell", "input": {}} for n in range(3)
    ]
    one, two, three, text = body["messages"][2]["content"]
    assert one == {"type": "tool_result", "tool_use_id": "c0", "content": [said("one")]}
    assert two == {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": [said("no such file")],
        "is_error": True,
    }
    assert [part["type"] for part in three["content"]] == ["image", "text"] and "is_error" not in three
    assert text["text"] == "and now?"
    assert body["messages"][3]["content"] == [said("(empty)")], "a text without a letter is refused"


@pytest.mark.parametrize("arguments", ["{", "[1]", "7", "", '{"a": NaN}', '{"a": ' * 100_000])
def test_arguments_that_are_no_object_are_shown_to_the_model(arguments):
    dialogue = (
        Message("user", "hi"),
        Message("assistant", "", calls=(ToolCall("c1", "shell", arguments),)),
        Message("tool", "these arguments are not an object", call_id="c1", failed=True),
    )
    _, (body,) = answered([message(said("x"), stop="end_turn")], dialogue, WAYS[1])
    assert body["messages"][1]["content"][0]["input"] == {"INVALID_JSON": arguments}


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_that_was_not_offered_is_not_called(way):
    reply, _ = answered([message(said("I look."), use(1))], [Message("user", "hi")], way, tools=())
    assert (reply.calls, reply.finish_reason, reply.native) == ((), "stop", "")
    reply, _ = answered([message(use(1))], [Message("user", "hi")], way, tools=())
    assert (reply.calls, reply.finish_reason, reply.native) == ((), "tool_calls", "")


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_that_the_api_pauses_goes_on(way):
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    paused = message(said("Let me search."), search, stop="pause_turn", cache_read_input_tokens=3)
    paused.extra["container"] = {"id": "container_1", "expires_at": "2026-11-23T00:00:00Z"}
    reply, (first, second) = answered(
        [paused, message(found, said(" It is 4."), stop="end_turn")], [Message("user", "hi")], way
    )
    assert second["messages"][1:] == [{"role": "assistant", "content": [said("Let me search."), search]}]
    assert second["container"] == "container_1" and "container" not in first
    assert (reply.text, reply.finish_reason) == ("Let me search. It is 4.", "stop")
    assert reply.usage == Usage(23, 10, 0, 3)
    (content,) = json.loads(reply.native).values()
    assert content == [said("Let me search."), search, found, said(" It is 4.")]


def test_a_turn_that_is_paused_without_end_ends():
    reply, bodies = answered([message(said("."), stop="pause_turn")] * 99, [Message("user", "hi")], WAYS[1])
    assert reply.finish_reason == "pause_turn" and len(bodies) == 10


# ---------------------------------------------------------------- as the real SDK has it


@pytest.mark.parametrize("way", WAYS)
def test_what_is_sent_and_understood_is_the_same_by_the_sdk(way, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    content = (thinking(), REDACTED, said("Let me look."), use(1), use(2, "look", {}))
    first, _ = answered([message(*content)], [Message("user", "hi")], way)
    results = [Message("tool", "é", (PNG,), call_id=call.id) for call in first.calls]
    dialogue = (Message("system", "Be brief."), Message("user", "hi"), first.turn, *results)
    plain, by_sdk = both(monkeypatch, lambda: answered([message(*content)], dialogue, way))
    assert plain[1] == by_sdk[1]
    untimed = [dataclasses.replace(reply, seconds=0.0, queued_seconds=0.0) for reply, _ in (plain, by_sdk)]
    assert untimed[0] == untimed[1]


def test_the_sdk_makes_the_same_message_of_a_stream():
    """So the stream is one that the API could have sent, and nothing of it is lost."""
    content = [
        thinking("é\n\n" * 50),
        REDACTED,
        said("Let me look."),
        use(1, arguments={"a": [1, {"b": "\u2028"}]}),
        use(2),
    ]
    reply = message(*content, cache_read_input_tokens=7, cache_creation_input_tokens=3)

    async def asked(url):
        async with anthropic.AsyncAnthropic(api_key="k", base_url=url, max_retries=0) as client:
            given = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
            async with client.messages.stream(**given) as stream:
                its = await stream.get_final_message()
            async with client.messages.with_streaming_response.create(**given, stream=True) as raw:
                ours = MessageStream()
                async for part in raw.iter_bytes():
                    ours.feed(part)
            return its.to_dict(), ours.message()

    with ModelServer(reply=lambda asked: reply) as server:
        its, ours = asyncio.run(asked(server.url))
    assert [
        {name: value for name, value in block.items() if value is not None} for block in its["content"]
    ] == content
    assert ours["content"] == content
    assert its["stop_reason"] == ours["stop_reason"] == "tool_use"
    assert usage_in(ours) == usage_in(its) == Usage(20, 5, 0, 7, 3)


# ---------------------------------------------------------------- replies that are cut off, or broken


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded", "refusal"])
def test_a_call_that_is_cut_off_has_what_there_is_of_its_arguments(stop):
    reply, _ = answered(
        [message(thinking(), use(1, arguments='{"command": "ls -'), stop=stop)],
        [Message("user", "hi")],
        WAYS[0],
    )
    assert reply.calls == (ToolCall("toolu_1", "shell", '{"command": "ls -'),)
    assert reply.finish_reason == {"max_tokens": "length"}.get(stop, stop)
    (content,) = json.loads(reply.native).values()
    assert content[1]["input"] == {"INVALID_JSON": '{"command": "ls -'}, "it can be handed back"


@pytest.mark.parametrize("order", ["truncated", "half-json", "reset-body", "stream-error"])
@pytest.mark.parametrize("way", WAYS)
def test_half_a_call_is_tried_again_and_never_an_answer(order, way):
    name, hparams = way
    if order == "stream-error" and hparams:
        return
    long = message(use(1, arguments={"command": "ls " * 1000}))
    with ModelServer(reply=lambda asked: long) as server:
        reply = ask(server, name, f"[[{order} x2]] hi", hparams=hparams, tools=TOOLS)
        assert reply.attempts == 3 and len(json.loads(reply.calls[0].arguments)["command"]) == 3000


def test_what_is_said_at_the_end_of_a_stream_counts_and_blocks_may_have_any_number():
    """The container of the API's own tools is said there; other servers number their blocks as they like."""
    events = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 7, "cache_read_input_tokens": 3}}},
        {"type": "content_block_start", "index": 4, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta", "text": "a\ud83d"}},
        {"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta", "text": "\ude00b"}},
        {"type": "content_block_stop", "index": 4},
        {"type": "message_delta", "delta": {"stop_reason": "pause_turn", "container": {"id": "c1"}}},
        {"type": "message_delta", "delta": {"stop_reason": None}, "usage": {"output_tokens": 5}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 6, "input_tokens": None}},
        {"type": "message_stop"},
    ]
    stream = MessageStream()
    for event in events:
        stream.feed(b"data: %s\n\n" % json.dumps(event).encode())
    whole = stream.message()
    assert whole["content"] == [said("a\N{GRINNING FACE}b")]
    assert (whole["stop_reason"], whole["container"]) == ("pause_turn", {"id": "c1"})
    assert whole["usage"] == {"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 6}


def test_half_a_call_in_a_whole_stream_is_no_answer():
    """The connection did not break, but what came over it."""
    content = [use(1, arguments='{"command": "ls -')]
    whole = json.dumps({"content": content, "stop_reason": "tool_use", "usage": {"output_tokens": 1}})
    stream = MessageStream()
    stream.feed(stream_anthropic(whole.encode()))
    with pytest.raises(Unreadable):
        stream.message()
    stream = MessageStream()
    events = stream_anthropic(whole.replace("ls -", 'ls\\"}').encode())
    stream.feed(events.replace(b"content_block_stop", b"some_other_event"))
    with pytest.raises(Unreadable, match="half a call of a tool"):
        stream.message()


@pytest.mark.parametrize("broken", [{"id": ""}, {"name": None}])
@pytest.mark.parametrize("way", WAYS)
def test_a_call_without_its_name_is_no_answer(broken, way):
    with pytest.raises(ProviderError, match="a call of a tool without its name or id"):
        answered([message({**use(1), **broken})] * 3, [Message("user", "hi")], way)


@pytest.mark.parametrize("way", WAYS)
def test_a_turn_that_the_api_would_not_take_back_is_not_handed_back(way):
    reply, _ = answered([message(thinking(), stop="max_tokens")], [Message("user", "hi")], way)
    assert (reply.native, reply.reasoning) == ("", "First I list the files.")
    reply, _ = answered([message(thinking(), said("\n\n"), use(1))], [Message("user", "hi")], way)
    (content,) = json.loads(reply.native).values()
    assert content == [thinking(), use(1)]
