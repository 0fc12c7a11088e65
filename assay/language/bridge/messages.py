"""Anthropic's messages, as a server speaks them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assay.language.bridge.asked import Asked, BadRequest, Event, arguments, decoded, items, tool
from assay.records import Completion, Message, Schema, ToolCall

STOPS = {"length": "max_tokens", "refusal": "refusal", "content_filter": "refusal"}


def read(body: Mapping[str, Any]) -> Asked:
    """Raises BadRequest."""
    found = [Message("system", text)] if (text := _text(body.get("system"))) else []
    for said in items(body.get("messages"), "messages"):
        found += _turn(said)
    offered = [each for each in items(body.get("tools") or [], "tools") if "input_schema" in each]
    form = (body.get("output_config") or {}).get("format") or {}
    return Asked(
        tuple(found),
        tuple(tool(each.get("name"), each.get("description"), each["input_schema"]) for each in offered),
        Schema("reply", json.dumps(form.get("schema") or {})) if form.get("type") == "json_schema" else False,
        bool(body.get("stream")),
    )


def _text(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    parts = items(content, "content")
    return "\n".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")


def _turn(said: Mapping[str, Any]) -> Iterator[Message]:
    role, content = said.get("role"), said.get("content")
    if role not in ("user", "assistant", "system"):
        raise BadRequest(f"a message has the role {role!r:.40}")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    images, calls, left = [], [], []
    for part in items(content, "content"):
        kind = part.get("type")
        if kind == "tool_result":
            yield Message(
                "tool",
                _text(part.get("content")),
                tuple(map(_image, _images(part.get("content")))),
                call_id=str(part.get("tool_use_id") or ""),
                failed=bool(part.get("is_error")),
            )
        elif kind == "tool_use":
            given = json.dumps(part.get("input") or {})
            calls.append(ToolCall(str(part.get("id") or ""), str(part.get("name") or ""), given))
        elif kind == "image":
            images.append(_image(part))
        elif kind == "text":
            left.append(part)
        elif kind not in ("thinking", "redacted_thinking"):
            raise BadRequest(f"a message has a block of type {kind!r:.40}")
    if left or images or calls:
        yield Message(role, _text(left), tuple(images), tuple(calls))


def _images(content: Any) -> list[Mapping[str, Any]]:
    parts = items(content, "content") if isinstance(content, list) else []
    return [part for part in parts if part.get("type") == "image"]


def _image(part: Mapping[str, Any]) -> bytes:
    source = part.get("source")
    if not isinstance(source, Mapping) or source.get("type") != "base64":
        raise BadRequest("a picture must be sent in base64: there is no network")
    return decoded(source.get("data"))


def _content(reply: Completion) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    for call in reply.calls:
        found.append(
            {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call.arguments)}
        )
    return found


def _stop(reply: Completion) -> str:
    return "tool_use" if reply.calls else STOPS.get(reply.finish_reason, "end_turn")


def _usage(reply: Completion) -> dict[str, int]:
    usage = reply.usage
    return {
        "input_tokens": usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens,
        "cache_read_input_tokens": usage.cached_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
    }


def whole(reply: Completion, model: str, number: int) -> dict[str, Any]:
    """The reply as one object."""
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _content(reply),
        "stop_reason": _stop(reply),
        "stop_sequence": None,
        "usage": _usage(reply),
    }


def stream(reply: Completion, model: str, number: int, asked: Asked) -> Iterator[Event]:
    """The reply as events."""
    message = whole(reply, model, number)
    yield (
        "message_start",
        {
            "type": "message_start",
            "message": {
                **message,
                "content": [],
                "stop_reason": None,
                "usage": {**message["usage"], "output_tokens": 0},
            },
        },
    )
    for at, block in enumerate(message["content"]):
        begun: dict[str, Any]
        if block["type"] == "text":
            begun, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            begun = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"type": "content_block_start", "index": at, "content_block": begun}
        yield "content_block_delta", {"type": "content_block_delta", "index": at, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": at}
    yield (
        "message_delta",
        {
            "type": "message_delta",
            "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
            "usage": message["usage"],
        },
    )
    yield "message_stop", {"type": "message_stop"}


def failed(message: str, status: int) -> dict[str, Any]:
    """An error as an object."""
    kind = "invalid_request_error" if status < 500 else "api_error"
    return {"type": "error", "error": {"type": kind, "message": message}}
