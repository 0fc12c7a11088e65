"""
Model name -> model. Retries, limits, cost and the cache are the same for every provider.

    async with Models(config.llms, config.hparams, cache=Path(".cache/replies.sqlite")) as models:
        model = models.load("openai/gpt-4o").for_trial(TrialKey("print_hello.TestPrintHello"))
        completion = await model.complete([Message("user", "Say hello")])

Nothing heavy is imported here: a provider's module and its SDK are imported when a model of it is loaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import dataclasses
import importlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from assay.errors import ConfigError, ProviderError
from assay.models import cache as cached_replies
from assay.models import prices, registry
from assay.models.endpoints import PREFIX, Endpoint, read_endpoint
from assay.models.ledger import Ledger
from assay.models.oracle import NAMES, OracleModel, Stage
from assay.models.parameters import (
    FIXED_SAMPLING,
    PRESETS,
    SAMPLING,
    SYSTEM_PROMPT,
    check_parameters,
    parameters_for,
    unsent,
)
from assay.models.presets import split_presets
from assay.models.provider import Call, ModelInfo, ProviderSettings
from assay.models.provider_client import ProviderClient, Retry
from assay.models.references import Hook, Variant
from assay.models.replay import ReplayModel
from assay.models.secrets import SECRET_NAMES, Environment, Scrubber, guard_logs
from assay.records import Completion, JsonMode, Message, Model, TrialKey, Usage

COMMON = ("api_key", "base_url", "timeout_s", "headers", "prices")  # settings that every provider has
ABOUT_TIME_LIMIT_S = 20.0  # for what a server says of its models; a run can do without
SAY_THEIR_COST = ("human", "ollama", "openrouter")
ABOUT = ("parameter_size", "quantization", "context_length")  # of assay.models.provider.ModelInfo
NEVER_CACHED = frozenset({*NAMES, "replay"})


@dataclass(frozen=True)
class Target:
    """What a name stands for. `parameters`: as asked for; `sent`: without what its provider does not take.
    `where`: what else tells one server's replies from another's (_where)."""

    name: str
    provider: str
    model: str
    parameters: Mapping[str, Any]
    where: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sent(self) -> Mapping[str, Any]:
        left_out = unsent(self.provider, self.parameters)
        return {name: value for name, value in self.parameters.items() if name not in left_out}


class ModelRegistry:
    """
    The models of one run. An async context manager; used in one event loop.

    `llms`, `hparams`: those sections of config.json. `max_connections`: calls in flight, for each
    provider. `max_cost` (US dollars), `max_tokens`: the run's budget; once it is reached calls raise
    BudgetExceeded. `given`: parameters of the models under test, over their hparams. `replay`: the cache
    that replay/MODEL answers from, if not `cache`. `references`: asked for a test's references before its
    file is; None as answer means "look in the file".
    """

    references: Hook | None = None

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
    ) -> None:
        self._llms, self._hparams, self._given, self._root = llms, hparams, given, root
        self._presets: Mapping[str, Mapping[str, Any]] = hparams.get(PRESETS, {})
        self._max_connections, self._retry = max_connections, retry
        self._cache_path, self._replay_path = cache, replay
        self._caches: dict[Path, cached_replies.Cache] = {}
        self._ledger = Ledger(max_cost, max_tokens)
        self._environment = Environment(root / ".env")
        self._scrub = Scrubber()
        self._clients: dict[str, ProviderClient] = {}
        self._endpoints: dict[str, Endpoint] = {}
        self._stages: dict[str, Stage] = {}
        self._about: dict[str, Mapping[str, Any]] = {}
        self._flights: dict[bytes, asyncio.Future[Completion | ProviderError | ConfigError | None]] = {}
        for name, section in llms.items():
            if not isinstance(section, Mapping):
                raise ConfigError(f'llms.{name} in config.json must be an object, e.g. {{"api_key": "..."}}')
            self._scrub.learn_settings(section)
        guard_logs(self._scrub)

    def __repr__(self) -> str:
        return f"ModelRegistry({', '.join(sorted(self._clients)) or 'none loaded'})"

    async def __aenter__(self) -> ModelRegistry:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for client in self._clients.values():
                await client.provider.close()
        finally:
            for each in self._caches.values():
                await asyncio.to_thread(each.close)
            self._clients.clear()
            self._caches.clear()

    # ------------------------------------------------------------ names

    def load(self, name: str, role: str = "llm") -> Model:
        """The model called `name`, for `role`. ConfigError says what to write or which key is missing."""
        base, preset = self._without_presets(name)
        if preset and base.startswith("replay/"):
            raise ConfigError(
                f"{base} gives the newest reply that there is, whatever its parameters were; leave out "
                f"{name[len(base) :]}, or judge a saved run again: --rescore {name.removeprefix('replay/')}"
            )
        if preset and base in (*NAMES, "human"):
            raise ConfigError(
                f"{base} takes no parameters: it answers the same with any; leave out {name[len(base) :]}"
            )
        if name in NAMES:
            return OracleModel(self._stage(name), role)
        if name.startswith("replay/"):
            provider, model = self._split(name.removeprefix("replay/"))
            return ReplayModel(name, provider, model, self._cache(self._replay_path or self._cache_path))
        target = self._target(name, role)
        client = self._client(target.provider)
        if self._ledger.max_cost is not None and target.provider not in SAY_THEIR_COST:
            client.provider.open()  # litellm's prices come with litellm
            if self._price(target) is None:
                raise ConfigError(
                    f"--max-cost cannot be kept: no price is known for {name}. Give it in config.json, "
                    f'"llms": {{"{target.provider}": {{"prices": {{"{target.model}": '
                    '{"input": N, "output": N}}}} in US dollars per million tokens, or use --max-tokens'
                )
        self._price(target)  # a wrong price in config.json is an error now, not at the first reply
        cache = self._cache(self._cache_path) if self._cache_path else None
        return ApiModel(self, target, client, _wire(client, target), cache)

    def add_endpoint(self, path: Path | str) -> str:
        """Read an endpoint file; the name returned can be loaded from now on."""
        endpoint = read_endpoint(Path(path))
        self._endpoints[endpoint.name] = endpoint
        self._scrub.learn([endpoint.key])
        return endpoint.name

    def _without_presets(self, name: str) -> tuple[str, dict[str, Any]]:
        """What the name says besides the model is parameters."""
        return split_presets(name, self._presets, self._hparams.get("models", {}))

    def _split(self, name: str) -> tuple[str, str]:
        if name.startswith(PREFIX):
            name = self.add_endpoint(name.removeprefix(PREFIX))
        if name in self._endpoints:
            return PREFIX + name, self._endpoints[name].model
        own = [provider for provider, section in self._llms.items() if section.get("base_url")]
        return registry.split_name(name, own, self._llms)

    def _target(self, name: str, role: str) -> Target:
        base, preset = self._without_presets(name)
        provider, model = self._split(base)
        if provider.startswith(PREFIX):
            name = provider.removeprefix(PREFIX) + name[len(base) :]
        names = (model, f"{provider}/{model}", base)
        parameters = parameters_for(
            self._hparams,
            provider,
            model,
            role,
            names,
            samples=_samples(provider, model),
            given=self._given,
            preset=preset,
        )
        return Target(name, provider, model, parameters, self._where(provider, model))

    def _where(self, provider: str, model: str) -> dict[str, Any]:
        """Address, headers and options of a provider, where they are not those that it has by itself; no
        secret. A hosted provider at its usual address has none: its replies are found under the keys that
        they had before this was part of them."""
        if provider.startswith(PREFIX):
            return {"base_url": self._endpoints[provider.removeprefix(PREFIX)].base_url}
        row = registry.PROVIDERS.get(provider) or registry.Row(registry.OPENAI, needs_key=False)
        section = self._llms.get(provider, {})
        found: dict[str, Any] = {}
        base_url = str(section.get("base_url") or self._environment.get(row.base_url_env) or row.base_url)
        if base_url != row.base_url or not row.needs_key:
            found["base_url"] = base_url
        also_env = registry.servers_of(model) if provider == "litellm" else row.also_env
        options: dict[str, Any] = {
            ours: value for ours, env in also_env.items() if (value := self._environment.get(env))
        }
        options |= {name: value for name, value in section.items() if name not in COMMON}
        headers = section.get("headers", {})
        options["headers"] = (
            {n.lower(): str(v) for n, v in headers.items()} if isinstance(headers, Mapping) else {}
        )
        found |= {name: value for name, value in _public(options).items() if row.options.get(name) != value}
        return {name: value for name, value in found.items() if value not in ("", None, {})}

    def _price(self, target: Target) -> prices.Price | None:
        if target.provider in ("human", "ollama"):
            return None  # they say themselves that a reply costs nothing
        row = registry.PROVIDERS.get(target.provider)
        prefix = str(row.options.get("prefix", target.provider)) if row else target.provider
        overrides = self._llms.get(target.provider, {}).get("prices", {})
        if not isinstance(overrides, Mapping):
            raise ConfigError(f"llms.{target.provider}.prices in config.json must map model names to prices")
        return prices.price_of(target.provider, target.model, overrides, prefix)

    # ------------------------------------------------------------ providers

    def _client(self, provider: str) -> ProviderClient:
        client = self._clients.get(provider)
        if client is None:
            settings, module = self._settings(provider)
            connected = importlib.import_module(module).connect(settings)
            client = ProviderClient(settings, connected, self._retry, self._ledger, self._scrub)
            self._clients[provider] = client
        return client

    def _settings(self, provider: str) -> tuple[ProviderSettings, str]:
        if provider.startswith(PREFIX):
            found = self._endpoints[provider.removeprefix(PREFIX)]
            settings = ProviderSettings(
                found.name, found.key, found.base_url, max_connections=self._max_connections,
                key_hint="check the key in the endpoint file",
            )  # fmt: skip
            return settings, registry.OPENAI
        row = registry.PROVIDERS.get(provider) or registry.Row(registry.OPENAI, needs_key=False)
        section = self._llms.get(provider, {})
        key = str(section.get("api_key") or "")
        variables = row.key_env or (
            () if provider in registry.PROVIDERS else (registry.key_variable(provider),)
        )
        for name in variables:
            key = key or self._environment.get(name)
        hint = f"set {variables[0]} or " if variables else ""
        hint += f"llms.{provider}.api_key in config.json"
        if row.needs_key and not key:
            raise ConfigError(f"no key for {provider}: {hint}")
        options = {**row.options}
        options |= {
            ours: value for ours, env in row.also_env.items() if (value := self._environment.get(env))
        }
        options |= {name: value for name, value in section.items() if name not in COMMON}
        headers, timeout_s = section.get("headers", {}), section.get("timeout_s", 600.0)
        if not isinstance(headers, Mapping) or not isinstance(timeout_s, (int, float)) or timeout_s <= 0:
            raise ConfigError(
                f"llms.{provider} in config.json: headers must be an object, timeout_s seconds above 0"
            )
        self._scrub.learn([key])
        self._scrub.learn_settings(options)
        base_url = section.get("base_url") or self._environment.get(row.base_url_env) or row.base_url
        settings = ProviderSettings(
            provider,
            key,
            str(base_url),
            86_400.0 if provider == "human" else float(timeout_s),
            1 if provider == "human" else self._max_connections,
            {name: str(value) for name, value in headers.items()},
            options,
            hint,
        )
        return settings, row.module

    def _stage(self, name: str) -> Stage:
        if name not in self._stages:
            self._stages[name] = Stage(NAMES[name], self._root, self._references_of)
        return self._stages[name]

    def _references_of(self, trial: TrialKey, right: bool) -> Sequence[Variant] | None:
        return None if self.references is None else self.references(trial, right)

    def _cache(self, path: Path | None) -> cached_replies.Cache:
        if path is None:
            raise ConfigError("replay/MODEL answers from the cache; leave out --no-cache")
        if path not in self._caches:
            self._caches[path] = cached_replies.Cache(path)
        return self._caches[path]

    # ------------------------------------------------------------ questions about the run

    def variants(self, name: str, trial: TrialKey) -> int:
        """How many references the oracle or saboteur has for a test, 0 for none; 1 for other models."""
        return len(self._stage(name).variants(trial)) if name in NAMES else 1

    def identity(self, name: str) -> tuple[str, Mapping[str, Any]]:
        """What records call the model under test, and its parameters. Needs no key."""
        if name.partition("/")[0] in NEVER_CACHED:
            return name, {}
        target = self._target(name, "llm")
        return target.name, target.sent

    def has_answered(self, name: str, role: str) -> bool:
        """Whether the cache holds any reply of that model: one that it has none of must still be paid for."""
        if name.partition("/")[0] in NEVER_CACHED:
            return True
        target = self._target(name, role)
        if self._cache_path is None or not self._cache_path.exists():
            return False
        return self._cache(self._cache_path).holds(target.provider, target.model)

    def price(self, name: str, usage: Usage) -> float | None:
        """What so many tokens of a model cost, None where no price is known. Needs no key."""
        target = self._target(name, "llm")
        local = target.provider == "ollama" and not target.model.endswith(":cloud")
        if target.provider == "human" or local:
            return 0.0
        price = self._price(target)
        return None if price is None else price.of(usage)

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
    def connections(self) -> int:
        """Calls in flight."""
        return sum(client.gate.in_flight for client in self._clients.values())

    def cached(
        self, name: str, messages: Sequence[Message], json: JsonMode, trial: TrialKey, role: str = "llm"
    ) -> bool:
        """Whether this call would cost nothing: it is in the cache, or no provider is asked at all.
        Needs no key."""
        if name.partition("/")[0] in NEVER_CACHED:
            return True
        target = self._target(name, role)
        if self._cache_path is None or not self._cache_path.exists():
            return False
        return self._cache(self._cache_path).get(_key(target, messages, json, trial.epoch)[0]) is not None

    async def available(self, provider: str = "ollama") -> list[ModelInfo]:
        """The models that a provider lists (Ollama: the installed ones)."""
        listing = getattr(self._client(registry.ALIASES.get(provider, provider)).provider, "available", None)
        if listing is None:
            raise ConfigError(f"{provider} does not list its models; name them with --model")
        found: list[ModelInfo] = await self._safely(listing())
        return found

    async def describe(self, name: str) -> ModelInfo:
        """Size, quantisation and context length of a model, as far as its server or endpoint file says."""
        if name in NAMES or name.startswith("replay/"):
            return ModelInfo(name)
        provider, model = self._split(self._without_presets(name)[0])
        if provider.startswith(PREFIX):
            return self._endpoints[provider.removeprefix(PREFIX)].info
        describe = getattr(self._client(provider).provider, "describe", None)
        if describe is None:
            return ModelInfo(model)
        info: ModelInfo = await self._safely(describe(model))
        return info

    async def learn(self, names: Sequence[str]) -> None:
        """Ask the servers of these models what they are, for the records: `about` of a model. One that
        does not say is none the worse: a call will tell if something is wrong."""
        for name in names:
            with contextlib.suppress(ProviderError):
                info = dataclasses.asdict(await self.describe(name))
                if known := {field: info[field] for field in ABOUT if info[field]}:
                    self._about[self._target(name, "llm").name] = known

    async def _safely(self, question: Any) -> Any:
        try:
            async with asyncio.timeout(ABOUT_TIME_LIMIT_S):
                return await question
        except ProviderError as error:
            failure = ProviderError(self._scrub(str(error)))
        except TimeoutError:
            failure = ProviderError(f"no answer within {ABOUT_TIME_LIMIT_S:g} s")
        raise failure


def _samples(provider: str, model: str) -> bool:
    """Whether it takes a temperature and the like."""
    fixed = provider == "openai" and FIXED_SAMPLING.match(model)
    return not fixed and bool(prices.facts(provider, model).get("samples", True))


def _wire(client: ProviderClient, target: Target) -> Mapping[str, Any]:
    parameters = {name: value for name, value in target.parameters.items() if name != SYSTEM_PROMPT}
    return client.provider.wire(target.model, parameters)


def _key(
    target: Target,
    messages: Sequence[Message],
    json: JsonMode,
    epoch: int,
    asked: dict[bytes, int] | None = None,
) -> tuple[bytes, bytes]:
    """Of the reply, and of the prompt alone. `asked`: how often this trial has asked what; a second toss of a
    coin is not the first again."""
    prompt = cached_replies.prompt_hash(messages, json)
    times = asked.get(prompt, 0) if asked is not None else 0
    key = cached_replies.key_of(
        target.provider, target.model, target.parameters, prompt, epoch, target.where, times
    )
    return key, prompt


def _public(options: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is named like a secret: a new key is no other model."""
    return {
        name: _public(value) if isinstance(value, Mapping) else value
        for name, value in options.items()
        if not SECRET_NAMES.search(name)
    }


def _under(system: str | None, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The dialogue with a system prompt before it; one that it begins with follows in the same message,
    since many servers take only one."""
    if not system:
        return messages
    if messages and messages[0].role == "system":
        system, messages = f"{system}\n\n{messages[0].content}", messages[1:]
    return (Message("system", system), *messages)


@dataclass(frozen=True, slots=True, repr=False)
class ApiModel:
    """A provider's model in one role, bound to one trial's epoch."""

    _models: ModelRegistry
    _target: Target
    _client: ProviderClient
    _wire: Mapping[str, Any]
    _cache: cached_replies.Cache | None
    _epoch: int = 1
    _asked: dict[bytes, int] | None = None  # by this trial: prompt -> how often

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
    def parameters(self) -> Mapping[str, Any]:
        """What config.json and the flags say of sampling and the like, as far as it is sent."""
        return self._target.sent

    @property
    def about(self) -> Mapping[str, Any]:
        """What its server says of it, once Models.learn has asked."""
        return self._models._about.get(self.name, {})

    def __repr__(self) -> str:
        return f"ApiModel({self.name!r})"

    def for_trial(self, trial: TrialKey) -> Model:
        return dataclasses.replace(self, _epoch=trial.epoch, _asked={})

    def with_parameters(self, parameters: Mapping[str, Any]) -> Model:
        """With these over its own. A model that takes no temperature and the like goes without. Raises
        ConfigError for a value that makes no sense, or that its provider cannot take."""
        samples = _samples(self._target.provider, self._target.model)
        more = {name: value for name, value in parameters.items() if samples or name not in SAMPLING}
        merged = check_parameters({**self._target.parameters, **more})
        target = dataclasses.replace(self._target, parameters=merged)
        return dataclasses.replace(self, _target=target, _wire=_wire(self._client, target))

    def _cost(self, usage: Usage) -> float | None:
        price = self._models._price(self._target)
        return None if price is None else price.of(usage)

    def forget(self, messages: Sequence[Message], *, json: JsonMode = False) -> None:
        """Take the reply to this out of the cache: it was of no use."""
        if self._cache is not None:
            prompt = cached_replies.prompt_hash(messages, json)
            last = None if self._asked is None else {prompt: max(0, self._asked.get(prompt, 0) - 1)}
            self._cache.forget(_key(self._target, messages, json, self._epoch, last)[0])

    def _without_keys(self, reply: Completion) -> Completion:
        """A reply that repeats the key that it was asked with must not stand in any file."""
        out = self._models._scrub.values_out
        text, model, reason = out(reply.text), out(reply.model), out(reply.finish_reason)
        if (text, model, reason) == (reply.text, reply.model, reply.finish_reason):
            return reply
        return dataclasses.replace(reply, text=text, model=model, finish_reason=reason)

    async def complete(self, messages: Sequence[Message], *, json: JsonMode = False) -> Completion:
        """The reply: from the cache, from the same call in flight, or from the provider. A cached reply
        has attempts=0, seconds=0 and the cost it once had (or has now, if its price was unknown then)."""
        asked = _under(self._target.parameters.get(SYSTEM_PROMPT), tuple(messages))
        call = Call(self._target.model, asked, self._wire, json)
        cache = self._cache
        if cache is None:
            return self._without_keys(await self._client.ask(call, self._cost))
        key, prompt = _key(self._target, messages, json, self._epoch, self._asked)
        if self._asked is not None:
            self._asked[prompt] = self._asked.get(prompt, 0) + 1
        flights = self._models._flights
        began = time.monotonic()
        while True:
            found = cache.get(key)
            if found is not None:
                cost = self._cost(found.usage) if found.cost is None else found.cost
                return dataclasses.replace(found, cost=cost)
            flight = flights.get(key)
            if flight is None:
                break
            outcome = await asyncio.shield(flight)
            if isinstance(outcome, Completion):
                return dataclasses.replace(outcome, cached=True, attempts=0, seconds=time.monotonic() - began)
            if outcome is not None:
                raise copy.copy(outcome)
            # The caller that asked was cancelled before the reply came: ask ourselves.
        flight = flights[key] = asyncio.get_running_loop().create_future()
        result: Completion | ProviderError | ConfigError | None = None
        try:
            result = self._without_keys(await self._client.ask(call, self._cost))
            await cache.put(key, self._target.provider, self._target.model, prompt, self._epoch, result)
            return result
        except (ProviderError, ConfigError) as error:
            result = error
            raise
        finally:
            del flights[key]
            flight.set_result(result)
