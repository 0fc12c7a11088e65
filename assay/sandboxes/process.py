"""
A child process beside an event loop, which can always be ended, whatever is cancelled meanwhile.

asyncio has its own, but its start can be cancelled half-way, and then it kills the process itself
and waits for it; and its waiting also waits for everyone who has inherited one of the pipes. A
bwrap that is killed before its child can leave just such an heir, and the wait never ends.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence

BUFFER = 1 << 20  # bytes of output; after twice as much the process has to wait


class Process:
    """Running once it is made (OSError if it cannot be started), with pipes to its stdin and from its stdout.

    Whoever makes one must `end` it; nothing is awaited before it is theirs.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int = subprocess.PIPE,
        stderr: int = subprocess.DEVNULL,
        pass_fds: Sequence[int] = (),
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> None:
        self._popen = subprocess.Popen(
            command,
            bufsize=0,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=pass_fds,
            env=env,
            cwd=cwd,
            start_new_session=True,  # Ctrl-C is for us; we end it in our own time
        )
        self._transports: list[asyncio.BaseTransport] = []

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs, negative for a signal."""
        return self._popen.poll()

    async def output(self) -> asyncio.StreamReader:
        """Its stdout. To be called once."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=BUFFER)
        transport, _ = await loop.connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), self._popen.stdout
        )
        self._transports.append(transport)
        return reader

    async def input(self) -> asyncio.StreamWriter:
        """Its stdin. To be called once."""
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), self._popen.stdin
        )
        self._transports.append(transport)
        return asyncio.StreamWriter(transport, protocol, None, loop)

    def hang_up(self) -> None:
        """Close its stdin and drop what was not yet written, to tell it that it may end."""
        for transport in self._transports:
            if isinstance(transport, asyncio.WriteTransport) and not transport.is_closing():
                transport.abort()
        if self._popen.stdin is not None:
            self._popen.stdin.close()

    def kill(self) -> None:
        """Send SIGKILL; nothing happens if it has ended."""
        self._popen.kill()

    async def wait(self) -> int:
        """Its exit code, negative for a signal, once it has ended."""
        if self._popen.poll() is None:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            fd = os.pidfd_open(self.pid)  # readable from its end on; nobody else collects it before us
            loop.add_reader(fd, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(fd)
                os.close(fd)
        return self._popen.wait()

    async def end(self) -> None:
        """Kill it if it still runs, wait until it is gone, and let go of the pipes, whoever else has them."""
        self.kill()
        await asyncio.shield(asyncio.ensure_future(self._reap()))

    async def _reap(self) -> None:
        await self.wait()
        for transport in self._transports:
            if not transport.is_closing():
                transport.abort() if isinstance(transport, asyncio.WriteTransport) else transport.close()
        for pipe in (self._popen.stdin, self._popen.stdout):
            if pipe is not None:
                pipe.close()
