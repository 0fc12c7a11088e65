"""Dialogues and replies in the form of OpenAI's Responses API."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import ConfigError
from assay.models.event_stream import EventStream
from assay.models.failures import StatusError, Unreadable, count, dollars
from assay.models.openai_chat import FAILED, calls_in, function_of, response_format
from assay.models.pictures import data_url
from assay.models.provider import Call, native_turn, own_turn, told_arguments, told_name
from assay.records import Completion, JsonMode, Message, Schema, ToolCall, Usage

# Models that answer nowhere else
ONLY_THERE = re.compile(r"(?:o\d|gpt-\d[\d.]*)-pro|.*(?:codex|deep-research)")
HIDDEN = "reasoning.encrypted_content"  # what the model thought, to be handed back
ENDS = ("response.completed", "response.incomplete", "response.failed")
CUT = {"max_output_tokens": "length"}


def response_parameters(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of chat completions in this API's names. Raises ConfigError for what it cannot do."""
    body = dict(wire)
    if "stop" in body:
        raise ConfigError("the Responses API takes no stop: leave it out of hparams (null for that model)")
    for name in ("seed", "usage"):
        body.pop(name, None)  # there is none, and its absence changes nothing else
    for name in ("max_tokens", "max_completion_tokens"):
        if name in body:
            body["max_output_tokens"] = body.pop(name)
    if "reasoning_effort" in body:
        body["reasoning"] = {"effort": body.pop("reasoning_effort"), **body.get("reasoning", {})}
    if "verbosity" in body:
        body["text"] = {"verbosity": body.pop("verbosity"), **body.get("text", {})}
    return body


def response_body(call: Call, messages: Sequence[Message], form: str, json: JsonMode) -> dict[str, Any]:
    """A request that leaves nothing on the server. `form`: of turns that are handed back as they came."""
    body: dict[str, Any] = {"model": call.model, "input": input_items(messages, form), "store": False}
    body |= response_parameters(call.wire)
    if call.tools:
        tools = [{"type": "function", "strict": False, **function_of(tool)} for tool in call.tools]
        body["tools"] = [*body.get("tools", ()), *tools]
    if json:
        of = response_format(json)["json_schema"] if isinstance(json, Schema) else {}
        kind = "json_schema" if of else "json_object"
        body["text"] = {**body.get("text", {}), "format": {"type": kind, **of}}
    return body


def input_items(messages: Sequence[Message], form: str = "") -> list[dict[str, Any]]:
    """A dialogue as the items that the API takes, images as data URLs."""
    found: list[dict[str, Any]] = []
    for m in messages:
        if m.role == "tool":
            output = _content(FAILED + m.content if m.failed else m.content, m.images)
            found.append({"type": "function_call_output", "call_id": m.call_id, "output": output})
        elif m.role != "assistant":
            found.append({"role": m.role, "content": _content(m.content, m.images)})
        elif isinstance(own := own_turn(m, form), list):
            found += own
        else:
            found += [{"role": "assistant", "content": m.content}] if m.content or not m.calls else []
            found += [*map(_made, m.calls)]
    return found


def _content(text: str, images: Sequence[bytes]) -> str | list[dict[str, Any]]:
    if not images:
        return text
    pictures = [{"type": "input_image", "image_url": data_url(image)} for image in images]
    return [*([{"type": "input_text", "text": text}] if text else []), *pictures]


def _made(call: ToolCall) -> dict[str, Any]:
    written = {"name": told_name(call), "arguments": told_arguments(call)}
    return {"type": "function_call", "call_id": call.id, **written}


def read_response(reply: Mapping[str, Any], call: Call, form: str) -> Completion:
    """A response's JSON as our record, a refusal too. Raises Unreadable, or StatusError where the server
    failed."""
    status, output = reply.get("status") or "completed", reply.get("output")
    if status in ("failed", "cancelled"):
        raise StatusError(500, f"the response was {status}")
    if status not in ("completed", "incomplete") or not isinstance(output, list):
        raise Unreadable(f"no output in it ({status!r:.40})")
    items = [item for item in output if isinstance(item, dict)]
    if not items and status == "completed":
        raise Unreadable("no output in it")
    finish = "stop"
    if status == "incomplete":
        why = str(_object(reply.get("incomplete_details")).get("reason") or "length")
        finish = CUT.get(why, why)
    messages = [item for item in items if item.get("type") == "message"]
    said = "\n\n".join(filter(None, (_texts(item.get("content"), "output_text") for item in messages)))
    refusal = "".join(_texts(item.get("content"), "refusal", "refusal") for item in messages)
    if refusal and not said:
        said, finish = refusal, "refusal"
    made = [
        {"id": item.get("call_id"), "function": item} for item in items if item.get("type") == "function_call"
    ]
    calls, native = list[ToolCall](), ""
    if call.tools:
        before = sum(len(m.calls) for m in call.messages)
        calls = calls_in(made, before, whole=status == "completed")
        if status == "completed" and [each.id for each in calls] == [each["id"] for each in made]:
            native = native_turn(form, [*map(_without_none, items)])
    if made and finish == "stop":
        finish = "tool_calls" if calls or not said else "stop"
    usage = _object(reply.get("usage"))
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    shown = [(_texts(item.get("summary"), "summary_text"), item.get("content")) for item in thoughts]
    parts = [summary or _texts(content, "reasoning_text") for summary, content in shown]
    return Completion(
        said,
        read_usage(usage),
        cost=dollars(usage.get("cost")),
        finish_reason=finish,
        model=str(reply.get("model") or ""),
        calls=tuple(calls),
        reasoning="\n\n".join(filter(None, parts)),
        native=native,
    )


def _texts(parts: Any, kind: str, name: str = "text") -> str:
    found = parts if isinstance(parts, list) else []
    its = [part.get(name) for part in found if isinstance(part, dict) and part.get("type") == kind]
    return ("\n\n" if kind == "summary_text" else "").join(each for each in its if isinstance(each, str))


def _without_none(item: Mapping[str, Any]) -> dict[str, Any]:
    """The API gives null where it takes none."""
    return {name: value for name, value in item.items() if value is not None}


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Token counts of a response."""
    read, wrote = (_object(usage.get(f"{name}_tokens_details")) for name in ("input", "output"))
    return Usage(
        count(usage.get("input_tokens")),
        count(usage.get("output_tokens")),
        count(wrote.get("reasoning_tokens")),
        count(read.get("cached_tokens")),
        count(read.get("cache_write_tokens")),
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


class ResponseStream(EventStream):
    """Takes the events of a response. The last one has it whole; some servers leave out there what they said
    before."""

    def __init__(self) -> None:
        super().__init__()
        self._whole: dict[str, Any] | None = None
        self._items: list[Any] = []

    def take(self, said: dict[str, Any]) -> None:
        kind = said["type"]
        if kind == "error":
            raise StatusError(200, str(said.get("message") or "unknown error")[:1000], str(said.get("code")))
        if kind == "response.output_item.done":
            self._items.append(said["item"])
        elif kind in ENDS:
            self._whole = {**said["response"]}

    def whole(self) -> Any:
        """The response; of a server that streams nothing, what it gave. Raises Unreadable if the stream ended
        before the response did."""
        if (unstreamed := self.ended()) is not None:
            return unstreamed
        if self._whole is None:
            raise Unreadable("the stream ended before the response did")
        return {**self._whole, "output": self._whole.get("output") or self._items}
