"""Connects the parts that must not know each other: settings, models and sandboxes of a run.

Everything that runs trials starts here: the command line (assay/cli/main.py) and run_test (evaluator.py). No
other module of assay imports assay.models.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from assay.errors import ConfigError

if TYPE_CHECKING:  # slow modules are imported by the function that needs them
    import asyncio

    from assay.config import Config
    from assay.records import Limits, Model
    from assay.running.lazy_pools import Opener
    from assay.running.roles import OpenModels
    from assay.running.trial import SandboxPool


def settings(file: Path | None, root: Path) -> Config:
    """The configuration in `file`, or in config.json of `root` if it exists."""
    from assay.config import load_config

    default = root / "config.json"
    return load_config(file or (default if default.exists() else None))


def models_opener(root: Path) -> OpenModels:
    """A function that opens the models of a run. `root`: the folder of .env, and of the cache."""

    def open_models(config: Config, cache: Path | None) -> contextlib.AbstractAsyncContextManager[Any]:
        from assay.models.model_registry import ModelRegistry
        from assay.models.retry import Retry

        return ModelRegistry(
            config.llms,
            config.hparams,
            cache=cache / "replies.sqlite" if cache else None,
            max_connections=config.max_connections,
            max_cost=config.max_cost,
            max_tokens=config.max_tokens,
            given=config.parameters,
            root=root,
            replay=root / config.cache / "replies.sqlite",
            retry=Retry(attempts=1 + config.retries),
            batch=config.batch,
        )

    return open_models


def name_of(model: str | Model | Callable[..., Any], own: dict[str, Model]) -> str:
    """The name of a model given by a program; an object or a function is also added to `own`. Raises
    ConfigError if another one there has its name, TypeError for anything that is not a model."""
    if isinstance(model, str):
        return model
    if not (callable(model) or hasattr(model, "complete")):
        raise TypeError(
            "a model is its name, a function of the dialogue or an object of the Model protocol, not "
            f"{type(model).__name__}; assay.model(function, name=...) names a function"
        )
    from assay.models.function_model import model as of_function

    its = cast("Model", model) if hasattr(model, "complete") else of_function(model)
    if len(str(its.name).splitlines()) != 1:
        raise ConfigError(f"a model's name is one line of text, not {its.name!r:.60}")
    if own.setdefault(its.name, its) != its:
        raise ConfigError(f"two models are named {its.name!r}; give one a different name")
    return its.name


def open_pool(config: Config, run_id: str) -> Opener:
    """A function that opens the run's sandboxes, once a test needs some with such limits."""
    running: dict[int, asyncio.Semaphore] = {}  # for all pools, which share the cores

    def opener(limits: Limits) -> contextlib.AbstractAsyncContextManager[SandboxPool]:
        import asyncio

        from assay.sandboxes import pool

        most = commands_at_once(limits)
        return pool.open_pool(
            config.sandbox,
            limits=limits,
            ahead=2 if limits.container is None else 0,  # an image of its own is for few trials
            max_open=config.max_sandboxes,
            max_running=running.setdefault(most, asyncio.Semaphore(most)),
            run_id=run_id,
            blind_faith=config.blind_faith,
        )

    return opener


def commands_at_once(limits: Limits) -> int:
    """As many commands as leave each the cores that it may use; one if they use a GPU."""
    cores = len(os.sched_getaffinity(0))
    return 1 if limits.gpus else max(1, int(cores / max(1.0, limits.cpus)))


def known_models() -> dict[str, str]:
    """Assay's own models with their descriptions, and those with a known price, as provider/model."""
    from assay.models.prices import table
    from assay.models.registry import OWN

    return {**OWN, **dict.fromkeys(sorted(table()), "")}


def keys_found(config: Config, root: Path) -> dict[str, str]:
    """Provider -> the place of its key, '' for none. Providers that need no key are left out, except the
    servers of config.json, which may need one."""
    from assay.extensions import extensions
    from assay.models.registry import GROUP, PROVIDERS, key_variables, row_of
    from assay.models.secrets import Environment

    environment = Environment(root / ".env")

    def place(name: str) -> str:
        if config.llms.get(name, {}).get("api_key"):
            return config.path
        return next(filter(environment.get, key_variables(name)), "")

    found = {name: place(name) for name, row in PROVIDERS.items() if row.needs_key}
    found |= {
        name: place(name)
        for name, section in config.llms.items()
        if name not in PROVIDERS and section.get("base_url")
    }
    for name, each in extensions(GROUP).items():
        if name in PROVIDERS:
            found[f"{name} of {each.package}"] = "not used: Assay has its own"
            continue
        try:
            lacking = "no key" if row_of(name).needs_key else "needs none"
            if place(name) or not row_of(name).needs_key:
                check_provider(name, config, root)
            found[name] = f"{place(name) or lacking} (of {each.package})"
        except ConfigError as error:
            found[name] = str(error)
    return found


def own_providers() -> Collection[str]:
    from assay.models.registry import PROVIDERS

    return PROVIDERS.keys()


def check_provider(name: str, config: Config, root: Path) -> None:
    """Raises ConfigError for a provider that a run could not use; without a call."""
    from assay.models.model_registry import ModelRegistry
    from assay.models.registry import row_of

    row_of(name)  # a package's may have a name that is none for a provider
    ModelRegistry(config.llms, config.hparams, cache=None, root=root).check(name)


def references_finder(root: Path) -> Callable[..., Any]:
    """A function that finds the oracle's and the saboteur's replies to a test of `root`."""
    from functools import partial

    from assay.models.references import variants_for

    return partial(variants_for, root=root)


def unknown_references(path: Path, known: Callable[[str], bool]) -> dict[str, int]:
    """The tests that a file of references names and that are not `known`, with their lines."""
    from assay.models.references import unknown_names

    return unknown_names(path, known)
