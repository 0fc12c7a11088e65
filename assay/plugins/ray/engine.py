"""The `ray` engine for --engine (an entry point of `assay.engines`)."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import AsyncIterator, Callable, Sequence

from assay.config import Config
from assay.errors import ConfigError, SandboxUnavailable
from assay.plugins.ray.cluster import Cluster
from assay.plugins.ray.connection import connected
from assay.plugins.ray.node import PLACES
from assay.plugins.ray.trial_pool import TrialPool
from assay.records import Model, Outcome, TrialRecord, traits_of
from assay.running.engines import RunTrial, trials_at_once
from assay.running.request import RunRequest
from assay.running.trial_retry import run_until_kept
from assay.suites.sample import Sample


class RayEngine:
    """The sandboxes of a cluster. A trial that loses its node runs again, with the replies that it had."""

    def __init__(self, config: Config, cluster: Cluster) -> None:
        self._config, self._cluster = config, cluster

    def workers(self, model: Model) -> int:
        sandboxes = math.ceil(PLACES * self._cluster.cores)
        if self._config.max_sandboxes is not None:
            sandboxes = min(sandboxes, self._config.max_sandboxes * self._cluster.count)
        return trials_at_once(self._config, traits_of(model), max(8, sandboxes))

    async def one(self, run: RunTrial, models: Sequence[Model], sample: Sample) -> TrialRecord:
        limits = sample.limits_in(self._config)
        if limits.gpus and not re.fullmatch(r"\d+(,\d+)*", limits.gpus):
            raise ConfigError(
                f"GPUs {limits.gpus!r} cannot be asked of a cluster: list as many numbers as each sandbox "
                "needs GPUs, 0 or 0,1; Ray chooses which"
            )
        record = await run_until_kept(run, models, lambda: TrialPool(self._cluster, limits, sample.standby))
        if self._cluster.broken and record.outcome is Outcome.ERROR:
            raise SandboxUnavailable(self._cluster.broken)  # not this trial's error; it ends the run
        return record


@contextlib.asynccontextmanager
async def ray_engine(
    config: Config, request: RunRequest, run_id: str, message: Callable[[str], None]
) -> AsyncIterator[RayEngine]:
    """Raises ConfigError if there is no such cluster, or Ray is not installed."""
    if config.sandbox == "unsafe_local":
        raise ConfigError("--sandbox unsafe_local is for this machine alone, not for the nodes of a cluster")
    async with connected(request.ray_address or "") as ray:
        cluster = Cluster(
            ray, sandbox=config.sandbox, max_sandboxes=config.max_sandboxes, run_id=run_id, message=message
        )
        async with cluster:
            yield RayEngine(config, cluster)
