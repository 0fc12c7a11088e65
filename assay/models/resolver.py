"""What a model's name means, by config.json, flags and the environment: its provider, parameters, address,
key and price. Nothing is connected here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.extensions import versions_of
from assay.models import prices, registry
from assay.models.endpoints import PREFIX, Endpoint, read_endpoint
from assay.models.parameters import FIXED_SAMPLING, PRESETS, parameters_for, split_presets, unsent
from assay.models.provider import COMMON, ProviderSettings
from assay.models.secrets import SECRET_NAMES, Environment, Scrubber

CHANGES_NO_REPLY = ("prompt_caching",)  # options of providers


@dataclass(frozen=True)
class Target:
    """The meaning of a model's name. `parameters`: as asked for; `sent`: without what its provider does not
    take. `where`: what else tells one server's replies from another's (Resolver.where)."""

    name: str
    provider: str
    model: str
    parameters: Mapping[str, Any]
    where: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sent(self) -> Mapping[str, Any]:
        left_out = unsent(self.provider, self.parameters)
        return {name: value for name, value in self.parameters.items() if name not in left_out}


def samples(provider: str, model: str) -> bool:
    """Whether it takes a temperature and the like."""
    fixed = provider in ("openai", "azure") and FIXED_SAMPLING.match(model)
    return not fixed and bool(prices.facts(provider, model).get("samples", True))


class Resolver:
    """`llms`, `hparams`: those sections of config.json. `given`: parameters of the models under test, over
    their hparams. `environment`: where keys and addresses are found besides. What is a secret is told to
    `scrub`."""

    def __init__(
        self,
        llms: Mapping[str, Mapping[str, Any]],
        hparams: Mapping[str, Any],
        given: Mapping[str, Any],
        environment: Environment,
        scrub: Scrubber,
    ) -> None:
        self._llms, self._hparams, self.given = llms, hparams, given
        self._environment, self._scrub = environment, scrub
        self.endpoints: dict[str, Endpoint] = {}
        for name, section in llms.items():
            if not isinstance(section, Mapping):
                raise ConfigError(f'llms.{name} in config.json must be an object, e.g. {{"api_key": "..."}}')
            scrub.learn_settings(section)

    def add_endpoint(self, path: Path | str) -> str:
        """Read an endpoint file; the name returned is known from now on."""
        endpoint = read_endpoint(Path(path))
        self.endpoints[endpoint.name] = endpoint
        self._scrub.learn([endpoint.key])
        return endpoint.name

    def without_presets(self, name: str) -> tuple[str, dict[str, Any]]:
        """The model's own name, and the parameters that `name` adds."""
        return split_presets(name, self._hparams.get(PRESETS, {}), self._hparams.get("models", {}))

    def split(self, name: str) -> tuple[str, str]:
        """Provider and model of a name without presets. Raises ConfigError for an unknown one."""
        if name.startswith(PREFIX):
            name = self.add_endpoint(name.removeprefix(PREFIX))
        if name in self.endpoints:
            return PREFIX + name, self.endpoints[name].model
        own = [provider for provider, section in self._llms.items() if section.get("base_url")]
        return registry.split_name(name, own, self._llms)

    def target(self, name: str, role: str) -> Target:
        """The meaning of `name` in `role`."""
        base, preset = self.without_presets(name)
        provider, model = self.split(base)
        if provider.startswith(PREFIX):
            name = provider.removeprefix(PREFIX) + name[len(base) :]
        names, takes = (model, f"{provider}/{model}", base), samples(provider, model)
        parameters = parameters_for(
            self._hparams, provider, model, role, names, samples=takes, given=self.given, preset=preset
        )
        return Target(name, provider, model, parameters, self.where(provider, model))

    def price(self, target: Target) -> prices.Price | None:
        """None where no price is known, or replies say themselves that they cost nothing."""
        row = registry.row_of(target.provider)
        if row.traits.free or row.free_but is not None:
            return None
        overrides = self._llms.get(target.provider, {}).get("prices", {})
        if not isinstance(overrides, Mapping):
            raise ConfigError(f"llms.{target.provider}.prices in config.json must map model names to prices")
        prefix = str(row.options.get("prefix", target.provider))
        price = prices.price_of(target.provider, target.model, overrides, prefix)
        if price is None or target.model in overrides or "*" in overrides:
            return price
        return prices.at_tier(price, target.provider, target.parameters.get("service_tier"))

    def where(self, provider: str, model: str) -> dict[str, Any]:
        """Address, headers and options of a provider, where they are not those that it has by itself, and its
        package; no secret. A hosted provider of ours at its usual address has none: its replies are found
        under the keys that they had before this was part of them."""
        if provider.startswith(PREFIX):
            return {"base_url": self.endpoints[provider.removeprefix(PREFIX)].base_url}
        row = registry.row_of(provider)
        found: dict[str, Any] = {}
        if provider not in registry.PROVIDERS and (package := versions_of(registry.GROUP, provider)):
            found["package"] = package  # with other code it may ask something else
        base_url = self._base_url(provider, row)
        if base_url != row.base_url or not row.needs_key:
            found["base_url"] = base_url
        also_env = registry.servers_of(model) if provider == "litellm" else row.also_env
        headers = self._llms.get(provider, {}).get("headers", {})
        headers = {n.lower(): str(v) for n, v in headers.items()} if isinstance(headers, Mapping) else {}
        options = {**self._options(provider, also_env), "headers": headers}
        found |= {
            name: value
            for name, value in _public(options).items()
            if row.options.get(name) != value and name not in CHANGES_NO_REPLY
        }
        return {name: value for name, value in found.items() if value not in ("", None, {})}

    def settings(self, provider: str, max_connections: int) -> ProviderSettings:
        """How to reach a provider. Raises ConfigError where its key is missing, or a setting is wrong."""
        if provider.startswith(PREFIX):
            found = self.endpoints[provider.removeprefix(PREFIX)]
            return ProviderSettings(
                found.name, found.key, found.base_url, max_connections=max_connections,
                key_hint="check the key in the endpoint file",
            )  # fmt: skip
        row, section = registry.row_of(provider), self._llms.get(provider, {})
        variables = registry.key_variables(provider)
        key = str(section.get("api_key") or "") or next(
            filter(None, map(self._environment.get, variables)), ""
        )
        hint = f"set {variables[0]} or " if variables else ""
        hint += f"llms.{provider}.api_key in config.json"
        if row.needs_key and not key:
            raise ConfigError(f"no key for {provider}: {hint}")
        options = {**row.options, **self._options(provider, row.also_env)}
        headers, stream = section.get("headers", {}), section.get("stream")
        if not isinstance(headers, Mapping) or not (stream is None or isinstance(stream, bool)):
            raise ConfigError(
                f"llms.{provider} in config.json: headers must be an object, stream true or false"
            )
        self._scrub.learn([key])
        self._scrub.learn_settings(options)
        return ProviderSettings(
            provider,
            key,
            self._base_url(provider, row),
            86_400.0 if row.traits.interactive else self._seconds(provider, "timeout_s", 600.0),
            self._seconds(provider, "total_timeout_s", 3600.0),
            stream,
            1 if row.traits.interactive else max_connections,
            {name: str(value) for name, value in headers.items()},
            options,
            hint,
            self._seconds(provider, "batch_poll_s", 60.0),
        )

    def _seconds(self, provider: str, name: str, default: float) -> float:
        found = self._llms.get(provider, {}).get(name, default)
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not found > 0:
            raise ConfigError(f"llms.{provider} in config.json: {name} must be a number above 0")
        return float(found)

    def _base_url(self, provider: str, row: registry.Row) -> str:
        given = self._llms.get(provider, {}).get("base_url")
        return str(given or self._environment.get(row.base_url_env) or row.base_url)

    def _options(self, provider: str, also_env: Mapping[str, str]) -> dict[str, Any]:
        """What the environment and config.json say beyond what every provider has."""
        section = self._llms.get(provider, {})
        found = {ours: value for ours, env in also_env.items() if (value := self._environment.get(env))}
        return {**found, **{name: value for name, value in section.items() if name not in COMMON}}


def _public(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without secrets: a new key does not make another model."""
    return {
        name: _public(value) if isinstance(value, Mapping) else value
        for name, value in options.items()
        if not SECRET_NAMES.search(name)
    }
