"""A container by an engine's command line: its client is attached to the agent, pipes are the way in."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes import container
from assay.sandboxes.client import AgentSandbox, Channel, connect
from assay.sandboxes.process import Process
from assay.sandboxes.wire import agent_command


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
    box = _Box(engine, name, account)
    try:
        channel = await box.start(options, image, pidfile_option)
        sandbox = await connect(channel, container.settings(limits, limited, account, image), tier)
    except BaseException:
        await box.kill()
        raise
    try:
        box.hold(channel)
        container.check_agent(sandbox)
    except BaseException:
        await sandbox.close()
        raise
    return sandbox


class _Box:
    """One container: the client that is attached to it, and how to end it."""

    def __init__(self, engine: Sequence[str], name: str, account: container.Account) -> None:
        self._engine, self._name, self._account = tuple(engine), name, account
        self._folder = Path(tempfile.mkdtemp(prefix=f"{name}."))
        self._client: Process | None = None
        self._first: container.ProcessHandle | None = None
        self._words, self._stderr = b"", -1
        self._killed: asyncio.Task[None] | None = None

    async def start(self, options: Sequence[str], image: str, pidfile_option: str) -> Channel:
        self._stderr, err_end = os.pipe()
        os.set_blocking(self._stderr, False)
        pidfile = [f"{pidfile_option}={self._folder}/pid"] if pidfile_option else []
        try:
            mounts = [f"--volume={mount}" for mount in self._account.mounts]
            command = [
                *self._engine,
                "run",
                *options,
                *mounts,
                *pidfile,
                image,
                *agent_command("/usr/bin/python3"),
            ]
            # There, podman's monitor leaves a file named oom when the kernel has killed for memory.
            self._client = Process(command, stderr=err_end, cwd=str(self._folder))
        except OSError as error:
            raise SandboxError(f"cannot start {self._engine[0]}: {error}") from None
        finally:
            os.close(err_end)
        reader, writer = await self._client.output(), await self._client.input()
        return Channel(reader, writer, self.kill, self._diagnose)

    def hold(self, channel: Channel) -> None:
        """Take hold of the container's first process, which ends everything in it."""
        self._first = container.handle(self._folder / "pid")
        if self._first is not None:
            first = self._first
            channel.hurry, channel.make_room, channel.stood = (
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
            self._killed = asyncio.ensure_future(self._bury())
        await asyncio.shield(self._killed)

    async def _bury(self) -> None:
        if self._client is not None:
            # Not yet open: the agent ends when nobody talks to it. A client that is killed after making the
            # container and before starting it leaves its monitor and runtime, where no rm finds them.
            self._client.hang_up()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await self._client.wait()  # its --rm removes the container
            code = self._client.returncode
            if code is None or (code != 0 and self._first is None):
                self._client.kill()
                await call((*self._engine, "rm", "--force", self._name), 30)
            await self._client.end()
        if self._first is not None:
            self._first.close()
        self._diagnose()
        if self._stderr >= 0:
            os.close(self._stderr)
            self._stderr = -1
        shutil.rmtree(self._folder, ignore_errors=True)
        self._account.close()


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
