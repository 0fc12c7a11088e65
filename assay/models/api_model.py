"""A provider's model in one role: its calls, answered by the cache where they were paid for before."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.dialogue import PAID
from assay.errors import ConfigError
from assay.mistakes import not_wanted
from assay.models import mistakes
from assay.models.cache import Cache, key_of, prompt_hash
from assay.models.parameters import SAMPLING, SYSTEM_PROMPT, check_parameters
from assay.models.provider import Call
from assay.models.provider_client import ProviderClient
from assay.models.registry import row_of
from assay.models.resolver import Target, samples
from assay.records import Completion, JsonMode, Message, Model, Tool, Traits, TrialKey, Usage

if TYPE_CHECKING:
    from assay.models.model_registry import ModelRegistry


@dataclass(frozen=True, slots=True)
class CachedReplies:
    """The replies to one model's calls, by `cache` where there is one. `asked`: how often the trial that it
    is bound to has asked what; a second toss of a coin is not the first again."""

    cache: Cache | None
    target: Target
    epoch: int = 1
    asked: Counter[bytes] | None = None

    def for_trial(self, trial: TrialKey) -> CachedReplies:
        return CachedReplies(self.cache, self.target, trial.epoch, Counter())

    def keys(
        self, messages: Sequence[Message], json: JsonMode, tools: Sequence[Tool] = (), back: int = 0
    ) -> tuple[bytes, bytes]:
        """Of the next reply, or of that `back` times before, and of the prompt alone."""
        prompt, its = prompt_hash(messages, json, tools), self.target
        times = max(0, self.asked[prompt] - back) if self.asked is not None else 0
        return key_of(its.provider, its.model, its.parameters, prompt, self.epoch, its.where, times), prompt

    async def reply(
        self,
        messages: Sequence[Message],
        json: JsonMode,
        ask: Callable[[], Awaitable[Completion]],
        tools: Sequence[Tool] = (),
    ) -> Completion:
        """The reply: from the cache, from the same call in flight, or from `ask`."""
        if self.cache is None:
            return await ask()
        key, prompt = self.keys(messages, json, tools)
        if self.asked is not None:
            self.asked[prompt] += 1
        return await self.cache.reply(key, (self.target.provider, self.target.model, prompt, self.epoch), ask)

    def forget(self, messages: Sequence[Message], json: JsonMode) -> None:
        """Take the last reply to this out of the cache."""
        if self.cache is not None:
            self.cache.forget(self.keys(messages, json, back=1)[0])


def wire_of(client: ProviderClient, target: Target) -> Mapping[str, Any]:
    """The model's parameters in its provider's names. Raises ConfigError for what it cannot take."""
    parameters = {name: value for name, value in target.parameters.items() if name != SYSTEM_PROMPT}
    with mistakes.blamed(client.provider, target.provider, "wire"):
        wire = client.provider.wire(target.model, parameters)
    if not isinstance(wire, Mapping):  # a provider of a user's
        wrote = mistakes.wrote(client.provider, target.provider, "wire")
        raise ConfigError(
            f"{target.provider}: {wrote} must return a dict of the parameters that go with each request "
            f"({{}} for none), not {not_wanted(wire)}"
        )
    return wire


def under(system: str | None, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The dialogue with a system prompt before it; one that it begins with follows in the same message,
    since many servers take only one."""
    if not system:
        return messages
    if messages and messages[0].role == "system":
        system, messages = f"{system}\n\n{messages[0].content}", messages[1:]
    return (Message("system", system), *messages)


@dataclass(frozen=True, slots=True, repr=False)
class ApiModel:
    """A provider's model in one role."""

    _registry: ModelRegistry
    _client: ProviderClient
    _wire: Mapping[str, Any]
    _replies: CachedReplies
    _judges: bool = False

    @property
    def _target(self) -> Target:
        return self._replies.target

    @property
    def name(self) -> str:
        return self._target.name

    @property
    def provider(self) -> str:
        """Who is asked, also where `name` does not say so."""
        return self._target.provider

    @property
    def called(self) -> str:
        """What its provider calls it: `name` without provider and presets."""
        return self._target.model

    @property
    def traits(self) -> Traits:
        return row_of(self.provider).traits

    @property
    def untried(self) -> bool:
        """Whether its server may not have it, as no reply of it is in the cache."""
        its, cache = self._target, self._replies.cache
        return not self.traits.interactive and not (cache and cache.holds(its.provider, its.model))

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What config.json and the flags say of sampling and the like, as far as it is sent."""
        return self._target.sent

    @property
    def about(self) -> Mapping[str, Any]:
        """What its server says of it, once ModelRegistry.learn has asked."""
        return self._registry.about.get(self.name, {})

    def __repr__(self) -> str:
        return f"ApiModel({self.name!r})"

    def for_trial(self, trial: TrialKey) -> Model:
        return dataclasses.replace(self, _replies=self._replies.for_trial(trial))

    def with_parameters(self, parameters: Mapping[str, Any]) -> Model:
        """With these over its own. A model that takes no temperature and the like goes without. Raises
        ConfigError for a value that makes no sense, or that its provider cannot take."""
        takes = samples(self._target.provider, self._target.model)
        more = {name: value for name, value in parameters.items() if takes or name not in SAMPLING}
        merged = check_parameters({**self._target.parameters, **more})
        target = dataclasses.replace(self._target, parameters=merged)
        replies = dataclasses.replace(self._replies, target=target)
        return dataclasses.replace(self, _replies=replies, _wire=wire_of(self._client, target))

    def _cost(self, usage: Usage) -> float | None:
        """None where no price is known, or the server did not say how much it read and wrote."""
        if self.traits.free:
            return 0.0
        if not (usage.input_tokens or usage.output_tokens):
            return None
        price = self._registry.resolver.price(self._target)
        if price is not None and row_of(self.provider).batch and self._registry.waves:
            price = price.by_batch()
        return None if price is None else price.of(usage)

    def forget(self, messages: Sequence[Message], *, json: JsonMode = False) -> None:
        """Take the reply to this out of the cache: it was of no use."""
        self._replies.forget(messages, json)

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        """The reply: from the cache, from the same call in flight, or from the provider. A cached reply
        has attempts=0, seconds=0 and the cost it once had (or has now, if its price was unknown then)."""
        asked = under(self._target.parameters.get(SYSTEM_PROMPT), tuple(messages))
        key = self._replies.keys(messages, json, tools)[0].hex() if self._registry.waves else ""
        call = Call(self._target.model, asked, self._wire, json, tuple(tools), key=key)

        async def ask() -> Completion:
            reply = self._without_keys(await self._client.ask(call, self._cost, self._judges))
            PAID.get()(reply)
            return reply

        reply = await self._replies.reply(messages, json, ask, tools)
        if reply.cached and reply.cost is None:
            return dataclasses.replace(reply, cost=self._cost(reply.usage))
        return reply

    def _without_keys(self, reply: Completion) -> Completion:
        """A reply that repeats the key that it was asked with must not stand in any file."""
        return reply.changed(self._registry.scrub.values_out)
