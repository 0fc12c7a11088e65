"""Tools and thinking by litellm: in OpenAI's form to it, and whatever it makes of that for the provider."""

import json

import pytest

from assay.errors import Refused
from assay.records import Message, Tool, ToolCall
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import KEY, ask, llms_for

SHELL = Tool("shell", "Runs a command.", '{"type": "object", "properties": {"command": {"type": "string"}}}')
CALL = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command": "ls"}'}}
ASK = Message("user", "Mend it.")


def answered(reply, *dialogue, name="mistral/m", llms=None, tools=(SHELL,), **options):
    with ModelServer(reply=lambda asked: reply) as server:
        llms = llms(server.url) if llms else llms_for(server.url)
        found = ask(server, name, messages=(ASK, *dialogue), llms=llms, tools=tools, **options)
        return found, server.bodies()


def message(finish="tool_calls", **its):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": None, **its}}
    return Reply("", extra={"choices": [choice]})


def test_tools_are_offered_and_their_calls_read_and_handed_back():
    said = message(tool_calls=[CALL], content="I look.", reasoning_content="Hm.")
    reply, (body,) = answered(said)
    assert body["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "shell",
                "description": "Runs a command.",
                "parameters": json.loads(SHELL.parameters),
            },
        }
    ]
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("I look.", "Hm.", "tool_calls")
    assert reply.calls == (ToolCall("c1", "shell", '{"command": "ls"}'),)
    _, (body,) = answered(message("stop", content="Done."), reply.turn, Message("tool", "x.py", call_id="c1"))
    turn, result = body["messages"][1:]
    assert turn["content"] == "I look."
    assert [(made["id"], made["function"]) for made in turn["tool_calls"]] == [("c1", CALL["function"])]
    assert (result["role"], result["tool_call_id"], result["content"]) == ("tool", "c1", "x.py")


def test_thinking_goes_back_with_its_signature():
    """Of Claude, which litellm asks in Anthropic's form."""

    def llms(url):
        return {"litellm": {"api_key": KEY, "base_url": url}}

    thought = {"type": "thinking", "thinking": "First the files.", "signature": "EqQB+/=="}
    used = {"type": "tool_use", "id": "t1", "name": "shell", "input": {"command": "ls"}}
    first = Reply("", extra={"content": [thought, used], "stop_reason": "tool_use"})
    its = {"name": "litellm/anthropic/claude-sonnet-4-5", "llms": llms, "hparams": {"thinking_budget": 2000}}
    reply, (body,) = answered(first, **its)
    assert body["tools"][0]["input_schema"] == json.loads(SHELL.parameters)
    assert reply.reasoning == "First the files." and reply.calls == (
        ToolCall("t1", "shell", '{"command": "ls"}'),
    )
    last = Reply("", extra={"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"})
    reply, (body,) = answered(last, reply.turn, Message("tool", "x.py", call_id="t1"), **its)
    blocks = body["messages"][1]["content"]
    assert [block["type"] for block in blocks] == ["thinking", "tool_use"]
    assert (blocks[0]["signature"], blocks[1]["input"]) == ("EqQB+/==", {"command": "ls"})
    assert reply.text == "Done."


@pytest.mark.parametrize("name", ["perplexity/sonar", "litellm/replicate/meta/llama-2-70b-chat"])
def test_a_model_that_litellm_sends_no_tools_to_is_refused_before_it_is_asked(server, name):
    provider = name.partition("/")[0]
    llms = {provider: {"api_key": KEY, "base_url": server.url + "/v1"}}
    with pytest.raises(Refused, match=f"litellm does not send tools to {name}"):
        ask(server, name, llms=llms, tools=(SHELL,))
    assert server.stats()["requests"] == 0


def test_half_a_call_is_told_as_it_was_written():
    half = {**CALL, "function": {"name": "shell", "arguments": '{"command": "l'}}
    reply, _ = answered(message("length", tool_calls=[half]))
    assert reply.finish_reason == "length" and reply.calls[0].arguments == '{"command": "l'


def test_a_call_of_a_tool_that_nobody_offers_is_none():
    reply, (body,) = answered(message(tool_calls=[CALL]), tools=())
    assert (reply.calls, reply.finish_reason) == ((), "tool_calls") and "tools" not in body
