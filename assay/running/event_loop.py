"""The event loop of a run: the first signal stops it cleanly, the second at once."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import signal
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import AssayError
from assay.gc_pause import gc_rare
from assay.home import PACKAGE
from assay.running.engines import workers_for
from assay.running.session import Session
from assay.stdout import stdout
from assay.suites.diagnostics import shown_path

T = TypeVar("T")
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MAX_THREADS = 256
THREADS = "assay-worker"


def run_until_done(main: Coroutine[Any, Any, None], session: Session, runs: int) -> int:
    """Run `main`, which makes `runs` runs of the session. Returns 0, or the exit code for SIGINT, SIGTERM or
    SIGHUP if one of these ended it; everything is closed then.

    Unlike asyncio.run, this does not wait for threads at the end: an old-style node of a test may be stuck
    in one forever. There are as many threads as trials at once, up to MAX_THREADS.
    """
    threads = min(MAX_THREADS, 16 + runs * workers_for(session.config))
    loop = asyncio.new_event_loop()
    loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(threads, thread_name_prefix=THREADS))
    task = loop.create_task(main)
    received: list[int] = []

    def stop(number: int) -> None:
        if received:
            if sys.stderr.isatty():
                sys.stderr.write("\x1b[?25h")  # a live display hides the cursor
            sys.stderr.write(
                "\nstopped at once; finished trials are saved, and --resume continues from there. "
                "Remaining sandboxes are removed at the next start\n"
            )
            sys.stderr.flush()
            os._exit(128 + number)
        received.append(number)
        session.message(
            "stopping: running trials are cancelled, finished ones are saved (a second signal leaves at once)"
        )
        task.cancel()

    # a signal that the caller ignores stays ignored: SIGHUP under nohup
    stopping = [number for number in STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    asyncio.set_event_loop(loop)
    try:
        for number in stopping:
            loop.add_signal_handler(number, stop, number)
        try:
            with gc_rare():
                loop.run_until_complete(task)
            return 0
        except asyncio.CancelledError:
            return 128 + (received[0] if received else signal.SIGINT)
        finally:
            _cancel_rest(loop)
            with contextlib.suppress(RuntimeError):
                loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        for number in stopping:
            loop.remove_signal_handler(number)
        asyncio.set_event_loop(None)
        loop.close()


class _Threads(concurrent.futures.ThreadPoolExecutor):
    """Threads that asyncio.run does not wait for at its end: somebody's function may be stuck in one."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


def run_beside(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run `main()` to its end in a separate event loop. If one is running already (Jupyter), this happens in
    a thread. An interruption is raised once everything there is closed, without the traceback of what it
    ended, and an error of ours without that of our own code, because its words say what to do. As in
    `run_until_done`, no thread is waited for."""
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []
    found: list[T] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        loop.set_default_executor(_Threads(MAX_THREADS, THREADS))
        started.append((loop, task))
        # the task returns nothing: asyncio.run takes its repr, and that of Results reads all of them
        found.append(await main())

    try:
        _run_here_or_in_a_thread(work, started)
    except KeyboardInterrupt as interrupt:
        raise interrupt.with_traceback(None) from None
    except AssayError as error:
        raise error.with_traceback(None)  # noqa: B904 - its cause is kept
    return found[0]


def _run_here_or_in_a_thread(
    work: Callable[[], Coroutine[Any, Any, None]],
    started: Sequence[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]],
) -> None:
    """`started`: the loop and the task of `work`, once it runs."""
    if not _is_in_a_loop():
        asyncio.run(work())
        return
    with concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix=THREADS) as thread:
        future = thread.submit(lambda: asyncio.run(work()))
        try:
            future.result()
        except BaseException:
            if started and not future.done():
                loop, task = started[0]
                loop.call_soon_threadsafe(task.cancel)
            raise


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _cancel_rest(loop: asyncio.AbstractEventLoop) -> None:
    rest = asyncio.all_tasks(loop)
    for task in rest:
        task.cancel()
    if rest:
        loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))


def leave(code: int, named: str = THREADS) -> int:
    """Return `code`, or exit here if a stuck worker thread would keep the process alive. `named`: how the
    names of such threads begin."""
    deadline = time.monotonic() + 1.0
    while stuck := [each for each in threading.enumerate() if each.name.startswith(named)]:
        if time.monotonic() > deadline:
            whose = ", ".join(dict.fromkeys(map(_work_of, stuck)))
            threads = "a thread" if len(stuck) == 1 else f"{len(stuck)} threads"
            sys.stderr.write(f"leaving without {threads} that never ended: {whose}\n")
            stdout().flush()
            sys.stderr.flush()
            os._exit(code)
        time.sleep(0.01)
    return code


def _work_of(thread: threading.Thread) -> str:
    """'check() of tests/sums.py:7': the author's function that a thread is in, or else the innermost one."""
    frames = [frame for frame, _ in traceback.walk_stack(sys._current_frames().get(thread.ident or 0))]
    if not frames:
        return thread.name
    libraries = (str(Path(os.__file__).parent), sysconfig.get_path("purelib"), str(PACKAGE))
    own = [each for each in frames if not each.f_code.co_filename.startswith((*libraries, "<"))]
    code = (own[-1] if own else frames[0]).f_code
    return f"{code.co_name}() of {shown_path(code.co_filename)}:{code.co_firstlineno}"
