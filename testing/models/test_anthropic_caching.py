"""Which requests ask Anthropic's API to keep their beginning, where, and what that costs."""

from __future__ import annotations

import hashlib
import json

import pytest

from assay.errors import ConfigError
from assay.records import Message, ToolCall, Usage
from testing.model_server import ModelServer
from testing.models.asking import ask, llms_for
from testing.models.test_anthropic_tools import (
    STREAMED,
    TOOLS,
    WAYS,
    answered,
    message,
    said,
    thinking,
    use,
)


def marks(body):
    """Where a request asks for its beginning to be kept."""
    found = ["tools" for tool in body.get("tools", ()) if "cache_control" in tool]
    if isinstance(body.get("system"), list):
        found += ["system" for part in body["system"] if part.get("cache_control") == {"type": "ephemeral"}]
    for at, turn in enumerate(body["messages"]):
        found += [at for part in turn["content"] if part.get("cache_control") == {"type": "ephemeral"}]
    return found


CALLED = Message("assistant", "", calls=(ToolCall("c1", "shell", "{}"),))
RESULT = Message("tool", "ok", call_id="c1")
END = [message(said("done"), stop="end_turn")]


@pytest.mark.parametrize(
    ("tools", "dialogue", "kept"),
    [
        ((), ("user",), []),
        ((), ("system", "user"), []),
        ((), ("system", "user", "assistant", "user"), ["system", 0, 2]),
        ((), ("user", "assistant", "user", "assistant", "user"), [2, 4]),
        (TOOLS, ("user",), ["tools", 0]),
        (TOOLS, ("system", "user", CALLED, RESULT), ["tools", "system", 0, 2]),
        (TOOLS, ("system", "user", CALLED, RESULT, CALLED, RESULT, RESULT), ["tools", "system", 2, 4]),
    ],
)
def test_what_is_asked_again_is_kept(tools, dialogue, kept):
    dialogue = [turn if isinstance(turn, Message) else Message(turn, f"{turn}'s words") for turn in dialogue]
    _, (body,) = answered(END, dialogue, WAYS[1], tools=tools)
    assert marks(body) == kept and len(kept) <= 4
    if "system" in kept:
        assert body["system"][0]["text"] == "system's words"


def test_a_turn_is_kept_at_its_last_block_and_thoughts_never():
    first, _ = answered([message(thinking(), use(1), use(2))], [Message("user", "hi")], WAYS[1])
    results = [Message("tool", "ok", call_id=call.id) for call in first.calls]
    _, (body,) = answered(END, [Message("user", "hi"), first.turn, *results], WAYS[1])
    assert "cache_control" in body["messages"][2]["content"][1]
    assert "cache_control" not in json.dumps([body["messages"][1], body["messages"][2]["content"][0]])


def test_prompt_caching_can_be_turned_off(server):
    dialogue = [Message("user", "a"), Message("assistant", "b"), Message("user", "c")]
    for kept in (True, False):
        ask(server, STREAMED, messages=dialogue, tools=TOOLS, llms=llms_for(server.url, prompt_caching=kept))
    first, second = server.bodies()
    assert marks(first) == ["tools", 0, 2] and "cache_control" not in json.dumps(second)
    with pytest.raises(ConfigError, match=r"prompt_caching in config\.json must be true or false"):
        ask(server, STREAMED, llms=llms_for(server.url, prompt_caching="1h"))


def test_claude_behind_openrouter_is_asked_to_keep_it_too(server):
    dialogue = [Message("user", "a"), Message("assistant", "b"), Message("user", "c")]
    for model, kept in (
        ("anthropic/claude-x", True),
        ("anthropic/claude-x", False),
        ("google/gemini-x", True),
    ):
        its = {"api_key": "some-long-key", "base_url": server.url + "/v1", "prompt_caching": kept}
        ask(server, f"openrouter/{model}", messages=dialogue, llms={"openrouter": its})
    ask(server, "openrouter/anthropic/x", "one", llms={"openrouter": {**its, "prompt_caching": True}})
    found = [body.get("cache_control") for body in server.bodies()]
    assert found == [{"type": "ephemeral"}, None, None, None]


@pytest.mark.slow(10)
def test_claude_by_litellm_is_asked_to_keep_it_too(server):
    """As behind Bedrock and Vertex AI; Mistral is not."""
    its = {"api_key": "some-long-key", "base_url": server.url}
    dialogue = [Message("system", "s"), Message("user", "a"), CALLED, RESULT, RESULT, CALLED, RESULT]
    for kept in (True, False):
        llms = {"litellm": {**its, "prompt_caching": kept}}
        ask(server, "litellm/anthropic/claude-opus-4-5", messages=dialogue, tools=TOOLS, llms=llms)
    ask(server, "litellm/anthropic/claude-opus-4-5", "one", llms=llms)
    first, second, third = server.bodies()
    assert marks(first) == ["system", 2, 4]
    assert "cache_control" not in json.dumps([second, third])


def test_a_reply_of_before_prompt_caching_was_turned_off_is_found(server, tmp_path):
    dialogue, cache = [Message("user", "a"), Message("assistant", "b"), Message("user", "c")], tmp_path / "c"
    for kept in (True, False):
        llms = llms_for(server.url, prompt_caching=kept)
        ask(server, STREAMED, messages=dialogue, llms=llms, cache=cache)
    assert len(server.bodies()) == 1


def test_who_says_what_to_keep_has_the_last_word(server):
    hparams = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    ask(server, STREAMED, messages=[Message("user", "a")], tools=TOOLS, hparams=hparams)
    assert marks(server.bodies()[0]) == [] and server.bodies()[0]["cache_control"]["ttl"] == "1h"


@pytest.mark.parametrize("way", WAYS)
def test_kept_tokens_are_counted_and_priced_apart(way):
    usage = {
        "input_tokens": 100,
        "cache_creation_input_tokens": 3000,
        "cache_read_input_tokens": 10_000,
        "cache_creation": {"ephemeral_5m_input_tokens": 1000, "ephemeral_1h_input_tokens": 2000},
        "output_tokens": 500,
        "output_tokens_details": {"thinking_tokens": 200},
    }
    reply, _ = answered([message(said("x"), stop="end_turn", **usage)], [Message("user", "hi")], way)
    assert reply.usage == Usage(13_100, 500, 200, 10_000, 3000, 2000)
    # $5 a million, 1h writes $10, 5m writes $6.25, hits $0.50, output $25
    assert reply.cost == pytest.approx(0.0005 + 0.02 + 0.00625 + 0.005 + 0.0125)


# ---------------------------------------------------------------- what it comes to

LOOKS_BACK = 20  # blocks before a mark, at whose ends the API looks for what it has kept


class Keeper:
    """The API's side: what it keeps at the marks of a request, and finds again. A block has as many tokens as
    its JSON has bytes."""

    def __init__(self):
        self.kept = set()

    def usage(self, body):
        system = body.get("system", ())
        blocks = [*body.get("tools", ()), *system]
        for turn in body["messages"]:
            blocks += [{**block, "role": turn["role"]} for block in turn["content"]]
        ends, marks, so_far = [], [], hashlib.sha256()
        tokens = 0
        for at, block in enumerate(blocks):
            marked = "cache_control" in block
            words = json.dumps({**block, "cache_control": None}, sort_keys=True).encode()
            so_far.update(words)
            tokens += len(words)
            ends.append((so_far.hexdigest(), tokens))
            marks += [at] if marked else []
        assert len(marks) <= 4
        seen = {at for mark in marks for at in range(max(0, mark - LOOKS_BACK), mark + 1)}
        read = max((ends[at][1] for at in seen if ends[at][0] in self.kept), default=0)
        kept = max((ends[mark][1] for mark in marks), default=0)
        self.kept |= {ends[mark][0] for mark in marks}
        written = max(0, kept - read)
        return {
            "input_tokens": tokens - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": 10,
        }


@pytest.mark.parametrize("results", [1, 30])
def test_every_turn_reads_what_the_turn_before_has_written(results):
    """Also where a turn has more results than the API looks back."""
    keeper, turns = Keeper(), 8

    def reply(asked):
        calls = [use(f"{len(asked.body['messages'])}_{n}") for n in range(results)]
        return message(thinking("x" * 200), *calls, **keeper.usage(asked.body))

    with ModelServer(reply=reply) as server:
        dialogue, paid, read, whole = [Message("system", "s" * 3000), Message("user", "u" * 500)], 0.0, 0, 0
        for turn in range(turns):
            found = ask(server, WAYS[1][0], messages=dialogue, tools=TOOLS, hparams=WAYS[1][1])
            its = found.usage
            assert its.input_tokens == its.cached_tokens + its.cache_write_tokens, "all of it is kept"
            assert its.cached_tokens == (whole if turn else 0), "and all that was kept is read"
            read, whole, paid = read + its.cached_tokens, its.input_tokens, paid + found.cost
            dialogue += [found.turn, *(Message("tool", "r" * 300, call_id=call.id) for call in found.calls)]
    # $5 a million, writes $6.25, hits $0.50, output $25
    assert paid == pytest.approx((read * 0.5 + whole * 6.25 + turns * 10 * 25) / 1e6)
