"""The driver's side: sandboxes on other machines that behave like local ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Unpack

from assay.errors import SandboxError
from assay.records import ExecResult, RunOptions
from assay.trial_clock import put_off

Ask = Callable[..., Awaitable[Any]]  # calls a method of SandboxServer by name; raises NodeLost


class Remote:
    """An object with a number on a node. `close` is called without awaiting its outcome."""

    def __init__(self, ask: Ask, number: int) -> None:
        self._ask, self._number = ask, number

    async def _do(self, method: str, *arguments: Any, **options: Any) -> Any:
        """Call the object's `method` there; arguments are sent as plain dicts."""
        plain = {name: dict(each) if isinstance(each, Mapping) else each for name, each in options.items()}
        return await self._ask("do", self._number, method, *arguments, **plain)

    async def close(self) -> None:
        try:
            await self._ask("close", self._number)
        except SandboxError:
            return  # it was lost with its node


def _there(method: str) -> Any:
    """A method that is called on the node."""

    async def call(self: Remote, *arguments: Any, **options: Any) -> Any:
        return await self._do(method, *arguments, **options)

    return call


class RemoteSandbox(Remote):
    """A `records.Sandbox` on a node."""

    def __init__(self, ask: Ask, number: int, tier: str, give_back: Callable[[], None]) -> None:
        super().__init__(ask, number)
        self._tier, self._give_back = tier, give_back
        self._closed = False

    @property
    def tier(self) -> str:
        return self._tier

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        done: ExecResult = await self._do("run", list(argv), **options)
        put_off(done.queued_seconds)
        return done

    async def start(self, argv: Sequence[str], **options: Any) -> RemoteTerminal:
        return RemoteTerminal(self._ask, await self._do("start", list(argv), **options))

    read_file, pack, unpack = _there("read_file"), _there("pack"), _there("unpack")

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await super().close()
        finally:
            self._give_back()


class RemoteTerminal(Remote):
    """A `records.Terminal` on a node."""

    send, read_until = _there("send"), _there("read_until")
