"""How long somebody's provider, sandbox or node keeps the event loop, which all trials share, to itself."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any, Generic, TypeVar

STEP_S = 0.1  # of one step, between two awaits, from which on it counts
WATCHED = 100  # calls
SAID_S = 1.0  # of all steps, from which on it is said

T = TypeVar("T")


class Held:
    """Adds up such steps, and calls `say` with their seconds once they are too many."""

    def __init__(self, say: Callable[[float], None]) -> None:
        self._say, self._seconds, self._calls = say, 0.0, 0

    def watches(self) -> bool:
        """Whether to watch a call: one of the first, as a busy machine makes some of very many look slow."""
        self._calls += 1
        return self._calls <= WATCHED

    def __call__(self, seconds: float) -> None:
        before, self._seconds = self._seconds, self._seconds + seconds
        if before <= SAID_S < self._seconds:
            self._say(self._seconds)


class Watched(Generic[T]):
    """Awaits `asked`, and tells `held` of each step that took long. Costs less than a microsecond a step."""

    def __init__(self, asked: Awaitable[T], held: Callable[[float], None]) -> None:
        self._steps, self._held = asked.__await__(), held

    def __await__(self) -> Generator[Any, Any, T]:
        return self  # type: ignore[return-value]

    def __iter__(self) -> Watched[T]:
        return self

    def __next__(self) -> Any:
        began = time.monotonic()
        try:
            return next(self._steps)
        finally:
            if (seconds := time.monotonic() - began) > STEP_S:
                self._held(seconds)

    def throw(self, *error: Any) -> Any:
        return self._steps.throw(*error)

    def close(self) -> None:
        self._steps.close()


class WatchedSteps(Generic[T]):
    """The steps of an asynchronous generator, each watched."""

    def __init__(self, steps: AsyncIterator[T], held: Callable[[float], None]) -> None:
        self._steps, self._held = steps, held

    def __aiter__(self) -> WatchedSteps[T]:
        return self

    def __anext__(self) -> Awaitable[T]:
        return Watched(self._steps.__anext__(), self._held)
