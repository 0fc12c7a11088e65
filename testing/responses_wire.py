"""OpenAI's Responses API, as the model server speaks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from testing.model_wire import Asked, Reply


def as_messages(items: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Input items as messages of chat completions."""
    for item in items:
        kind = item.get("type", "message")
        if kind == "message":
            yield {"role": item["role"], "content": _parts(item["content"])}
        elif kind == "function_call":
            yield {"role": "assistant", "content": item["arguments"]}
        elif kind == "function_call_output":
            yield {"role": "tool", "content": _parts(item["output"])}


def _parts(content: str | list[dict[str, Any]]) -> str | list[dict[str, Any]]:
    if isinstance(content, str):
        return content
    return [
        {"type": "image_url", "image_url": {"url": part["image_url"]}}
        if part["type"] == "input_image"
        else {"type": "text", "text": part["text"]}
        for part in content
    ]


def write_response(asked: Asked, reply: Reply, used_in: int, used_out: int) -> dict[str, Any]:
    kind = "refusal" if reply.finish == "refusal" else "output_text"
    name = "refusal" if reply.finish == "refusal" else "text"
    output: list[dict[str, Any]] = [
        {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
         "content": [{"type": kind, name: reply.text}]}
    ]  # fmt: skip
    if reply.finish == "tool_calls":
        output = [{"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"}]
    if reply.reasoning_tokens:
        output.insert(
            0, {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
        )
    cut = {"length": "max_output_tokens", "context": "max_output_tokens", "content_filter": "content_filter"}
    why, failed = cut.get(reply.finish), reply.finish == "error"
    return {
        "id": "resp_" + asked.digest[:12],
        "object": "response",
        "status": "failed" if failed else "incomplete" if why else "completed",
        "error": {"code": "server_error", "message": "the upstream failed"} if failed else None,
        "incomplete_details": {"reason": why} if why else None,
        "model": asked.model + "-local",
        "output": [] if reply.shape else output,
        "usage": {
            "input_tokens": used_in,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": used_out,
            "output_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
            "total_tokens": used_in + used_out,
        },
    }
