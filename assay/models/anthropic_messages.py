"""Dialogues and replies in the form of Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import ConfigError
from assay.models.failures import Unreadable, count
from assay.models.pictures import base64_text, media_type
from assay.models.provider import (
    Call,
    ProviderSettings,
    arguments_of,
    native_turn,
    own_turn,
    told_name,
)
from assay.records import Completion, Message, Tool, ToolCall, Usage

Block = dict[str, Any]
THOUGHTS = ("thinking", "redacted_thinking")
STOPS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}
KEPT = {"cache_control": {"type": "ephemeral"}}  # for five minutes after the last use


def turns(messages: Sequence[Message], form: str) -> list[Block]:
    """User and assistant turns. All results of tools stand in one user turn, and what the user says next
    behind them. `form`: of assistant's turns that are handed back as they came."""
    found: list[Block] = []
    for message in messages:
        if message.role == "system":
            continue
        role, content = "assistant" if message.role == "assistant" else "user", _content(message, form)
        if role == "user" and found and found[-1]["content"][0]["type"] == "tool_result":
            found[-1]["content"] += content
        else:
            found.append({"role": role, "content": content})
    return found


def _content(message: Message, form: str) -> list[Block]:
    if message.role == "assistant":
        own = own_turn(message, form)
        return own if isinstance(own, list) and own else _turn(message.content, message.calls)
    pictures = [*map(_image, message.images)]
    said = [*pictures, _text(message.content)]
    if message.role != "tool":
        return said
    result = {"type": "tool_result", "tool_use_id": message.call_id, "content": said}
    # a result that failed must not hold a picture
    return [result | {"is_error": True} if message.failed and not pictures else result]


def _turn(text: str, calls: Sequence[ToolCall]) -> list[Block]:
    """An assistant's turn of which nothing more is known."""
    uses = [
        {"type": "tool_use", "id": call.id, "name": told_name(call), "input": arguments_of(call)}
        for call in calls
    ]
    return [_text(text), *uses] if text.strip() or not uses else uses


def _text(text: str) -> Block:
    """Text without a letter is not accepted."""
    return {"type": "text", "text": text if text.strip() else "(empty)"}


def _image(image: bytes) -> Block:
    source = {"type": "base64", "media_type": media_type(image), "data": base64_text(image)}
    return {"type": "image", "source": source}


def tool_form(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": json.loads(tool.parameters)}


def keeps(settings: ProviderSettings) -> bool:
    """Whether the option `prompt_caching` leaves it on. Raises ConfigError."""
    kept = settings.options.get("prompt_caching", True)
    if not isinstance(kept, bool):
        raise ConfigError(f"llms.{settings.provider}.prompt_caching in config.json must be true or false")
    return kept


def goes_on(call: Call) -> bool:
    """Whether more is likely to be asked behind the same words: then they are worth keeping."""
    return bool(call.tools) or sum(message.role in ("user", "tool") for message in call.messages) > 1


def mark(body: dict[str, Any]) -> None:
    """Ask for a request's beginning to be kept, up to where the next one may differ: behind the tools, behind
    the system prompt, and behind the last two user's turns, of which the first was kept the time before. The
    API takes four such marks."""
    if "cache_control" in body:
        return  # the user says what to keep
    if tools := body.get("tools"):
        tools[-1] = {**tools[-1], **KEPT}
    if isinstance(system := body.get("system"), str):
        body["system"] = [{"type": "text", "text": system, **KEPT}]
    for turn in [turn for turn in body["messages"] if turn["role"] == "user"][-2:]:
        turn["content"][-1] |= KEPT


def blocks_in(reply: Mapping[str, Any]) -> list[Block]:
    """A message's content. Raises Unreadable."""
    content = reply.get("content")
    # a turn that ends with no content is an answer: an empty one
    if not isinstance(content, list) or (not content and not reply.get("stop_reason")):
        raise Unreadable("no content in it")
    return [block for block in content if isinstance(block, dict)]


def usage_in(reply: Mapping[str, Any]) -> Usage:
    """A message's tokens. The API counts those that it reads from its cache, and writes to it, apart."""
    said = _object(reply.get("usage"))
    kept, details = _object(said.get("cache_creation")), _object(said.get("output_tokens_details"))
    hour, minutes = (count(kept.get(f"ephemeral_{time}_input_tokens")) for time in ("1h", "5m"))
    written = max(count(said.get("cache_creation_input_tokens")), hour + minutes)
    cached = count(said.get("cache_read_input_tokens"))
    return Usage(
        count(said.get("input_tokens")) + cached + written,
        count(said.get("output_tokens")),
        count(details.get("thinking_tokens")),
        cached,
        written,
        hour,
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def read_message(
    reply: Mapping[str, Any], blocks: Sequence[Block], usage: Usage, form: str, *, tools: bool
) -> Completion:
    """A message as our record; a refusal is an answer. `tools`: whether any were offered; a model that calls
    one all the same has said what it said beside. Raises Unreadable."""
    if not tools:
        blocks = [block for block in blocks if block.get("type") != "tool_use"]
    text = "".join(_said(blocks, "text"))
    calls = tuple(_call(block) for block in blocks if block.get("type") == "tool_use")
    stop = str(reply.get("stop_reason") or "")
    finish = STOPS.get(stop, stop)
    return Completion(
        text,
        usage,
        finish_reason="stop" if finish == "tool_calls" and text and not calls else finish,
        model=str(reply.get("model") or ""),
        calls=calls,
        reasoning="\n\n".join(_said(blocks, "thinking")),
        native=_native(blocks, _turn(text, calls), form),
    )


def _said(blocks: Sequence[Block], kind: str) -> list[str]:
    return [str(block[kind]) for block in blocks if block.get("type") == kind and block.get(kind)]


def _call(block: Block) -> ToolCall:
    if not block.get("id") or not block.get("name"):
        raise Unreadable("a call of a tool without its name or id")
    made = block.get("input")
    written = made if isinstance(made, str) else json.dumps(made or {}, ensure_ascii=False)
    return ToolCall(str(block["id"]), str(block["name"]), written)


def _native(blocks: Sequence[Block], plain: Sequence[Block], form: str) -> str:
    """The blocks to be handed back, where they say more than text and calls; '' where the API would not take
    them back: no turn may end with a thought."""
    back = [
        {**block, "input": arguments_of(_call(block))} if block.get("type") == "tool_use" else block
        for block in blocks
        if block.get("type") != "text" or str(block.get("text") or "").strip()
    ]
    if not back or back == plain or back[-1].get("type") in THOUGHTS:
        return ""
    return native_turn(form, back)
