"""Replies of OpenAI's APIs as the streams of server-sent events that come of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

OVERLOADED = {"error": {"message": "Overloaded", "type": "server_error", "code": "overloaded_error"}}


def stream_openai(body: bytes, kind: str = "", usage: bool = True) -> bytes:
    """A chat completion as chunks. `kind`: an order of misbehaviour; `usage`: whether the last chunk is to
    say how many tokens there were."""
    reply = json.loads(body)
    if "error" in reply:
        return body
    head = {name: reply.get(name) for name in ("id", "created", "model")} | {
        "object": "chat.completion.chunk"
    }
    chunks = [
        head | {"choices": [{"index": 0, **its}]} for choice in reply["choices"] for its in _deltas(choice)
    ]
    if usage:
        chunks.append(head | {"choices": [], "usage": reply["usage"]})
    return written([json.dumps(chunk).encode() for chunk in chunks], kind) + (
        b"" if kind in ("stream-error", "stream-end") else b"data: [DONE]\n\n"
    )


def written(events: list[bytes], kind: str) -> bytes:
    """Events, as `kind` would have them."""
    half = len(events) // 2
    if kind == "stream-error":
        events = [*events[:half], json.dumps(OVERLOADED).encode()]
    elif kind == "stream-end":
        events = events[:half]
    elif kind == "garbage":
        events = [*events[:half], b'{"choices": [{"del', *events[half:]]
    return b": a comment\n\n" + b"".join(b"data: %s\n\n" % event for event in events)


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def _deltas(choice: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What of a choice each chunk has."""
    message = choice.get("message") or {}
    found: list[dict[str, Any]] = [{"role": "assistant", "content": ""}] if message else []
    for name in ("reasoning_content", "reasoning", "content", "refusal"):
        said = message.get(name)
        found += [
            {name: part} for part in (halves(said) if isinstance(said, str) else [[p] for p in said or ()])
        ]
    for at, detail in enumerate(message.get("reasoning_details") or ()):
        parts = [{"text": part} for part in halves(detail["text"])] if "text" in detail else [{}]
        found += [{"reasoning_details": [{"index": at, **detail, **part}]} for part in parts]
    for at, call in enumerate(message.get("tool_calls") or ()):
        first, second = halves(call["function"]["arguments"])
        begun = {**call, "index": at, "function": {"name": call["function"]["name"], "arguments": first}}
        found += [
            {"tool_calls": [each]} for each in (begun, {"index": at, "function": {"arguments": second}})
        ]
    yield from ({"delta": delta, "finish_reason": None} for delta in found)
    yield {"delta": {}, **{name: its for name, its in choice.items() if name not in ("message", "index")}}


def stream_response(body: bytes, kind: str = "") -> bytes:
    """A response as events; some servers leave out of the last one what they said before (`bare`)."""
    reply = json.loads(body)
    if "output" not in reply:
        return body
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {**reply, "output": []}}]
    for at, item in enumerate(reply["output"]):
        events.append({"type": "response.output_item.added", "output_index": at, "item": item["type"]})
        if item["type"] == "function_call":
            events += [
                {"type": "response.function_call_arguments.delta", "output_index": at, "delta": part}
                for part in halves(item["arguments"])
            ]
        events.append({"type": "response.output_item.done", "output_index": at, "item": item})
    last = {**reply, "output": []} if kind == "bare" else reply
    events.append({"type": f"response.{reply['status']}", "response": last})
    return written([json.dumps(event).encode() for event in events], kind)
