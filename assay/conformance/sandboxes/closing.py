"""A sandbox leaves nothing behind, however it ends."""

from __future__ import annotations

import asyncio
import time

from assay.conformance.sandboxes.suite import processes_with, raises
from assay.errors import SandboxError
from assay.records import Sandbox


async def close_may_be_called_twice_and_ends_everything(sandbox: Sandbox) -> None:
    terminal = await sandbox.start(["sleep", "31415"])
    await sandbox.close()
    await sandbox.close()
    for attempt in (
        sandbox.run(["true"]),
        sandbox.start(["true"]),
        sandbox.read_file("x"),
        terminal.read_until(b"x"),
    ):
        with raises(SandboxError, match="closed"):
            await attempt
    await terminal.close()
    assert not processes_with("31415")


async def closing_while_a_command_runs_tells_who_waits(sandbox: Sandbox) -> None:
    running = asyncio.create_task(sandbox.run(["sleep", "27182"]))
    await asyncio.sleep(0.2)
    started = time.monotonic()
    await sandbox.close()
    with raises(SandboxError):
        await running
    assert time.monotonic() - started < 5
    assert not processes_with("27182")


async def cancelling_a_command_leaves_nothing(sandbox: Sandbox) -> None:
    with raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await sandbox.run(["sh", "-c", "sleep 16180 & sleep 16180"])
    with raises(SandboxError, match="cancelled"):
        await sandbox.run(["true"])
    await sandbox.close()
    assert not processes_with("16180")
