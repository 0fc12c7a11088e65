"""
Names that tell which process has opened a container or a cgroup: what a killed run leaves can be found.

A name is assay-NAMESPACE-PID-STARTED-NUMBER: the process by its pid namespace, pid and start time,
which no later process shares, and a number of its own.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
from pathlib import Path

PREFIX = "assay-"
PATTERN = "assay-*-*-*-*"  # of these names, as a glob

_numbers = itertools.count(1)


def fresh_name() -> str:
    """A name that is not in use."""
    return f"{own_prefix()}{next(_numbers)}"


def own_prefix(pid: int = 0) -> str:
    """The prefix of every name that this process, or the process `pid`, gives out."""
    return f"{PREFIX}{_identity(pid or os.getpid())}-"


def abandoned(name: str) -> bool:
    """Whether the process that gave this name out is gone. If that cannot be told, the answer is no."""
    if not name.startswith(PREFIX) or name.count("-") != 4:
        return False
    namespace, pid, _, _ = name.removeprefix(PREFIX).split("-")
    if namespace != _identity(os.getpid()).split("-")[0] or not pid.isdigit():
        return False
    try:
        return not name.startswith(own_prefix(int(pid)))
    except OSError:
        return True


def abandoned_folders(suffix: str) -> list[Path]:
    """Temporary folders of killed runs, named NAME.SUFFIX (a glob)."""
    found = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PATTERN}.{suffix}"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid == os.getuid() and abandoned(folder.name.partition(".")[0]):
                found.append(folder)
    return found


def _identity(pid: int) -> str:
    stat = Path(f"/proc/{pid}/stat").read_text()
    namespace = os.stat("/proc/self/ns/pid").st_ino  # noqa: PTH116 - the link's target, not a path
    return f"{namespace}-{pid}-{stat[stat.rfind(')') + 2 :].split()[19]}"
