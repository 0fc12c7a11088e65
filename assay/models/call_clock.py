"""How long one attempt of a call may take."""

from __future__ import annotations

import asyncio
from types import TracebackType

from assay.models.provider import ProviderSettings


class CallClock:
    """`timeout_s` for the whole reply; once it comes as a stream, for each silence in it, and
    `total_timeout_s` for all of it. Raises TimeoutError out of the block that it is around; `why` then says
    which it was."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self.streams = False

    async def __aenter__(self) -> CallClock:
        self._loop = asyncio.get_running_loop()
        began = self._loop.time()
        self._latest = began + max(self._settings.total_timeout_s, self._settings.timeout_s)
        self._timeout = asyncio.timeout_at(began + self._settings.timeout_s)
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._timeout.__aexit__(kind, error, trace)

    def heard(self) -> None:
        """A part of a stream came."""
        self.streams = True
        if not self._timeout.expired():
            self._timeout.reschedule(min(self._loop.time() + self._settings.timeout_s, self._latest))

    @property
    def over(self) -> bool:
        """Whether the time was up."""
        return self._timeout.expired()

    @property
    def why(self) -> str:
        """After the time is up."""
        if not self.streams:
            return f"no complete reply within {self._settings.timeout_s:g} s (timeout_s)"
        if self._loop.time() >= self._latest:
            return f"the stream did not end within {self._settings.total_timeout_s:g} s (total_timeout_s)"
        return f"the stream was silent for {self._settings.timeout_s:g} s (timeout_s)"
