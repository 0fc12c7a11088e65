"""The code on a node: an actor that owns a pool of sandboxes and carries out calls on them.

Nothing else of the run is here, neither models nor keys: only the sandboxes' limits and what the trials put
into them.
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
    """The sandboxes that a server provides: of the backend `sandbox`, `places` of them open at once.

    `limits.gpus` is as many of the node's GPUs as Ray has reserved, as a list of arbitrary numbers ("0,1":
    two); Ray decides which ones.
    """

    sandbox: str
    limits: Limits
    places: int
    run_id: str


class SandboxServer:
    """One reserved share of a node: the cores (and GPUs) of one command, and a few sandboxes that take turns.

    For one event loop. It raises errors of assay/errors.py and FileNotFoundError.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self._stack = contextlib.AsyncExitStack()
        self._limits = order.limits
        self._pools: dict[Standby | None, Pool] = {}
        self._opening = asyncio.Lock()
        self._turn = asyncio.Lock()  # after one that nobody waits for any more
        self._open: dict[int, Any] = {}  # sandboxes and terminals
        self._numbers = itertools.count(1)

    async def prepare(self, driver: Facts) -> Facts:
        """Find out whether sandboxes open here; none is tried if the code differs from the `driver`'s. A
        failure is returned as a fact, because it has to reach the user as text."""
        own = facts_here()
        if why_refused(own, driver):
            return own
        try:
            if self._limits.gpus:
                self._limits = replace(self._limits, gpus=_reserved_gpus())
            pool = await self._pool()
            sandbox = await pool.acquire()
            await sandbox.close()
            await pool.missing(())  # the pool knows its image after this
        except SandboxError as error:
            await self._stack.aclose()
            return replace(own, failure=str(error))
        return replace(own, tier=pool.tier, identity=pool.identity)

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """See assay.sandboxes.pool.Pool.missing."""
        return await (await self._pool()).missing(requirements)

    async def open(self, standby: Standby | None, beside: bool) -> int:
        """The number of a pristine sandbox, with `standby` started in it. `beside`: for a trial that already
        has a sandbox here; it waits for no place."""
        pool = await self._pool(standby)
        return self._keep(await (pool.acquire_beside() if beside else pool.acquire()))

    async def do(self, number: int, method: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of a sandbox or terminal. A started terminal is returned as its number."""
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
            if number not in self._open:  # closed meanwhile
                raise SandboxError("the sandbox is closed")
            ran: ExecResult = await self._open[number].run(*arguments, **options)
        return replace(ran, queued_seconds=queued + ran.queued_seconds)

    def _keep(self, opened: Any) -> int:
        number = next(self._numbers)
        self._open[number] = opened
        return number

    async def close(self, number: int) -> None:
        """Close a sandbox, even while a command runs, which then ends with a SandboxError that nobody
        reads."""
        if (found := self._open.pop(number, None)) is not None:
            await found.close()

    async def shut(self) -> None:
        """Close every sandbox, and open no more."""
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
