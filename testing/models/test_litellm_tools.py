"""Tools and thinking by litellm: in OpenAI's form to it, and whatever it makes of that for the provider."""

import json

import pytest

from assay.errors import ProviderError, Refused
from assay.models.retry import Retry
from assay.records import Message, ToolCall, Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import KEY, OFFERED, SHELL, ask

pytestmark = pytest.mark.slow(1)
CALL = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command": "ls"}'}}
ASK = Message("user", "Mend it.")


def answered(reply, *dialogue, name="mistral/m", llms=None, tools=(SHELL,), stream=None, **options):
    with ModelServer(reply=lambda asked: reply) as server:
        llms = llms(server.url) if llms else hosted(name, server.url)
        llms[name.partition("/")[0]] |= {"stream": stream}
        found = ask(server, name, messages=(ASK, *dialogue), llms=llms, tools=tools, **options)
        return found, server.bodies()


def hosted(name, url, **more):
    """Claude is asked in Anthropic's form, all others in OpenAI's."""
    path = "" if "anthropic" in name else "/v1"
    return {name.partition("/")[0]: {"api_key": KEY, "base_url": url + path, "timeout_s": 20, **more}}


def message(finish="tool_calls", **its):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": None, **its}}
    return Reply("", extra={"choices": [choice]})


@pytest.mark.parametrize("stream", [False, True])
def test_tools_are_offered_and_their_calls_read_and_handed_back(stream):
    said = message(tool_calls=[CALL], content="I look.", reasoning_content="Hm.")
    reply, (body,) = answered(said, stream=stream)
    assert body.get("stream", False) is stream
    assert body["tools"] == [OFFERED]
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("I look.", "Hm.", "tool_calls")
    assert reply.calls == (ToolCall("c1", "shell", '{"command": "ls"}'),)
    _, (body,) = answered(message("stop", content="Done."), reply.turn, Message("tool", "x.py", call_id="c1"))
    turn, result = body["messages"][1:]
    assert turn["content"] == "I look."
    assert [(made["id"], made["function"]) for made in turn["tool_calls"]] == [("c1", CALL["function"])]
    assert (result["role"], result["tool_call_id"], result["content"]) == ("tool", "c1", "x.py")


CLAUDE = "litellm/anthropic/claude-sonnet-4-5"


@pytest.mark.parametrize("stream", [False, None])
def test_thinking_goes_back_with_its_signature(stream):
    """Of Claude, which litellm asks in Anthropic's form."""
    thought = {"type": "thinking", "thinking": "First the files.", "signature": "EqQB+/=="}
    used = {"type": "tool_use", "id": "t1", "name": "shell", "input": {"command": "ls"}}
    first = Reply("", extra={"content": [thought, used], "stop_reason": "tool_use"})
    its = {"name": CLAUDE, "stream": stream, "hparams": {"thinking_budget": 2000}}
    reply, (body,) = answered(first, **its)
    assert (body.get("stream", False), body["max_tokens"]) == (stream is None, 64_000), "all that it can give"
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


@pytest.mark.parametrize(
    ("name", "hparams", "tools", "streams"),
    [
        ("mistral/m", {}, (), False),
        ("mistral/m", {}, (SHELL,), True),
        ("mistral/m", {"max_tokens": 16_384}, (SHELL,), False),
        ("mistral/m", {"max_tokens": 16_385}, (), True),
        (CLAUDE, {}, (), True),
        ("deepseek/deepseek-chat", {"think": True}, (), True),
        ("gemini/gemini-2.5-pro", {}, (SHELL,), False),  # of whose streams it invents the end
    ],
)
def test_replies_that_may_be_long_are_streamed(server, name, hparams, tools, streams):
    its = hosted(name, server.url)
    if "gemini" in name:
        with pytest.raises(ProviderError):
            ask(server, name, llms=its, hparams=hparams, tools=tools, retry=Retry(attempts=1))
        assert server.stats()["requests"] == 0, "a stream has an address of its own"
    else:
        ask(server, name, llms=its, hparams=hparams, tools=tools)
        assert server.bodies()[0].get("stream", False) is streams


@pytest.mark.parametrize("name", ["mistral/m", CLAUDE])
@pytest.mark.parametrize("order", ["stream-error", "truncated", "half-json", "reset-body"])
def test_a_broken_stream_is_tried_again_and_never_an_answer(server, name, order):
    """litellm makes a whole reply of it, as if the model had stopped there."""
    server.script([order, order])
    reply = ask(server, name, "hi " * 50, llms=hosted(name, server.url, stream=True))
    assert reply.attempts == 3 and reply.text.startswith("Answer ")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("finish", ["error", "insufficient_system_resource"])
def test_half_a_reply_that_says_so_is_no_answer(finish, stream):
    """Mistral and DeepSeek say it so; litellm calls it a regular end."""
    with ModelServer(reply=lambda asked: Reply("the RIGHT half of an", finish)) as server:
        its = hosted("mistral/m", server.url, stream=stream)
        with pytest.raises(ProviderError):
            ask(server, "mistral/m", llms=its, retry=Retry(attempts=2, base_delay_s=0.01))
        assert server.stats()["requests"] == 2


def test_a_stream_whose_end_is_all_that_says_how_it_ends_is_no_answer():
    """[DONE] ends the stream, and not the reply."""
    with ModelServer(reply=lambda asked: Reply("the RIGHT half of an", "")) as server:
        its = hosted("mistral/m", server.url, stream=True)
        with pytest.raises(ProviderError, match="the stream ended before the reply did"):
            ask(server, "mistral/m", llms=its, retry=Retry(attempts=2, base_delay_s=0.01))


def test_half_a_call_in_a_stream_that_ends_is_no_answer(server):
    whole = message(tool_calls=[CALL])
    with ModelServer(reply=lambda asked: whole, queue=["stream-end"] * 2) as server:
        reply = ask(server, "mistral/m", llms=hosted("mistral/m", server.url), tools=(SHELL,))
        assert reply.attempts == 3 and reply.calls == (ToolCall("c1", "shell", '{"command": "ls"}'),)


def test_a_stream_may_take_longer_than_timeout_s_if_it_goes_on(server):
    ask(server, "mistral/m", llms=hosted("mistral/m", server.url))
    its = hosted("mistral/m", server.url, stream=True, timeout_s=2)
    reply = ask(server, "mistral/m", "[[drip s=0.4]] " + "x" * 500, llms=its)
    assert reply.attempts == 1 and reply.seconds > 3
    its = hosted("mistral/m", server.url, stream=True, timeout_s=0.5)
    with pytest.raises(ProviderError, match="gave up after 1"):
        ask(server, "mistral/m", "[[stall]]", llms=its, retry=Retry(attempts=1))


@pytest.mark.parametrize(
    "name", ["cerebras/gpt-oss-120b", "groq/openai/gpt-oss-120b", "moonshot/kimi-latest"]
)
def test_thoughts_go_back_by_the_name_that_their_server_knows(name):
    """And nothing else does that litellm adds: these servers refuse what they do not know."""
    first = message(tool_calls=[CALL], reasoning="Hm.", refusal=None)
    reply, _ = answered(first, name=name)
    assert reply.reasoning == "Hm."
    result = Message("tool", "x.py", call_id="c1")
    _, (body,) = answered(message("stop", content="Done."), reply.turn, result, name=name)
    field = "reasoning_content" if "moonshot" in name else "reasoning"
    assert body["messages"][1].keys() - {"role", "content", "tool_calls"} == {field}
    assert body["messages"][1][field] == "Hm."


def test_a_server_that_wants_no_thoughts_back_gets_none():
    def reply(asked):
        if "reasoning_content" in asked.body["messages"][1:2][0]:
            return Reply("property 'reasoning_content' is unsupported", status=400)
        return message("stop", content="Done.")

    first, _ = answered(message(tool_calls=[CALL], reasoning_content="Hm."), name="dashscope/qwen3-max")
    with ModelServer(reply=reply) as server:
        dialogue = (ASK, first.turn, Message("tool", "x.py", call_id="c1"))
        its = hosted("dashscope/qwen3-max", server.url)
        found = ask(server, "dashscope/qwen3-max", messages=dialogue, llms=its, tools=(SHELL,))
        assert found.text == "Done." and server.stats()["requests"] == 2


def test_a_call_that_groq_could_not_read_is_the_models_mistake():
    error = {
        "message": "Failed to call a function.",
        "code": "tool_use_failed",
        "failed_generation": "shell(ls)",
    }
    refused = Reply("", status=400, extra={"error": error})
    reply, _ = answered(refused, name="groq/openai/gpt-oss-120b")
    assert reply.calls == (ToolCall("call_0", "", "shell(ls)"),) and reply.finish_reason == "tool_calls"


@pytest.mark.parametrize("stream", [False, None])
def test_what_claude_keeps_for_an_hour_is_billed_as_such(stream):
    """Sonnet 4.5: $3, 5m writes $3.75, 1h writes $6, hits $0.30, output $15."""
    usage = {
        "input_tokens": 1000,
        "cache_read_input_tokens": 10_000,
        "cache_creation_input_tokens": 3000,
        "cache_creation": {"ephemeral_5m_input_tokens": 1000, "ephemeral_1h_input_tokens": 2000},
        "output_tokens": 500,
    }
    said = Reply("", extra={"content": [{"type": "text", "text": "x"}], "usage": usage})
    reply, _ = answered(said, name=CLAUDE, stream=stream)
    assert reply.usage == Usage(14_000, 500, reply.usage.reasoning_tokens, 10_000, 3000, 2000)
    assert reply.cost == pytest.approx(0.003 + 0.003 + 0.00375 + 0.012 + 0.0075)
