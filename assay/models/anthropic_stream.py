"""A message of Anthropic's out of the events in which it comes."""

from __future__ import annotations

from typing import Any

from assay.models.event_stream import EventStream, joined
from assay.models.failures import Unreadable
from assay.models.http_provider import parsed

PIECES = {  # of a block, by the kind of event that they come in -> their name there
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
CUT_OFF = ("max_tokens", "model_context_window_exceeded", "refusal")


class MessageStream(EventStream):
    """Takes the parts of a reply as they come.

    >>> stream = MessageStream()
    >>> stream.feed(b'data: {"type": "message_start", "message": {"usage": {"input_tokens": 1}}}\\n\\n')
    >>> stream.feed(b'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\\n')
    >>> stream.feed(b"\\n")
    >>> stream.message()
    {'usage': {'input_tokens': 1}, 'stop_reason': 'end_turn', 'content': []}
    """

    def __init__(self) -> None:
        super().__init__()
        self._whole: dict[str, Any] | None = None
        # by index, with the pieces of its texts
        self._blocks: dict[int, tuple[dict[str, Any], dict[str, list[str]]]] = {}
        self._ended: set[int] = set()

    def take(self, said: dict[str, Any]) -> None:
        kind = said["type"]
        if kind == "ping":
            return
        if kind == "message_start":
            self._whole = {**said["message"]}
        elif self._whole is None:
            raise Unreadable(f"the stream of a message began with {kind!r:.40}")
        elif kind == "content_block_start":
            self._blocks[said["index"]] = ({**said["content_block"]}, {})
        elif kind == "content_block_delta":
            block, pieces = self._blocks[said["index"]]
            delta = said["delta"]
            if name := PIECES.get(delta["type"]):
                pieces.setdefault(name, []).append(delta[name])
            elif delta["type"] == "citations_delta":
                block["citations"] = [*(block.get("citations") or ()), delta["citation"]]
        elif kind == "content_block_stop":
            self._ended.add(said["index"])
        elif kind == "message_delta":
            # Of the end, the container and tokens the last word counts; what it leaves out was said before.
            self._whole |= _said(said["delta"])
            self._whole["usage"] = {**(self._whole.get("usage") or {}), **_said(said.get("usage") or {})}

    def message(self) -> Any:
        """The whole, as the API gives it where it is not asked for a stream; of a server that streams
        nothing, what it gave. Raises Unreadable if the stream ended before the message did."""
        if (unstreamed := self.ended()) is not None:
            return unstreamed
        if self._whole is None:
            raise Unreadable("no stream of a message")
        if self._whole.get("stop_reason") is None:
            raise Unreadable("the stream ended before the message did")
        content = [self._block(at) for at in self._blocks]
        return {**self._whole, "content": content}

    def _block(self, at: int) -> dict[str, Any]:
        """One whole block. The arguments of a call that was cut off are what there is of their JSON. Raises
        Unreadable for half a call in a message that is said to be whole."""
        block, pieces = self._blocks[at]
        texts = {name: joined(parts) for name, parts in pieces.items()}
        written = texts.pop("partial_json", "")
        whole = block | {name: str(block.get(name) or "") + text for name, text in texts.items()}
        cut_off = self._whole is not None and self._whole.get("stop_reason") in CUT_OFF
        if block["type"] == "tool_use" and at not in self._ended and not cut_off:
            raise Unreadable("half a call of a tool")
        if not written.strip():
            return whole
        try:
            return whole | {"input": parsed(written.encode("utf-8", "surrogatepass"))}
        except Unreadable:
            if cut_off:
                return whole | {"input": written}
            raise


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
