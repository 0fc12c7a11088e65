"""How long the host waits for an answer of the agent: the limit, what the agent adds to it, and a grace."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

GRACE_S = 1.0  # after a command's limit, until the sandbox is given up and killed
MOST_GRACE_S = 3.0  # the same on a machine that is too busy to let the agent run
HURRY_S = 0.2  # after a command's limit, until its CPU limit is lifted so that the agent can end it


class Patience:
    """`async with` it around the wait; TimeoutError once it is over.

    It lasts `limit_s` and a grace, and longer each time that the agent says how much `more` it gives the
    command (for what it waited for a core), `most_s` and a grace at most. `lift_cpu_limit` is called with
    True a moment after the limit, and with False at the end if it was. `stood`: the seconds for which the
    agent itself has waited for a core so far; in the grace they do not count.
    """

    def __init__(
        self,
        limit_s: float,
        most_s: float,
        lift_cpu_limit: Callable[[bool], None] | None,
        stood: Callable[[], float],
    ) -> None:
        self._loop, self._limit_s, self._most_s = asyncio.get_running_loop(), limit_s, most_s
        self._hurry, self._stood = lift_cpu_limit, stood
        self._timeout = asyncio.timeout(None)
        self._timers: list[asyncio.TimerHandle] = []
        self._hurried = False

    def more(self, seconds: float) -> None:
        """The command may continue for so long, from now."""
        self._until(self._loop.time() + seconds)

    def _until(self, limit: float) -> None:
        limit = min(limit, self._last)
        self._stop()
        self._timers = [self._loop.call_at(limit + GRACE_S, self._over, limit, self._stood())]
        if self._hurry is not None:
            self._timers.append(self._loop.call_at(limit + HURRY_S, self._lift, True))

    def _over(self, limit: float, stood_before: float) -> None:
        """The grace is over, unless the agent has stood in the queue for a part of it."""
        now, stood = self._loop.time(), self._stood()
        more = min(stood - stood_before, GRACE_S, limit + MOST_GRACE_S - now)
        if more > 0.01:
            self._timers.append(self._loop.call_at(now + more, self._over, limit, stood))
        else:
            self._timeout.reschedule(now)

    def _lift(self, lifted: bool) -> None:
        if self._hurry is not None:
            self._hurried = lifted
            self._hurry(lifted)

    def _stop(self) -> None:
        for timer in self._timers:
            timer.cancel()
        if self._hurried:
            self._lift(False)

    async def __aenter__(self) -> Patience:
        await self._timeout.__aenter__()
        self._last = self._loop.time() + self._most_s
        self._until(self._loop.time() + self._limit_s)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        await self._timeout.__aexit__(kind, error, trace)


def stood(pid: int) -> float:
    """Seconds for which a process's first thread has waited for a core; 0.0 where that is not known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0
