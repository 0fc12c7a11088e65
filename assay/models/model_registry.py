"""
Model name -> model. Retries, limits, cost and the cache are the same for every provider.

    async with ModelRegistry(config.llms, config.hparams, cache=Path(".cache/replies.sqlite")) as models:
        model = models.load("openai/gpt-4o").for_trial(TrialKey("print_hello.TestPrintHello"))
        completion = await model.complete([Message("user", "Say hello")])

Nothing heavy is imported here: a provider's module, its SDK and what calls need are imported when a model
of it is loaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError, ConfigError, ProviderError
from assay.models import registry
from assay.models.cache import Cache
from assay.models.endpoints import PREFIX
from assay.models.gate import Gate
from assay.models.ledger import Ledger
from assay.models.oracle import NAMES, OracleModel, Stage
from assay.models.provider import ModelInfo
from assay.models.references import Hook, Variant
from assay.models.registry import REPLAY
from assay.models.resolver import Resolver, Target
from assay.models.retry import Retry
from assay.models.secrets import Environment, Scrubber, guard_logs
from assay.records import (
    LLM,
    JsonMode,
    Message,
    Model,
    Tool,
    Traits,
    TrialKey,
    Usage,
    traits_of,
    with_parameters,
)

if TYPE_CHECKING:
    from assay.models.api_model import CachedReplies
    from assay.models.provider_client import ProviderClient
    from assay.models.waves import Waves

__all__ = ["ModelRegistry", "Target"]

ABOUT_TIME_LIMIT_S = 20.0  # for what a server says of its models; a run can do without
COUNTED = 20_000  # tests whose number of different trials is remembered
ABOUT = ("parameter_size", "quantization", "context_length")  # of assay.models.provider.ModelInfo


class ModelRegistry:
    """
    The models of one run. An async context manager; used in one event loop.

    `llms`, `hparams`: those sections of config.json. `max_connections`: calls in flight, for each
    provider. `max_cost` (US dollars), `max_tokens`: the run's budget; once it is reached calls raise
    BudgetExceeded. `given`: parameters of the models under test, over their hparams. `replay`: the cache
    that replay/MODEL answers from, if not `cache`. `references`: asked for a test's references before its
    file is; None as answer means "look in the file". `batch`: ask by the providers' batch APIs, with what was
    sent noted beside the cache.
    """

    references: Hook | None = None
    message: Callable[[str], None] = staticmethod(lambda text: None)  # shows one to the user

    def __init__(
        self,
        llms: Mapping[str, Mapping[str, Any]],
        hparams: Mapping[str, Any],
        *,
        cache: Path | None,
        max_connections: int = 10,
        max_cost: float | None = None,
        max_tokens: int | None = None,
        given: Mapping[str, Any] = {},
        root: Path = Path(),
        replay: Path | None = None,
        retry: Retry = Retry(),  # noqa: B008 - frozen
        batch: bool = False,
    ) -> None:
        self._root, self._max_connections, self._retry = root, max_connections, retry
        self._cache_path, self._replay_path = cache, replay
        self.scrub = Scrubber()
        self.resolver = Resolver(llms, hparams, given, Environment(root / ".env"), self.scrub)
        self.about: dict[str, Mapping[str, Any]] = {}  # model -> what its server says of it
        self._ledger = Ledger(max_cost, max_tokens)
        self.waves: Waves | None = None
        if batch:
            from assay.models.waves import Waves

            assert cache is not None, "replies by batch are kept in the cache"
            self.waves = Waves(
                cache.with_name("batches.sqlite"), self._ledger, lambda text: self.message(text)
            )
        self._caches: dict[Path, Cache] = {}
        self._clients: dict[str, ProviderClient] = {}
        self._stages: dict[str, Stage] = {}
        self._counted = lru_cache(COUNTED)(lambda name, trial: len(self._stage(name).variants(trial)))
        self._traits: dict[str, Traits] = {}
        self._added: dict[str, tuple[Model, Gate]] = {}
        self._not_given: dict[str, set[str]] = {}
        guard_logs(self.scrub)

    def __repr__(self) -> str:
        return f"ModelRegistry({', '.join(sorted(self._clients)) or 'none loaded'})"

    async def __aenter__(self) -> ModelRegistry:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.waves is not None:
                await self.waves.close()
            for client in self._clients.values():
                try:
                    await client.close()
                except AssayError as failure:  # what was asked is none the worse, and another error is told
                    self.message(f"warning: {self.scrub(str(failure))}")
        finally:
            for each in self._caches.values():
                await asyncio.to_thread(each.close)
            if self.waves is not None:
                self.waves.forget()
            self._clients.clear()
            self._caches.clear()

    # ------------------------------------------------------------ models

    def load(self, name: str, role: str = "llm") -> Model:
        """The model called `name`, for `role`. ConfigError says what to write or which key is missing."""
        if name in self._added:
            if self.waves is not None and role == LLM:
                raise no_batch(name)
            return self._own(name, role)
        base, preset = self.resolver.without_presets(name)
        if preset and base.startswith(REPLAY):
            raise ConfigError(
                f"{base} returns the newest cached reply, whatever its parameters were; leave out "
                f"{name[len(base) :]}, or judge a saved run again: assay rescore {name.removeprefix(REPLAY)}"
            )
        if preset and base in registry.OWN:
            raise ConfigError(f"{base} takes no parameters; leave out {name[len(base) :]}")
        if self.waves is not None and role == LLM and (name in NAMES or name.startswith(REPLAY)):
            raise no_batch(name)
        if name in NAMES:
            return OracleModel(self._stage(name), role)
        if name.startswith(REPLAY):
            from assay.models.replay import ReplayModel

            provider, model = self.resolver.split(name.removeprefix(REPLAY))
            return ReplayModel(name, provider, model, self._cache(self._replay_path or self._cache_path))
        target = self.resolver.target(name, role)
        self._check_batch(name, target, role)
        client, row = self._client(target.provider), registry.row_of(target.provider)
        if self._ledger.max_cost is not None and not (row.says_cost or row.traits.free):
            client.open()  # litellm's prices come with litellm
            if self.resolver.price(target) is None:
                raise ConfigError(
                    f"--max-cost needs the price of {name}, which is unknown. Set it in config.json, "
                    f'"llms": {{"{target.provider}": {{"prices": {{"{target.model}": '
                    '{"input": N, "output": N}}}} in US dollars per million tokens, or use --max-tokens'
                )
        from assay.models.api_model import ApiModel, wire_of

        self.resolver.price(target)  # a wrong price in config.json is an error now, not at the first reply
        wire = wire_of(client, target)
        replies = self._replies(target, keep=not row.traits.replays)
        return ApiModel(self, client, wire, replies, role != LLM)

    def _check_batch(self, name: str, target: Target, role: str) -> None:
        """Raise ConfigError for a model that would be paid for call by call in a run by batch."""
        row = registry.row_of(target.provider)
        if self.waves is not None and not row.batch and (role == LLM or not row.costs_nothing(target.model)):
            raise no_batch(name)

    def _own(self, name: str, role: str) -> Model:
        """A caller's own model, with the parameters of the run if it is under test."""
        from assay.models.function_model import CountedModel, target_of

        own, gate = self._added[name]
        replies = self._replies(target_of(own), keep=getattr(own, "cached", False))
        model = CountedModel(own, self._ledger, gate, replies, self._note_not_given)
        return with_parameters(model, self.resolver.given if role == LLM else {})

    def _note_not_given(self, name: str, parameters: Iterable[str]) -> None:
        self._not_given.setdefault(name, set()).update(parameters)

    @property
    def not_given(self) -> Sequence[str]:
        """Which parameters the caller's own models were not given, in sentences."""
        return [
            f"{name} was asked without {', '.join(sorted(lacking))}: of what a test or a run sets, "
            "a function gets the system prompt, and an object with a method with_parameters gets all"
            for name, lacking in self._not_given.items()
            if lacking
        ]

    def add(self, model: Model) -> str:
        """Take in a caller's own model; the name returned can be loaded from now on. ConfigError for a name
        that another model has."""
        name = model.name
        taken = name in registry.OWN or name.startswith(REPLAY)
        if taken or self._added.get(name, (model,))[0] is not model:
            raise ConfigError(f"another model is already named {name!r}; give yours a different name")
        self._traits[name] = traits_of(model)
        self._added[name] = model, Gate(1 if traits_of(model).interactive else self._max_connections)
        return name

    def add_endpoint(self, path: Path | str) -> str:
        """Read an endpoint file; the name returned can be loaded from now on."""
        return self.resolver.add_endpoint(path)

    def traits(self, name: str) -> Traits:
        """What a model declares; none of it for a name that nobody knows. Needs no key."""
        if name not in self._traits:
            try:
                self._traits[name] = self._declared(name)
            except ConfigError:
                return Traits()
        return self._traits[name]

    def _declared(self, name: str) -> Traits:
        if name in NAMES:
            return OracleModel.traits
        if name.startswith(REPLAY):
            from assay.models.replay import ReplayModel

            return ReplayModel.traits
        return registry.row_of(self.resolver.split(self.resolver.without_presets(name)[0])[0]).traits

    def check(self, provider: str) -> None:
        """Connect to a provider as for a call, but do not open it. Raises ConfigError."""
        self._client(provider)

    def open(self, provider: str) -> ProviderClient:
        """Get a provider ready for calls."""
        client = self._client(provider)
        client.open()
        return client

    def _client(self, provider: str) -> ProviderClient:
        client = self._clients.get(provider)
        if client is None:
            from assay.models.provider_client import ProviderClient

            settings = self.resolver.settings(provider, self._max_connections)
            try:
                connected = registry.row_of(provider).connect(settings)
            except ConfigError as error:  # a package's may have the key in its text
                raise type(error)(self.scrub(str(error))) from None
            given = settings, connected, self._retry, self._ledger, self.scrub
            if self.waves is not None and registry.row_of(provider).batch:
                from assay.models.batch_client import batch_client

                client = batch_client(registry.row_of(provider), self.waves, *given)
            else:
                client = ProviderClient(*given)
            client.message = lambda text: self.message(text)
            self._clients[provider] = client
        return client

    def _stage(self, name: str) -> Stage:
        if name not in self._stages:
            self._stages[name] = Stage(NAMES[name], self._root, self._references_of)
        return self._stages[name]

    def _references_of(self, trial: TrialKey, right: bool) -> Sequence[Variant] | Path | None:
        return None if self.references is None else self.references(trial, right)

    def _replies(self, target: Target, *, keep: bool) -> CachedReplies:
        from assay.models.api_model import CachedReplies

        return CachedReplies(self._cache(self._cache_path) if keep and self._cache_path else None, target)

    def _cache(self, path: Path | None) -> Cache:
        if path is None:
            raise ConfigError("replay/MODEL answers from the cache; leave out --no-cache")
        if path not in self._caches:
            self._caches[path] = Cache(path)
        return self._caches[path]

    # ------------------------------------------------------------ questions about the run

    def variants(self, name: str, trial: TrialKey) -> int:
        """How many different trials of a test a model that judges itself has, 0 for none; 1 for others."""
        if name in NAMES:  # asked for every trial of a plan, once more when it begins, and of the next plan
            return self._counted(name, trial)
        if not self.traits(name).self_judged:
            return 1
        variants = getattr(self.load(name), "variants", None)
        return 1 if variants is None else int(variants(trial))

    def identity(self, name: str) -> tuple[str, Mapping[str, Any]]:
        """What records call the model under test, and its parameters. Needs no key."""
        if name in self._added:
            return name, getattr(self._own(name, LLM), "parameters", {})
        if self.traits(name).replays:
            return name, {}
        target = self.resolver.target(name, "llm")
        return target.name, target.sent

    def has_answered(self, name: str, role: str) -> bool:
        """Whether the cache holds any reply of that model: one that it has none of must still be paid for."""
        return self._kept(name, role, lambda cache, target: cache.holds(target.provider, target.model))

    def cached(
        self,
        name: str,
        messages: Sequence[Message],
        json: JsonMode,
        trial: TrialKey,
        role: str = "llm",
        tools: Sequence[Tool] = (),
    ) -> bool:
        """Whether this call would cost nothing: it is in the cache, or no provider is asked at all.
        Needs no key."""

        from assay.models.api_model import CachedReplies

        def has_reply(cache: Cache, target: Target) -> bool:
            key, _ = CachedReplies(cache, target, trial.epoch).keys(messages, json, tools)
            return cache.get(key) is not None

        return self._kept(name, role, has_reply)

    def _kept(self, name: str, role: str, asks: Callable[[Cache, Target], bool]) -> bool:
        """Whether no provider is asked at all, or what a cache that is there already says of the model."""
        if self.traits(name).replays or name in self._added:
            return self.traits(name).replays or self.traits(name).free
        target, path = self.resolver.target(name, role), self._cache_path
        return path is not None and path.exists() and asks(self._cache(path), target)

    def price(self, name: str, usage: Usage, calls: int = 1) -> float | None:
        """What so many tokens of a model cost in so many calls, None if no price is known. Needs no key."""
        if name in self._added:
            return 0.0 if self.traits(name).free else None
        target = self.resolver.target(name, "llm")
        if registry.row_of(target.provider).costs_nothing(target.model):
            return 0.0
        price = self.resolver.price(target)
        return None if price is None else price.of(usage, calls)

    def batch_price(self, name: str, usage: Usage, calls: int = 1) -> float | None:
        """As `price`, of calls by batch; None too if its provider has no batches."""
        if name in self._added or self.traits(name).replays:
            return None
        target = self.resolver.target(name, "llm")
        price = self.resolver.price(target) if registry.row_of(target.provider).batch else None
        return None if price is None else price.by_batch().of(usage, calls)

    def price_hint(self, name: str) -> str:
        """What to do about an unknown price."""
        if name in self._added:
            return "return a Completion with a cost, or set traits=Traits(free=True) if it costs nothing"
        its = self.traits(name)
        if its.replays or its.free:  # of no provider
            return "it costs nothing"
        return f"set llms.{self.resolver.target(name, 'llm').provider}.prices in config.json"

    @property
    def spent(self) -> tuple[Usage, float | None]:
        """Tokens and US dollars of the calls made (none of those answered from the cache); the cost is
        None when the price of any is unknown."""
        return self._ledger.usage, self._ledger.cost

    @property
    def unread(self) -> tuple[int, float]:
        """Tokens and US dollars that calls without a readable reply are taken to have cost: of the budget."""
        return self._ledger.lost_tokens, self._ledger.lost_cost

    @property
    def waiting(self) -> int:
        """Calls that wait for a connection, or for a batch."""
        if self.waves is not None:
            return self.waves.waiting
        gates = [*(each.gate for each in self._clients.values()), *(gate for _, gate in self._added.values())]
        return sum(gate.waiting for gate in gates)

    @property
    def retrying(self) -> list[str]:
        """For each provider whose calls wait for their next attempt, how many they are and what the last
        failed with."""
        return [
            f"{count} {'call waits' if count == 1 else 'calls wait'} to be made again: {each.failed}"
            for each in self._clients.values()
            if (count := each.retrying)
        ]

    async def available(self, provider: str = "ollama") -> list[ModelInfo]:
        """The models that a provider lists (Ollama: the installed ones)."""
        client = self.open(registry.ALIASES.get(provider, provider))
        listing = getattr(client.provider, "available", None)
        if listing is None:
            raise ConfigError(f"{provider} does not list its models; name them with --model")
        found: list[ModelInfo] = await self._safely(listing())
        return found

    async def describe(self, name: str) -> ModelInfo:
        """Size, quantisation and context length of a model, as far as its server or endpoint file says."""
        if self.traits(name).replays or name in self._added:
            return ModelInfo(name)
        provider, model = self.resolver.split(self.resolver.without_presets(name)[0])
        if provider.startswith(PREFIX):
            return self.resolver.endpoints[provider.removeprefix(PREFIX)].info
        client = self._client(provider)
        describe = getattr(client.provider, "describe", None)
        if describe is None:
            return ModelInfo(model)
        client.open()
        info: ModelInfo = await self._safely(describe(model))
        return info

    async def learn(self, names: Sequence[str]) -> None:
        """Ask the servers of these models what they are, for the records: `about` of a model. One that
        does not say is none the worse: a call will tell if something is wrong."""
        for name in names:
            with contextlib.suppress(ProviderError):
                info = dataclasses.asdict(await self.describe(name))
                if known := {field: info[field] for field in ABOUT if info[field]}:
                    self.about[self.resolver.target(name, "llm").name] = known

    async def _safely(self, question: Any) -> Any:
        try:
            async with asyncio.timeout(ABOUT_TIME_LIMIT_S):
                return await question
        except ProviderError as error:
            failure = ProviderError(self.scrub(str(error)))
        except TimeoutError:
            failure = ProviderError(f"no answer within {ABOUT_TIME_LIMIT_S:g} s")
        raise failure


def no_batch(name: str) -> ConfigError:
    having = " and ".join(f"{each}/..." for each, row in registry.PROVIDERS.items() if row.batch)
    return ConfigError(f"--batch: {name} cannot be asked by batch; {having} can. Leave it out, or --batch")
