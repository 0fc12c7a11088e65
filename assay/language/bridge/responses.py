"""OpenAI's Responses, as a server speaks them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from assay.language.bridge.asked import Asked, BadRequest, Event, items, picture, schema_of, tool
from assay.language.bridge.chat import failed as failed  # errors are alike
from assay.records import Completion, Message, ToolCall

TEXTS = ("input_text", "output_text", "text", "summary_text")


def read(body: Mapping[str, Any]) -> Asked:
    """Raises BadRequest."""
    if body.get("previous_response_id"):
        raise BadRequest("nothing is stored here: send the whole dialogue instead of previous_response_id")
    asked = body.get("input")
    if isinstance(asked, str):
        asked = [{"type": "message", "role": "user", "content": asked}]
    found = [Message("system", str(body["instructions"]))] if body.get("instructions") else []
    for item in items(asked, "input"):
        found += _message(item)
    offered = [each for each in items(body.get("tools") or [], "tools") if each.get("type") == "function"]
    form = body.get("text")
    return Asked(
        tuple(_joined(found)),
        tuple(tool(each.get("name"), each.get("description"), each.get("parameters")) for each in offered),
        schema_of(form.get("format")) if isinstance(form, Mapping) else False,
        bool(body.get("stream")),
    )


def _message(item: Mapping[str, Any]) -> Iterator[Message]:
    kind = item.get("type", "message")
    if kind == "function_call":
        call = ToolCall(str(item.get("call_id")), str(item.get("name")), str(item.get("arguments") or "{}"))
        yield Message("assistant", "", calls=(call,))
    elif kind == "function_call_output":
        text, images = _content(item.get("output"))
        yield Message("tool", text, images, call_id=str(item.get("call_id") or ""))
    elif kind == "message":
        role = "system" if item.get("role") == "developer" else item.get("role")
        if role not in ("system", "user", "assistant"):
            raise BadRequest(f"a message has the role {role!r:.40}")
        yield Message(role, *_content(item.get("content")))  # type: ignore[arg-type]
    elif kind != "reasoning":
        raise BadRequest(f"the input has an item of type {kind!r:.40}")


def _content(content: Any) -> tuple[str, tuple[bytes, ...]]:
    if content is None or isinstance(content, str):
        return content or "", ()
    parts = items(content, "content")
    images = tuple(picture(part.get("image_url")) for part in parts if part.get("type") == "input_image")
    return "\n".join(str(part.get("text") or "") for part in parts if part.get("type") in TEXTS), images


def _joined(messages: list[Message]) -> Iterator[Message]:
    """What a model said in one turn, which is several items here, as one message."""
    held: Message | None = None
    for each in messages:
        if each.role == "assistant" and held is not None:
            text = "\n".join(filter(None, (held.content, each.content)))
            held = Message("assistant", text, held.images + each.images, held.calls + each.calls)
            continue
        if held is not None:
            yield held
        held = each if each.role == "assistant" else None
        if held is None:
            yield each
    if held is not None:
        yield held


def _output(reply: Completion, number: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if reply.text or not reply.calls:
        content = {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        found.append({
            "id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed",
            "content": [content],
        })  # fmt: skip
    for at, call in enumerate(reply.calls):
        found.append({
            "id": f"fc_{number}_{at}", "type": "function_call", "call_id": call.id, "name": call.name,
            "arguments": call.arguments, "status": "completed",
        })  # fmt: skip
    return found


def _usage(reply: Completion) -> dict[str, Any]:
    usage = reply.usage
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": usage.cached_tokens},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }


def whole(reply: Completion, model: str, number: int) -> dict[str, Any]:
    """The reply as one object."""
    cut = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(reply.finish_reason)
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": int(time.time()),
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": cut} if cut else None,
        "error": None,
        "model": model,
        "output": _output(reply, number),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": _usage(reply),
    }


def stream(reply: Completion, model: str, number: int, asked: Asked) -> Iterator[Event]:
    """The reply as events."""
    response, sent = whole(reply, model, number), 0

    def event(kind: str, **data: Any) -> Event:
        nonlocal sent
        sent += 1
        return kind, {"type": kind, "sequence_number": sent - 1, **data}

    begun = {**response, "status": "in_progress", "output": [], "usage": None, "incomplete_details": None}
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for at, item in enumerate(response["output"]):
        where = {"item_id": item["id"], "output_index": at}
        if item["type"] == "message":
            part = item["content"][0]
            empty, inside = {**part, "text": ""}, {**where, "content_index": 0}
            opened = {**item, "status": "in_progress", "content": []}
            yield event("response.output_item.added", output_index=at, item=opened)
            yield event("response.content_part.added", **inside, part=empty)
            yield event("response.output_text.delta", **inside, delta=part["text"], logprobs=[])
            yield event("response.output_text.done", **inside, text=part["text"], logprobs=[])
            yield event("response.content_part.done", **inside, part=part)
        else:
            opened = {**item, "status": "in_progress", "arguments": ""}
            yield event("response.output_item.added", output_index=at, item=opened)
            yield event("response.function_call_arguments.delta", **where, delta=item["arguments"])
            yield event("response.function_call_arguments.done", **where, arguments=item["arguments"])
        yield event("response.output_item.done", output_index=at, item=item)
    yield event(f"response.{response['status']}", response=response)
