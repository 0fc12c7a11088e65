"""Chat completions: tools, reasoning and tokens, whole and streamed, over real HTTP."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace

import pytest

from assay.errors import ProviderError, Refused
from assay.models.failures import StatusError
from assay.models.model_registry import ModelRegistry
from assay.models.openai_chat import read_completion
from assay.models.openai_stream import ChatStream
from assay.models.retry import Retry
from assay.records import Message, Tool, ToolCall, Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import QUICK, SHELL, ask, llms_for
from testing.models.test_model_providers import PNG
from testing.openai_streams import stream_openai

TOOLS = (SHELL, Tool("stop", "Ends."))
ASKED = (Message("user", "Look around."),)
NAMES = ["openai/gpt-4o", "my-server/m", "openrouter/x/m"]


def call(own, command, **more):
    return {"id": own, "type": "function", "function": {"name": "shell", "arguments": command}, **more}


def said(message, finish="tool_calls", **usage):
    """A reply of the server's with that message."""
    counts = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120, **usage}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, **message},
        "finish_reason": finish,
    }
    return Reply("", extra={"choices": [choice], "usage": counts})


def llms(server, stream):
    found = {**llms_for(server.url, stream=stream)}
    return {**found, "openrouter": {**found["my-server"], "stream": stream}}


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def asks(request):
    """One call to a server that says `reply`, and the body that it got."""

    def one(reply, name="my-server/m", messages=ASKED, tools=TOOLS, **more):
        with ModelServer(reply=lambda asked: reply) as server:
            found = ask(
                server, name, messages=messages, tools=tools, llms=llms(server, request.param), **more
            )
            (body,) = server.bodies()
        assert body.get("stream", False) is request.param
        return replace(found, seconds=0.0), body

    return one


TWO = [call("c1", '{"command": "ls"}'), call("c2", '{"command": "pw')]


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_read_as_they_were_written(asks, name):
    reply, body = asks(said({"content": "I look.", "tool_calls": TWO}), name)
    assert reply.calls == (
        ToolCall("c1", "shell", '{"command": "ls"}'),
        ToolCall("c2", "shell", '{"command": "pw'),  # broken JSON is the caller's to tell the model
    )
    assert (reply.text, reply.finish_reason, reply.native) == ("I look.", "tool_calls", "")
    assert [tool["function"]["name"] for tool in body["tools"]] == ["shell", "stop"]
    assert body["tools"][0]["function"]["parameters"] == json.loads(SHELL.parameters)


def test_servers_that_end_a_call_with_stop_or_give_no_ids_or_no_arguments_are_understood(asks):
    made = [
        {"function": {"name": "stop", "arguments": ""}},
        {"id": "", "function": {"name": "stop", "arguments": "{}"}},
    ]
    reply, _ = asks(said({"tool_calls": made}, "stop"))
    assert reply.finish_reason == "tool_calls"
    assert reply.calls == (ToolCall("call_0", "stop"), ToolCall("call_1", "stop"))


@pytest.mark.parametrize("name", NAMES)
def test_a_call_that_no_server_could_read_goes_back_in_a_form_that_it_can(asks, name):
    """vLLM and llama.cpp read all arguments of a dialogue again at each turn, and refuse it where they
    cannot; OpenAI refuses names that no tool can have."""
    made = [call("c1", '{"command": "pw'), {**call("c2", "[1]", caller={"type": "x"})}]
    made[1]["function"]["name"] = "multi_tool_use.parallel"
    for more in ({}, {"caller": None}):
        reply, _ = asks(said({"tool_calls": [made[0], made[1] | more]}), name)
        results = [Message("tool", "no", call_id=each.id, failed=True) for each in reply.calls]
        _, body = asks(said({"content": "Done."}, "stop"), name, (*ASKED, reply.turn, *results))
        functions = [each["function"] for each in body["messages"][1]["tool_calls"]]
        assert functions[0] == {"name": "shell", "arguments": json.dumps({"INVALID_JSON": '{"command": "pw'})}
        assert functions[1] == {"name": "multi_tool_use_parallel", "arguments": '{"INVALID_JSON": "[1]"}'}


@pytest.mark.parametrize(
    ("written", "made"),
    [
        (
            '{"name": "shell", "arguments": {"command": "ls"}}',
            ToolCall("call_0", "shell", '{"command": "ls"}'),
        ),
        ('<call>{"name": "shell", "argu', ToolCall("call_0", "shell", '<call>{"name": "shell", "argu')),
        ("shell(ls)", ToolCall("call_0", "", "shell(ls)")),
    ],
)
def test_a_call_that_the_server_could_not_read_is_the_models_mistake(asks, written, made):
    """Groq's; as an error it would not count."""
    message = "Failed to call a function. See 'failed_generation' for more details."
    error = {"message": message, "code": "tool_use_failed", "failed_generation": written}
    refused = Reply(message, status=400, extra={"error": error})
    reply, _ = asks(refused)
    assert (reply.calls, reply.finish_reason, reply.text) == ((made,), "tool_calls", "")
    with pytest.raises(Refused, match="Failed to call a function"):
        asks(refused, tools=())


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning_details"])
def test_a_server_that_wants_no_thoughts_back_gets_none(field):
    """As Cerebras and Mistral, which name the field."""
    thought = {"reasoning_content": "hm"} if field == "reasoning_content" else {"reasoning_details": DETAILS}

    def reply(asked):
        if any(field in turn for turn in asked.body["messages"]):
            return Reply(f"messages.1.assistant.{field}: Extra inputs are not permitted", status=422)
        return said({**thought, "tool_calls": [call("c1", "{}")]})

    async def run(url):
        async with ModelRegistry(llms_for(url), {}, cache=None, retry=QUICK) as models:
            model = models.load("my-server/m")
            first = await model.complete(ASKED, tools=TOOLS)
            dialogue = (*ASKED, first.turn, Message("tool", "a.py", call_id="c1"))
            second = await model.complete(dialogue, tools=TOOLS)
            return first, second, await model.complete((*dialogue, second.turn), tools=TOOLS)

    with ModelServer(reply=reply) as server:
        first, second, third = asyncio.run(run(server.url))
        assert len(server.bodies()) == 4, "it is asked without them, and not again with them"
    assert first.native and not second.native and not third.native and third.reasoning


def test_thinking_in_parts_is_shown(asks):
    """Mistral's."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "4"},
    ]
    reply, _ = asks(said({"content": parts, "tool_calls": TWO}))
    assert (reply.text, reply.reasoning, reply.native) == ("4", "hm", "")


def test_a_call_that_was_cut_off_says_so(asks):
    reply, _ = asks(said({"tool_calls": [call("c1", "")]}, "length"))
    assert (reply.finish_reason, reply.calls[0].arguments) == ("length", "")


def test_a_tool_that_was_not_offered_is_not_called(asks):
    reply, body = asks(said({"tool_calls": TWO}), tools=())
    assert (reply.calls, reply.finish_reason, "tools" in body) == ((), "tool_calls", False)
    assert asks(said({"content": "So.", "tool_calls": TWO}), tools=())[0].finish_reason == "stop"


DIALOGUE = (
    *ASKED,
    Message("assistant", "", calls=(ToolCall("c1", "shell", '{"command": "ls"}'), ToolCall("c2", "stop"))),
    Message("tool", "a.py", call_id="c1", images=(PNG,)),
    Message("tool", "No.", call_id="c2", failed=True),
    Message("user", "Go on."),
)


def test_a_dialogue_with_tools_is_sent_as_the_api_wants_it(asks):
    _, body = asks(said({"content": "Done."}, "stop"), messages=DIALOGUE)
    user, assistant, first, second, pictures, last = body["messages"]
    assert user["content"] == "Look around." and last == {"role": "user", "content": "Go on."}
    assert assistant["content"] is None
    assert [each["id"] for each in assistant["tool_calls"]] == ["c1", "c2"]
    assert assistant["tool_calls"][0]["function"] == {"name": "shell", "arguments": '{"command": "ls"}'}
    assert first == {"role": "tool", "tool_call_id": "c1", "content": "a.py"}
    assert second == {"role": "tool", "tool_call_id": "c2", "content": "The tool failed: No."}
    assert pictures["role"] == "user" and pictures["content"][1]["type"] == "image_url"


DETAILS = [
    {"type": "reasoning.text", "text": "I should look.", "signature": "s1", "format": "f"},
    {"type": "reasoning.encrypted", "data": "xyz", "format": "f"},
]
THOUGHTS = [
    ({"reasoning_content": "hm"}, "hm", {"reasoning_content": "hm"}),  # DeepSeek
    ({"reasoning_content": ""}, "", {"reasoning_content": ""}),  # it wants these back as well
    ({"reasoning": "hm"}, "hm", {"reasoning": "hm"}),
    ({"reasoning": "hm", "reasoning_details": DETAILS}, "hm", {"reasoning_details": DETAILS}),
    ({"reasoning_details": DETAILS}, "I should look.", {"reasoning_details": DETAILS}),
]


@pytest.mark.parametrize(("message", "shown", "back"), THOUGHTS)
def test_thoughts_are_kept_and_handed_back_where_tools_are_in_use(asks, message, shown, back):
    made = [call("c1", "{}", extra_content={"google": {"thought_signature": "t"}})]
    reply, _ = asks(said({**message, "tool_calls": made}))
    assert reply.reasoning == shown and reply.calls == (ToolCall("c1", "shell", "{}"),)
    result = Message("tool", "a.py", call_id="c1")
    _, body = asks(said({"content": "Done."}, "stop"), messages=(*ASKED, reply.turn, result))
    sent = body["messages"][1]
    for detail in sent.get("reasoning_details", ()):
        detail.pop("index", None)
    assert {name: sent[name] for name in sent if name.startswith("reasoning")} == back
    assert sent["tool_calls"] == made
    _, body = asks(said({"content": "Done."}, "stop"), "openai/gpt-4o", (*ASKED, reply.turn, result))
    assert body["messages"][1].keys() == {"role", "content", "tool_calls"}  # another's thoughts stay away


def test_without_tools_thoughts_are_shown_alone(asks):
    reply, _ = asks(said({"content": "Four.", "reasoning_content": "hm"}, "stop"), tools=())
    assert (reply.text, reply.reasoning, reply.native) == ("Four.", "hm", "")


USAGES = [
    # litellm, of a server of Claude
    (
        {
            "prompt_tokens_details": {
                "cached_tokens": 60,
                "cache_write_tokens": 30,
                "cache_creation_token_details": {
                    "ephemeral_5m_input_tokens": 10,
                    "ephemeral_1h_input_tokens": 20,
                },
            }
        },
        (60, 30, 20),
    ),
    ({"prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 5}}, (60, 5)),
    ({"prompt_cache_hit_tokens": 60}, (60, 0)),
    ({"cached_tokens": 60}, (60, 0)),
    ({"prompt_tokens_details": {"cached_tokens": -1}}, (0, 0)),
    ({"prompt_tokens_details": None}, (0, 0)),
]


@pytest.mark.parametrize(("usage", "cached"), USAGES)
def test_cached_tokens_are_counted(asks, usage, cached):
    reply, _ = asks(said({"content": "Four."}, "stop", **usage))
    assert reply.usage == Usage(100, 20, 0, *cached)


def test_thoughts_that_are_counted_beside_the_answer_are_counted(asks):
    """Gemini's own server of this API: only the total has them."""
    reply, _ = asks(said({"content": "Four."}, "stop", total_tokens=320))
    assert reply.usage == Usage(100, 220, 200)
    details = {"prompt_tokens_details": {"cached_tokens": 60}}
    reply, _ = asks(said({"content": "Four."}, "stop", total_tokens=180, **details))
    assert reply.usage == Usage(100, 20, 0, 60), "here it is the cached tokens that stand beside"


@pytest.mark.parametrize(
    ("more", "cost"),
    [
        ({}, 0.25),
        ({"is_byok": False, "cost_details": {"upstream_inference_cost": 0.25}}, 0.25),
        ({"is_byok": True, "cost_details": {"upstream_inference_cost": 5.0}}, 5.25),
        ({"is_byok": True, "cost_details": {"upstream_inference_cost": None}}, 0.25),
    ],
)
def test_what_openrouter_says_that_a_call_costs(asks, more, cost):
    """With a key of one's own for the upstream, that bills its part itself."""
    reply, _ = asks(said({"content": "Four."}, "stop", cost=0.25, **more), "openrouter/x/m")
    assert reply.cost == cost


def test_a_cost_by_hand_with_cached_tokens(asks):
    """gpt-4o: $2.50 a million tokens of input, $1.25 of cached input, $10 of output."""
    usage = {"prompt_tokens_details": {"cached_tokens": 60}}
    reply, _ = asks(said({"content": "Four."}, "stop", **usage), "openai/gpt-4o")
    assert reply.cost == pytest.approx((40 * 2.50 + 60 * 1.25 + 20 * 10.00) / 1e6)


# ---------------------------------------------------------------- streams

BROKEN = ["stream-error", "stream-end", "garbage", "truncated", "reset-body", "half-json", "upstream"]


@pytest.mark.parametrize("order", BROKEN)
@pytest.mark.parametrize("message", [{"content": "It is four."}, {"tool_calls": TWO}])
def test_a_broken_stream_is_tried_again_and_never_an_answer(order, message):
    whole = said(message)
    with ModelServer(reply=lambda asked: whole, queue=[order, order]) as server:
        reply = ask(server, "my-server/m", messages=ASKED, tools=TOOLS, llms=llms(server, True))
        assert (reply.attempts, server.stats()["requests"]) == (3, 3)
        assert reply.text or len(reply.calls) == 2
        server.script([order] * 3)
        with pytest.raises(ProviderError, match="gave up after 3 attempts"):
            ask(server, "my-server/m", messages=ASKED, tools=TOOLS, llms=llms(server, True))


@pytest.mark.slow(5)
@pytest.mark.parametrize("hparams", [{}, {"max_tokens": 100}])
def test_a_reply_that_took_too_long_is_streamed_when_it_is_asked_for_again(hparams):
    """Else a slow model of one's own would take too long each time."""
    with ModelServer(queue=["slow s=30", "drip s=0.3"]) as server:
        its = llms_for(server.url, timeout_s=1)
        reply = ask(server, "my-server/m", "hi", llms=its, hparams=hparams)
        assert (reply.attempts, [body.get("stream") for body in server.bodies()]) == (2, [None, True])


def test_a_stalled_stream_is_given_up():
    with ModelServer(queue=["stall"]) as server, pytest.raises(ProviderError, match="was silent"):
        its = llms_for(server.url, stream=True, timeout_s=0.5)
        ask(server, "my-server/m", llms=its, retry=Retry(attempts=1))


def test_a_server_that_streams_nothing_is_understood():
    with ModelServer(reply=lambda asked: said({"tool_calls": TWO}), queue=["unstreamed"]) as server:
        reply = ask(server, "my-server/m", messages=ASKED, tools=TOOLS, llms=llms(server, True))
    assert len(reply.calls) == 2 and reply.usage == Usage(100, 20)


def test_a_server_that_refuses_to_stream_is_asked_for_the_whole():
    """As OpenAI does where an organization is not verified."""

    def reply(asked):
        refused = Reply("Your organization must be verified to stream this model.", status=400)
        return refused if asked.body.get("stream") else "four"

    with ModelServer(reply=reply) as server:
        assert ask(server, "openai/o3", "2+2?").text == "four"
        assert [body.get("stream") for body in server.bodies()] == [True, None]


STREAMS = [
    ("openai/gpt-4o", {}, (), False),
    ("openai/gpt-4o", {}, TOOLS, True),
    ("openai/gpt-4o", {"max_tokens": 16_384}, TOOLS, False),
    ("openai/gpt-4o", {"max_tokens": 16_385}, (), True),
    ("openai/o3", {}, (), True),
    ("openai/o3", {"max_tokens": 1000}, (), False),
    ("my-server/m", {"think": True}, (), True),
    ("my-server/m", {"think": False}, (), False),
    ("openrouter/x/m", {"reasoning_effort": "low"}, (), True),
]


@pytest.mark.parametrize(("name", "hparams", "tools", "streams"), STREAMS)
def test_replies_that_may_be_long_are_streamed(server, name, hparams, tools, streams):
    its = {**llms_for(server.url), "openrouter": {"api_key": "k" * 20, "base_url": server.url + "/v1"}}
    ask(server, name, "hi", tools=tools, hparams=hparams, llms=its)
    (body,) = server.bodies()
    assert body.get("stream", False) is streams
    assert body.get("stream_options") == ({"include_usage": True} if streams else None)


WHOLE = said({"content": "zw\u00f6lf \u2028", "reasoning_content": "hm", "tool_calls": TWO}).extra | {
    "model": "m"
}


@pytest.mark.parametrize("size", [1, 3, 7, 100_000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_stream_may_come_in_any_pieces(size, end):
    data = stream_openai(json.dumps(WHOLE).encode()).replace(b"\n", end)
    stream = ChatStream()
    for at in range(0, len(data), size):
        stream.feed(data[at : at + size])
    assert read_completion(stream.whole()) == read_completion(WHOLE)


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_blanks_that_keep_a_connection_alive_are_passed_over(size):
    for data in (json.dumps(WHOLE).encode(), stream_openai(json.dumps(WHOLE).encode())):
        data = b" \n\n\t \r\n" + data
        stream = ChatStream()
        for at in range(0, len(data), size):
            stream.feed(data[at : at + size])
        assert read_completion(stream.whole()) == read_completion(WHOLE)


def test_blanks_are_passed_over_in_linear_time():
    stream, began = ChatStream(), time.process_time()
    stream.feed(b": hello\n\n")
    for _ in range(2000):
        stream.feed(b" " * 10_000)
    assert time.process_time() - began < 2


def deltas(*calls, usage=True):
    stream = ChatStream()
    chunks = [{"choices": [{"delta": {"tool_calls": [each]}}]} for each in calls]
    end = {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]} | ({"usage": {"a": 1}} if usage else {})
    for chunk in (*chunks, end):
        stream.feed(b"data: %s\n\n" % json.dumps(chunk).encode())
    made = stream.whole()["choices"][0]["message"]["tool_calls"]
    return [(each["function"]["name"], each["function"]["arguments"]) for each in made]


def piece(arguments, name=None, **more):
    return {**more, "function": {"arguments": arguments, **({"name": name} if name else {})}}


def test_pieces_of_calls_find_their_call_on_every_kind_of_server():
    two = [("f", '{"a":1}'), ("g", "{}")]
    by_index = [piece('{"a"', "f", index=0, id="1"), piece("{", "g", index=1, id="2"),
                piece(":1}", index=0), piece("}", index=1)]  # fmt: skip
    assert deltas(*by_index) == two
    one_index = [piece('{"a":1}', "f", index=0, id="1"), piece("{}", "g", index=0, id="2")]
    assert deltas(*one_index) == two
    no_index = [piece('{"a"', "f", id="1"), piece(":1}"), piece("{", "g", id="2"), piece("}", id="2")]
    assert deltas(*no_index) == two
    assert deltas(piece('{"a":1}', "f"), piece("{}", "g")) == two
    assert deltas(piece({"a": 1}, "f", index=0))[0] == ("f", '{"a": 1}')
    new_ids = [piece("", "f", index=0, id="1"), piece('{"a"', index=0, id="2"), piece(":1}", index=0, id="3"),
               piece("", "g", index=0, id="4"), piece("{}", "", index=0, id="5")]  # fmt: skip
    assert deltas(*new_ids) == two
    nothing_but_names = [piece('{"a":1}', "f", index=0), piece("{}", "g", index=0)]
    assert deltas(*nothing_but_names) == two
    names_again = [piece('{"a":', "f", index=0), piece("1}", "f", index=0)]
    assert deltas(*names_again) == two[:1]


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"<html>\n\n</html>",
        b"data: {\n\n",
        b"data: []\n\n",
        b"data: [DONE]\n\n",
        b'data: {"choices": 7}\n\n',
        b'data: {"choices": [7]}\n\n',
        b'data: {"choices": [{"delta": {"content": "It is"}}]}\n\ndata: [DONE]\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": [7]}}]}\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": [{"index": [], "id": "1"}]}}]}\n\n',
        # the end of a reply, but neither of its tokens nor of the stream
        b'data: {"choices": [{"delta": {"content": "4"}, "finish_reason": "stop"}]}\n\n',
        b'data: {"choices": [{"delta": {"content": "4"}, "finish_reason": "stop"}], "usage": {"a": 1}}',
        b"data: " + b"[" * 100_000 + b"\n\n",
        b"data: \xff\n\n",
    ],
)
def test_what_is_no_stream_of_a_completion_is_an_error(stream):
    found = ChatStream()
    if stream.endswith(b'"usage": {"a": 1}}'):  # whole, but for the empty line behind it
        stream = stream[:-1]
    with pytest.raises(ValueError):
        found.feed(stream)
        read_completion(found.whole())


@pytest.mark.parametrize(
    ("event", "status"),
    [
        (b'error: {"code": 400, "message": "too long"}\n\n', 400),  # llama.cpp
        (b'data: {"object": "error", "message": "too long", "code": 400}\n\n', 400),  # vLLM
        (b'data: {"error": {"message": "too long", "code": "context_length_exceeded"}}\n\n', 400),
        (b'event: error\ndata: {"error": {"message": "too long"}}\n\n', 500),
    ],
)
def test_errors_in_every_kind_of_stream_are_told(event, status):
    with pytest.raises(StatusError) as caught:
        ChatStream().feed(b'data: {"choices": [{"delta": {"content": "It"}}]}\n\n' + event)
    assert (caught.value.status, caught.value.message) == (status, "too long")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\n\xef\xbb\xbf\r\n"])
@pytest.mark.parametrize("size", [1, 100_000])
def test_a_byte_order_mark_does_not_cost_the_first_event(mark, size):
    for data in (json.dumps(WHOLE).encode(), stream_openai(json.dumps(WHOLE).encode())[13:]):
        stream = ChatStream()
        for at in range(0, len(mark + data), size):
            stream.feed((mark + data)[at : at + size])
        assert read_completion(stream.whole()) == read_completion(WHOLE)


def test_ends_of_lines_may_differ_and_data_have_many():
    data = b'data: {"choices": [\r\ndata: {"delta": {"content": "4"}, "finish_reason": "stop"}]}\n\r\n'
    stream = ChatStream()
    stream.feed(data + b"data: [DONE]\r\n\n")
    assert read_completion(stream.whole()).text == "4"


def test_a_character_in_two_chunks_is_one():
    stream = ChatStream()
    for half in ("a\\ud83d", "\\ude00b"):
        stream.feed(b'data: {"choices": [{"delta": {"content": "%s"}}]}\n\n' % half.encode())
    stream.feed(b'data: {"choices": [{"finish_reason": "stop"}]}\n\ndata: [DONE]\n\n')
    assert read_completion(stream.whole()).text == "a\N{GRINNING FACE}b"


def test_an_error_in_a_stream_ends_it_at_once():
    with pytest.raises(StatusError) as caught:
        ChatStream().feed(stream_openai(json.dumps(WHOLE).encode(), "stream-error"))
    assert (caught.value.status, caught.value.message) == (529, "Overloaded")
