"""What runs on a node: an actor that owns a pool of sandboxes there and does with them what it is told.

Nothing of the run is here but the sandboxes' limits and what the trials put into them: no model, no key.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.errors import SandboxError
from assay.plugins.ray.facts import Facts, facts_here, why_refused
from assay.records import ExecResult, Limits, RunOptions, Sandbox, Standby, Terminal, TerminalOutput
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
        self._sandboxes: dict[int, Sandbox] = {}
        self._terminals: dict[int, Terminal] = {}
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

    async def open(self, standby: Standby | None) -> int:
        """A pristine sandbox's number, with `standby` started in it."""
        sandbox = await (await self._pool(standby)).acquire()
        number = next(self._numbers)
        self._sandboxes[number] = sandbox
        return number

    async def open_beside(self, standby: Standby | None) -> int:
        """As `open`, for a trial that has a sandbox here already: it waits for no place."""
        sandbox = await (await self._pool(standby)).acquire_beside()
        number = next(self._numbers)
        self._sandboxes[number] = sandbox
        return number

    async def run(self, number: int, argv: Sequence[str], options: RunOptions) -> ExecResult:
        came = time.monotonic()
        async with self._turn:
            queued = time.monotonic() - came
            ran = await self._sandbox(number).run(argv, **options)
        return replace(ran, queued_seconds=queued + ran.queued_seconds)

    async def start(
        self, number: int, argv: Sequence[str], files: Mapping[str, bytes], env: Mapping[str, str]
    ) -> int:
        """The number of a program on a terminal."""
        terminal = await self._sandbox(number).start(argv, files=files, env=env)
        name = next(self._numbers)
        self._terminals[name] = terminal
        return name

    async def send(self, terminal: int, data: bytes) -> None:
        await self._terminals[terminal].send(data)

    async def read_until(self, terminal: int, marker: bytes, time_limit_s: float) -> TerminalOutput:
        return await self._terminals[terminal].read_until(marker, time_limit_s=time_limit_s)

    async def end(self, terminal: int) -> None:
        if (found := self._terminals.pop(terminal, None)) is not None:
            await found.close()

    async def read_file(self, number: int, path: str, max_bytes: int) -> bytes:
        return await self._sandbox(number).read_file(path, max_bytes=max_bytes)

    async def pack(self, number: int, only: Sequence[str]) -> bytes:
        return await self._sandbox(number).pack(only)

    async def unpack(self, number: int, data: bytes) -> None:
        await self._sandbox(number).unpack(data)

    async def close(self, number: int) -> None:
        """Also while one of its commands runs, which then ends with a SandboxError that nobody reads."""
        if (sandbox := self._sandboxes.pop(number, None)) is not None:
            await sandbox.close()

    async def shut(self) -> None:
        """Close every sandbox, and open none any more."""
        self._sandboxes.clear()
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

    def _sandbox(self, number: int) -> Sandbox:
        if number not in self._sandboxes:
            raise SandboxError("the sandbox is closed")
        return self._sandboxes[number]


def _reserved_gpus() -> str:
    """The numbers of the GPUs that Ray has reserved for this process."""
    numbers = importlib.import_module("ray").get_gpu_ids()
    if not numbers:
        raise SandboxError("Ray reserved no GPU for this sandbox; start Ray on this node with --num-gpus")
    return ",".join(str(number) for number in numbers)
