"""The time limit of a trial. It stands still while the trial waits in a queue of ours: for a sandbox, for a
core, for a connection, for a batch."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar, Token
from types import TracebackType


class TrialClock:
    """`async with` it around the trial; TimeoutError once the limit is over.

    What the trial does finds it by `standing_still`. Of several waits at the same time, it goes on after the
    last. So a queue must be one that ends by itself: who is before the trial in it has limits too.
    """

    def __init__(self, limit_s: float) -> None:
        self._timeout = asyncio.timeout(limit_s)
        self._waits, self._left, self._over = 0, 0.0, False
        self._stood = 0.0  # seconds; less the time at which a wait under way began
        self.held = 0.0  # seconds of `holding_all`

    async def __aenter__(self) -> TrialClock:
        self._loop = asyncio.get_running_loop()
        await self._timeout.__aenter__()
        self._token: Token[TrialClock | None] = _CLOCK.set(self)
        self._thread = threading.get_ident()
        _UNDER_WAY.add(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        _UNDER_WAY.discard(self)
        _CLOCK.reset(self._token)
        await self._timeout.__aexit__(kind, error, trace)

    def expired(self) -> bool:
        return self._timeout.expired()

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        now = self._loop.time()
        self._waits += 1
        if self._waits == 1:
            self._stood -= now
            if (when := self._when()) is not None:
                self._left = when - now
                self._timeout.reschedule(None)
        try:
            yield
        finally:
            now = self._loop.time()
            self._waits -= 1
            if not self._waits:
                self._stood += now
                if not self._over and self._timeout.when() is None:
                    self._timeout.reschedule(now + self._left)

    def stood(self) -> float:
        return self._stood + (self._loop.time() if self._waits else 0.0)

    def put_off(self, seconds: float) -> None:
        if (when := self._when()) is not None:
            self._timeout.reschedule(when + seconds)
        else:
            self._left += seconds

    def hold(self, seconds: float) -> None:
        """Leave out a time in which the thread did nothing for the trial, if no wait does so anyway."""
        if self._thread == threading.get_ident() and not self._waits:
            self.held += seconds
            self.put_off(seconds)

    def _when(self) -> float | None:
        """When the limit ends; None if it is over, or stands still."""
        return None if self._over or self._timeout.expired() else self._timeout.when()


_CLOCK: ContextVar[TrialClock | None] = ContextVar("trial clock", default=None)
_UNDER_WAY = set[TrialClock]()


def standing_still() -> contextlib.AbstractContextManager[None]:
    """A block in which the clock of this trial, if it is one, stands still."""
    clock = _CLOCK.get()
    return contextlib.nullcontext() if clock is None else clock.stopped()


def stood_still() -> float:
    """For how many seconds the clock of this trial, if it is one, has stood still so far."""
    return 0.0 if (clock := _CLOCK.get()) is None else clock.stood()


def put_off(seconds: float) -> None:
    """Put the end of this trial's time off by a wait that has become known afterwards."""
    if (clock := _CLOCK.get()) is not None and seconds > 0:
        clock.put_off(seconds)


@contextlib.contextmanager
def holding_all() -> Iterator[None]:
    """A block that keeps this thread from all its trials, such as an import: it is in the time of none."""
    began = time.monotonic()
    try:
        yield
    finally:
        seconds = time.monotonic() - began
        for clock in _UNDER_WAY.copy():
            clock.hold(seconds)
