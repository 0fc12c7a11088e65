"""A task that is cancelled ends: asyncio.wait_for of Python 3.11 may forget that it was, if what it waits for
comes in the same moment (https://github.com/python/cpython/issues/86296), and the task runs on for ever."""

import asyncio
import re
from pathlib import Path

import pytest

from testing.language.bridge.on_a_pty import Pty

ROOT = Path(__file__).resolve().parents[2]
WAITS = re.compile(r"\basyncio\.wait_for\(|^from asyncio import .*\bwait_for\b", re.MULTILINE)


@pytest.mark.parametrize("folder", ["assay", "bench", "tests"])
def test_time_limits_are_set_by_asyncio_timeout(folder):
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    found = [str(each.relative_to(ROOT)) for each in files if WAITS.search(each.read_text())]
    assert found == [], "use: async with asyncio.timeout(SECONDS)"


def test_a_reader_that_is_cancelled_while_a_line_comes_ends():
    async def work():
        terminal = await Pty().begin()
        try:
            assert (await terminal.read_until(b"\n")).matched  # the relay's first line; it says no more
            reading = asyncio.create_task(_read_on(terminal))
            await asyncio.sleep(0)
            terminal._unread += b"C 1\n"
            terminal._more.set()
            await asyncio.sleep(0)  # its wait has ended, and it was not yet told
            reading.cancel()
            return await asyncio.wait({reading}, timeout=5)
        finally:
            await terminal.close()

    ended, _ = asyncio.run(work())
    assert ended, "it reads on for ever"


async def _read_on(terminal):
    while True:
        await terminal.read_until(b"\n", time_limit_s=600)
