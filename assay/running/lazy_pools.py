"""Sandbox pools that open when the first test needs one: many runs need none."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

from assay.config import Config
from assay.errors import SandboxError
from assay.records import Limits, Sandbox
from assay.running.trial import SandboxPool
from assay.suites.sample import Sample

Opener = Callable[[Limits], contextlib.AbstractAsyncContextManager[SandboxPool]]


class LazyPool:
    """A stand-in for the pool that `open_pool` opens. If that fails, it fails in the same way for every
    trial, without another try."""

    def __init__(self, open_pool: Opener, limits: Limits, trials: Callable[[], int] | None = None) -> None:
        """`trials`: how many may still want a sandbox."""
        self._open_pool, self._trials = open_pool, trials
        self._limits = limits
        self._pool: SandboxPool | None = None
        self._failure: SandboxError | None = None
        self._stack = contextlib.AsyncExitStack()
        self._opening = asyncio.Lock()

    async def pool(self) -> SandboxPool:
        """The pool itself. Raises SandboxUnavailable, saying what to install."""
        async with self._opening:
            if self._failure is not None:
                raise type(self._failure)(*self._failure.args)
            if self._pool is None:
                try:
                    self._pool = await self._stack.enter_async_context(self._open_pool(self._limits))
                except SandboxError as error:
                    self._failure = error
                    raise
                expect = getattr(self._pool, "expect", None)
                if self._trials is not None and expect is not None:
                    expect(self._trials)
            return self._pool

    @property
    def tier(self) -> str:
        return self._pool.tier if self._pool is not None else ""

    @property
    def limited(self) -> bool:
        """Whether the kernel enforces the limits, once known."""
        return getattr(self._pool, "limited", True)

    @property
    def isolated(self) -> bool:
        """Whether programs are isolated from the host's files, once known."""
        return bool(getattr(self._pool, "isolated", False))

    @property
    def identity(self) -> str:
        return self._pool.identity if self._pool is not None else ""

    @property
    def limits(self) -> Limits:
        return self._pool.limits if self._pool is not None else self._limits

    @property
    def browser(self) -> contextlib.AbstractAsyncContextManager[Any]:
        return self._browser()

    @contextlib.asynccontextmanager
    async def _browser(self) -> Any:
        async with (await self.pool()).browser as page:
            yield page

    async def acquire(self) -> Sandbox:
        return await (await self.pool()).acquire()

    async def acquire_beside(self) -> Sandbox:
        return await (await self.pool()).acquire_beside()

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        return await (await self.pool()).missing(requirements)

    async def contents(self) -> dict[str, str]:
        """The contents of the sandboxes, if the pool can tell (assay.sandboxes.pool.Pool.contents)."""
        asked = getattr(await self.pool(), "contents", None)
        return await asked() if asked is not None else {}

    async def __aenter__(self) -> LazyPool:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()


class LazyPools:
    """One pool for each set of limits: a suite may give its samples more than the others get."""

    def __init__(self, open_pool: Opener, config: Config, trials: Callable[[], int] | None = None) -> None:
        """`trials`: how many may still want a sandbox."""
        self._open_pool, self._trials = open_pool, trials
        self._config = config
        self._pools: dict[Limits, LazyPool] = {}

    def for_sample(self, sample: Sample) -> LazyPool:
        limits = sample.limits_in(self._config)
        if sample.standby is not None:
            limits = replace(limits, standby=sample.standby)
        if limits not in self._pools:
            self._pools[limits] = LazyPool(self._open_pool, limits, self._trials)
        return self._pools[limits]

    async def __aenter__(self) -> LazyPools:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with contextlib.AsyncExitStack() as stack:
            for pool in self._pools.values():
                stack.push_async_exit(pool)
