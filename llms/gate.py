"""How many calls a provider gets at once: a limit that follows its 429s."""

from __future__ import annotations

import asyncio
from collections import deque


class Gate:
    """
    Lets at most `limit` calls through; the others wait in order.

    A rate-limited call halves the limit, at most once for all the calls that were let through
    before the last cut (they tell of one and the same overload). Each good reply gives back
    1/limit of a place, so it takes about `limit` replies for one more place: what TCP does.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.limit = float(self.maximum)
        self.in_flight = 0
        self._cuts = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> int:
        """Wait for a place. The number returned goes to `rate_limited`, should it come to that."""
        if self._waiting or self.in_flight >= int(self.limit):
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.leave()  # the place had just been given to us
                elif place in self._waiting:  # `leave` may have dropped it already
                    self._waiting.remove(place)
                raise
        else:
            self.in_flight += 1
        return self._cuts

    def leave(self) -> None:
        self.in_flight -= 1
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def rate_limited(self, entered: int) -> None:
        """Call before `leave`."""
        if entered == self._cuts:
            self._cuts += 1
            self.limit = max(1.0, self.limit / 2)

    def succeeded(self) -> None:
        if self.limit < self.maximum:
            self.limit = min(float(self.maximum), self.limit + 1.0 / self.limit)
