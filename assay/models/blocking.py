"""How long a package's provider keeps the event loop, which all calls share, to itself."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Generic, TypeVar

STEP_S = 0.1  # of one step, between two awaits, from which on it counts
SAID_S = 1.0  # of all steps, from which on it is said

T = TypeVar("T")


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
