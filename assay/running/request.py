"""The request for a run, from the command line, pytest or a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.config import BLIND_FAITH, Config, check_parameters, near
from assay.errors import ConfigError
from assay.extensions import extension, extensions, misplaced
from assay.records import EVAL_LLM, VISION_EVAL_LLM
from assay.results.saved_runs import RESCORED
from assay.results.store import Results
from assay.results.workspace import Workspace
from assay.suites.selection import Selection

ASKING = ("system_prompt", "think", "reasoning_effort", "thinking_budget")


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """The flags of the command line that concern trials, by name and meaning; None if config.json decides.
    `selection`: the tests. `endpoint`: files that describe a model's server. `resumed`: model -> the run that
    `resume` means. `params`: parameters of the models under test."""

    selection: Selection
    models: Sequence[str] = ()
    endpoint: Sequence[str] = ()
    all_models: bool = False
    judge: str | None = None
    vision_judge: str | None = None
    system_prompt: str | None = None
    think: bool | None = None
    reasoning_effort: str | None = None
    thinking_budget: int | None = None
    params: Mapping[str, Any] | None = None
    retries: int | None = None
    times: int | None = None
    resume: bool = False
    resumed: Mapping[str, str] = field(default_factory=dict)
    skip_existing: bool = False
    runid: str | None = None
    reuse_steps: bool = False
    max_connections: int | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    trial_time_limit_s: float | None = None
    no_cache: bool = False
    batch: bool = False
    sandbox: str | None = None
    engine: str = "local"
    ray_address: str | None = None
    config: Path | None = None
    logdir: Path | None = None
    report_dir: Path | None = None

    @property
    def judges(self) -> dict[str, str | None]:
        """Role -> the requested judge."""
        return {EVAL_LLM: self.judge, VISION_EVAL_LLM: self.vision_judge}

    def over(self, config: Config) -> Config:
        """The settings of config.json, overridden by the request. Raises ConfigError for an unknown sandbox
        or engine."""
        names = ("sandbox", "max_connections", "max_cost", "max_tokens", "retries", "trial_time_limit_s")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        above = ("times", "max_connections", "max_tokens", "trial_time_limit_s", "thinking_budget")
        for name in (*above, "retries", "max_cost"):
            value = getattr(self, name)
            if value is not None and not (value > 0 if name in above else value >= 0):
                least = "above 0" if name in above else "0 or more"
                raise ConfigError(f"{name} must be {least}, not {value:g}")
        config = replace(config, **given, parameters=self._parameters(), batch=self.batch)
        _check_sandbox(config, self.selection.root)
        if self.batch and self.no_cache:
            raise ConfigError(
                "--batch keeps replies in the cache until a test needs them; leave out --no-cache"
            )
        if self.batch and self.engine != "local":
            raise ConfigError(
                f"--batch does not go with --engine {self.engine}: a trial would keep its node while it "
                "waits for hours; leave out one of them"
            )
        if self.engine != "local":
            extension("assay.engines", self.engine)
        return config

    def _parameters(self) -> dict[str, Any]:
        """The parameters of the models under test: named flags override `params`."""
        check_parameters(self.params or {}, "--params: ")
        named = {name: value for name in ASKING if (value := getattr(self, name)) is not None}
        return {**(self.params or {}), **named}

    def workspace(self, config: Config) -> Workspace:
        """The folders of tests, results, report and cache."""
        root = self.selection.root
        results = self.logdir or root / "results"
        # beside the report of the runs, which that of their rescored results must not replace
        part = RESCORED if results.resolve().name == RESCORED else ""  # also by a link, or as "."
        return Workspace(
            root,
            Results(results, config.secrets()),
            self.report_dir or root / "evaluation_examples" / part,
            None if self.no_cache else root / config.cache,
        )

    def model_names(self, config: Config) -> list[str]:
        """The models of the run, each once."""
        if self.all_models:
            if not config.models:
                raise ConfigError('--all-models runs the "models" of config.json, but it lists none')
            return list(dict.fromkeys(config.models))
        files = [f"endpoint:{path}" for path in self.endpoint]
        return list(dict.fromkeys([*self.models, *files] or [config.model]))


def _check_sandbox(config: Config, root: Path) -> None:
    """Raise ConfigError for a sandbox that is unknown or not allowed, which would cost every trial its
    result."""
    if config.sandbox == "auto":
        return
    from assay.results.saved_suites import no_longer_here
    from assay.sandboxes.backends.registry import BACKENDS, GROUP, names

    if config.sandbox not in BACKENDS and config.sandbox not in extensions(GROUP):
        if gone := no_longer_here(config.sandbox, root / "results", "sandbox"):
            raise ConfigError(gone)
        known, hint = ", ".join(("auto", *names())), misplaced(GROUP, config.sandbox)
        raise ConfigError(
            f"unknown sandbox {config.sandbox!r}.{near(config.sandbox, names())} There are: {known}{hint}"
        )
    if config.sandbox == "unsafe_local" and not config.blind_faith:
        raise ConfigError(
            "the sandbox unsafe_local runs a model's code with your own rights; to allow it, set "
            f"{BLIND_FAITH} to true in config.json"
        )
