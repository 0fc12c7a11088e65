"""Joins the parts that must not know each other: settings, models and sandboxes of a run.

Whoever runs trials starts here: the command line (assay/cli/main.py) and run_test (evaluator.py). Nothing
else of assay knows assay.models.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError

if TYPE_CHECKING:  # whatever costs time is imported by the function that needs it
    import asyncio

    from assay.config import Config
    from assay.records import Limits
    from assay.running.lazy_pools import Opener
    from assay.running.roles import OpenModels
    from assay.running.trial import SandboxPool


def settings(file: Path | None, root: Path) -> Config:
    """The configuration: that of `file`, or of config.json in `root` where there is one."""
    from assay.config import load_config

    default = root / "config.json"
    return load_config(file or (default if default.exists() else None))


def models_opener(root: Path) -> OpenModels:
    """How to open the models of a run. `root`: the folder of .env, and of the cache."""

    def open_models(config: Config, cache: Path | None) -> contextlib.AbstractAsyncContextManager[Any]:
        from assay.models.model_registry import ModelRegistry
        from assay.models.provider_client import Retry

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
        )

    return open_models


def open_pool(config: Config, run_id: str) -> Opener:
    """How to open the run's sandboxes, once a test needs some of such limits."""
    running: dict[int, asyncio.Semaphore] = {}  # for all pools together: they share the cores

    def opener(limits: Limits) -> contextlib.AbstractAsyncContextManager[SandboxPool]:
        import asyncio

        from assay.sandboxes import pool

        most = commands_at_once(limits)
        return pool.open_pool(
            config.sandbox,
            limits=limits,
            max_open=config.max_sandboxes,
            max_running=running.setdefault(most, asyncio.Semaphore(most)),
            run_id=run_id,
            blind_faith=config.blind_faith,
        )

    return opener


def commands_at_once(limits: Limits) -> int:
    """So many that each has the cores it may use; one where they use a GPU."""
    cores = len(os.sched_getaffinity(0))
    return 1 if limits.gpus else max(1, int(cores / max(1.0, limits.cpus)))


def known_models() -> dict[str, str]:
    """Assay's own models, with what each does, and those whose price is known, as provider/model."""
    from assay.models.prices import table
    from assay.models.registry import OWN

    return {**OWN, **dict.fromkeys(sorted(table()), "")}


def keys_found(config: Config, root: Path) -> dict[str, str]:
    """Provider -> where its key was found, '' for none. Providers that need no key are left out, but
    not the servers of config.json, which may."""
    from assay.extensions import extensions
    from assay.models.registry import GROUP, PROVIDERS, key_variables
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
            found[name] = f"{place(name) or 'no key'} (of {each.package})"
        except ConfigError as error:
            found[name] = str(error)
    return found


def references_finder(root: Path) -> Callable[..., Any]:
    """How to find the oracle's and the saboteur's replies to a test of `root`."""
    from functools import partial

    from assay.models.references import variants_for

    return partial(variants_for, root=root)
