"""A node of the cluster, and a share of it that this run has reserved."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assay.errors import NodeLost, SandboxError
from assay.plugins.ray.facts import Facts, facts_here
from assay.plugins.ray.server import Order, SandboxServer
from assay.records import Limits
from assay.sandboxes.backends.registry import names

PLACES = 4  # open sandboxes per concurrent command, as in a local pool
CALLS_AT_ONCE = 1000  # to one server


def cpus_of(limits: Limits) -> float:
    """The cores to request from Ray: one command's, and at least one."""
    return max(1.0, limits.cpus)


def gpus_of(limits: Limits) -> int:
    """The GPUs to request from Ray: as many as are listed."""
    return len(limits.gpus.split(",")) if limits.gpus else 0


@dataclass(eq=False)
class Node:
    """What is known of a node. `name`: its host's name and the beginning of Ray's id, since one host may run
    several nodes. `present`: requirement -> whether its sandboxes have it."""

    id: str
    name: str
    cpus: float
    gpus: float
    alive: bool = True
    facts: Facts | None = None  # once a server has answered
    refused: str = ""  # why it is not used
    unfit: dict[Limits, str] = field(default_factory=dict)  # why it cannot have such sandboxes
    failed_starts: int = 0  # in a row
    rests_until: float = 0.0  # after a failure; by time.monotonic
    present: dict[str, bool] = field(default_factory=dict)
    looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def usable(self) -> bool:
        return self.alive and not self.refused

    def why_not(self, limits: Limits) -> str:
        """Why it gets no trial that asks for such sandboxes; '' if it may."""
        return self.refused or self.unfit.get(limits, "")

    def shares(self, limits: Limits, max_sandboxes: int | None) -> int:
        """The number of servers for such sandboxes that it has room for."""
        count = int(self.cpus / cpus_of(limits))
        if gpus_of(limits):
            count = min(count, int(self.gpus / gpus_of(limits)))
        return min(count, max_sandboxes or count)


def most_common_tier(nodes: Iterable[tuple[Node, str]]) -> str:
    """The kind of sandbox that most cores have; if equal, the one that `auto` prefers."""
    cores: Counter[str] = Counter()
    for node, tier in nodes:
        cores[tier] += round(node.cpus)
    order = names()
    return min(cores, key=lambda tier: (-cores[tier], order.index(tier.partition("+")[0]), "+host" in tier))


def what_is_awaited(nodes: Iterable[Node], limits: Limits) -> str:
    """What trials without a place on any node are waiting for."""
    cpus, gpus = cpus_of(limits), gpus_of(limits)
    need = f"{cpus:g} CPU{'s'[: cpus != 1]}" + f" and {gpus} GPU{'s'[: gpus != 1]}" * bool(gpus)
    if any(node.shares(limits, None) for node in nodes if node.alive and not node.why_not(limits)):
        return f"trials wait for {need} on one of the nodes: they are busy with other work, or slow to start"
    return (
        f"no node has the {need} that a sandbox of these tests asks for; trials wait for one to join "
        "(ray start --address=...)"
    )


class Slot:
    """A reserved share of a node with its server. `lent`: sandboxes that trials have. `ready`: it has
    answered. `dead`: it can no longer be reached. `turn`: one command at a time, as reserved."""

    def __init__(self, ray: Any, node: Node, order: Order) -> None:
        self.node, self.limits, self.places = node, order.limits, order.places
        self.lent, self.ready, self.dead, self.idle_since = 0, False, False, time.monotonic()
        self._ray, self._order, self.turn = ray, order, asyncio.Semaphore(1)
        self._actor: Any = None

    async def prepare(self) -> Facts:
        """Reserve the share, start the server in it, and get its facts. Raises NodeLost."""
        try:
            self._actor = await asyncio.to_thread(self._begin)  # it blocks until the cluster's head answers
        except Exception as error:  # noqa: BLE001 - of Ray's many
            self.dead = True
            raise NodeLost(f"node {self.node.name}: {error}") from None
        facts: Facts = await self.ask("prepare", facts_here())
        return facts

    def _begin(self) -> Any:
        strategies = importlib.import_module("ray.util.scheduling_strategies")
        limits = self._order.limits
        options = self._ray.remote(SandboxServer).options(
            num_cpus=cpus_of(limits),
            num_gpus=gpus_of(limits),
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=CALLS_AT_ONCE,
            scheduling_strategy=strategies.NodeAffinitySchedulingStrategy(self.node.id, soft=False),
        )
        actor = options.remote(self._order)
        if self.dead:
            self._ray.kill(actor, no_restart=True)
        return actor

    async def ask(self, method: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the server. Raises what that raises, or NodeLost if the server is gone."""
        if self.dead:
            raise NodeLost(f"node {self.node.name} is gone")
        exceptions = self._ray.exceptions
        try:
            return await getattr(self._actor, method).remote(*arguments, **options)
        except exceptions.RayTaskError as error:
            cause = error.cause
            raise (cause if isinstance(cause, Exception) else SandboxError(str(error))) from None
        except exceptions.RayError as error:
            self.kill()  # it may be alive behind a broken connection, with its sandboxes
            words = (str(error).strip().splitlines() or [type(error).__name__])[-1].strip()
            raise NodeLost(f"node {self.node.name} is gone: {words[:300]}") from None

    async def shut(self, limit_s: float) -> None:
        """Close its sandboxes and return its share of the node."""
        with contextlib.suppress(SandboxError, TimeoutError):
            async with asyncio.timeout(limit_s):
                if self.ready and not self.dead:
                    await self.ask("shut")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self.kill()

    def kill(self) -> asyncio.Future[None]:
        """End the server, whatever it does. The result need not be awaited."""
        actor, self.dead = None if self.dead else self._actor, True
        return asyncio.get_running_loop().run_in_executor(None, self._kill, actor)

    def _kill(self, actor: Any) -> None:
        if actor is not None:
            with contextlib.suppress(Exception):  # it has ended already
                self._ray.kill(actor, no_restart=True)
