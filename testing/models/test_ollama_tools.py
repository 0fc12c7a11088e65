"""Tools, thinking and streams as Ollama's API has them."""

import json

import pytest

from assay.errors import ProviderError, Refused
from assay.models.ollama_chat import ChatLines
from assay.models.retry import Retry
from assay.records import Message, Tool, ToolCall
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import OFFERED, SHELL, ask, llms_for

NAME = "ollama/qwen3:8b"
WAYS = [{}, {"max_tokens": 500}]  # streamed, and not
DIALOGUE = (
    Message("user", "Mend it."),
    Message(
        "assistant",
        "I look.",
        calls=(ToolCall("a", "shell", '{"command": "ls"}'), ToolCall("b", "look", "{broken")),
        reasoning="First the files.",
    ),
    Message("tool", "x.py", call_id="a"),
    Message("tool", "no such tool", call_id="b", failed=True),
)


def message(content="", **more):
    return Reply(content, extra={"message": {"role": "assistant", "content": content, **more}})


def called(name="shell", arguments={"command": "ls"}, **more):
    return {**more, "function": {"name": name, "arguments": arguments}}


def answered(reply, hparams, messages=DIALOGUE, tools=(SHELL,), **options):
    with ModelServer(reply=lambda asked: reply) as server:
        found = ask(server, NAME, messages=messages, hparams=hparams, tools=tools, **options)
        return found, server.bodies()


@pytest.mark.parametrize("way", WAYS)
def test_tools_are_offered_and_their_calls_read(way):
    calls = [called(), called("look", {"at": [1, "é"]}, id="own")]
    reply, (body,) = answered(message("I look.", thinking="Hm.", tool_calls=calls), way)
    assert body["tools"] == [OFFERED]
    assert body["stream"] is (way == {})
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("I look.", "Hm.", "tool_calls")
    assert reply.calls == (
        ToolCall("call_4_1", "shell", '{"command": "ls"}'),
        ToolCall("own", "look", '{"at": [1, "é"]}'),
    )


def test_a_dialogue_with_tools_goes_back():
    _, (body,) = answered(message("Done."), {})
    assert body["messages"] == [
        {"role": "user", "content": "Mend it."},
        {
            "role": "assistant",
            "content": "I look.",
            "thinking": "First the files.",
            "tool_calls": [
                {"id": "a", "function": {"name": "shell", "arguments": {"command": "ls"}}},
                {"id": "b", "function": {"name": "look", "arguments": {"INVALID_JSON": "{broken"}}},
            ],
        },
        {"role": "tool", "content": "x.py", "tool_name": "shell", "tool_call_id": "a"},
        {
            "role": "tool",
            "content": "The tool failed: no such tool",
            "tool_name": "look",
            "tool_call_id": "b",
        },
    ]


def test_a_call_of_a_tool_that_nobody_offers_is_none():
    reply, (body,) = answered(message("", tool_calls=[called()]), {}, tools=())
    assert (reply.calls, reply.finish_reason) == ((), "tool_calls") and "tools" not in body


def test_half_a_call_is_no_reply():
    with pytest.raises(ProviderError, match="a call of a tool without a name"):
        answered(message("", tool_calls=[{"function": {}}]), {}, retry=Retry(attempts=1))


def test_a_model_without_tools_is_refused_by_its_server():
    with pytest.raises(Refused, match="does not support tools"):
        answered(Reply("qwen3:8b does not support tools", status=400), {})


def test_tools_and_calls_take_room_in_the_context():
    def size(messages, tools):
        return answered(message("x"), {}, messages, tools)[1][0]["options"]["num_ctx"]

    long = json.dumps({"command": "x" * 60_000})
    turn = Message("assistant", "", calls=(ToolCall("a", "shell", long),))
    assert size((Message("user", "x"),), ()) == 8192
    assert size((Message("user", "x"),), (Tool("shell", "x" * 60_000),)) == 32_768
    assert size((Message("user", "x"), turn, Message("tool", "y", call_id="a")), (SHELL,)) == 32_768
    thought = Message("assistant", "", reasoning="x" * 60_000)
    assert size((Message("user", "x"), thought, Message("user", "y")), ()) == 32_768


def test_an_error_in_a_stream_is_told_and_asked_again(server):
    with pytest.raises(ProviderError, match="the model's runner has stopped"):
        ask(server, NAME, "[[stream-error]]")
    reply = ask(server, NAME, "[[stream-error x1]]")
    assert reply.attempts == 2 and reply.text.startswith("Answer ")


@pytest.mark.parametrize("order", ["truncated", "half-json", "reset-body"])
def test_a_stream_that_ends_in_the_middle_is_asked_again(server, order):
    reply = ask(server, NAME, f"[[{order} x1]]")
    assert reply.attempts == 2 and reply.text.startswith("Answer ")


def test_a_stream_that_ends_between_two_lines_is_no_reply():
    lines = ChatLines()
    lines.feed(b'{"message": {"content": "Ans"}, "done": false}\n')
    with pytest.raises(Exception, match="ended before the reply did"):
        lines.reply()


def test_a_stream_may_take_longer_than_timeout_s_if_it_goes_on(server):
    ask(server, NAME, "warm")
    slow = llms_for(server.url, timeout_s=1)
    reply = ask(server, NAME, "[[drip s=0.2]]", llms=slow)
    assert reply.text.startswith("Answer ") and reply.seconds > 1.5
    with pytest.raises(ProviderError, match=r"silent for 0.5 s"):
        ask(
            server,
            NAME,
            "[[stall]]",
            llms=llms_for(server.url, timeout_s=0.5),
            retry=Retry(attempts=1),
        )


def test_a_stream_is_the_same_whatever_parts_it_comes_in():
    lines = [
        {"message": {"content": "a\né", "thinking": "t"}, "done": False},
        {"message": {"content": "b", "tool_calls": [called()]}, "done": False},
        {"message": {"content": ""}, "done": True, "done_reason": "stop"},
    ]
    data = "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    found = []
    for size in (1, 7, len(data)):
        stream = ChatLines()
        for at in range(0, len(data), size):
            stream.feed(data[at : at + size])
        found.append(stream.reply())
    assert found[0] == found[1] == found[2]
    assert found[0]["message"] == {"content": "a\néb", "thinking": "t", "tool_calls": [called()]}
