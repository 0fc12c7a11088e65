"""One trial's access to the cluster's sandboxes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from assay.errors import AssayError, NodeLost
from assay.plugins.ray.cluster import Cluster
from assay.plugins.ray.node import Node, Slot
from assay.plugins.ray.remote import RemoteSandbox
from assay.records import Limits, Sandbox, Standby
from assay.sandboxes.pool import PooledSandbox


class TrialPool:
    """An `assay.running.trial.SandboxPool` for one try of one trial.

    `lost`: a node was lost with a sandbox of this try, so its verdict means nothing. `node`: of its latest
    sandbox.
    """

    def __init__(self, cluster: Cluster, limits: Limits, standby: Standby | None = None) -> None:
        self.limits, self._standby = limits, standby
        self.lost, self.node = False, ""
        self._cluster = cluster
        self._needs: tuple[str, ...] = ()
        self._identity = ""
        self._slot: Slot | None = None  # of the latest sandbox

    @property
    def tier(self) -> str:
        return self._cluster.tier

    @property
    def isolated(self) -> bool:
        return not self.tier.startswith("unsafe_local")

    @property
    def identity(self) -> str:
        """The identity of a node's sandboxes. From now on the trial gets only nodes with the same identity,
        under which its steps are cached."""
        if not self._identity:
            nodes = [each for each in self._cluster.nodes_for(self.limits) if self._has_all(each)]
            self._identity = nodes[0].facts.identity if nodes and nodes[0].facts else ""
        return self._identity

    @property
    def browser(self) -> contextlib.AbstractAsyncContextManager[Any]:
        return contextlib.nullcontext()  # a server runs one command at a time anyway

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """What the node that lacks the least lacks; nothing if a node has everything, which the trial then
        gets."""
        needs = tuple(dict.fromkeys((*self._needs, *requirements)))
        while True:
            lacks = []
            for node in await self._cluster.wait_for_nodes(self.limits):
                with contextlib.suppress(NodeLost):
                    lacks.append(tuple(await self._cluster.lacking(node, needs)))
            if lacks:
                break
        least = min(lacks, key=len)
        if not least:
            self._needs = needs
        return least

    async def acquire(self) -> Sandbox:
        while True:
            try:
                slot = await self._cluster.take(self.limits, self._fits)
            except NodeLost:
                self.lost = True
                raise
            with contextlib.suppress(NodeLost):  # it was still empty
                sandbox = await self._open(slot, partial(self._cluster.give_back, slot))
                self.node, self._slot = slot.node.name, slot
                return sandbox

    async def acquire_beside(self) -> Sandbox:
        """A second sandbox on the node of the trial's own; it takes no further place."""
        slot = self._slot
        if slot is None or slot.dead:
            return await self.acquire()
        try:
            return await self._open(slot, lambda: None, beside=True)
        except NodeLost:
            self._tell_loss(slot)
            raise

    async def _open(self, slot: Slot, give_back: Callable[[], None], *, beside: bool = False) -> Sandbox:
        opening = asyncio.ensure_future(slot.ask("open", self._standby, beside))
        try:
            number = await asyncio.shield(opening)
        except asyncio.CancelledError:
            self._cluster.spawn(self._close_late(slot, opening, give_back))  # the node opens it anyway
            raise
        except BaseException:
            give_back()
            raise
        remote = RemoteSandbox(partial(self._ask, slot), number, self.tier, give_back)
        return PooledSandbox(remote, slot.turn, lambda _: None)

    async def _close_late(
        self, slot: Slot, opening: asyncio.Future[Any], give_back: Callable[[], None]
    ) -> None:
        """Close a sandbox that is no longer wanted once it is open, and then free its place."""
        try:
            with contextlib.suppress(AssayError):
                await slot.ask("close", await opening)
        finally:
            give_back()

    async def _ask(self, slot: Slot, method: str, *arguments: Any, **options: Any) -> Any:
        try:
            return await slot.ask(method, *arguments, **options)
        except NodeLost:
            if method != "close":
                self._tell_loss(slot)
            raise

    def _tell_loss(self, slot: Slot) -> None:
        self.lost = True
        self._cluster.tell_loss(slot.node)

    async def _fits(self, node: Node) -> bool:
        with contextlib.suppress(NodeLost):
            lacks = await self._cluster.lacking(node, self._needs) if self._needs else ()
            same = not self._identity or (node.facts is not None and node.facts.identity == self._identity)
            return same and not lacks
        return False

    def _has_all(self, node: Node) -> bool:
        return all(node.present.get(need, False) for need in self._needs)
