"""A container by an engine's command line: its client is attached to the agent, pipes are the way in."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.backends import container
from assay.sandboxes.client import AgentSandbox, Channel, connect
from assay.sandboxes.process import Process
from assay.sandboxes.wire import AgentSettings, agent_command


async def open_by_command(
    engine: Sequence[str],
    options: Sequence[str],
    image: str,
    name: str,
    limits: Limits,
    limited: bool,
    account: container.Account,
    tier: str,
    pidfile_option: str = "",
) -> AgentSandbox:
    """A sandbox in a container that `engine` (podman or docker, with global options) runs.

    `account` is closed with it. `pidfile_option`: with which it writes down the container's first process.
    Raises SandboxError.
    """
    box = _EngineBox(engine, options, image, name, account, pidfile_option)
    return await connected(box, container.settings(limits, limited, account, image), tier)


async def connected(box: Box, settings: AgentSettings, tier: str) -> AgentSandbox:
    """The sandbox in `box`, once its agent has answered and is as it should be. Raises SandboxError."""
    try:
        channel = await box.start()
        sandbox = await connect(channel, settings, tier)
    except BaseException:
        await box.kill()
        raise
    try:
        await box.hold(channel)
        container.check_agent(sandbox)
    except BaseException:
        await sandbox.close()
        raise
    return sandbox


class Box(ABC):
    """One container: the process outside whose pipes lead to its agent, and how to end both."""

    def __init__(self, account: container.Account) -> None:
        self._account = account
        self._client: Process | None = None
        self._first: container.ProcessHandle | None = None
        self._words, self._stderr = b"", -1
        self._killed: asyncio.Task[None] | None = None

    @abstractmethod
    async def spawn(self, stderr: int) -> None:
        """Start `_client`. OSError if that fails."""

    @abstractmethod
    def pidfile(self, client: Process) -> Path:
        """Where it has written down the container's first process."""

    @abstractmethod
    async def remove(self, client: Process) -> None:
        """Remove what the client, which has not ended well, may have left of the container. It may still run,
        and is killed next."""

    @abstractmethod
    async def release(self) -> None:
        """Let go of what was taken for the container; its processes are gone."""

    async def start(self) -> Channel:
        self._stderr, err_end = os.pipe()
        os.set_blocking(self._stderr, False)
        try:
            await self.spawn(err_end)
        except OSError as error:
            raise SandboxError(f"cannot start a container: {error}") from None
        finally:
            os.close(err_end)
        assert self._client is not None
        reader, writer = await self._client.output(), await self._client.input()
        return Channel(reader, writer, self.kill, self._diagnose)

    async def hold(self, channel: Channel) -> None:
        """Take hold of the container's first process, which ends everything in it."""
        assert self._client is not None
        self._first = container.handle(self.pidfile(self._client))
        if self._first is not None:
            first = self._first
            channel.lift_cpu_limit, channel.make_room, channel.stood = (
                first.lift_cpu_limit,
                first.make_room,
                first.stood,
            )

    def _diagnose(self) -> str:
        with contextlib.suppress(OSError):
            self._words += os.read(self._stderr, 1 << 16)
        return self._words[-4000:].decode("utf-8", "replace")

    async def kill(self) -> None:
        if self._killed is None:
            if self._first is not None:
                self._first.kill()
            self._killed = asyncio.ensure_future(self._reap())
        await asyncio.shield(self._killed)

    async def _reap(self) -> None:
        client = self._client
        if client is not None:
            # Not yet open: the agent ends when nobody talks to it. A client that is killed after making the
            # container and before starting it leaves its monitor and runtime, where no rm finds them.
            client.hang_up()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await client.wait()  # it removes the container
            code = client.returncode
            if code is None or (code != 0 and self._first is None):
                await self.remove(client)
            await client.end()
        if self._first is not None:
            self._first.close()
        self._diagnose()
        if self._stderr >= 0:
            os.close(self._stderr)
            self._stderr = -1
        await self.release()
        self._account.close()


class _EngineBox(Box):
    """A container that the engine's own client starts."""

    def __init__(
        self,
        engine: Sequence[str],
        options: Sequence[str],
        image: str,
        name: str,
        account: container.Account,
        pidfile_option: str,
    ) -> None:
        super().__init__(account)
        self._engine, self._name = tuple(engine), name
        self._folder = Path(tempfile.mkdtemp(prefix=f"{name}."))
        mounts = [f"--volume={mount}" for mount in account.mounts()]
        pidfile = [f"{pidfile_option}={self._folder}/pid"] if pidfile_option else []
        agent = agent_command("/usr/bin/python3")
        self._command = (*self._engine, "run", *options, *mounts, *pidfile, image, *agent)

    async def spawn(self, stderr: int) -> None:
        # There, podman's monitor leaves a file named oom when the kernel has killed for memory.
        self._client = Process(self._command, stderr=stderr, cwd=str(self._folder))

    def pidfile(self, client: Process) -> Path:
        return self._folder / "pid"

    async def remove(self, client: Process) -> None:
        client.kill()
        await call((*self._engine, "rm", "--force", self._name), 30)

    async def release(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


async def call(command: tuple[str, ...], limit_s: float) -> tuple[int, str]:
    """Run a command of the engine: exit code and output, errors included; -1 for a time-out."""
    process = Process(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    try:
        async with asyncio.timeout(limit_s):
            out = await (await process.output()).read()
            code = await process.wait()
    except TimeoutError:
        return -1, f"{' '.join(command[:3])} took more than {limit_s:g} s"
    finally:
        await process.end()
    return code, out.decode("utf-8", "replace")
