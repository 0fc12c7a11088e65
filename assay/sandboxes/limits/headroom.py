"""
Room in which the agent can work when programs have filled a sandbox's memory for good.

Empty files and shared memory outlive the program that made them, and the kernel counts them. The
agent shares their limit: with nothing left, it would be killed at its next fork. So the host looks
before each request, and raises the limit a little where too little is free.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

ROOM = 8 << 20  # bytes: enough to start a small program, far too little to be of use to an attacker
MOST = 128 << 20  # by which the limit is raised in all, in a sandbox's life

# The limit, how much is used, and what has to be raised before the limit can be.
_FILES = (
    ("memory.max", "memory.current", ""),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes"),
)


class Headroom:
    """The memory limit of one sandbox. Where there is none, or it is not ours to change, nothing happens."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folder: Path | None = None
        self._limit, self._left = 0, MOST
        for folder in folders:
            for files in _FILES:
                with contextlib.suppress(OSError, ValueError):
                    self._limit = int((folder / files[0]).read_text())
                    self._folder, self._files = folder, files

    def make(self) -> None:
        """See that there is some, once more."""
        if self._folder is None or self._left <= 0:
            return
        limit, used, before = self._files
        with contextlib.suppress(OSError, ValueError):
            free = self._limit - int((self._folder / used).read_text())
            if free < ROOM and free + self._reclaimable() < ROOM:
                raised = str(self._limit + ROOM)
                if before:
                    with contextlib.suppress(OSError):  # a kernel that does not count swap
                        (self._folder / before).write_text(raised)
                (self._folder / limit).write_text(raised)
                self._limit += ROOM
                self._left -= ROOM

    def _reclaimable(self) -> int:
        """Bytes of files that were read or written and that the kernel can forget again."""
        assert self._folder
        lines = (line.split() for line in (self._folder / "memory.stat").read_text().splitlines())
        return sum(int(size) for name, size in lines if name in ("active_file", "inactive_file"))
