"""What goes by plain HTTP is what the real SDKs would send, and means what they would make of it."""

from __future__ import annotations

import dataclasses
import json

import pytest

from assay.errors import ProviderError, Refused
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import StatusError
from assay.records import Message, Schema
from testing.model_server import ModelServer
from testing.model_wire import Reply, read, stream_anthropic, write
from testing.models.asking import ask, llms_for
from testing.models.test_model_providers import PNG

# A name for an SDK's own affairs: who it is, what it runs on, how often it tried.
ITS_OWN = ("x-stainless-", "user-agent", "host", "connection")
DIALOGUE = (
    Message("system", "Be brief."),
    Message("user", "“one” \u202e \U0001f600", (PNG,)),
    Message("assistant", ""),
    Message("user", "three"),
)
FORM = Schema("verdict", '{"type": "object", "properties": {"a": {"type": "string"}}}')
CALLS = [
    ("anthropic/claude-opus-4-5", {}, False),
    ("anthropic/claude-opus-4-5", {"max_tokens": 100, "temperature": 0.5, "stop": "END", "top_p": 1}, False),
    ("anthropic/claude-opus-4-6", {"think": True, "reasoning_effort": "low"}, FORM),
    ("anthropic/claude-haiku-4-5", {"thinking_budget": 2000, "temperature": 1.0}, False),
    ("anthropic/claude-haiku-4-5", {"think": False, "top_k": 5}, True),
    ("anthropic/claude-m", {"max_tokens": 21_333, "metadata": {"user_id": "u"}, "unheard_of": [1]}, FORM),
    ("anthropic/claude-m", {"max_tokens": 21_334, "unheard_of": None, "service_tier": "auto"}, False),
    ("openai/gpt-4o", {"max_tokens": 100, "temperature": 0.5, "seed": 7, "stop": ["a", "b"]}, FORM),
    ("openai/o3", {"max_tokens": 100, "reasoning_effort": "low"}, True),
    ("openai/o3", {"max_tokens": 50_000}, False),
    ("openai/o3-pro", {"reasoning_effort": "low"}, FORM),
    ("openai/o3-pro", {"max_tokens": 100}, True),
    ("my-server/m", {"think": False, "thinking_budget": 5, "top_k": 5, "unheard_of": {"a": 0.1}}, FORM),
    ("ollama/llama3.1:8b", {"max_tokens": 100, "temperature": 0.5, "num_ctx": 4096, "think": True}, FORM),
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def both(monkeypatch, asks):
    """What `asks` comes to by plain HTTP, and by the SDKs, which know for whom there is no proxy."""
    plain = asks()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return plain, asks()


@pytest.mark.parametrize(("name", "hparams", "form"), CALLS)
def test_a_request_is_what_the_sdk_would_send(name, hparams, form, monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "an-organization")

    def asks():
        headers = {"anthropic-beta": "context-1m-2025-08-07", "X-Ours": "yes"}
        with ModelServer(reply=lambda asked: Reply("four", reasoning_tokens=3)) as server:
            llms = llms_for(server.url, headers=headers)
            reply = ask(server, name, messages=DIALOGUE, hparams=hparams, json=form, llms=llms)
            (asked,) = server.asked
            (path,) = server.desk.endpoints
        return path, asked, dataclasses.replace(reply, seconds=0.0, queued_seconds=0.0)

    plain, by_sdk = both(monkeypatch, asks)
    assert (plain[0], plain[2]) == (by_sdk[0], by_sdk[2])
    assert plain[1].body == by_sdk[1].body
    sent, wanted = (
        {name: its for name, its in asked.headers.items() if not name.startswith(ITS_OWN)}
        for asked in (plain[1], by_sdk[1])
    )
    if name.startswith("ollama/"):  # by no SDK, but httpx
        sent["accept"] = wanted["accept"] = ""
    else:
        assert "x-stainless-lang" in by_sdk[1].headers and "x-stainless-lang" not in plain[1].headers
    assert sent == wanted


REFUSED = [
    *("400", "401", "403", "404", "413", "422", "429 code=insufficient_quota", "429 retry-after=500"),
    *("500", "529", "503 retry-after=0.01", "html", "half-json", "empty", "nothing"),
    *("refusal", "filter", "tool", "cut", "context", "stream-error", "302"),
]


@pytest.mark.parametrize("order", REFUSED)
@pytest.mark.parametrize(
    ("name", "max_tokens"),
    [
        *(("anthropic/claude-m", 100), ("anthropic/claude-m", 50_000)),
        *(
            ("openai/o3-pro", 9),
            ("openai/o3-pro", 50_000),
            ("my-server/m", 9),
            ("my-server/m", 50_000),
            ("ollama/llama3", 9),
        ),
    ],
)
def test_a_reply_means_what_it_means_by_the_sdk(name, order, max_tokens, monkeypatch):
    def asks():
        with ModelServer() as server:
            try:
                reply = ask(server, name, f"[[{order}]]", hparams={"max_tokens": max_tokens})
            except ProviderError as error:
                said = str(error).partition(" (gave up")[0].replace(server.url, "URL")
                return type(error), server.stats()["requests"], said
            return dataclasses.replace(reply, seconds=0.0, queued_seconds=0.0), server.stats()["requests"]

    plain, by_sdk = both(monkeypatch, asks)
    if isinstance(plain[-1], str):  # why it cannot be read, each says in words of its own
        plain, by_sdk = ((*each[:2], each[2].partition("unreadable reply: ")[0]) for each in (plain, by_sdk))
    assert plain == by_sdk


# ---------------------------------------------------------------- the stream of a message


def message(text, **more):
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
    asked = read("anthropic", json.dumps(body).encode(), {}, "0" * 16, 1)
    return write(asked, Reply(text, **more))


def taken(stream, size):
    found = MessageStream()
    for at in range(0, len(stream), size):
        found.feed(stream[at : at + size])
    return found.message()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100_000])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_stream_may_come_in_any_pieces(size, end):
    whole = message("zwölf \u2028 \x85 \r\n\r\n data: x", reasoning_tokens=2)
    stream = b": hello" + end + end + stream_anthropic(whole).replace(b"\n", end)
    found = taken(stream, size)
    assert [each for each in found["content"] if each["type"] == "text"] == [
        each for each in json.loads(whole)["content"] if each["type"] == "text"
    ]
    assert found["usage"] == json.loads(whole)["usage"] and found["stop_reason"] == "end_turn"


def test_of_tokens_the_last_word_counts_and_the_first_where_it_says_nothing():
    start = {"type": "message_start", "message": {"usage": {"input_tokens": 5, "output_tokens": 1}}}
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"input_tokens": None, "output_tokens": 9, "cache_read_input_tokens": 2},
    }
    stream = b"".join(b"data: %s\n\n" % json.dumps(event).encode() for event in (start, end))
    assert taken(stream, 10)["usage"] == {
        "input_tokens": 5,
        "output_tokens": 9,
        "cache_read_input_tokens": 2,
    }


def test_a_server_that_streams_nothing_is_understood(server):
    with pytest.raises(Refused, match="HTTP 401"):
        ask(server, "anthropic/claude-m", "[[error200 code=401]]")
    assert taken(message("hi\n\nthere"), 5)["content"] == [{"type": "text", "text": "hi\n\nthere"}]


def test_an_error_in_a_stream_ends_it_at_once():
    stream = stream_anthropic(message("hi"), breaks=True)
    with pytest.raises(StatusError) as caught:
        taken(stream, 10)
    assert (caught.value.code, caught.value.message) == ("overloaded_error", "Overloaded")


@pytest.mark.parametrize(
    "stream",
    [
        b"",
        b"<html>\n\n</html>",
        b"data: {\n\n",
        b"data: []\n\n",
        b'data: {"type": "message_stop"}\n\n',
        b'data: {"type": "message_start", "message": 7}\n\n',
        b'data: {"type": "message_start", "message": {}}\n\ndata: {"type": "content_block_delta", '
        b'"index": 3, "delta": {"type": "text_delta", "text": "x"}}\n\n',
        stream_anthropic(message("hi"))[:-200],
        b"data: " + b"[" * 100_000 + b"\n\n",
        b"data: \xff\n\n",
    ],
)
def test_what_is_no_stream_of_a_message_is_an_error(stream):
    with pytest.raises(ValueError):
        taken(stream, 50)
