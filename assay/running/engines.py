"""The sandboxes of a run's trials (--engine): on this machine, or from a plugin, such as those on the nodes
of a cluster (assay/plugins/ray)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from assay.config import Config
from assay.records import Model, Traits, TrialRecord, traits_of
from assay.running.lazy_pools import LazyPools, Opener
from assay.running.request import RunRequest
from assay.running.trial import SandboxPool
from assay.suites.sample import Sample

BATCHED = 10_000  # trials of one model that wait for a batch at once, about 50 kB each beside their prompts

RunTrial = Callable[[Sequence[Model], SandboxPool], Awaitable[TrialRecord]]


class Engine(Protocol):
    """Where trials run: on this machine (LocalEngine), or through a plugin's engine."""

    def workers(self, model: Model) -> int:
        """The number of trials of one model that may run at once now."""

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        """Run a trial of a sample with the sandboxes that it asks for."""


# An entry point of `assay.engines`. It gets settings, request, the run's id, and a function for messages to
# the user, and raises ConfigError if it cannot be used.
EngineOpener = Callable[[Config, RunRequest, str, Callable[[str], None]], AbstractAsyncContextManager[Engine]]


def trials_at_once(config: Config, traits: Traits, sandboxes: int) -> int:
    """The number of trials to run at once: enough to use every connection while others are in sandboxes."""
    return sandboxes if traits.replays else config.max_connections + sandboxes


def workers_for(config: Config, traits: Traits = Traits()) -> int:  # noqa: B008 - frozen
    """Trials at once on this machine."""
    return trials_at_once(config, traits, config.max_sandboxes or max(8, 4 * len(os.sched_getaffinity(0))))


class LocalEngine:
    """The sandboxes of this machine."""

    def __init__(self, config: Config, open_pool: Opener, trials: int | None = None) -> None:
        """`trials`: their number, if known."""
        self._config, self._left = config, trials or 0
        self.pools = LazyPools(open_pool, config, None if trials is None else lambda: self._left)

    def workers(self, model: Model) -> int:
        return BATCHED if self._config.batch else workers_for(self._config, traits_of(model))

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        try:
            return await run(models, self.pools.for_sample(sample))
        finally:
            self._left -= 1
