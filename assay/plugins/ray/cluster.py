"""The nodes of a cluster, the shares of them that this run has, and the choice of a node for each sandbox.

One loop (`_keep`) watches the cluster; trials wait for its news. A share (Slot) is reserved when trials wait
for one, and returned when it has been idle, so that other work on the cluster, and trials that need more
cores or a GPU, get their turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from types import TracebackType
from typing import Any

from assay.errors import NodeLost, SandboxError, SandboxUnavailable
from assay.home import BUILD_IMAGE
from assay.plugins.ray.facts import facts_here, why_refused
from assay.plugins.ray.node import PLACES, Node, Slot, most_common_tier, what_is_awaited
from assay.plugins.ray.server import Order
from assay.records import Limits

LOOK_S = 0.5  # between two looks at the cluster
IDLE_S = 10.0  # before a share is returned
IDLE_WANTED_S = 1.0  # the same, while trials wait for shares of another size
PATIENCE_S = 15.0  # for the other nodes, once one has answered
QUIET_S = 10.0  # of waiting, before a message explains it
REST_S = 1.0  # before a failed node is tried again
MOST_FAILURES = 3
SHUT_S = 20.0
BROKEN_SHUT_S = 5.0
HEAD_S = 10.0  # for the head's list of nodes; Ray itself waits a minute, and then ends this process


class Cluster:
    """The sandboxes of a cluster, for one event loop and one run; `async with` keeps them."""

    def __init__(
        self,
        ray: Any,
        *,
        sandbox: str,
        max_sandboxes: int | None,
        run_id: str,
        message: Callable[[str], None],
    ) -> None:
        """`max_sandboxes`: for each node. `message`: tells the user about changes of the nodes."""
        self._ray, self._message = ray, message
        self._sandbox, self._max, self._run_id = sandbox, max_sandboxes, run_id
        self.tier = ""  # of all nodes in use, once known
        self.broken = ""  # why the cluster is gone
        self._nodes: dict[str, Node] = {}
        self._slots: list[Slot] = []
        self._waiting: Counter[Limits] = Counter()
        self._stuck: dict[Limits, float] = {}  # since when trials have waited without any share
        self._told: set[str] = set()
        self._first_answer = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()

    # ------------------------------------------------------------ what trials ask

    @property
    def cores(self) -> float:
        return sum(node.cpus for node in self._nodes.values() if node.usable)

    @property
    def count(self) -> int:
        return sum(node.usable for node in self._nodes.values())

    def nodes_for(self, limits: Limits) -> list[Node]:
        """The nodes that have a server for such sandboxes, those with the most free places first."""
        free: Counter[Node] = Counter()
        for slot in self._ready(limits):
            free[slot.node] += slot.places - slot.lent
        return [node for node, _ in free.most_common()]

    async def wait_for_nodes(self, limits: Limits) -> list[Node]:
        """Like `nodes_for`, once there is one. Raises SandboxUnavailable if every node was refused."""
        with self._wanting(limits):
            while not (nodes := self.nodes_for(limits)):
                await self._change(limits)
            return nodes

    async def take(self, limits: Limits, fits: Callable[[Node], Awaitable[bool]]) -> Slot:
        """A place for one sandbox on the node that `fits` and has the least load. Raises NodeLost if none of
        the nodes fits (any more), SandboxUnavailable if every node was refused."""
        with self._wanting(limits):
            while True:
                nodes = self.nodes_for(limits)
                fitting = {node for node in nodes if await fits(node)}
                if nodes and not fitting and not self._coming(limits):
                    raise NodeLost("no node is left that has what this trial needs")
                slots = [s for s in self._ready(limits) if s.node in fitting and s.lent < s.places]
                if slots:
                    slot = min(slots, key=lambda each: each.lent)
                    slot.lent += 1
                    return slot
                await self._change(limits)

    def give_back(self, slot: Slot) -> None:
        slot.lent -= 1
        slot.idle_since = time.monotonic()
        self._tell()

    def tell_loss(self, node: Node) -> None:
        """Report the loss of a server, or of the whole node, once: the two are noticed in any order."""
        text = f"node {node.name} has failed; trials that had a sandbox there restart"
        if text not in self._told:
            self._told.add(text)
            self._message(text)

    async def lacking(self, node: Node, requirements: Sequence[str]) -> list[str]:
        """The requirements that a node's sandboxes lack; looked up once."""
        async with node.looking:
            unknown = [need for need in dict.fromkeys(requirements) if need not in node.present]
            slots = [slot for slot in self._slots if slot.node is node and slot.ready and not slot.dead]
            if unknown and not slots:
                raise NodeLost(f"node {node.name} is gone")
            if unknown:
                absent = await slots[0].ask("missing", unknown)
                node.present.update({need: need not in absent for need in unknown})
        return [need for need in dict.fromkeys(requirements) if not node.present[need]]

    # ------------------------------------------------------------ how it is kept

    async def __aenter__(self) -> Cluster:
        await self._look()
        self.spawn(self._keep())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.broken:  # the servers end when their nodes notice, which is late; they still hear us
            asked = (slot.ask("shut") for slot in self._slots if slot.ready)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BROKEN_SHUT_S):
                    await asyncio.gather(*asked, return_exceptions=True)
            return
        await asyncio.gather(*(slot.shut(SHUT_S) for slot in self._slots), return_exceptions=True)

    async def _keep(self) -> None:
        while True:
            try:
                async with asyncio.timeout(HEAD_S):
                    await self._look()
            except Exception as error:  # noqa: BLE001 - of Ray's many; none of them is a trial's fault
                self.broken = f"the head of the Ray cluster does not answer ({type(error).__name__})"
                self._tell()
                return
            if any(slot.dead for slot in self._slots):
                self._sweep()
            self._decide()
            self._grow()
            self._shrink()
            self._explain()
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        """Update which nodes exist."""
        for each in await asyncio.to_thread(self._ray.nodes):
            node = self._nodes.get(each["NodeID"])
            if node is None and each["Alive"]:
                resources = each["Resources"]
                name = f"{each['NodeManagerHostname']}/{each['NodeID'][:6]}"
                node = Node(each["NodeID"], name, resources.get("CPU", 0.0), resources.get("GPU", 0.0))
                self._nodes[node.id] = node
            elif node is not None and node.alive and not each["Alive"]:
                node.alive = False
                self._lose(node)

    def _lose(self, node: Node) -> None:
        if node.facts is not None and not node.refused:
            self.tell_loss(node)
        for slot in self._slots:
            if slot.node is node:
                slot.kill()
        self._sweep()

    def _sweep(self) -> None:
        self._slots = [slot for slot in self._slots if not slot.dead]
        self._tell()

    def _grow(self) -> None:
        """Reserve shares until all waiting trials have one or the nodes are full; at first, one on each
        node."""
        for limits, waiting in list(self._waiting.items()):
            if not waiting:
                continue
            ours = Counter(slot.node for slot in self._slots if slot.limits == limits and not slot.dead)
            wanted = waiting + sum(slot.lent for slot in self._slots if slot.limits == limits)
            nodes = [node for node in self._resting_apart() if not node.why_not(limits)]
            room = {node: node.shares(limits, self._max) for node in nodes}
            while left := [node for node, most in room.items() if ours[node] < most]:
                if sum(ours.values()) >= wanted and all(ours[node] for node in left):
                    break
                node = max(left, key=lambda each: (not ours[each], room[each] - ours[each]))
                self._start(node, limits)
                ours[node] += 1

    def _resting_apart(self) -> Iterable[Node]:
        now = time.monotonic()
        return [node for node in self._nodes.values() if node.usable and node.rests_until <= now]

    def _start(self, node: Node, limits: Limits) -> None:
        places = PLACES
        if self._max is not None:
            places = min(PLACES, max(1, self._max // max(1, node.shares(limits, self._max))))
        slot = Slot(self._ray, node, Order(self._sandbox, limits, places, self._run_id))
        self._slots.append(slot)
        self.spawn(self._prepare(slot))

    async def _prepare(self, slot: Slot) -> None:
        node = slot.node
        try:
            facts = await slot.prepare()
        except SandboxError as error:
            node.failed_starts += 1
            node.rests_until = time.monotonic() + REST_S
            if node.failed_starts >= MOST_FAILURES and node.alive:
                self._refuse(node, f"no sandbox server starts there: {error}")
            slot.kill()
            self._sweep()
            return
        node.failed_starts = 0
        if why := why_refused(facts, facts_here()):
            self._refuse(node, why)
            return
        if facts.failure:
            self._refuse(node, facts.failure, slot.limits)
            return
        if node.facts is None:
            node.facts = facts
            self._first_answer = self._first_answer or time.monotonic()
        slot.ready, slot.idle_since = True, time.monotonic()
        self._decide()
        self._tell()

    def _refuse(self, node: Node, why: str, limits: Limits | None = None) -> None:
        """Stop using a node, or only for sandboxes with such `limits`."""
        if limits is None:
            told, node.refused = node.refused, why
        else:
            told, node.unfit[limits] = node.why_not(limits), why
        if not told:
            what = f" for limits {limits.profile}" if limits is not None and node.facts is not None else ""
            self._message(f"node {node.name} is not used{what}: {why}")
        for slot in list(self._slots):
            if slot.node is node and slot.limits == (limits or slot.limits):
                self._slots.remove(slot)
                self.spawn(slot.shut(SHUT_S))
        self._tell()

    def _decide(self) -> None:
        """Require the same kind of sandbox on every node, or a verdict would depend on where a trial ran. The
        kind is that of most cores, once all nodes have answered or had time to."""
        answered = [(node, node.facts.tier) for node in self._nodes.values() if node.usable and node.facts]
        if not answered:
            return
        if not self.tier:
            silent = [n for n in self._nodes.values() if n.usable and n.facts is None and not n.unfit]
            silent = [n for n in silent if n.cpus >= 1]
            if silent and time.monotonic() < self._first_answer + PATIENCE_S:
                return
            self.tier = most_common_tier(answered)
            self._tell()
        for node, tier in answered:
            if tier != self.tier:
                self._refuse(
                    node,
                    f"its sandbox is {tier}, that of the other nodes {self.tier}: run {BUILD_IMAGE} there, "
                    "or choose one that all have with --sandbox",
                )
            elif node.name not in self._told:
                self._told.add(node.name)
                self._message(
                    f"node {node.name} has joined: {tier}, {node.cpus:g} CPU{'s'[: node.cpus != 1]}"
                )

    def _shrink(self) -> None:
        """Return idle shares."""
        now = time.monotonic()
        for slot in list(self._slots):
            if slot.lent or not slot.ready or self._waiting[slot.limits]:
                continue
            others = any(count for limits, count in self._waiting.items() if limits != slot.limits)
            if now - slot.idle_since > (IDLE_WANTED_S if others else IDLE_S):
                self._slots.remove(slot)
                self.spawn(slot.shut(SHUT_S))

    def _explain(self) -> None:
        """Tell what trials are waiting for."""
        now = time.monotonic()
        for limits, waiting in self._waiting.items():
            if not waiting or self._ready(limits):
                self._stuck.pop(limits, None)
            elif now - self._stuck.setdefault(limits, now) > QUIET_S:
                text = what_is_awaited(self._nodes.values(), limits)
                if text not in self._told:
                    self._told.add(text)
                    self._message(text)

    def _ready(self, limits: Limits) -> list[Slot]:
        if not self.tier:
            return []
        return [s for s in self._slots if s.ready and not s.dead and s.node.usable and s.limits == limits]

    def _coming(self, limits: Limits) -> bool:
        return any(not slot.ready and slot.limits == limits for slot in self._slots)

    @contextlib.contextmanager
    def _wanting(self, limits: Limits) -> Any:
        self._waiting[limits] += 1
        try:
            yield
        finally:
            self._waiting[limits] -= 1

    async def _change(self, limits: Limits) -> None:
        """Wait for news of the cluster. Raises SandboxUnavailable if every existing node was refused."""
        news = self._news
        if self.broken:
            raise SandboxUnavailable(self.broken)
        self._grow()
        there = [node for node in self._nodes.values() if node.alive and node.shares(limits, None)]
        if there and all(node.why_not(limits) for node in there):
            reasons = "\n".join(f"- {node.name}: {node.why_not(limits)}" for node in there)
            raise SandboxUnavailable(f"no node of the cluster can be used:\n{reasons}")
        await news.wait()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def spawn(self, work: Any) -> None:
        """Run a coroutine beside the trials, at most until the cluster is left."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
