"""What a provider module must define, and what it is given."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from assay.errors import ConfigError
from assay.records import Completion, JsonMode, Message, Schema, Tool, ToolCall

COMMON = (  # settings that every provider has
    "api_key", "base_url", "timeout_s", "total_timeout_s", "stream", "headers", "prices",
    "batch_poll_s",
)  # fmt: skip


@dataclass(frozen=True)
class ProviderSettings:
    """How to reach one provider. Never printed, because it holds the key.

    `options`: what config.json has beyond the fields here; it overrides the registry's row. `timeout_s`: for
    one attempt, from sending the request to the last byte of the reply; of a stream, for each wait within it,
    and `total_timeout_s` for the whole. `stream`: whether replies are streamed; None: those that may be long.
    """

    provider: str
    key: str = field(default="", repr=False)
    base_url: str = ""
    timeout_s: float = 600.0
    total_timeout_s: float = 3600.0
    stream: bool | None = None
    max_connections: int = 10
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)
    key_hint: str = ""  # where the user sets the key
    batch_poll_s: float = 60.0  # at most, between two questions how a batch stands

    def naming(self, model: str) -> str:
        """The model as messages name it; '' is the provider itself."""
        return f"{self.provider}/{model}" if model else self.provider

    def only(self, *known: str) -> None:
        """Refuse options that the module does not know."""
        for name in self.options:
            if name not in known:
                allowed = (*COMMON, *known)
                near = difflib.get_close_matches(name, allowed, n=1)
                meant = f" Did you mean {near[0]}?" if near else ""
                raise ConfigError(
                    f"unknown setting llms.{self.provider}.{name} in config.json.{meant} "
                    f"Known: {', '.join(allowed)}"
                )


@dataclass(frozen=True, slots=True)
class Call:
    """One request. `wire`: the model's parameters in the provider's own names (Provider.wire). `heard`: to be
    called with each part of a reply that comes as a stream, so that its time limit begins anew. `key`: of the
    reply in the cache, where calls go by batch; then `by_batch(path, body)` gives the JSON of the reply."""

    model: str
    messages: tuple[Message, ...]
    wire: Mapping[str, Any]
    json: JsonMode = False
    tools: tuple[Tool, ...] = ()
    heard: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    key: str = ""
    by_batch: Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]] | None = field(
        default=None, repr=False, compare=False
    )


@dataclass(frozen=True)
class ModelInfo:
    """What a server says about one of its models; '' or None if unknown. Sizes in bytes."""

    name: str
    parameter_size: str = ""  # "8.0B"
    quantization: str = ""  # "Q4_K_M"
    context_length: int | None = None  # tokens
    size: int | None = None
    sees: bool | None = None  # pictures


class Provider(Protocol):
    """A connection to one provider, used by many calls at once in one event loop.

    `takes_pictures`, `takes_tools`: attributes of a class that sends `message.images` and `call.tools`.
    Without them a call with such things is refused before it is made."""

    def open(self) -> None:
        """Import the SDK and get ready. Called once in a run, before the first `ask`, so that no attempt's
        time limit pays for it, and not called at all if every reply comes from the cache."""

    def wire(self, model: str, parameters: Mapping[str, Any]) -> Mapping[str, Any]:
        """`parameters` (see parameters.py) in the names of the provider. Raises ConfigError for one that the
        provider does not support."""

    async def ask(self, call: Call) -> Completion:
        """One attempt, without retries. The completion has text, calls, reasoning, native, usage,
        finish_reason and model, and the cost if the server tells it. Raises Transient (RateLimited) or
        Refused."""

    async def close(self) -> None: ...


def form_of(schema: Schema) -> dict[str, Any]:
    """A JSON schema as an object."""
    form: dict[str, Any] = json.loads(schema.text)
    return form


def native_turn(form: str, turn: Any) -> str:
    """A turn as its provider wrote it, for Message.native. `form`: whose it is, e.g. provider, model and API,
    because nobody else understands it."""
    return json.dumps({form: turn}, ensure_ascii=False, separators=(",", ":"))


def own_turn(message: Message, form: str) -> Any:
    """What native_turn wrote in that form; None if there is no such thing."""
    try:
        found = json.loads(message.native) if message.native else None
    except (ValueError, RecursionError):
        return None
    return found.get(form) if isinstance(found, dict) else None


NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")
UNREADABLE = "INVALID_JSON"


def told_name(call: ToolCall) -> str:
    """The name under which a call goes back: APIs refuse a dialogue with one that no tool can have, though a
    model may well invent it."""
    return NOT_IN_NAMES.sub("_", call.name)[:64] or "unnamed"


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """A call's arguments as the object that APIs want back. Of what is none, the text as it was written."""
    try:
        found = json.loads(call.arguments, parse_constant=_no_number)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {UNREADABLE: call.arguments}


def _no_number(constant: str) -> None:
    """NaN and the like, which Python reads and no server."""
    raise ValueError(constant)


def told_arguments(call: ToolCall) -> str:
    """The same as text: as the model wrote it if servers can read that. Many read it again at every turn, and
    refuse the dialogue where they cannot."""
    found = arguments_of(call)
    return json.dumps(found) if UNREADABLE in found else call.arguments


JSON_ORDER = "Reply with one JSON object and nothing else."
