"""What was asked of a model, as it is hashed: by the cache of replies and in the records of trials."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from assay.dialogue import JsonMode, Message, Tool


def what_was_asked(messages: Sequence[Message], want_json: JsonMode, tools: Sequence[Tool] = ()) -> list[Any]:
    """A dialogue as JSON, to be hashed: roles, texts, the images' hashes, JSON mode, tools and their calls,
    but no reasoning. Without tools it is what older versions hashed."""
    said = [[m.role, m.content, *map(_hashed, m.images), *_calls(m)] for m in messages]
    its = [[tool.name, tool.description, tool.parameters] for tool in tools]
    return [said, bool(want_json), its] if its else [said, bool(want_json)]


def _hashed(image: bytes) -> str:
    return hashlib.sha256(image).hexdigest()


def _calls(message: Message) -> list[Any]:
    """What of a turn has to do with tools. A list cannot be taken for the hash of an image."""
    if not message.calls and not message.call_id:
        return []
    made = [[call.id, call.name, call.arguments] for call in message.calls]
    return [[made, message.call_id, message.failed]]
