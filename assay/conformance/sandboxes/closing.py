"""However a sandbox ends, nothing of it is left."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from assay.conformance.sandboxes.suite import raises
from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.backends.registry import Backend


def close_may_be_called_twice_and_ends_everything(backend: Backend) -> None:
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
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

    asyncio.run(main())
    assert not processes_with("31415")


def closing_while_a_command_runs_tells_who_waits(backend: Backend) -> None:
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
        running = asyncio.create_task(sandbox.run(["sleep", "27182"]))
        await asyncio.sleep(0.2)
        started = time.monotonic()
        await sandbox.close()
        with raises(SandboxError):
            await running
        assert time.monotonic() - started < 5

    asyncio.run(main())
    assert not processes_with("27182")


def cancelling_a_command_leaves_nothing(backend: Backend) -> None:
    async def main() -> None:
        sandbox = await backend.open(Limits(), "conformance")
        try:
            with raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await sandbox.run(["sh", "-c", "sleep 16180 & sleep 16180"])
            with raises(SandboxError, match="cancelled"):
                await sandbox.run(["true"])
        finally:
            await sandbox.close()

    asyncio.run(main())
    assert not processes_with("16180")


def processes_with(word: str) -> list[str]:
    """The command lines on this machine that have `word` as an argument."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            argv = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if word in argv:
            found.append(" ".join(argv))
    return found
