"""The driver's end: sandboxes of other machines that look like those of this one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Unpack

from assay.errors import SandboxError
from assay.records import ExecResult, RunOptions, TerminalOutput

Ask = Callable[..., Awaitable[Any]]  # a method of SandboxServer by its name; raises NodeLost


class RemoteSandbox:
    """A `records.Sandbox` on a node. `close` is called with nobody waiting for its outcome."""

    def __init__(self, ask: Ask, number: int, tier: str, give_back: Callable[[], None]) -> None:
        self._ask, self._number, self._tier, self._give_back = ask, number, tier, give_back
        self._closed = False

    @property
    def tier(self) -> str:
        return self._tier

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        plain = {name: dict(each) if isinstance(each, Mapping) else each for name, each in options.items()}
        done: ExecResult = await self._ask("run", self._number, list(argv), plain)
        return done

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> RemoteTerminal:
        name = await self._ask("start", self._number, list(argv), dict(files), dict(env))
        return RemoteTerminal(self._ask, name)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        data: bytes = await self._ask("read_file", self._number, path, max_bytes)
        return data

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        data: bytes = await self._ask("pack", self._number, list(only))
        return data

    async def unpack(self, data: bytes) -> None:
        await self._ask("unpack", self._number, data)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._ask("close", self._number)
        except SandboxError:
            return  # it went with its node
        finally:
            self._give_back()


class RemoteTerminal:
    """A `records.Terminal` on a node."""

    def __init__(self, ask: Ask, name: int) -> None:
        self._ask, self._name = ask, name

    async def send(self, data: bytes) -> None:
        await self._ask("send", self._name, data)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        said: TerminalOutput = await self._ask("read_until", self._name, marker, time_limit_s)
        return said

    async def close(self) -> None:
        try:
            await self._ask("end", self._name)
        except SandboxError:
            return
