"""A memory, process and CPU limit for one sandbox, by cgroups: version 2, version 1, or a mix."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.backends import owner
from assay.sandboxes.limits.throttle import cgroup_mounts


@dataclass(frozen=True)
class Hierarchy:
    """Where this user may make cgroups. `folders`: controller -> parent folder ('' in version 2)."""

    version: int
    folders: Mapping[str, Path]


@functools.cache
def hierarchy() -> Hierarchy | None:
    """The place for our cgroups, tried out once by moving a process there; None if there is none."""
    for found in candidates():
        try:
            trial = Cgroup(found, Limits())
        except OSError:
            continue
        try:
            with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as moved:  # it ends with its stdin
                trial.join(moved.pid)
                trial.check_member(moved.pid)
            return found
        except (OSError, SandboxError):
            continue
        finally:
            trial.remove_now()
    return None


def candidates(process: Path = Path("/proc/self")) -> list[Hierarchy]:
    """Every place worth a try, best first: below our own cgroup, beside it, or at the top."""
    own: dict[str, str] = {}
    try:
        for line in (process / "cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            own.update(dict.fromkeys(controllers.split(","), path))
        mounts = cgroup_mounts(process)
    except (OSError, ValueError):
        return []
    v1: dict[str, list[Path]] = {}
    v2: list[Path] = []
    for kind, options, root, mount in mounts:
        if kind == "cgroup2" and "" in own:
            v2 = _places(mount, root, own[""])
        elif kind == "cgroup":
            for controller in {"memory", "pids", "cpu"} & options & set(own):
                v1[controller] = _places(mount, root, own[controller])
    found = []
    for place in v2:
        with contextlib.suppress(OSError):
            if {"memory", "pids"} <= set((place / "cgroup.subtree_control").read_text().split()):
                found.append(Hierarchy(2, {"": place}))
    if {"memory", "pids"} <= set(v1):
        writable = {
            name: next((place for place in places if os.access(place, os.W_OK)), None)
            for name, places in v1.items()
        }
        folders = {name: place for name, place in writable.items() if place is not None}
        if {"memory", "pids"} <= set(folders):
            found.append(Hierarchy(1, folders))
    return found


def _places(mount: Path, root: str, own: str) -> list[Path]:
    """Our own cgroup's folder and those above it, as far as the mount shows them."""
    inside = own[len(root) :] if root != "/" and own.startswith(root) else own
    here = mount / inside.lstrip("/")
    if ".." in here.parts or not here.is_dir():
        here = mount
    return [here, *(parent for parent in here.parents if parent.is_relative_to(mount))]


class Cgroup:
    """One sandbox's own cgroups. Made by the constructor (OSError if it cannot be), then joined."""

    def __init__(self, place: Hierarchy, limits: Limits) -> None:
        self.name = owner.fresh_name()
        self.version = place.version
        self.folders: list[Path] = []
        try:
            for controller, parent in place.folders.items():
                folder = parent / self.name
                folder.mkdir()
                self.folders.append(folder)
                for name, value, needed in _settings(place.version, controller, limits):
                    try:
                        (folder / name).write_text(value)
                    except OSError:
                        if needed:
                            raise
        except OSError:
            self.remove_now()
            raise
        events = "memory.events" if place.version == 2 else "memory.oom_control"
        self._events = place.folders.get("memory", place.folders.get("", Path())) / self.name / events

    def join(self, pid: int) -> None:
        """Make a process a member, and all that it starts from then on. OSError if it cannot be one, or has
        ended. The kernel may take 20 ms, of waiting."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def check_member(self, pid: int) -> None:
        """Raises SandboxError unless `pid` is in every one of these cgroups."""
        lines = Path(f"/proc/{pid}/cgroup").read_text()
        if lines.count(f"/{self.name}") != len(self.folders):
            raise SandboxError("the sandbox is not in its memory and process cgroups; nothing would limit it")

    def oom_kills(self) -> int:
        """How many processes the kernel has killed here for memory."""
        with contextlib.suppress(OSError, ValueError):
            for line in self._events.read_text().splitlines():
                if line.startswith("oom_kill "):
                    return int(line.split()[1])
        return 0

    def kill(self) -> None:
        """Kill whatever is left in it."""
        for folder in self.folders[:1]:
            _kill_members(folder)

    def remove_now(self) -> bool:
        """Remove it if it is empty; whether it is gone."""
        for folder in list(self.folders):
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                return False
            self.folders.remove(folder)
        return True

    async def remove(self, give_up_s: float = 2.0) -> None:
        """Remove it; the kernel takes a moment to let go of the last dead process."""
        waited = 0.0
        while not self.remove_now() and waited < give_up_s:
            self.kill()
            await asyncio.sleep(0.002 if waited < 0.05 else 0.05)
            waited += 0.002 if waited < 0.05 else 0.05


def parents() -> set[Path]:
    """Every folder in which sandboxes may have cgroups: ours (`candidates`), and the tops of all hierarchies,
    where those of runtimes are."""
    return {parent for place in candidates() for parent in place.folders.values()} | set(_tops())


def _tops() -> list[Path]:
    try:
        return [mount for _, _, _, mount in cgroup_mounts()]
    except (OSError, ValueError):
        return []


def of_runtime(name: str) -> list[Path]:
    """The cgroups of that name which a runtime has made and not removed."""
    return [top / name for top in _tops() if (top / name).is_dir()]


async def remove_of_runtime(name: str, give_up_s: float = 2.0) -> None:
    """Kill whatever is left in them, and remove them."""
    until = time.monotonic() + give_up_s
    while folders := of_runtime(name):
        for folder in folders:
            _kill_members(folder)
            with contextlib.suppress(OSError):
                folder.rmdir()
        if time.monotonic() > until:
            return
        await asyncio.sleep(0.002)


def remove_leftovers(give_up_s: float = 0.5) -> int:
    """Empty and remove the cgroups of runs that were killed. Returns how many sandboxes that were. What dies
    just now is waited for, so long in all."""
    names, deadline = set(), time.monotonic() + give_up_s
    for parent in parents():
        for folder in parent.glob(owner.PATTERN):
            while owner.abandoned(folder.name) and folder.exists():
                _kill_members(folder)
                try:
                    folder.rmdir()
                    names.add(folder.name)
                except OSError as error:
                    if error.errno != errno.EBUSY or time.monotonic() > deadline:
                        break
                    time.sleep(0.005)
    return len(names)


def _settings(version: int, controller: str, limits: Limits) -> list[tuple[str, str, bool]]:
    """(file, value, whether a kernel that lacks it is refused)."""
    quota = max(1000, int(limits.cpus * 100_000))
    if version == 2:
        return [
            ("memory.max", str(limits.memory), True),
            ("memory.swap.max", "0", False),
            ("pids.max", str(limits.processes), True),
            ("cpu.max", f"{quota} 100000", False),
        ]
    return {
        "memory": [
            ("memory.limit_in_bytes", str(limits.memory), True),
            ("memory.memsw.limit_in_bytes", str(limits.memory), False),
        ],
        "pids": [("pids.max", str(limits.processes), True)],
        "cpu": [("cpu.cfs_period_us", "100000", False), ("cpu.cfs_quota_us", str(quota), False)],
    }[controller]


def _kill_members(folder: Path) -> None:
    with contextlib.suppress(OSError):
        for pid in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if int(pid) > 0:
                    os.kill(int(pid), signal.SIGKILL)
