"""OpenAI's chat completions, as a server speaks them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from assay.language.bridge.asked import Asked, BadRequest, Event, items, picture, schema_of, tool
from assay.records import Completion, Message, ToolCall

ROLES = {"developer": "system", "function": "tool"}
FINISHES = ("stop", "length", "content_filter")  # but for tool_calls


def read(body: Mapping[str, Any]) -> Asked:
    """Raises BadRequest."""
    offered = [each.get("function") or {} for each in items(body.get("tools") or [], "tools")]
    options = body.get("stream_options")
    return Asked(
        tuple(_message(each) for each in items(body.get("messages"), "messages")),
        tuple(tool(each.get("name"), each.get("description"), each.get("parameters")) for each in offered),
        schema_of(body.get("response_format")),
        bool(body.get("stream")),
        isinstance(options, Mapping) and bool(options.get("include_usage")),
    )


def _message(said: Mapping[str, Any]) -> Message:
    role = ROLES.get(str(said.get("role")), str(said.get("role")))
    if role not in ("system", "user", "assistant", "tool"):
        raise BadRequest(f"a message has the role {role!r:.40}")
    text, images = _content(said.get("content"))
    calls = tuple(
        ToolCall(str(call.get("id") or ""), str(its.get("name") or ""), str(its.get("arguments") or "{}"))
        for call in items(said.get("tool_calls") or [], "tool_calls")
        if isinstance(its := call.get("function"), Mapping)
    )
    return Message(role, text, images, calls, str(said.get("tool_call_id") or ""))  # type: ignore[arg-type]


def _content(content: Any) -> tuple[str, tuple[bytes, ...]]:
    if content is None or isinstance(content, str):
        return content or "", ()
    texts, images = [], []
    for part in items(content, "content"):
        if part.get("type") == "image_url":
            url = part.get("image_url")
            images.append(picture(url.get("url") if isinstance(url, Mapping) else url))
        elif part.get("type") in ("text", "refusal"):
            texts.append(str(part.get(part["type"]) or ""))
        else:
            raise BadRequest(f"a message has a part of type {part.get('type')!r:.40}")
    return "\n".join(texts), tuple(images)


def _calls(reply: Completion) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]


def _finish(reply: Completion) -> str:
    if reply.calls:
        return "tool_calls"
    return reply.finish_reason if reply.finish_reason in FINISHES else "stop"


def _usage(reply: Completion) -> dict[str, Any]:
    usage = reply.usage
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
    }


def whole(reply: Completion, model: str, number: int) -> dict[str, Any]:
    """The reply as one object."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = _calls(reply)
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply), "logprobs": None}],
        "usage": _usage(reply),
    }


def stream(reply: Completion, model: str, number: int, asked: Asked) -> Iterator[Event]:
    """The reply as events."""
    common = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": model,
    }

    def chunk(delta: dict[str, Any], finish: str | None = None) -> Event:
        return "", {**common, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": reply.text})
    for at, call in enumerate(_calls(reply)):
        yield chunk({"tool_calls": [{"index": at, **call}]})
    yield chunk({}, _finish(reply))
    if asked.usage:
        yield "", {**common, "choices": [], "usage": _usage(reply)}
    yield "", "[DONE]"


def failed(message: str, status: int) -> dict[str, Any]:
    """An error as an object."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}
