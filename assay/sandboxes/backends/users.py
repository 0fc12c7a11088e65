"""
A user id for each sandbox of this machine, not shared with any other that is open.

The kernel counts much by user: inotify instances, timers and queued signals, pipes, keys, message queues.
If two sandboxes shared a user, one could use up all of it.
"""

from __future__ import annotations

import os
import socket

from assay.errors import SandboxError

FIRST_UID = 1_900_000_000  # above every range that distributions and container engines hand out
FIRST_MAPPED_UID = 20_000  # where users are mapped to a range of 65,536, as in rootless podman
UIDS = 4096


class User:
    """One such user id, from `first` on; `release` gives it back, and so does the end of this process.

    The lock is an abstract socket's name: the kernel frees it with its holder. Raises SandboxError if all
    are taken.
    """

    def __init__(self, first: int = FIRST_UID) -> None:
        start = os.getpid() * 16
        for step in range(UIDS):
            self.uid = first + (start + step) % UIDS
            self._lock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
            try:
                self._lock.bind(f"\0assay-sandbox-uid-{os.geteuid() or ''}{self.uid}")
            except OSError:
                self._lock.close()
            else:
                return
        raise SandboxError(f"{UIDS} sandboxes are open at once; close some")

    def release(self) -> None:
        self._lock.close()
