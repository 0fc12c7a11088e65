"""The time limit of a check, and Ctrl-C. Both end what the code of a package does, even where it blocks."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Iterator
from types import FrameType

CHECK_TIME_LIMIT_S = 120.0  # docs/extending.md and the help of `assay conformance` say it
AGAIN_S = 5.0  # until what is still busy, with closing a sandbox for example, is interrupted once more


class Interrupted(KeyboardInterrupt):
    """An event loop lets a KeyboardInterrupt out at once, whichever task it was raised in."""


class TimeUp(Interrupted): ...


class Stopped(Interrupted):
    """By Ctrl-C or SIGTERM."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block once it has run for so long; in another thread than the main one there is no
    limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeUp

    handler = signal.signal(signal.SIGALRM, ring)
    outer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *outer)
        signal.signal(signal.SIGALRM, handler)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C raises Stopped in the block, and goes on to until the block has ended. asyncio's own handler
    only asks the task to end, which one that blocks never hears."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S, AGAIN_S)
        raise Stopped

    logging.getLogger("asyncio").addFilter(_is_news)
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)
    handlers = [signal.getsignal(number) for number in numbers]
    for number in numbers[:2]:
        signal.signal(number, stop)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGALRM) is stop:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip(numbers, handlers, strict=True):
            signal.signal(number, handler)


def _is_news(record: logging.LogRecord) -> bool:
    """Not that a task ended by an interruption that nobody awaited."""
    return not (record.exc_info and isinstance(record.exc_info[1], Interrupted))
