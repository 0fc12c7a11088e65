"""What runs on a node: an actor that owns a pool of sandboxes there and does with them what it is told.

Nothing of the run is here but the sandboxes' limits and what the trials put into them: no model, no key.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import SandboxError
from assay.plugins.ray.facts import Facts, facts_here, why_refused
from assay.records import ExecResult, Limits, Standby
from assay.sandboxes.pool import Pool, open_pool


@dataclass(frozen=True)
class Order:
    """Which sandboxes a server is to have: of the backend `sandbox`, `places` of them open at once.

    `limits.gpus` is how many of the node's GPUs Ray has reserved, as a list of any numbers ("0,1": two);
    Ray says which.
    """

    sandbox: str
    limits: Limits
    places: int
    run_id: str


class SandboxServer:
    """One reserved share of a node: the cores (and GPUs) of one command, and a few sandboxes that take turns.

    For one event loop. What it raises are errors of assay/errors.py, and FileNotFoundError.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self._stack = contextlib.AsyncExitStack()
        self._limits = order.limits
        self._pools: dict[Standby | None, Pool] = {}
        self._opening = asyncio.Lock()
        self._turn = asyncio.Lock()  # one command at a time: that is what was reserved
        self._open: dict[int, Any] = {}  # sandboxes and terminals
        self._numbers = itertools.count(1)

    async def prepare(self, driver: Facts) -> Facts:
        """Find out whether sandboxes open here; none is tried if this is not what `driver` runs. A failure is
        a fact: it has to reach the user in words."""
        own = facts_here()
        if why_refused(own, driver):
            return own
        try:
            if self._limits.gpus:
                self._limits = replace(self._limits, gpus=_reserved_gpus())
            pool = await self._pool()
            sandbox = await pool.acquire()
            await sandbox.close()
            await pool.missing(())  # from here on it knows its image
        except SandboxError as error:
            await self._stack.aclose()
            return replace(own, failure=str(error))
        return replace(own, tier=pool.tier, identity=pool.identity)

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """See assay.sandboxes.pool.Pool.missing."""
        return await (await self._pool()).missing(requirements)

    async def open(self, standby: Standby | None, beside: bool) -> int:
        """A pristine sandbox's number, with `standby` started in it. `beside`: for a trial that has a sandbox
        here already; it waits for no place."""
        pool = await self._pool(standby)
        return self._keep(await (pool.acquire_beside() if beside else pool.acquire()))

    async def do(self, number: int, method: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of a sandbox or a terminal; of a program on a terminal its number."""
        if (found := self._open.get(number)) is None:
            raise SandboxError("the sandbox is closed")
        if method == "run":
            return await self._run(number, *arguments, **options)
        done = await getattr(found, method)(*arguments, **options)
        return self._keep(done) if method == "start" else done

    async def _run(self, number: int, *arguments: Any, **options: Any) -> ExecResult:
        came = time.monotonic()
        async with self._turn:
            queued = time.monotonic() - came
            if number not in self._open:  # meanwhile
                raise SandboxError("the sandbox is closed")
            ran: ExecResult = await self._open[number].run(*arguments, **options)
        return replace(ran, queued_seconds=queued + ran.queued_seconds)

    def _keep(self, opened: Any) -> int:
        number = next(self._numbers)
        self._open[number] = opened
        return number

    async def close(self, number: int) -> None:
        """Also while one of its commands runs, which then ends with a SandboxError that nobody reads."""
        if (found := self._open.pop(number, None)) is not None:
            await found.close()

    async def shut(self) -> None:
        """Close every sandbox, and open none any more."""
        self._open.clear()
        await self._stack.aclose()

    async def _pool(self, standby: Standby | None = None) -> Pool:
        async with self._opening:
            if standby not in self._pools:
                opened = open_pool(
                    self._order.sandbox,
                    limits=replace(self._limits, standby=standby),
                    max_open=self._order.places,
                    run_id=self._order.run_id,
                )
                self._pools[standby] = await self._stack.enter_async_context(opened)
            return self._pools[standby]


def _reserved_gpus() -> str:
    """The numbers of the GPUs that Ray has reserved for this process."""
    numbers = importlib.import_module("ray").get_gpu_ids()
    if not numbers:
        raise SandboxError("Ray reserved no GPU for this sandbox; start Ray on this node with --num-gpus")
    return ",".join(str(number) for number in numbers)
