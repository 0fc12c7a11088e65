"""The process outside whose pipes lead to a sandbox's agent, and the end of both, whatever is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import os
from abc import abstractmethod

from assay.errors import SandboxError
from assay.sandboxes.backends import container
from assay.sandboxes.client import AgentSandbox, Channel, connect
from assay.sandboxes.process import Process
from assay.sandboxes.wire import AgentSettings


async def connected(box: Box, settings: AgentSettings, tier: str) -> AgentSandbox:
    """The sandbox in `box`, once its agent has answered and is as it should be. Raises SandboxError."""
    try:
        await box.start()
        sandbox = await connect(box, settings, tier)
    except BaseException:
        await box.kill()
        raise
    try:
        await box.hold()
        box.check(sandbox)
    except BaseException:
        await sandbox.close()
        raise
    return sandbox


class Box(Channel):
    """One sandbox, as the host holds it."""

    patience_s = 10.0  # for the process outside to end by itself, once the agent has

    def __init__(self) -> None:
        self._process: Process | None = None
        self._first: container.ProcessHandle | None = None
        self._words, self._stderr = b"", -1
        self._killed: asyncio.Task[None] | None = None

    @abstractmethod
    async def spawn(self, stderr: int) -> Process:
        """Start the process outside. OSError if that fails."""

    @abstractmethod
    async def find_first(self) -> container.ProcessHandle | None:
        """The sandbox's first process, which ends everything in it; None if it is not ours to see."""

    async def remove(self, process: Process) -> None:
        """Remove what the process outside may have left of the sandbox after it failed. It may still be
        running, and is killed next."""

    @abstractmethod
    async def release(self) -> None:
        """Release what was acquired for the sandbox; its processes are gone."""

    def check(self, sandbox: AgentSandbox) -> None:
        """Raises SandboxError unless the agent is closed off as it should be."""
        container.check_agent(sandbox)

    async def start(self) -> None:
        self._stderr, err_end = os.pipe()
        os.set_blocking(self._stderr, False)
        try:
            self._process = await self.spawn(err_end)
        except OSError as error:
            raise SandboxError(f"cannot start a sandbox: {error}") from None
        finally:
            os.close(err_end)
        self.reader, self.writer = await self._process.output(), await self._process.input()

    async def hold(self) -> None:
        """Get a handle of the first process."""
        self._first = await self.find_first()
        if self._first is not None:
            self.pid, self.cgroups = self._first.pid, self._first.cgroups

    def diagnose(self) -> str:
        with contextlib.suppress(OSError):
            self._words += os.read(self._stderr, 1 << 16)
        return self._words[-4000:].decode("utf-8", "replace")

    async def kill(self) -> None:
        if self._killed is None:
            self.end()
            self._killed = asyncio.ensure_future(self._reap())
        await asyncio.shield(self._killed)

    def end(self) -> None:
        """Kill what is inside, at once if that can be."""
        if self._first is not None:
            self._first.kill()

    async def _reap(self) -> None:
        if (process := self._process) is not None:
            # Not yet open: the agent ends when nobody talks to it. A client that is killed after making the
            # container and before starting it leaves its monitor and runtime, where no rm finds them.
            process.hang_up()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.patience_s):
                    await process.wait()  # an engine's client removes the container
            code = process.returncode
            if code is None or (code != 0 and self._first is None):
                await self.remove(process)
            await process.end()
        if self._first is not None:
            self._first.close()
        self.diagnose()
        if self._stderr >= 0:
            os.close(self._stderr)
            self._stderr = -1
        await self.release()
