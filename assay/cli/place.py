"""What settings and flags say together: where everything lies, and which models are meant."""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.config import BLIND_FAITH, Config, check_parameters, near
from assay.errors import ConfigError
from assay.report.sanitise import strip_terminal, visible
from assay.results.store import Results
from assay.suites.suite import Sample

NARROWEST = 40  # columns in which a message is broken between words


def say(text: str) -> None:
    """A message for people, on stderr. It may quote results files, which may be a stranger's."""
    shown = visible(strip_terminal(text))
    width = shutil.get_terminal_size().columns if sys.stderr.isatty() else 0
    if NARROWEST <= width < len(shown):
        from assay.cli.lines import broken

        shown = broken(shown, width)
    print(shown, file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True)
class Place:
    """Where everything of a command lies. `cache`: None with --no-cache."""

    root: Path
    results: Results
    report: Path
    cache: Path | None

    @property
    def logdir(self) -> str:
        """What a command that shows these results needs behind it: nothing where they lie as usual."""
        kept = self.results.root
        return "" if kept == self.root / "results" else f" --logdir {shlex.quote(str(kept))}"


def place_of(options: argparse.Namespace, config: Config, root: Path) -> Place:
    results = Results(options.logdir or root / "results", config.secrets())
    cache = None if options.no_cache else root / config.cache
    return Place(root, results, options.report_dir or _report_of(options, root), cache)


def _report_of(options: argparse.Namespace, root: Path) -> Path:
    """A page that nobody asked for by name must not take the place of that of other results."""
    if options.live is not None and options.logdir is not None and not options.generate_report:
        return Path(options.logdir) / "report"
    return root / "evaluation_examples"


def with_flags(config: Config, options: argparse.Namespace) -> Config:
    """The settings with what the flags say instead. Raises ConfigError for an impossible sandbox."""
    given = {
        "sandbox": options.sandbox,
        "max_connections": options.max_connections,
        "max_cost": options.max_cost,
        "max_tokens": options.max_tokens,
        "retries": options.retries,
        "parameters": _parameters(options),
    }
    config = replace(config, **{name: value for name, value in given.items() if value is not None})
    _check_sandbox(config)
    return config


def _parameters(options: argparse.Namespace) -> dict[str, Any]:
    """What the flags say of the models under test: the named ones over --params."""
    check_parameters(options.params or {}, "--params: ")
    flags = ("system_prompt", "think", "reasoning_effort", "thinking_budget")
    named = {name: getattr(options, name) for name in flags}
    return {**(options.params or {}), **{name: value for name, value in named.items() if value is not None}}


def _check_sandbox(config: Config) -> None:
    """A sandbox that no machine has, or that is not allowed, would cost every trial its result."""
    if config.sandbox == "auto":
        return
    from assay.sandboxes.backends.registry import BACKENDS, names

    if config.sandbox not in BACKENDS and config.sandbox not in names():
        known = ", ".join(("auto", *names()))
        raise ConfigError(
            f"unknown sandbox {config.sandbox!r}.{near(config.sandbox, names())} There are: {known}"
        )
    if config.sandbox == "unsafe_local" and not config.blind_faith:
        raise ConfigError(
            "the sandbox unsafe_local runs a model's code with your own rights; to allow it, set "
            f"{BLIND_FAITH} to true in config.json"
        )


async def try_named_sandbox(config: Config, samples: Iterable[Sample]) -> None:
    """Raises SandboxUnavailable, before anything is spent, if a sandbox that was asked for by name does not
    open and a test needs one. With `auto`, tests that need none may still run where there is none."""
    if config.sandbox != "auto" and any(sample.needs for sample in samples):
        from assay.sandboxes.backends.registry import choose

        await choose(config.sandbox, blind_faith=config.blind_faith)


def models_of(options: argparse.Namespace, config: Config) -> list[str]:
    """The models that a run is about, each once."""
    if options.all_models:
        if not config.models:
            raise ConfigError('--all-models runs the "models" of config.json, and it lists none')
        return list(dict.fromkeys(config.models))
    files = [f"endpoint:{path}" for path in options.endpoint]
    return list(dict.fromkeys([*options.model, *files] or [config.model]))
