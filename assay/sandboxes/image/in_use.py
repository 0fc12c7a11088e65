"""
Files of an image that are in use are not removed: a lock that users share and a remover needs alone.

The kernel takes it back when a process ends, however it does, so that none is ever left behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import weakref
from collections.abc import Iterator
from pathlib import Path


class Hold:
    """Keeps `root` where it is for as long as this object lives. FileNotFoundError if it is not there.

    PermissionError if whoever has put it there has made no lock for it, see `allow`.
    """

    def __init__(self, root: Path) -> None:
        while True:
            fd = _open(root, os.O_RDONLY)
            fcntl.flock(fd, fcntl.LOCK_SH)  # whoever is removing it is done by then
            if not root.exists():
                os.close(fd)
                raise FileNotFoundError(f"{root} has just been removed")
            if _is_current(fd, root):
                break
            os.close(fd)
        self._release = weakref.finalize(self, os.close, fd)


def allow(root: Path) -> None:
    """Let every user of this machine hold `root`; whoever puts it there calls it once."""
    fd = _open(root, os.O_RDWR)
    os.fchmod(fd, 0o644)
    os.close(fd)


@contextlib.contextmanager
def alone(root: Path) -> Iterator[bool]:
    """Whether nobody holds `root`; nobody can while the block runs. Afterwards its lock is gone if it is."""
    try:
        fd = _open(root, os.O_RDWR)
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = _is_current(fd, root)
        except OSError:
            free = False
        yield free
        if free and not root.exists():
            _lock(root).unlink(missing_ok=True)
    finally:
        os.close(fd)


def _lock(root: Path) -> Path:
    return root.parent / f".{root.name}.in-use"


def _open(root: Path, flags: int) -> int:
    return os.open(_lock(root), flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)


def _is_current(fd: int, root: Path) -> bool:
    """Whether the lock is still the one that others will find."""
    try:
        return os.fstat(fd).st_ino == _lock(root).stat().st_ino
    except OSError:
        return False
