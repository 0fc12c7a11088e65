"""What settings and flags say together: where everything lies, and which models are meant."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import ConfigError
from assay.harness.config import Config
from assay.harness.store import Results


def say(text: str) -> None:
    """A message for people, on stderr."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


@dataclass(frozen=True)
class Place:
    """Where everything of a command lies. `cache`: None with --no-cache."""

    root: Path
    results: Results
    report: Path
    cache: Path | None


def place_of(options: argparse.Namespace, config: Config, root: Path) -> Place:
    results = Results(options.logdir or root / "results", config.secrets())
    cache = None if options.no_cache else root / config.cache
    return Place(root, results, options.report_dir or root / "evaluation_examples", cache)


def with_flags(config: Config, options: argparse.Namespace) -> Config:
    """The settings with what the flags say instead."""
    given = {
        "sandbox": options.sandbox,
        "max_connections": options.max_connections,
        "max_cost": options.max_cost,
    }
    return replace(config, **{name: value for name, value in given.items() if value is not None})


def models_of(options: argparse.Namespace, config: Config) -> list[str]:
    """The models that a run is about, each once."""
    if options.all_models:
        if not config.models:
            raise ConfigError('--all-models runs the "models" of config.json, and it lists none')
        return list(dict.fromkeys(config.models))
    return list(dict.fromkeys(options.model or [config.model]))
