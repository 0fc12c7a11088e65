"""OpenAI's Responses API: who is asked by it, what is sent and read, whole and streamed, over real HTTP."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.errors import ConfigError, ProviderError, Refused
from assay.models.failures import StatusError
from assay.models.openai_responses import ResponseStream
from assay.models.retry import Retry
from assay.records import Message, Schema, Tool, ToolCall, Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import KEY, SHELL, ask
from testing.models.test_model_providers import PNG
from testing.openai_streams import stream_response

TOOLS = (SHELL, Tool("stop", "Ends."))
ASKED = (Message("system", "Be brief."), Message("user", "Look around."))
FORM = Schema("verdict", '{"type": "object", "properties": {"a": {"type": "string"}}}')


def llms(server, **more):
    its = {"api_key": KEY, "base_url": server.url + "/v1", "timeout_s": 20, **more}
    return {"openai": its, "my-server": {**its, "api": "responses"}}


THOUGHT = {
    "id": "rs_1", "type": "reasoning", "encrypted_content": "gAAA", "status": None,
    "summary": [{"type": "summary_text", "text": "I should"}, {"type": "summary_text", "text": "look."}],
}  # fmt: skip
SAID = {
    "id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "phase": "commentary",
    "content": [{"type": "output_text", "text": "I look.", "annotations": []}],
}  # fmt: skip


def made(own, arguments):
    return {"id": f"fc_{own}", "type": "function_call", "status": "completed",
            "call_id": own, "name": "shell", "arguments": arguments}  # fmt: skip


TWO = [made("c1", '{"command": "ls"}'), made("c2", '{"command": "pw')]
USAGE = {
    "input_tokens": 100, "output_tokens": 50,
    "input_tokens_details": {"cached_tokens": 60}, "output_tokens_details": {"reasoning_tokens": 30},
}  # fmt: skip


def said(*output, **more):
    return Reply("", extra={"output": [*output], "usage": USAGE, **more})


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def asks(request):
    def one(reply, name="openai/gpt-5", messages=ASKED, tools=TOOLS, **more):
        with ModelServer(reply=lambda asked: reply) as server:
            its = llms(server, stream=request.param)
            found = ask(server, name, messages=messages, tools=tools, llms=its, **more)
            (body,) = server.bodies()
            assert list(server.desk.endpoints) == ["/v1/responses"]
        assert body.get("stream", False) is request.param
        return replace(found, seconds=0.0), body

    return one


# ---------------------------------------------------------------- who is asked by it

WHO = [
    ("openai/gpt-5-pro", (), "responses"),
    ("openai/gpt-5.1-codex-max", (), "responses"),
    ("openai/o3-deep-research", (), "responses"),
    ("openai/gpt-5", (), "chat/completions"),
    ("openai/gpt-5.4", TOOLS, "responses"),  # by chat completions it takes no tools
    ("openai/o3", TOOLS, "responses"),  # and there it forgets between them what it thought
    ("openai/gpt-5-chat-latest", TOOLS, "chat/completions"),
    ("openai/gpt-4o", TOOLS, "chat/completions"),
    ("my-server/m", (), "responses"),  # by config.json
]


@pytest.mark.parametrize(("name", "tools", "path"), WHO)
def test_who_is_asked_by_it(server, name, tools, path):
    ask(server, name, "2+2?", tools=tools, llms=llms(server))
    assert list(server.desk.endpoints) == [f"/v1/{path}"]


def test_the_user_may_say_so(server):
    ask(server, "openai/o3", "2+2?", tools=TOOLS, llms=llms(server, api="chat"))
    assert list(server.desk.endpoints) == ["/v1/chat/completions"]
    with pytest.raises(ConfigError, match='"chat" or "responses"'):
        ask(server, "openai/o3", llms=llms(server, api="messages"))


def test_a_model_that_its_server_sends_elsewhere_is_asked_there():
    told = "This model is only supported in v1/responses and not in v1/chat/completions."

    def reply(asked):
        return Reply(told, status=404) if asked.api == "openai" else "four"

    with ModelServer(reply=reply) as server:
        assert ask(server, "openai/new", "2+2?", llms=llms(server)).text == "four"
        assert list(server.desk.endpoints) == ["/v1/chat/completions", "/v1/responses"]


def test_a_server_without_it_is_asked_by_chat_completions():
    with ModelServer(
        reply=lambda asked: Reply("no such page", status=404) if asked.api == "responses" else "4"
    ) as server:
        assert ask(server, "openai/o3", "2+2?", tools=TOOLS, llms=llms(server)).text == "4"
        with pytest.raises(Refused, match="404"):
            ask(server, "openai/o3-pro", "2+2?", llms=llms(server))


# ---------------------------------------------------------------- what is sent


def test_what_is_sent(asks):
    hparams = {
        "max_tokens": 50_000,
        "reasoning_effort": "low",
        "verbosity": "low",
        "seed": 1,
        "top_logprobs": 2,
    }
    messages = (*ASKED, Message("user", "what is this?", (PNG,)), Message("assistant", "A dot."), ASKED[1])
    _, body = asks(said(SAID), messages=messages, hparams=hparams, json=FORM)
    assert body["max_output_tokens"] == 50_000 and body["store"] is False and body["top_logprobs"] == 2
    assert body["reasoning"] == {"effort": "low", "summary": "auto"}
    assert body["include"] == ["reasoning.encrypted_content"]
    form = {"type": "json_schema", "name": "verdict", "strict": True, "schema": json.loads(FORM.text)}
    assert body["text"] == {"verbosity": "low", "format": form}
    assert not {"seed", "messages", "max_tokens", "reasoning_effort", "stream_options"} & body.keys()
    assert body["tools"][0] == {
        "type": "function", "name": "shell", "description": "Runs a command.", "strict": False,
        "parameters": json.loads(SHELL.parameters),
    }  # fmt: skip
    order, system, user, picture, assistant, last = body["input"]
    assert "JSON" in order["content"] and system == {"role": "system", "content": "Be brief."}
    assert user == last == {"role": "user", "content": "Look around."}
    assert [part["type"] for part in picture["content"]] == ["input_text", "input_image"]
    assert assistant == {"role": "assistant", "content": "A dot."}


def test_what_it_cannot_do_is_an_error_before_the_first_call(server):
    with pytest.raises(ConfigError, match="takes no stop"):
        ask(server, "openai/o3-pro", hparams={"stop": ["END"]}, llms=llms(server))
    assert server.stats()["requests"] == 0


def test_thoughts_stay_hidden_without_tools(asks):
    reply, body = asks(said(THOUGHT, SAID), "openai/o3-pro", tools=())
    assert "include" not in body and "tools" not in body
    assert (reply.text, reply.reasoning, reply.native) == ("I look.", "I should\n\nlook.", "")


def test_a_turn_is_handed_back_as_it_came(asks):
    reply, _ = asks(said(THOUGHT, SAID, *TWO))
    results = (
        Message("tool", "a.py", call_id="c1", images=(PNG,)),
        Message("tool", "No.", (), (), "c2", True),
    )
    _, body = asks(said(SAID), messages=(*ASKED, reply.turn, *results))
    thought = {name: value for name, value in THOUGHT.items() if value is not None}
    assert body["input"][2:6] == [thought, SAID, *TWO]
    first, second = body["input"][6:]
    assert first["type"] == second["type"] == "function_call_output"
    assert [part["type"] for part in first["output"]] == ["input_text", "input_image"]
    assert (second["call_id"], second["output"]) == ("c2", "The tool failed: No.")
    _, body = asks(said(SAID), "openai/o3", (*ASKED, reply.turn, *results))  # another model cannot read it
    assert [item.get("type") for item in body["input"][2:5]] == [None, "function_call", "function_call"]


# ---------------------------------------------------------------- what is read


def test_calls_reasoning_and_tokens(asks):
    reply, _ = asks(said(THOUGHT, SAID, *TWO))
    assert reply.calls == (
        ToolCall("c1", "shell", '{"command": "ls"}'),
        ToolCall("c2", "shell", '{"command": "pw'),
    )
    assert (reply.text, reply.reasoning) == ("I look.", "I should\n\nlook.")
    assert reply.finish_reason == "tool_calls" and reply.usage == Usage(100, 50, 30, 60)


def test_a_cost_by_hand(asks):
    """gpt-5: $1.25 a million tokens of input, $0.125 of cached input, $10 of output, reasoning included."""
    reply, _ = asks(said(THOUGHT, SAID))
    assert reply.cost == pytest.approx((40 * 1.25 + 60 * 0.125 + 50 * 10.00) / 1e6)


def test_how_responses_end(asks):
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    reply, _ = asks(said(THOUGHT, **cut))
    assert (reply.text, reply.finish_reason) == ("", "length")
    reply, _ = asks(said(made("c1", '{"com'), **cut))
    assert (reply.finish_reason, reply.native) == ("length", "") and reply.calls[0].arguments == '{"com'
    filtered = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}
    assert asks(said(SAID, **filtered))[0].finish_reason == "content_filter"
    assert asks(Reply("No.", finish="refusal"))[0].finish_reason == "refusal"
    reply, _ = asks(said(*TWO), "openai/o3-pro", tools=())  # it was offered none
    assert (reply.calls, reply.finish_reason) == ((), "tool_calls")


BROKEN = [
    "stream-error",
    "stream-end",
    "garbage",
    "truncated",
    "reset-body",
    "half-json",
    "upstream",
    "empty",
]


@pytest.mark.parametrize("order", BROKEN)
def test_a_broken_response_is_tried_again_and_never_an_answer(order):
    with ModelServer(reply=lambda asked: said(THOUGHT, *TWO), queue=[order, order]) as server:
        its = llms(server, stream=True)
        reply = ask(server, "openai/gpt-5", messages=ASKED, tools=TOOLS, llms=its)
        assert (reply.attempts, len(reply.calls)) == (3, 2)


@pytest.mark.parametrize("order", ["upstream", "empty", "half-json", "error200"])
def test_a_broken_whole_response_is_an_error(server, order):
    with pytest.raises(ProviderError, match="gave up after 1"):
        ask(server, "openai/o3-pro", f"[[{order}]]", llms=llms(server, stream=False), retry=Retry(attempts=1))


def test_a_server_that_streams_nothing_is_understood():
    with ModelServer(reply=lambda asked: said(*TWO), queue=["unstreamed"]) as server:
        reply = ask(server, "openai/gpt-5", messages=ASKED, tools=TOOLS, llms=llms(server))
    assert len(reply.calls) == 2


def test_an_organization_that_may_not_see_summaries_gets_none():
    def reply(asked):
        if "summary" in asked.body.get("reasoning", {}):
            return Reply("Your organization must be verified to generate reasoning summaries.", status=400)
        return "four"

    with ModelServer(reply=reply) as server:
        assert ask(server, "openai/o3-pro", "2+2?", llms=llms(server)).text == "four"
        assert [body.get("reasoning") for body in server.bodies()] == [{"summary": "auto"}, None]


def test_the_last_event_may_leave_out_what_was_said():
    whole = {"status": "completed", "output": [THOUGHT, *TWO], "usage": USAGE}
    stream = ResponseStream()
    stream.feed(stream_response(json.dumps(whole).encode(), "bare"))
    assert stream.whole() == whole


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"data: {}\n\n",
        b'data: {"type": "response.completed"}\n\n',
        b'data: {"type": "response.completed", "response": 7}\n\n',
        b'data: {"type": "response.output_item.done"}\n\n',
        b'data: {"type": "error", "message": "no", "code": "server_error"}\n\n',
    ],
)
def test_what_is_no_stream_of_a_response_is_an_error(stream):
    found = ResponseStream()
    with pytest.raises((ValueError, StatusError)):
        found.feed(stream)
        found.whole()
