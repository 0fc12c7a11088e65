"""The relay on this machine instead of in a sandbox, so that real SDKs can ask it."""

import asyncio
import contextlib
import os
import pty
import sys
from importlib.resources import files

from assay.language.bridge.server import Bridge
from assay.records import TerminalOutput

RELAY = str(files("assay.language.bridge").joinpath("relay.py"))


class Pty:
    """A `records.Terminal`."""

    def __init__(self):
        self._unread, self._more, self._over = bytearray(), asyncio.Event(), False

    async def begin(self):
        self._fd, slave = pty.openpty()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, RELAY, stdin=slave, stdout=slave, start_new_session=True
        )
        os.close(slave)
        asyncio.get_running_loop().add_reader(self._fd, self._take)
        return self

    def _take(self):
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""
        if not data:
            self._over = True
            asyncio.get_running_loop().remove_reader(self._fd)
        self._unread += data
        self._more.set()

    async def send(self, data):
        while data:
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._fd, data[:1024]) :]
            await asyncio.sleep(0)

    async def read_until(self, marker, *, time_limit_s=20.0):
        while (at := self._unread.find(marker)) < 0:
            if self._over:
                return TerminalOutput(bytes(self._unread), ended=True)
            self._more.clear()
            async with asyncio.timeout(time_limit_s):
                await self._more.wait()
        found = bytes(self._unread[: at + len(marker)])
        del self._unread[: at + len(marker)]
        return TerminalOutput(found, matched=True)

    async def close(self):
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        if not self._over:
            asyncio.get_running_loop().remove_reader(self._fd)
        os.close(self._fd)


@contextlib.asynccontextmanager
async def bridged(answer):
    """The address of a relay whose calls `answer` answers, and its bridge."""
    terminal = await Pty().begin()
    try:
        bridge = Bridge(terminal, answer, "openai/gpt-test")
        serving = asyncio.create_task(bridge.serve())
        try:
            yield f"http://127.0.0.1:{await bridge.port()}", bridge, serving
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
    finally:
        await terminal.close()
