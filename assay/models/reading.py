"""What a provider's code reads of a call: what it does not read, it cannot send."""

from __future__ import annotations

import dataclasses
from typing import Any

from assay.models import mistakes
from assay.models.provider import Call
from assay.records import Completion, Message

WHOLE = {"__dict__", "__reduce_ex__"}  # by vars() and pickle, all of it


def reads(provider: Any) -> set[str]:
    """Watch the method that gives a provider's replies. Returns the names of what it read so far: `wire`,
    `images`, `tools`, and `content N` of the Nth message."""
    found = set[str]()
    number = dict[int, int]()  # of a message, by its id
    kept = list[Message]()  # so that no other gets the id

    class Watched:
        def __getattribute__(self, name: str) -> Any:
            names = ("wire", "images", "tools", "content") if name in WHOLE else (name,)
            found.update(names)
            if "content" in names and id(self) in number:
                found.add(f"content {number[id(self)]}")
            return super().__getattribute__(name)

    class WatchedMessage(Watched, Message): ...

    class WatchedCall(Watched, Call): ...

    def copy(kind: Any, its: Any, **changes: Any) -> Any:
        return kind(**{each.name: getattr(its, each.name) for each in dataclasses.fields(its)} | changes)

    name, _ = mistakes.method_of(type(provider), "ask")
    ask = getattr(provider, name)

    async def asked(call: Call) -> Completion:
        messages = tuple(copy(WatchedMessage, each) for each in call.messages)
        kept.extend(messages)
        number.update((id(each), n) for n, each in enumerate(messages, 1))
        reply: Completion = await ask(copy(WatchedCall, call, messages=messages))
        return reply

    setattr(provider, name, asked)
    return found
