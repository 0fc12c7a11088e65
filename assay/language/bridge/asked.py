"""What a program asks of a model, whatever the format in which it asks."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.records import IMAGE_TYPES, JsonMode, Message, Schema, Tool, image_suffix


class BadRequest(Exception):
    """Why a request cannot be answered; the program is told."""


class NoMoreCalls(Exception):
    """The test allows no further call; the program is told."""


@dataclass(frozen=True)
class Asked:
    """A call. `usage`: in a stream, whether its last event tells the tokens."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    json: JsonMode = False
    stream: bool = False
    usage: bool = True


Event = tuple[str, Mapping[str, Any] | str]
"""Of a stream: its name, '' for none, and its data."""


def as_stream(events: Iterator[Event]) -> bytes:
    """Server-sent events."""
    found = b""
    for name, data in events:
        text = data if isinstance(data, str) else json.dumps(data)
        found += (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()
    return found


def items(value: Any, what: str) -> list[Mapping[str, Any]]:
    """A list of objects. Raises BadRequest for anything else."""
    if not isinstance(value, list) or not all(isinstance(each, Mapping) for each in value):
        raise BadRequest(f"{what} must be a list of objects")
    return value


def tool(name: Any, description: Any, parameters: Any) -> Tool:
    """One that a program offers. Raises BadRequest."""
    if not isinstance(name, str) or not name or not isinstance(parameters, (Mapping, type(None))):
        raise BadRequest("a tool needs a name and a JSON schema of its parameters")
    schema = json.dumps(parameters or {"type": "object", "properties": {}})
    return Tool(name, str(description or ""), schema)


def picture(url: Any) -> bytes:
    """Of a data URL. Raises BadRequest for an address, which nobody here can open."""
    head, comma, data = str(url).partition(",")
    if not head.startswith("data:") or not comma or not head.endswith(";base64"):
        raise BadRequest("a picture must be sent as a data URL in base64: there is no network")
    return decoded(data)


def decoded(data: Any) -> bytes:
    """A picture from base64. Raises BadRequest, also for one of a kind that no provider takes."""
    try:
        found = base64.b64decode(str(data), validate=True)
    except ValueError:  # letters beyond ASCII, too
        raise BadRequest("a picture is not base64") from None
    if image_suffix(found) not in IMAGE_TYPES:
        raise BadRequest("a picture must be PNG, JPEG, GIF or WebP")
    return found


def schema_of(form: Any) -> JsonMode:
    """OpenAI's `response_format`, or the `format` of a text in Responses."""
    kind = form.get("type") if isinstance(form, Mapping) else None
    if kind == "json_schema":
        its = form.get("json_schema", form)
        return Schema(str(its.get("name") or "reply"), json.dumps(its.get("schema") or {}))
    return kind == "json_object"


def arguments(text: str) -> dict[str, Any]:
    """A call's arguments as an object; one that is broken is handed over as it was written."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"_broken": text}
