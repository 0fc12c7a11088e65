"""Where the trials of a run get their sandboxes: this machine, or the nodes of a cluster (--engine)."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from assay.config import Config
from assay.errors import ConfigError, SandboxUnavailable
from assay.records import Model, Outcome, Traits, TrialRecord, traits_of
from assay.running.lazy_pools import LazyPools, Opener
from assay.running.trial import SandboxPool
from assay.suites.suite import Sample

if TYPE_CHECKING:
    from assay.plugins.ray.cluster import Cluster

RunTrial = Callable[[Sequence[Model], SandboxPool], Awaitable[TrialRecord]]


class Engine(Protocol):
    """What run_job asks of either."""

    def workers(self, model: Model) -> int:
        """Trials at once for one model, now."""

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        """Run a trial of a sample with the sandboxes that it asks for."""


def trials_at_once(config: Config, traits: Traits, sandboxes: int) -> int:
    """Enough to keep every connection busy while others are in sandboxes."""
    return sandboxes if traits.replays else config.max_connections + sandboxes


def workers_for(config: Config, traits: Traits = Traits()) -> int:  # noqa: B008 - frozen
    """Trials at once on this machine."""
    return trials_at_once(config, traits, config.max_sandboxes or max(8, 4 * len(os.sched_getaffinity(0))))


class LocalEngine:
    """The sandboxes of this machine."""

    def __init__(self, config: Config, open_pool: Opener, trials: int | None = None) -> None:
        """`trials`: how many there will be, if that is known."""
        self._config, self._left = config, trials or 0
        self.pools = LazyPools(open_pool, config.limits, None if trials is None else lambda: self._left)

    def workers(self, model: Model) -> int:
        return workers_for(self._config, traits_of(model))

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        try:
            return await run(models, self.pools.for_sample(sample))
        finally:
            self._left -= 1


class RayEngine:
    """The sandboxes of a cluster. A trial whose node went is run again, with the replies that it had."""

    def __init__(self, config: Config, cluster: Cluster) -> None:
        self._config, self._cluster = config, cluster

    def workers(self, model: Model) -> int:
        from assay.plugins.ray.node import PLACES

        sandboxes = math.ceil(PLACES * self._cluster.cores)
        if self._config.max_sandboxes is not None:
            sandboxes = min(sandboxes, self._config.max_sandboxes * self._cluster.count)
        return trials_at_once(self._config, traits_of(model), max(8, sandboxes))

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        from assay.plugins.ray.trial_pool import TrialPool
        from assay.running.trial_retry import run_until_kept

        limits = sample.limits or self._config.limits
        if limits.gpus and not re.fullmatch(r"\d+(,\d+)*", limits.gpus):
            raise ConfigError(
                f"GPUs {limits.gpus!r} cannot be asked of a cluster: list as many numbers as each sandbox "
                "needs GPUs, 0 or 0,1; Ray chooses which"
            )
        record = await run_until_kept(run, models, lambda: TrialPool(self._cluster, limits, sample.standby))
        if self._cluster.broken and record.outcome is Outcome.ERROR:
            raise SandboxUnavailable(self._cluster.broken)  # not this trial's error: it ends the run
        return record


@contextlib.asynccontextmanager
async def ray_engine(
    config: Config, address: str, run_id: str, message: Callable[[str], None]
) -> AsyncIterator[RayEngine]:
    """Raises ConfigError if there is no such cluster, or no Ray."""
    from assay.plugins.ray.cluster import Cluster
    from assay.plugins.ray.connection import connected

    if config.sandbox == "unsafe_local":
        raise ConfigError("--sandbox unsafe_local is for this machine alone, not for the nodes of a cluster")
    async with connected(address) as ray:
        cluster = Cluster(
            ray, sandbox=config.sandbox, max_sandboxes=config.max_sandboxes, run_id=run_id, message=message
        )
        async with cluster:
            yield RayEngine(config, cluster)
