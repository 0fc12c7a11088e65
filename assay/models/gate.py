"""The number of concurrent calls to a provider: a limit that adapts to its 429s."""

from __future__ import annotations

import asyncio
from collections import deque

from assay.trial_clock import standing_still

WEIGHT = 1 / 8  # weight of the latest reply in `share`
MANY = 0.5


class Gate:
    """
    Lets at most `limit` calls through; the others wait in order.

    Some providers refuse everything for a while, others a call now and then; only the first is a reason to
    keep all other calls waiting. `share` tells them apart: that of 429s among the latest replies, each of
    which counts an eighth. The place of a rate-limited call stays empty for as long as the provider asks,
    and from `MANY` on all others do as well, so that those who wait do not run into the same answer one by
    one. The calls that were let through before a cut tell of one and the same overload; together they cut
    the limit by `share ** 2 / 2`: to a half if all were refused, hardly if one of ten was. (DCTCP, RFC 8257,
    section 3.3, cuts by `share / 2`, which at one of ten leaves less than ten places.) Each good reply gives
    back 1/limit of a place, so it takes about `limit` replies for one more place.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.limit = float(self.maximum)
        self.share = 0.0
        self.in_flight = 0
        self._empty = 0  # places that stay so for a while
        self._cuts = 0
        self._before_cut = self.limit
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._opens_at = 0.0  # the event loop's time; 0 while open
        self._timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Calls that wait for a place."""
        return len(self._waiting)

    async def enter(self) -> int:
        """Wait for a place. Pass the number returned to `rate_limited` if the call is rate-limited."""
        if self._waiting or self._opens_at or not self._room():
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            self._admit()
            try:
                with standing_still():
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

    def _room(self) -> bool:
        return self.in_flight + self._empty < int(self.limit)

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
        while self._waiting and self._room():
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def _reopen(self) -> None:
        self._timer = None
        self._admit()

    def rate_limited(self, entered: int, wait_s: float = 0.0) -> None:
        """Call before `leave`. `wait_s`: for how long its place stays empty."""
        self.share += (1 - self.share) * WEIGHT
        if entered == self._cuts:
            self._cuts += 1
            self._before_cut = self.limit
        if entered == self._cuts - 1:  # this call was let through before the last cut
            self.limit = max(1.0, min(self.limit, self._before_cut * (1 - self.share**2 / 2)))
        if wait_s <= 0:
            return
        loop = asyncio.get_running_loop()
        self._empty += 1
        loop.call_later(wait_s, self._fill)
        if self.share >= MANY:
            self._opens_at = max(self._opens_at, loop.time() + wait_s)

    def _fill(self) -> None:
        self._empty -= 1
        self._admit()

    def succeeded(self) -> None:
        self.share -= self.share * WEIGHT
        if self.limit < self.maximum:
            self.limit = min(float(self.maximum), self.limit + 1.0 / self.limit)
