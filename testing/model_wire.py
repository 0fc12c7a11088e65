"""The wire formats that the model server speaks: reading requests, writing replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from testing.responses_wire import as_messages, write_response

NO_CHOICES, NO_MESSAGE = "empty", "empty-choice"


@dataclass(frozen=True)
class Asked:
    """One request, understood. `count`: how often this very body came, this time included."""

    api: str  # openai, responses, anthropic or ollama
    model: str
    prompt: str  # the text of the last message
    messages: tuple[tuple[str, str], ...]  # (role, text); Anthropic's system prompt comes first
    images: tuple[str, ...]  # data URLs (openai), base64 (anthropic, ollama)
    json_mode: bool
    body: dict[str, Any]
    headers: dict[str, str]  # names in lower case
    digest: str
    count: int
    schema: dict[str, Any] | None = None


@dataclass(frozen=True)
class Reply:
    """What the model says. `shape`: NO_CHOICES or NO_MESSAGE leave that part of the reply out. `status`: with
    another than 200 the text is the message of an error."""

    text: str
    finish: str = "stop"  # stop, length, refusal, content_filter, context, tool_calls, error
    reasoning_tokens: int = 0
    shape: str = ""
    extra: dict[str, Any] = field(default_factory=dict)  # merged into the JSON object
    status: int = 200


def api_of(path: str) -> str:
    """Which API a path belongs to; '' when it is none of ours."""
    if path.endswith("/chat/completions"):
        return "openai"
    if path.endswith("/v1/messages"):
        return "anthropic"
    if path.endswith("/responses"):
        return "responses"
    return "ollama" if path.endswith("/api/chat") else ""


def read(api: str, raw: bytes, headers: dict[str, str], digest: str, count: int) -> Asked:
    """Understand a request body; ValueError or TypeError when it is malformed."""
    body = json.loads(raw)
    turns: list[tuple[str, str]] = []
    images: list[str] = []
    if system := body.get("system"):
        turns.append(("system", system if isinstance(system, str) else text_in(system)))
    for message in as_messages(body["input"]) if api == "responses" else body["messages"]:
        content = message.get("content")
        if content is None or isinstance(content, str):
            text = content or ""
        else:
            text = text_in(content)
            for part in parts_in(content):
                if part["type"] == "image_url":
                    images.append(part["image_url"]["url"])
                elif part["type"] == "image":
                    images.append(part["source"]["data"])
        images.extend(message.get("images", ()))
        turns.append((message["role"], text))
    schema = schema_in(api, body)
    if api == "ollama":
        json_mode = body.get("format") == "json"
    else:
        form = body.get("response_format") or (body.get("text") or {}).get("format") or {}
        json_mode = form.get("type") == "json_object"
    return Asked(
        api,
        body["model"],
        turns[-1][1],
        tuple(turns),
        tuple(images),
        json_mode or schema is not None,
        body,
        headers,
        digest,
        count,
        schema,
    )


def parts_in(content: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The parts of a turn, those of Anthropic's results of tools among them."""
    for part in content:
        if part["type"] == "tool_result" and isinstance(part.get("content"), list):
            yield from part["content"]
        else:
            yield part


def text_in(content: list[dict[str, Any]]) -> str:
    return "\n".join(part["text"] for part in parts_in(content) if part["type"] == "text")


def schema_in(api: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """The JSON schema that a request asks for, where its API has a place for one."""
    if api == "ollama":
        found = body.get("format")
    elif api == "anthropic":
        found = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    else:
        chat = (body.get("response_format") or {}).get("json_schema")
        found = (chat or (body.get("text") or {}).get("format") or {}).get("schema")
    return found if isinstance(found, dict) else None


def default_reply(asked: Asked) -> Reply:
    """Deterministic: the same request gets the same text. Models named o1.. and requests with
    reasoning_effort or thinking also think for 16 tokens."""
    body = asked.body
    thinks = asked.model[:1] == "o" and asked.model[1:2].isdigit()
    thinks = thinks or "reasoning_effort" in body or bool(body.get("thinking")) or bool(body.get("think"))
    text = f"Answer {asked.digest[:8]}: {asked.prompt[:100]}"
    if asked.json_mode:
        text = json.dumps({"answer": asked.digest[:8], "prompt": asked.prompt[:100]})
    return Reply(text, reasoning_tokens=16 if thinks else 0)


def tokens(text: str) -> int:
    """The server's own tokenizer: four characters a token, rounded up."""
    return (len(text) + 3) // 4


def write(asked: Asked, reply: Reply) -> bytes:
    used_in = sum(tokens(text) for _, text in asked.messages) + 85 * len(asked.images)
    used_out = tokens(reply.text) + reply.reasoning_tokens
    return json.dumps(WRITERS[asked.api](asked, reply, used_in, used_out) | reply.extra).encode()


def write_openai(asked: Asked, reply: Reply, used_in: int, used_out: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": None}
    finish = reply.finish
    if finish == "refusal":
        message, finish = {"role": "assistant", "content": None, "refusal": reply.text}, "stop"
    if finish == "context":
        finish = "length"
    if finish == "tool_calls":
        call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    if finish == "error":
        choice["error"] = {"code": 502, "message": "the upstream failed"}
    if reply.shape == NO_MESSAGE:
        choice = {"index": 0, "finish_reason": "stop"}
    return {
        "id": "chatcmpl-" + asked.digest[:12],
        "object": "chat.completion",
        "created": 1700000000,
        "model": asked.model + "-local",
        "service_tier": "default",
        "choices": [] if reply.shape == NO_CHOICES else [choice],
        "usage": {
            "prompt_tokens": used_in,
            "completion_tokens": used_out,
            "total_tokens": used_in + used_out,
            "completion_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
        },
    }


ANTHROPIC_STOPS = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "refusal",
    "context": "model_context_window_exceeded",
    "tool_calls": "tool_use",
}


def write_anthropic(asked: Asked, reply: Reply, used_in: int, used_out: int) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    if reply.finish == "tool_calls":
        content = [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}]
    if reply.reasoning_tokens:
        content.insert(0, {"type": "thinking", "thinking": "hm", "signature": "s"})
    return {
        "id": "msg_" + asked.digest[:12],
        "type": "message",
        "role": "assistant",
        "model": asked.model + "-local",
        "content": None if reply.shape in (NO_CHOICES, NO_MESSAGE) else content,
        "stop_reason": ANTHROPIC_STOPS.get(reply.finish, reply.finish),
        "stop_sequence": None,
        "usage": {"input_tokens": used_in, "output_tokens": used_out},
    }


def stream_anthropic(body: bytes, breaks: bool = False) -> bytes:
    """A message as the stream of server-sent events that the API makes of it; `breaks`: an error in it."""
    message = json.loads(body)
    content, stop, usage = message["content"], message["stop_reason"], message["usage"]
    if content is None:  # what is no message does not begin either
        return b""
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    container = start.pop("container", None)
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for at, block in enumerate(content):
        kind = block["type"]
        empty, deltas = {}, []
        if kind == "text":
            empty, deltas = {"text": ""}, deltas_of("text_delta", "text", block["text"])
        elif kind == "thinking":
            empty = {"thinking": "", "signature": ""}
            deltas = deltas_of("thinking_delta", "thinking", block["thinking"])
            deltas += [{"type": "signature_delta", "signature": block["signature"]}]
        elif kind == "tool_use":
            written = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
            empty, deltas = {"input": {}}, deltas_of("input_json_delta", "partial_json", written)
        events.append({"type": "content_block_start", "index": at, "content_block": {**block, **empty}})
        events += [{"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": at})
    events.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None, "container": container},
            "usage": {"output_tokens": usage["output_tokens"]},
        }
    )
    events.append({"type": "message_stop"})
    if breaks:
        overloaded = {"type": "overloaded_error", "message": "Overloaded"}
        events = [*events[: len(events) // 2], {"type": "error", "error": overloaded}]
    return b"".join(
        b"event: %s\ndata: %s\n\n" % (event["type"].encode(), json.dumps(event).encode()) for event in events
    )


def deltas_of(kind: str, name: str, text: str) -> list[dict[str, Any]]:
    """A text in two parts, the first of them empty at times, as the API has it."""
    middle = len(text) // 2
    return [{"type": kind, name: part} for part in (text[:middle], text[middle:])]


def write_ollama(asked: Asked, reply: Reply, used_in: int, used_out: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.reasoning_tokens:
        message["thinking"] = "hm"
    if reply.finish == "tool_calls":
        message["tool_calls"] = [{"function": {"name": "search", "arguments": {}}}]
    answer: dict[str, Any] = {
        "model": asked.model,
        "created_at": "2025-01-01T00:00:00Z",
        "message": message,
        "done": True,
        "done_reason": {"context": "length", "tool_calls": "stop"}.get(reply.finish, reply.finish),
        "prompt_eval_count": used_in,
        "eval_count": used_out,
    }
    if reply.shape in (NO_CHOICES, NO_MESSAGE):
        del answer["message"]
    return answer


def stream_ollama(body: bytes, breaks: bool = False) -> bytes:
    """A reply as the lines that the API makes of it; `breaks`: an error in the middle."""
    answer = json.loads(body)
    message = answer.get("message")
    if message is None:
        return body
    parts: list[dict[str, Any]] = []
    for name in ("thinking", "content"):
        text = message.get(name) or ""
        parts += [{"content": "", name: piece} for piece in (text[: len(text) // 2], text[len(text) // 2 :])]
    parts += [{"content": "", "tool_calls": [call]} for call in message.get("tool_calls", ())]
    shared = {name: answer[name] for name in ("model", "created_at")}
    lines = [{**shared, "message": {"role": "assistant", **part}, "done": False} for part in parts]
    lines.append({**answer, "message": {"role": "assistant", "content": ""}})
    if breaks:
        lines = [*lines[: len(lines) // 2], {"error": "the model's runner has stopped"}]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


WRITERS = {
    "responses": write_response,
    "openai": write_openai,
    "anthropic": write_anthropic,
    "ollama": write_ollama,
}


def write_error(api: str, status: int, message: str, code: str) -> bytes:
    if api == "ollama":
        return json.dumps({"error": message}).encode()
    if api == "anthropic":
        return json.dumps(
            {"type": "error", "error": {"type": code or "api_error", "message": message}}
        ).encode()
    return json.dumps(
        {"error": {"message": message, "type": "error", "param": None, "code": code or status}}
    ).encode()


def ollama_tags(models: tuple[str, ...]) -> bytes:
    details = {"family": "llama", "format": "gguf", "parameter_size": "8.0B", "quantization_level": "Q4_K_M"}
    listed = [{"name": name, "model": name, "size": 4_900_000_000, "details": details} for name in models]
    return json.dumps({"models": listed}).encode()


def ollama_show(models: tuple[str, ...], raw: bytes) -> bytes | None:
    """Details of one model, None when it is not there."""
    asked = json.loads(raw)
    model = asked.get("model") or asked.get("name")
    if model not in models:
        return None
    info = {
        "general.architecture": "llama",
        "general.parameter_count": 8_030_261_312,
        "llama.context_length": 131072,
    }
    details = {"family": "llama", "format": "gguf", "parameter_size": "8.0B", "quantization_level": "Q4_K_M"}
    known = ["completion"] if model.endswith("-blind") else ["completion", "tools", "vision"]
    return json.dumps({"details": details, "model_info": info, "capabilities": known}).encode()
