"""Dialogues and replies as Ollama's /api/chat has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assay.models.event_stream import joined
from assay.models.failures import Unreadable, count
from assay.models.http_provider import answer_in, parsed
from assay.models.openai_chat import FAILED
from assay.models.pictures import base64_text, media_type
from assay.models.provider import Call, arguments_of
from assay.records import Completion, Message, ToolCall, Usage


def chat_turns(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """A dialogue; a tool's turn names the tool, and thinking goes back where it came from."""
    names: dict[str, str] = {}
    turns = []
    for m in messages:
        turn: dict[str, Any] = {"role": m.role, "content": FAILED + m.content if m.failed else m.content}
        if m.images:
            turn["images"] = [base64_text(image) for image in m.images if media_type(image)]
        if m.role == "tool":
            turn |= {"tool_name": names.get(m.call_id, ""), "tool_call_id": m.call_id}
        if m.reasoning:
            turn["thinking"] = m.reasoning
        if m.calls:
            names |= {call.id: call.name for call in m.calls}
            turn["tool_calls"] = [_made(call) for call in m.calls]
        turns.append(turn)
    return turns


def _made(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "function": {"name": call.name, "arguments": arguments_of(call)}}


def words(call: Call) -> Iterator[str]:
    """All that a call says in words, thinking aside: models do not read all of it again."""
    for message in call.messages:
        yield message.content
        for made in message.calls:
            yield made.name
            yield made.arguments
    for tool in call.tools:
        yield tool.name
        yield tool.description
        yield tool.parameters


class ChatLines:
    """A reply out of the lines in which it comes, each a JSON object, the last of which says that it is done.

    >>> lines = ChatLines()
    >>> lines.feed(b'{"message": {"content": "4"}, "done": false}\\n{"message": {"content": "2"}, "do')
    >>> lines.feed(b'ne": true}')
    >>> lines.reply()
    {'message': {'content': '42'}, 'done': True}
    """

    def __init__(self) -> None:
        self._rest = bytearray()  # of which no line's end has been seen
        self._last: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._calls: list[Any] = []

    def feed(self, part: bytes) -> None:
        """The next part. Raises Unreadable, and StatusError where a line is an error."""
        seen, begin = len(self._rest), 0
        self._rest += part
        while (end := self._rest.find(b"\n", max(seen, begin))) >= 0:
            self._line(self._rest[begin:end])
            begin = end + 1
        del self._rest[:begin]

    def _line(self, line: bytearray) -> None:
        if not line.strip():
            return
        self._last = answer_in(parsed(line))
        message = self._last.get("message")
        if not isinstance(message, dict):
            return
        for name in ("content", "thinking"):
            if isinstance(text := message.get(name), str):
                self._texts.setdefault(name, []).append(text)
        if isinstance(calls := message.get("tool_calls"), list):
            self._calls += calls

    def reply(self) -> dict[str, Any]:
        """The whole, as it is where no stream is asked for. Raises Unreadable if it ended before that."""
        self._line(self._rest)
        if not self._last.get("done"):
            raise Unreadable("the stream ended before the reply did")
        message: dict[str, Any] = {name: joined(texts) for name, texts in self._texts.items()}
        if self._calls:
            message["tool_calls"] = self._calls
        return {**self._last, "message": message}


def read_chat(call: Call, reply: Mapping[str, Any], free: bool) -> Completion:
    """A reply's JSON as our record. Calls of tools that nobody offers are left out. Raises Unreadable."""
    message = reply.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str):
        raise Unreadable("no message in it")
    made = message.get("tool_calls") or []
    calls = tuple(_calls(made, len(call.messages))) if call.tools else ()
    says_nothing_else = bool(made) and not message["content"]
    thinking = message.get("thinking")
    ended = str(reply.get("done_reason") or "")
    return Completion(
        message["content"],
        Usage(count(reply.get("prompt_eval_count")), count(reply.get("eval_count"))),
        cost=0.0 if free else None,
        finish_reason="tool_calls" if (calls or says_nothing_else) and ended != "length" else ended,
        model=str(reply.get("model") or ""),
        calls=calls,
        reasoning=thinking if isinstance(thinking, str) else "",
    )


def _calls(made: Any, turn: int) -> Iterator[ToolCall]:
    """`turn`: its place in the dialogue, for the ids that older servers do not give. Raises Unreadable."""
    for number, each in enumerate(made if isinstance(made, list) else [made], 1):
        function = each.get("function") if isinstance(each, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise Unreadable("a call of a tool without a name")
        given = function.get("arguments")
        written = given if isinstance(given, str) else json.dumps(given or {}, ensure_ascii=False)
        yield ToolCall(str(each.get("id") or f"call_{turn}_{number}"), function["name"], written)
