"""A chat completion out of the chunks in which it comes."""

from __future__ import annotations

import json
from typing import Any

from assay.models.event_stream import EventStream, joined
from assay.models.failures import Unreadable
from assay.models.openai_chat import OF_A_CALL, THINKING, text_in

THOUGHTS = ("reasoning_content", "reasoning")


class ChatStream(EventStream):
    """Takes the parts of a reply as they come.

    >>> stream = ChatStream()
    >>> stream.feed(b'data: {"choices": [{"delta": {"content": "fo"}}]}\\n\\n')
    >>> stream.feed(b'data: {"choices": [{"delta": {"content": "ur"}, "finish_reason": "stop"}]}\\n\\n')
    >>> stream.feed(b'data: [DONE]\\n\\n')
    >>> stream.whole()["choices"]
    [{'message': {'role': 'assistant', 'content': 'four'}, 'finish_reason': 'stop'}]
    """

    def __init__(self) -> None:
        super().__init__()
        self._texts: dict[str, list[str]] = {"content": []}
        self._calls: list[dict[str, Any]] = []
        self._by_index: dict[Any, dict[str, Any]] = {}
        self._details: list[dict[str, Any]] = []
        self._reply: dict[str, Any] = {}  # model, usage
        self._choice: dict[str, Any] = {}  # finish_reason, error

    def take(self, said: dict[str, Any]) -> None:
        self._reply |= {name: said[name] for name in ("model", "usage") if said.get(name)}
        for choice in said.get("choices") or ():
            if choice.get("index"):
                continue  # nobody asked for a second one
            if choice.get("usage"):  # Moonshot
                self._reply["usage"] = choice["usage"]
            self._choice |= {name: choice[name] for name in ("finish_reason", "error") if choice.get(name)}
            self._take_delta(choice.get("delta") or {})

    def _take_delta(self, delta: dict[str, Any]) -> None:
        self._texts["content"].append(text_in(content := delta.get("content")))
        if thought := text_in(content, "thinking"):
            self._texts.setdefault(THINKING, []).append(thought)
        for name in ("refusal", *THOUGHTS):
            if isinstance(said := delta.get(name), str):
                self._texts.setdefault(name, []).append(said)
        for detail in delta.get("reasoning_details") or ():
            self._take_detail(detail)
        for call in delta.get("tool_calls") or ():
            self._take_call(call)
        if old := delta.get("function_call"):
            self._take_call({"index": 0, "function": old})

    def _take_call(self, delta: dict[str, Any]) -> None:
        function = delta.get("function") or {}
        written = function.get("arguments")
        if written is not None and not isinstance(written, str):
            written = json.dumps(written)
        call = self._call_of(delta.get("index"), delta.get("id"), function.get("name"), written or "")
        call["id"] = call["id"] or delta.get("id")
        call["name"] = call["name"] or function.get("name")
        if written is not None:
            call["pieces"].append(written)
        call["more"] |= {name: value for name, value in delta.items() if name not in OF_A_CALL}

    def _call_of(self, index: Any, own: Any, name: Any, written: str) -> dict[str, Any]:
        """The call that a piece belongs to. Some servers give no index, or the same to all calls: another id
        is then another call if a name is with it, since others draw a new id for each piece. Without ids it
        is where a name comes again, if the arguments begin again or there is no index."""
        found = self._by_index.get(index)
        if found is not None:
            ids_differ = own and found["id"] and own != found["id"]
            again = "".join(found["pieces"][-1:]).endswith("}") and written.startswith("{")
            another = ids_differ or again or (index is None and not own)
            if not (another and name and found["name"]) and not (ids_differ and index is None):
                return found
        found = self._by_index[index] = {"id": None, "name": None, "pieces": [], "more": {}}
        self._calls.append(found)
        return found

    def _take_detail(self, detail: dict[str, Any]) -> None:
        """Pieces of one thought are put together; what is encrypted comes whole."""
        last = self._details[-1] if self._details else {}
        whole = "data" in detail or any(last.get(name) != detail.get(name) for name in ("type", "index"))
        if whole or not last:
            self._details.append({**detail})
            return
        for name, value in detail.items():
            if name in ("text", "summary") and isinstance(value, str):
                last.setdefault("pieces", {}).setdefault(name, [last.get(name) or ""]).append(value)
            elif value is not None:
                last[name] = value

    def whole(self) -> Any:
        """The whole, as the API gives it where it is not asked for a stream; of a server that streams
        nothing, what it gave. Raises Unreadable if the stream ended before the reply did."""
        if (unstreamed := self.ended()) is not None:
            return unstreamed
        if not self._choice or ("usage" not in self._reply and not self.said_all):
            raise Unreadable("the stream ended before the reply did")
        message: dict[str, Any] = {"role": "assistant"}
        message |= {name: joined(pieces) for name, pieces in self._texts.items()}
        if self._calls:
            message["tool_calls"] = [
                {**call["more"], "id": call["id"],
                 "function": {"name": call["name"], "arguments": joined(call["pieces"])}}
                for call in self._calls
            ]  # fmt: skip
        if self._details:
            message["reasoning_details"] = [*map(_whole, self._details)]
        return {**self._reply, "choices": [{"message": message, **self._choice}]}


def _whole(detail: dict[str, Any]) -> dict[str, Any]:
    pieces = detail.pop("pieces", {})
    return detail | {name: joined(its) for name, its in pieces.items()}
