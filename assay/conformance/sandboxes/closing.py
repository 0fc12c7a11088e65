"""A sandbox leaves nothing behind, however it ends."""

from __future__ import annotations

import asyncio
import time

from assay.conformance.sandboxes.suite import in_time, processes_with, raises
from assay.errors import SandboxError
from assay.records import Sandbox
from assay.sandboxes.backends.registry import Backend


def what_killed_runs_left_is_counted(backend: Backend) -> None:
    count = asyncio.run(backend.remove_leftovers())
    assert isinstance(count, int)


def the_image_has_a_digest_or_none(backend: Backend) -> None:
    digest = asyncio.run(backend.image_id())
    assert isinstance(digest, str)


async def close_may_be_called_twice_and_ends_everything(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["sleep", "31415"])
    await sandbox.close()
    await sandbox.close()
    with raises(SandboxError):
        await sandbox.run(["true"])
    with raises(SandboxError):
        await sandbox.start(["true"])
    with raises(SandboxError):
        await sandbox.read_file("x")
    with raises(SandboxError):
        await terminal.read_until(b"x")
    await terminal.close()
    left = processes_with("31415")
    assert not left, "a process is left"


async def closing_while_a_command_runs_tells_who_waits(sandbox: Sandbox) -> None:
    running = asyncio.create_task(sandbox.run(["sleep", "27182"]))
    await asyncio.sleep(0.2)
    started = time.monotonic()
    await sandbox.close()
    with raises(SandboxError):
        await running
    in_time(time.monotonic() - started, 5)
    left = processes_with("27182")
    assert not left, "a process is left"


async def cancelling_a_command_leaves_nothing(sandbox: Sandbox) -> None:
    with raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await sandbox.run(["sh", "-c", "sleep 16180 & sleep 16180"])
    with raises(SandboxError):
        await sandbox.run(["true"])
    await sandbox.close()
    left = processes_with("16180")
    assert not left, "a process is left"
