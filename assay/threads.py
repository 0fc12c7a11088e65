"""Somebody's function that may block, called in a thread: all trials share the one of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


async def in_thread(function: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """What the function returns. Raises what it raises; what no coroutine could pass on, such as the
    StopIteration of a `next()`, which nobody would ever be told of, as a RuntimeError of that name."""
    import asyncio  # takes long, and a listing needs none of it

    # Python sends Ctrl-C to the main thread only, so an interrupt that is raised here is the function's own
    strays = (StopIteration, StopAsyncIteration, GeneratorExit, KeyboardInterrupt, asyncio.CancelledError)

    def call() -> Any:
        try:
            return function(*given, **named)
        except strays as error:
            named_so = type(type(error).__name__, (RuntimeError,), {"__module__": "builtins"})
            raise named_so(*error.args).with_traceback(error.__traceback__) from None

    return await asyncio.to_thread(call)
