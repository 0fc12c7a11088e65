"""
Lifting a sandbox's CPU limit for a moment, so that the agent inside can end a command in time.

The agent shares the limit with what it watches. Programs that exhaust CPU and memory together can
run up a debt of CPU time that keeps all of them stopped, also those that the kernel has already
killed, long after the deadline. The host then lifts the limit until the agent has cleared them away.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path


class Throttle:
    """The CPU limit of one cgroup. Where there is none, or it is not ours to change, nothing happens."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = folders
        self._found: tuple[Path, str, str] | None = (
            None  # its file, and what is in it with the limit and without
        )

    def lift(self, lifted: bool) -> None:
        """Lift the limit, or put it back."""
        self._found = self._found or self._find()
        if self._found is not None:
            file, limit, none = self._found
            with contextlib.suppress(OSError):
                file.write_text(none if lifted else limit)

    def _find(self) -> tuple[Path, str, str] | None:
        for folder in self._folders:
            for name, none in (("cpu.cfs_quota_us", "-1"), ("cpu.max", "max")):
                with contextlib.suppress(OSError):
                    return folder / name, (folder / name).read_text().strip(), none
        return None


def cgroup_mounts(process: Path = Path("/proc/self")) -> list[tuple[str, set[str], str, Path]]:
    """What a process sees of hierarchies: "cgroup" or "cgroup2", controllers and options, which part of it is
    mounted, where. OSError or ValueError if that cannot be read."""
    found = []
    for line in (process / "mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        root, mount = left.split()[3:5]
        kind, _, options = right.split(" ", 2)
        if kind in ("cgroup", "cgroup2"):
            found.append((kind, set(options.split(",")), root, Path(mount)))
    return found


def cgroup_folders(pid: int) -> list[Path]:
    """The cgroups that a process of this machine is in, as folders here. [] if they cannot be seen."""
    found = []
    try:
        own = [line.split(":", 2)[1:] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()]
        for kind, options, root, mount in cgroup_mounts():
            for controllers, path in own:
                if kind == ("cgroup" if controllers else "cgroup2"):
                    here = mount / path.removeprefix(root if root != "/" else "").lstrip("/")
                    if not controllers or set(controllers.split(",")) <= options:
                        found.append(here)
    except (OSError, ValueError):
        return []
    return [folder for folder in found if ".." not in folder.parts]
