"""How often a call that failed by a transient failure is made, and how long it waits in between."""

from __future__ import annotations

import random
from dataclasses import dataclass

MISREAD = 2  # attempts at most


@dataclass(frozen=True)
class Retry:
    """Exponential backoff with full jitter: before attempt n+1 wait a random time up to
    min(max_delay_s, base_delay_s * 2**(n-1)), after what Retry-After asks. A provider that asks for
    more than `max_retry_after_s` will not be asked again in this run's time: the call fails at once.
    """

    attempts: int = 5
    base_delay_s: float = 1.0
    max_delay_s: float = 60.0
    max_retry_after_s: float = 120.0

    def is_last(self, attempt: int, misread: bool) -> bool:
        """Whether a call is given up. `misread`: its reply was there as a whole, and could not be read."""
        return attempt == self.attempts or (misread and attempt >= MISREAD)

    def delay_s(self, attempt: int, asked: float | None) -> float:
        jitter = random.uniform(0.0, min(self.max_delay_s, self.base_delay_s * 2.0 ** (attempt - 1)))
        return (asked or 0.0) + jitter
