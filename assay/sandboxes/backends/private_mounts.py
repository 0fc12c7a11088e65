"""
Mounts that only one sandbox has, and that end with its processes, however those end.

A thread leaves the mount namespace of its process; what it starts from then on belongs to the new one, which
the kernel clears away with the last process in it. So not even kill -9 leaves a mount behind.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

READ_ONLY, NO_SUID, NO_DEVICES = 1, 2, 4
_REC, _SLAVE, _DETACH = 1 << 14, 1 << 19, 2
_CLONE_NEWNS, _CLONE_FS = 0x20000, 0x200

T = TypeVar("T")

_libc = ctypes.CDLL(None, use_errno=True)


def _check(done: int, what: str) -> None:
    if done != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


async def apart(work: Callable[[], T]) -> T:
    """Run `work` in a thread with mounts of its own, used for nothing else. Raises OSError if this process
    may not have such mounts, and whatever `work` raises. It must not be cancelled: shield it."""

    def enter_and_work() -> T:
        _check(_libc.unshare(_CLONE_NEWNS | _CLONE_FS), "own mounts")
        # What the machine unmounts is unmounted here as well; what is mounted here stays here.
        _check(_libc.mount(None, b"/", None, _REC | _SLAVE, None), "own mounts")
        return work()

    executor = ThreadPoolExecutor(1)
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, enter_and_work)
    finally:
        executor.shutdown(wait=False)


def mount(source: str, folder: str, kind: str, flags: int, options: str) -> None:
    """mount(2), for the calling thread's mounts. Raises OSError."""
    what = (source.encode(), folder.encode(), kind.encode())
    done = _libc.mount(*what, ctypes.c_ulong(flags), options.encode())
    _check(done, f"mount {kind} on {folder}")


def unmount(folder: str) -> None:
    """Unmount it for the calling thread. Raises OSError."""
    _check(_libc.umount2(folder.encode(), _DETACH), f"unmount {folder}")
