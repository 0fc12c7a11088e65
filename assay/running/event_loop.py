"""One event loop for one run: stopped cleanly by the first signal, at once by the second."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
THREADS = "assay-worker"


class Stopped(Exception):
    """The run was ended by a signal, after everything was closed. `code`: the process's exit code."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.code = 128 + number


def run_until_done(main: Coroutine[Any, Any, T], *, threads: int, message: Callable[[str], None]) -> T:
    """Run `main`. Raises Stopped when SIGINT, SIGTERM or SIGHUP ended it.

    Unlike asyncio.run, this does not wait for threads at the end: an old-style node of a test may
    be stuck in one forever. `threads` bounds how many such nodes run at once.
    """
    loop = asyncio.new_event_loop()
    loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(threads, thread_name_prefix=THREADS))
    task = loop.create_task(main)
    received: list[int] = []

    def stop(number: int) -> None:
        if received:
            if sys.stderr.isatty():
                sys.stderr.write("\x1b[?25h")  # a live display had hidden the cursor
            sys.stderr.write(
                "\nstopped at once; finished trials are saved, and --resume goes on from there. "
                "Sandboxes that remain are removed at the next start\n"
            )
            sys.stderr.flush()
            os._exit(128 + number)
        received.append(number)
        message("stopping: running trials are cancelled, finished ones are saved (again to leave at once)")
        task.cancel()

    # what the caller ignores stays ignored: SIGHUP under nohup
    stopping = [number for number in STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    asyncio.set_event_loop(loop)
    try:
        for number in stopping:
            loop.add_signal_handler(number, stop, number)
        try:
            return loop.run_until_complete(task)
        except asyncio.CancelledError:
            raise Stopped(received[0] if received else signal.SIGINT) from None
        finally:
            _cancel_rest(loop)
            with contextlib.suppress(RuntimeError):
                loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        for number in stopping:
            loop.remove_signal_handler(number)
        asyncio.set_event_loop(None)
        loop.close()


def run_beside(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run `main()` to its end in an event loop of its own. If one is running already (Jupyter), this happens
    in a thread, and an interruption is raised once everything there is closed."""
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    found: list[T] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        started.append((asyncio.get_running_loop(), task))
        # no result of the task: asyncio.run asks for the task's repr, and that of results reads all of them
        found.append(await main())

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work())
        return found[0]
    with concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix=THREADS) as thread:
        future = thread.submit(lambda: asyncio.run(work()))
        try:
            future.result()
            return found[0]
        except BaseException:
            if started and not future.done():
                loop, task = started[0]
                loop.call_soon_threadsafe(task.cancel)
            raise


def _cancel_rest(loop: asyncio.AbstractEventLoop) -> None:
    rest = asyncio.all_tasks(loop)
    for task in rest:
        task.cancel()
    if rest:
        loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))


def leave(code: int) -> int:
    """Return `code`. If a worker thread is stuck, which would keep the process alive, exit here instead."""
    deadline = time.monotonic() + 1.0
    while stuck := [each for each in threading.enumerate() if each.name.startswith(THREADS)]:
        if time.monotonic() > deadline:
            whose = "steps of old-style nodes, or calls of a cluster that does not answer"
            sys.stderr.write(f"{len(stuck)} thread(s) never ended ({whose}); leaving without them\n")
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        time.sleep(0.01)
    return code
