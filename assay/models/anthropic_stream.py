"""A message of Anthropic's out of the events in which it comes."""

from __future__ import annotations

import re
from typing import Any

from assay.models.failures import StatusError, Unreadable, message_in
from assay.models.http_provider import parsed

EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


class MessageStream:
    """Takes the parts of a reply as they come. What thinking and tools say in it is left out.

    >>> stream = MessageStream()
    >>> stream.feed(b'data: {"type": "message_start", "message": {"usage": {"input_tokens": 1}}}\\n\\n')
    >>> stream.feed(b'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\\n')
    >>> stream.feed(b"\\n")
    >>> stream.message()
    {'usage': {'input_tokens': 1}, 'stop_reason': 'end_turn', 'content': []}
    """

    def __init__(self) -> None:
        self._rest = bytearray()  # of which no event's end has been seen
        self._whole: dict[str, Any] | None = None
        self._blocks: list[tuple[str, list[str]]] = []  # type and pieces of text

    def feed(self, part: bytes) -> None:
        """Raises Unreadable where it is no such stream, and StatusError where an event is an error."""
        seen, begin = max(0, len(self._rest) - 3), 0
        self._rest += part
        if self._is_whole_message():
            return
        while (end := EVENT_END.search(self._rest, max(seen, begin))) is not None:
            event, begin = bytes(self._rest[begin : end.start()]), end.end()
            try:
                self._take(event)
            except (AttributeError, IndexError, KeyError, TypeError) as error:
                raise Unreadable(f"no stream of a message ({type(error).__name__})") from None
        del self._rest[:begin]

    def _is_whole_message(self) -> bool:
        """Whether the server streams nothing: events begin with a word."""
        return self._whole is None and self._rest.startswith(b"{")

    def _take(self, event: bytes) -> None:
        lines = [line[5:] for line in event.splitlines() if line.startswith(b"data:")]
        if not lines:
            return
        said = parsed(b"\n".join(lines))
        kind = said["type"]
        if kind == "error":
            raise StatusError(200, *message_in(said, "unknown error"))
        if kind == "ping":
            return
        if kind == "message_start":
            self._whole = {**said["message"]}
        elif self._whole is None:
            raise Unreadable(f"the stream of a message began with {kind!r:.40}")
        elif kind == "content_block_start":
            block = said["content_block"]
            self._blocks.append((block["type"], [str(block.get("text") or "")]))
        elif kind == "content_block_delta":
            if said["delta"]["type"] == "text_delta":
                self._blocks[said["index"]][1].append(said["delta"]["text"])
        elif kind == "message_delta":
            # Of tokens the last word counts; what it leaves out was said at the beginning.
            self._whole["stop_reason"] = said["delta"]["stop_reason"]
            told = {name: count for name, count in (said.get("usage") or {}).items() if count is not None}
            self._whole["usage"] = {**(self._whole.get("usage") or {}), **told}

    def message(self) -> Any:
        """The whole, as the API gives it where it is not asked for a stream; of a server that streams
        nothing, what it gave. Raises Unreadable if the stream ended before the message did."""
        if self._whole is None:
            if self._is_whole_message():
                return parsed(self._rest)
            raise Unreadable("no stream of a message")
        if self._whole.get("stop_reason") is None:
            raise Unreadable("the stream ended before the message did")
        content = [{"type": kind, "text": "".join(pieces)} for kind, pieces in self._blocks]
        return {**self._whole, "content": content}
