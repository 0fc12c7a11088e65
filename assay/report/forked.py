"""Work on a long list in several forked processes."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from assay.gc_pause import gc_paused

Found = TypeVar("Found")
MANY = 2000  # trials; with fewer, starting processes takes longer
PROCESSES = 8  # at most, because each has its own copy of what it touches
SHARES = 250  # the number of a share is one byte in a pipe


@contextmanager
def in_processes(
    work: Callable[[str], Found], names: Sequence[str], *, trials: int
) -> Iterator[Callable[[], Mapping[str, Found]]]:
    """Yield a function that returns name -> `work(name)` for all of `names`.

    With many `trials`, forked processes work until it is called, and then this process joins them. `work` may
    write files, even the same one repeatedly, and return small picklable values; its other effects are lost.
    If a process fails, this one does its share, and meets the error.
    """
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
    if cores < 2 or trials < MANY or len(names) < cores or threading.active_count() > 1:
        yield lambda: {name: work(name) for name in names}
        return
    shares, share = os.pipe()
    os.write(share, bytes(range(min(SHARES, len(names)))))
    os.close(share)

    @gc_paused()  # a collection would copy the memory that the processes share
    def of_shares() -> dict[str, Found]:
        found: dict[str, Found] = {}
        while number := os.read(shares, 1):
            found.update((name, work(name)) for name in names[number[0] :: SHARES])
        return found

    children = [_fork(of_shares) for _ in range(min(cores - 1, PROCESSES))]

    @gc_paused()
    def all_of_them() -> dict[str, Found]:
        found = of_shares()
        for _, results in children:
            with os.fdopen(results, "rb", closefd=False) as file, suppress(EOFError, pickle.UnpicklingError):
                found.update(pickle.load(file))  # noqa: S301, of our own child
        return {name: found[name] if name in found else work(name) for name in names}

    try:
        yield all_of_them
    finally:
        os.read(shares, SHARES)  # stops processes that are still working
        os.close(shares)
        for pid, results in children:
            os.close(results)
            os.waitpid(pid, 0)


def _fork(work: Callable[[], object]) -> tuple[int, int]:
    """Start a child that does `work`: its process id, and the pipe with its pickled result."""
    results, result = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            with os.fdopen(result, "wb") as file:
                pickle.dump(work(), file)
        finally:
            os._exit(0)
    os.close(result)
    return pid, results
