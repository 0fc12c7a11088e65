"""A child process can be cancelled, ended and waited for at any moment, whoever has inherited its pipes."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from assay.sandboxes.backends.engine import call
from assay.sandboxes.process import Process

HEIR = "echo up; sleep 20 & echo $! > heir; wait"  # a second process that holds the pipes


@pytest.mark.parametrize("steps", range(8))
def test_cancelling_at_any_step_of_a_start_ends_it_at_once(steps, tmp_path):
    """With asyncio's own start, some of these steps hang for as long as the heir lives."""

    async def main() -> float:
        running = asyncio.create_task(call(("sh", "-c", f"cd {tmp_path}; {HEIR}"), 30))
        for _ in range(steps):
            await asyncio.sleep(0)
        running.cancel()
        started = time.monotonic()
        await asyncio.wait([running], timeout=5)
        assert running.cancelled()
        return time.monotonic() - started

    try:
        assert asyncio.run(main()) < 1
    finally:
        _end_heir(tmp_path)


def _end_heir(folder: Path) -> None:
    heir = folder / "heir"
    if heir.exists() and heir.read_text().strip():
        os.kill(int(heir.read_text()), 9)


def test_a_process_takes_and_gives_bytes_and_tells_its_exit_code():
    async def main() -> tuple[bytes, int]:
        process = Process(["sh", "-c", "cat; exit 7"])
        writer, reader = await process.input(), await process.output()
        writer.write(bytes(range(256)) * 1000)
        writer.close()
        data = await reader.read()
        code = await process.wait()
        await process.end()
        assert process.returncode == code
        return data, code

    assert asyncio.run(main()) == (bytes(range(256)) * 1000, 7)


def test_one_that_writes_more_than_anyone_reads_can_be_ended():
    """asyncio's own is waited for until its output has been read."""

    async def main() -> tuple[float, int | None]:
        process = Process(["yes"])
        await process.output()
        await asyncio.sleep(0.3)
        started = time.monotonic()
        async with asyncio.timeout(5):
            await process.end()
            await process.end()
        return time.monotonic() - started, process.returncode

    seconds, code = asyncio.run(main())
    assert seconds < 1 and code == -9


def test_many_can_wait_for_one_and_none_keeps_a_descriptor():
    async def main() -> None:
        process = Process(["sleep", "0.1"], stdin=subprocess.DEVNULL)
        assert await asyncio.gather(*(process.wait() for _ in range(3))) == [0, 0, 0]
        await process.end()

    asyncio.run(main())
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208
    asyncio.run(main())
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_command_over_its_limit_is_killed_and_says_so():
    code, words = asyncio.run(call(("sleep", "20"), 0.2))
    assert code == -1 and "more than 0.2 s" in words


def test_a_commands_errors_are_part_of_what_it_says():
    assert asyncio.run(call(("sh", "-c", "echo out; echo err >&2; exit 3"), 10)) == (3, "out\nerr\n")
