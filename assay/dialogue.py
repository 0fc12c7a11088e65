"""What is said to a model and what it replies: turns, tools, tokens, money. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Tool:
    """A tool that a model may call. `parameters`: the JSON schema of its arguments (an object), as JSON."""

    name: str
    description: str
    parameters: str = '{"type": "object", "properties": {}}'


@dataclass(frozen=True)
class ToolCall:
    """A model's call of a tool. `arguments`: as the model wrote them, JSON of an object if all is well."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True)
class Message:
    """One turn of a dialogue. `images`: encoded pictures (PNG, JPEG, GIF or WebP bytes).

    Of an assistant's turn: `calls` of tools, its `reasoning`, which is shown and never judged, and `native`,
    the turn in its provider's own form (JSON), which that provider is handed back unchanged: signatures and
    hidden reasoning are in it. Of a tool's turn: `call_id` names the call that it answers, `failed` says that
    the tool did not do what it was asked for.
    """

    role: Role
    content: str
    images: tuple[bytes, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    failed: bool = False
    reasoning: str = ""
    native: str = ""


@dataclass(frozen=True)
class Usage:
    """Tokens of one call or a sum of calls. `output_tokens` includes `reasoning_tokens`; `input_tokens`
    includes `cached_tokens`, which the provider had read before, and `cache_write_tokens`, which it kept for
    the next time, `cache_write_1h_tokens` of them for an hour: all have prices of their own."""

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.cached_tokens + other.cached_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.cache_write_1h_tokens + other.cache_write_1h_tokens,
        )


WORDS = ("text", "finish_reason", "model", "reasoning", "native")  # of a Completion


@dataclass(frozen=True)
class Completion:
    """A model's reply. `cost` in US dollars, None where no price is known; `seconds` of waiting
    for the model, and before these `queued_seconds` for one of the run's connections. `calls`, `reasoning`
    and `native` as in Message. `by_batch`: it came by a provider's batch API, for a lower price."""

    text: str
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    cached: bool = False
    finish_reason: str = ""
    model: str = ""  # what the server says it ran
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    native: str = ""
    queued_seconds: float = 0.0
    by_batch: bool = False

    def changed(self, change: Callable[[str], str]) -> Completion:
        """With `change` made to all its words."""
        words = {name: its for name in WORDS if (its := getattr(self, name))}
        changed: dict[str, Any] = {name: new for name, its in words.items() if (new := change(its)) != its}
        if calls := self.calls:
            calls = tuple(ToolCall(*map(change, (call.id, call.name, call.arguments))) for call in calls)
        return replace(self, calls=calls, **changed) if changed or calls != self.calls else self

    @property
    def turn(self) -> Message:
        """The reply as a turn of the dialogue that goes on."""
        return Message("assistant", self.text, calls=self.calls, reasoning=self.reasoning, native=self.native)


# Is told of a reply before it is kept in the cache: a caller that is cancelled meanwhile has paid for it.
PAID: ContextVar[Callable[[Completion], None]] = ContextVar("paid", default=lambda reply: None)


@dataclass(frozen=True)
class Schema:
    """The form that a JSON reply must have. `name`: of what it describes; `text`: a JSON schema, as JSON."""

    name: str
    text: str


JsonMode = bool | Schema  # True: any JSON object


def given(tools: Sequence[Tool]) -> dict[str, Sequence[Tool]]:
    """The argument of a model's `complete`: none if there are no tools, since not every model takes it."""
    return {"tools": tools} if tools else {}


def tokens_in(messages: Sequence[Message], tools: Sequence[Tool] = ()) -> int:
    """About how many a request has: four characters each, and a thousand a picture."""
    said = sum(map(_length, messages))
    said += sum(len(tool.name) + len(tool.description) + len(tool.parameters) for tool in tools)
    return said // 4 + 1000 * sum(len(message.images) for message in messages)


def _length(message: Message) -> int:
    """Characters; of a turn that is handed back as it came, its signatures and hidden thoughts too."""
    said = len(message.content) + len(message.reasoning)
    said += sum(len(call.name) + len(call.arguments) for call in message.calls)
    return max(said, len(message.native))


def money(dollars: float) -> str:
    """
    >>> money(0), money(0.00042), money(0.000055), money(0.4), money(1234.5)
    ('$0', '$0.00042', '$0.000055', '$0.40', '$1,234.50')
    """
    if dollars <= 0:
        return "$0"
    if dollars >= 0.1:
        return f"${dollars:,.2f}"
    return f"${Decimal(f'{dollars:#.2g}'):f}"
