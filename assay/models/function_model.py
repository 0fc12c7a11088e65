"""Models that a caller brings as objects: a function that replies, and any object in one run's budget."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import AssayError, ConfigError, ProviderError
from assay.models.api_model import CachedReplies
from assay.models.gate import Gate
from assay.models.ledger import Ledger
from assay.models.provider import JSON_ORDER
from assay.models.provider_client import believed, place_of, tokens_in
from assay.models.resolver import Target
from assay.records import Completion, JsonMode, Message, Model, Traits, TrialKey, traits_of, with_parameters

Reply = str | Completion
Function = Callable[[tuple[Message, ...]], Reply | Awaitable[Reply]]
PROVIDER = "function"  # in the keys of cached replies


@dataclass(frozen=True)
class FunctionModel:
    """A function as a model. `cached`: whether its replies are kept, under its name and `parameters`."""

    function: Function
    name: str
    cached: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    traits: Traits = field(default_factory=Traits)

    def for_trial(self, trial: TrialKey) -> Model:
        return self

    async def complete(self, messages: Sequence[Message], *, json: JsonMode = False) -> Completion:
        """Its reply to the dialogue, which ends with the order to reply in JSON if that is asked for. Raises
        ProviderError for whatever the function raises, but for errors of Assay."""
        asked, began = tuple(messages), time.monotonic()
        if json and not any("json" in message.content.lower() for message in asked):
            asked = (Message("system", JSON_ORDER), *asked)
        try:
            if inspect.iscoroutinefunction(self.function):
                reply = await self.function(asked)
            else:  # in a thread: all trials share this one
                reply = await asyncio.to_thread(self.function, asked)
                if inspect.isawaitable(reply):
                    reply = await reply
        except AssayError:
            raise
        except Exception as error:  # the caller's own code may raise anything
            raise ProviderError(f"{self.name}: {place_of(error)}") from error
        if isinstance(reply, str):
            reply = Completion(reply, cost=0.0 if self.traits.free else None, finish_reason="stop")
        if not isinstance(reply, Completion):
            raise ProviderError(
                f"{self.name}: the function must return a string or a Completion, not {type(reply).__name__}"
            )
        return dataclasses.replace(reply, seconds=reply.seconds or time.monotonic() - began)


def model(
    function: Function,
    name: str = "",
    *,
    cached: bool = False,
    parameters: Mapping[str, Any] = {},
    traits: Traits | None = None,
) -> FunctionModel:
    """A local function as a model, for wherever a model is named in code.

    `function`: from the dialogue (a tuple of Message) to the reply, a string or a Completion; it may be
    async, else it runs in a thread, several calls at once. `name`: what records call it; that of the
    function if it has one. `cached`: keep its replies as a provider's are kept. `parameters`: of the
    model, for the records; others are another model for the cache. `traits`: assay.records.Traits.

    >>> model(lambda messages: messages[-1].content.upper(), name="shout").name
    'shout'
    """
    if not callable(function):
        raise TypeError(f"a model needs a function of the dialogue, not {type(function).__name__}")
    name = name or getattr(function, "__name__", "")
    if not name.strip() or name == "<lambda>":
        raise ConfigError("a model needs a name: assay.model(function, name=...)")
    return FunctionModel(function, name, cached, parameters, traits or Traits())


def target_of(model: Model) -> Target:
    """What its replies are kept under."""
    return Target(model.name, PROVIDER, model.name, getattr(model, "parameters", {}))


@dataclass(frozen=True, repr=False)
class CountedModel:
    """A caller's model in one run: its calls are counted by the budget, so many at once, and cached if it
    asks for that. All else of it is as it is."""

    _model: Model
    _ledger: Ledger
    _gate: Gate
    _replies: CachedReplies

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_model"), name)

    def __repr__(self) -> str:
        return repr(self._model)

    @property
    def name(self) -> str:
        return self._model.name

    def for_trial(self, trial: TrialKey) -> Model:
        bound, replies = self._model.for_trial(trial), self._replies.for_trial(trial)
        return dataclasses.replace(self, _model=bound, _replies=replies)

    def with_parameters(self, parameters: Mapping[str, Any]) -> Model:
        """With these over its own, if it takes any."""
        model = with_parameters(self._model, parameters)
        replies = dataclasses.replace(self._replies, target=target_of(model))
        return dataclasses.replace(self, _model=model, _replies=replies)

    async def complete(self, messages: Sequence[Message], *, json: JsonMode = False) -> Completion:
        """The reply: from the cache, or from the model. Raises what the model raises, and BudgetExceeded."""
        return await self._replies.reply(messages, json, lambda: self._ask(messages, json))

    async def _ask(self, messages: Sequence[Message], json: JsonMode) -> Completion:
        await self._gate.enter()
        ticket = None
        try:
            free = traits_of(self._model).free
            ticket = await self._ledger.enter(
                self.name, tokens_in(messages), lambda usage: 0.0 if free else None
            )
            reply = believed(await self._model.complete(messages, json=json))
            if not reply.cached:
                self._ledger.paid(ticket, reply.usage, reply.cost)
            return reply
        finally:
            if ticket is not None:
                self._ledger.left(ticket)
            self._gate.leave()
