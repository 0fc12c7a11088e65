"""Models that a caller brings as objects: a function that replies, and any object in one run's budget."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.dialogue import given, tokens_in
from assay.errors import AssayError, ConfigError, ProviderError, Refused
from assay.mistakes import must_be_raised
from assay.models.api_model import CachedReplies, under
from assay.models.gate import Gate
from assay.models.ledger import Ledger
from assay.models.mistakes import place_of
from assay.models.parameters import SYSTEM_PROMPT
from assay.models.provider import JSON_ORDER
from assay.models.provider_client import believed, fault_of
from assay.models.resolver import Target
from assay.records import (
    Completion,
    JsonMode,
    Message,
    Model,
    Tool,
    Traits,
    TrialKey,
    traits_of,
    with_parameters,
)
from assay.threads import in_thread
from assay.turns import Said, reply_of

Reply = Said | Completion
Function = Callable[..., Reply | Awaitable[Reply]]
PROVIDER = "function"  # in the keys of cached replies


@dataclass(frozen=True, repr=False)
class FunctionModel:
    """A function as a model. `cached`: whether its replies are kept, under its name and `parameters`."""

    function: Function
    name: str
    cached: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    traits: Traits = field(default_factory=Traits)

    def __repr__(self) -> str:
        function = getattr(self.function, "__qualname__", "") or repr(self.function)
        return f"model({function}, name={self.name!r})"

    def for_trial(self, trial: TrialKey) -> Model:
        return self

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        """Its reply to the dialogue, which ends with the order to reply in JSON if that is asked for. Raises
        ProviderError for whatever the function raises, but for errors of Assay, and Refused for tools where
        it has no parameter for them."""
        asked, came = tuple(messages), time.monotonic()
        began = came
        how = _takes_tools(self.function)
        if tools and not how:
            raise Refused(
                f"{self.name}: the test gives tools, and the function has no parameter for them; write it as "
                "def reply(messages, tools)"
            )
        more, named = ((tuple(tools),), {}) if how == "second" else ((), {how: tuple(tools)} if how else {})
        if json and not any("json" in message.content.lower() for message in asked):
            asked = under(JSON_ORDER, asked)
        with _named(self.name):
            if inspect.iscoroutinefunction(self.function):
                reply = await self.function(asked, *more, **named)
            else:  # in a thread: all trials share this one

                def call() -> Any:
                    nonlocal began
                    began = time.monotonic()  # until then no thread was free
                    return self.function(asked, *more, **named)

                reply = await in_thread(call)
                if inspect.isawaitable(reply):
                    reply = await reply
        made = reply_of(reply, len(asked))
        if made is None:
            raise ProviderError(
                f"{self.name}: the function must return a string, a Call, a Turn or a Completion, "
                f"not {type(reply).__name__}"
                + ("; a judge replies 'VERDICT: YES' or 'VERDICT: NO'" if isinstance(reply, bool) else "")
            )
        if self.traits.free and not isinstance(reply, Completion):
            made = dataclasses.replace(made, cost=0.0)
        seconds = made.seconds or time.monotonic() - began
        return dataclasses.replace(made, seconds=seconds, queued_seconds=began - came)


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Around a caller's own code, which may raise anything: an error of Assay gets the name of the model, and
    all else is a ProviderError that has it."""
    try:
        yield
    except AssayError as error:
        if not str(error).startswith(f"{name}: "):
            error.args = (f"{name}: {error}", *error.args[1:])
        raise
    except BaseException as error:
        if must_be_raised(error):
            raise
        raise ProviderError(f"{name}: {place_of(error)}") from error


def _takes_tools(function: Function) -> str:
    """How a function gets the tools: by the name "tools", as the "second" parameter, or '' for not at all. A
    second one that can be left out may be anything, so it is left out."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of what is not written in Python
        return ""
    if any(each.name == "tools" and each.kind is not each.POSITIONAL_ONLY for each in parameters):
        return "tools"
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    second = [each for each in parameters if each.kind in positional][1:2]
    return "second" if second and second[0].default is inspect.Parameter.empty else ""


def model(
    function: Function,
    name: str = "",
    *,
    cached: bool = False,
    parameters: Mapping[str, Any] = {},
    traits: Traits | None = None,
) -> FunctionModel:
    """A local function as a model, for wherever a model is named in code.

    `function`: from the dialogue (a tuple of Message) to the reply, a string, a Call, a Turn or a Completion;
    it may be async, else it runs in a thread, several calls at once. A second parameter, or one named
    `tools`, gets the tools that it may call (a tuple of Tool). `name`: what records call it; that of the
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
    asks for that. All else of it is as it is. `_not_given`: told of parameters that it cannot be given."""

    _model: Model
    _ledger: Ledger
    _gate: Gate
    _replies: CachedReplies
    _not_given: Callable[[str, Iterable[str]], None]
    _system: str = ""

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

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Its own, and the system prompt that it was given."""
        given = {SYSTEM_PROMPT: self._system} if self._system else {}
        return {**getattr(self._model, "parameters", {}), **given}

    def with_parameters(self, parameters: Mapping[str, Any]) -> Model:
        """With these over its own, if it takes any. Else a system prompt goes before the dialogue."""
        model, system = self._model, self._system
        if hasattr(model, "with_parameters"):
            with _named(self.name):
                model = with_parameters(model, parameters)
        elif not traits_of(model).replays:
            system = parameters.get(SYSTEM_PROMPT, system)
            self._not_given(self.name, parameters.keys() - {SYSTEM_PROMPT})
        made = dataclasses.replace(self, _model=model, _system=system)
        return dataclasses.replace(made, _replies=dataclasses.replace(self._replies, target=target_of(made)))

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        """The reply: from the cache, or from the model. Raises what the model raises, and BudgetExceeded."""
        asked = under(self._system, tuple(messages))
        return await self._replies.reply(asked, json, lambda: self._ask(asked, json, tools), tools)

    async def _ask(self, messages: Sequence[Message], json: JsonMode, tools: Sequence[Tool]) -> Completion:
        came, ticket = time.monotonic(), None
        await self._gate.enter()
        try:
            free = traits_of(self._model).free
            ticket = await self._ledger.enter(
                self.name, tokens_in(messages, tools), lambda usage: 0.0 if free else None
            )
            queued = time.monotonic() - came
            with _named(self.name):
                reply = await self._model.complete(messages, json=json, **given(tools))
            if fault := fault_of(reply):
                raise ProviderError(f"{self.name}: its complete() must return {fault}")
            reply = believed(reply)
            if not reply.cached:
                self._ledger.paid(ticket, reply.usage, reply.cost)
            return dataclasses.replace(reply, queued_seconds=queued + reply.queued_seconds)
        finally:
            if ticket is not None:
                self._ledger.left(ticket)
            self._gate.leave()
