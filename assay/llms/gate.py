"""How many calls a provider gets at once: a limit that follows its 429s."""

from __future__ import annotations

import asyncio
from collections import deque


class Gate:
    """
    Lets at most `limit` calls through; the others wait in order.

    A rate-limited call halves the limit, at most once for all the calls that were let through
    before the last cut (they tell of one and the same overload), and closes the gate for as long as
    the provider asks, so that those who wait do not run into the same answer one by one. Each good
    reply gives back 1/limit of a place, so it takes about `limit` replies for one more place: what
    TCP does.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.limit = float(self.maximum)
        self.in_flight = 0
        self._cuts = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._opens_at = 0.0  # the event loop's time; 0 while open
        self._timer: asyncio.TimerHandle | None = None

    async def enter(self) -> int:
        """Wait for a place. The number returned goes to `rate_limited`, should it come to that."""
        if self._waiting or self._opens_at or self.in_flight >= int(self.limit):
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            self._admit()
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.leave()  # the place had just been given to us
                elif place in self._waiting:  # `_admit` may have dropped it already
                    self._waiting.remove(place)
                raise
        else:
            self.in_flight += 1
        return self._cuts

    def leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _admit(self) -> None:
        if self._opens_at:
            loop = asyncio.get_running_loop()
            if loop.time() < self._opens_at:
                if self._timer is None:
                    self._timer = loop.call_at(self._opens_at, self._reopen)
                return
            self._opens_at = 0.0
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def _reopen(self) -> None:
        self._timer = None
        self._admit()

    def rate_limited(self, entered: int, wait_s: float = 0.0) -> None:
        """Call before `leave`. `wait_s`: let nobody through for so long."""
        if entered == self._cuts:
            self._cuts += 1
            self.limit = max(1.0, self.limit / 2)
        if wait_s > 0:
            self._opens_at = max(self._opens_at, asyncio.get_running_loop().time() + wait_s)

    def succeeded(self) -> None:
        if self.limit < self.maximum:
            self.limit = min(float(self.maximum), self.limit + 1.0 / self.limit)
