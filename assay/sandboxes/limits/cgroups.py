"""The cgroups of sandboxes (version 2, version 1, or a mix): found, made, loosened, and removed."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import functools
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import SandboxError
from assay.records import Limits
from assay.sandboxes.backends import owner

SELF = Path("/proc/self")
NEEDED = {"memory", "pids"}
CPU_PERIOD = 100_000
ROOM = 8 << 20  # bytes: enough to start a small program, far too little to be of use to an attacker
MOST = 128 << 20  # by which a memory limit is raised in all, in a sandbox's life

# A memory limit -> how much is used, and what has to be raised before the limit can be.
_MEMORY = {
    "memory.max": ("memory.current", ""),
    "memory.limit_in_bytes": ("memory.usage_in_bytes", "memory.memsw.limit_in_bytes"),
}
_NO_CPU_LIMIT = {"cpu.cfs_quota_us": "-1", "cpu.max": "max"}


@dataclass(frozen=True)
class Hierarchy:
    """Where this user may make cgroups. `folders`: controller -> parent folder ('' in version 2)."""

    version: int
    folders: Mapping[str, Path]


@functools.cache
def hierarchy() -> Hierarchy | None:
    """The place for our cgroups, tried once by moving a process there; None if there is none."""
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
            clear(trial.folders)
    return None


def candidates(process: Path = SELF) -> list[Hierarchy]:
    """Every place worth trying, best first: below our own cgroup, beside it, or at the top."""
    found: list[Hierarchy] = []
    folders: dict[str, Path] = {}
    for controllers, mount, own in _memberships(process, process):
        places = [own, *(parent for parent in own.parents if parent.is_relative_to(mount))]
        for place in () if controllers else places:
            with contextlib.suppress(OSError):
                if set((place / "cgroup.subtree_control").read_text().split()) >= NEEDED:
                    found.append(Hierarchy(2, {"": place}))
        for controller in controllers & {*NEEDED, "cpu"}:
            if (writable := next((each for each in places if os.access(each, os.W_OK)), None)) is not None:
                folders[controller] = writable
    return [*found, Hierarchy(1, folders)] if folders.keys() >= NEEDED else found


def _memberships(process: Path, seen_by: Path = SELF) -> Iterator[tuple[set[str], Path, Path]]:
    """The cgroups of a process: controllers (none in version 2), where the hierarchy is mounted, and the
    folder there, or the mount itself where that does not show it. Nothing where they cannot be seen."""
    with contextlib.suppress(OSError, ValueError):
        groups = [line.split(":", 2)[1:] for line in (process / "cgroup").read_text().splitlines()]
        for line in (seen_by / "mountinfo").read_text().splitlines():
            left, _, right = line.partition(" - ")
            kind, _, options = right.split(" ", 2)
            for names, path in groups if kind in ("cgroup", "cgroup2") else ():
                controllers = set(filter(None, names.split(",")))
                if bool(controllers) == (kind == "cgroup") and controllers <= set(options.split(",")):
                    root, mount = left.split()[3:5]
                    folder = Path(mount) / path.removeprefix(root if root != "/" else "").lstrip("/")
                    shown = ".." not in folder.parts and folder.is_dir()
                    yield controllers, Path(mount), folder if shown else Path(mount)


class Cgroups:
    """The cgroups of one sandbox, whoever has made them. The host loosens their limits for the agent's sake;
    where there is none, or it is not ours to change, nothing happens."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders, self._raised = list(folders), 0

    def lift_cpu_limit(self, lifted: bool) -> None:
        """Lift the CPU limit, or put it back.

        The agent shares it with what it watches. Programs that exhaust CPU and memory together can run up a
        debt of CPU time that keeps all of them stopped, also those that the kernel has already killed, long
        after the deadline.
        """
        if self._cpu is not None:
            file, limit = self._cpu
            with contextlib.suppress(OSError):
                file.write_text(_NO_CPU_LIMIT[file.name] if lifted else limit)

    def make_room(self) -> None:
        """Make sure again that the agent has memory to work with.

        Empty files and shared memory outlive the program that made them, and the kernel counts them. With
        nothing left of the limit, the agent would be killed at its next fork.
        """
        if self._memory is None or self._raised >= MOST:
            return
        file, text = self._memory
        used, before = _MEMORY[file.name]
        with contextlib.suppress(OSError, ValueError):
            limit = int(text) + self._raised
            free = limit - int(file.with_name(used).read_text())
            if free < ROOM and free + _forgettable(file.parent) < ROOM:
                raised = str(limit + ROOM)
                if before:
                    with contextlib.suppress(OSError):  # a kernel that does not count swap
                        file.with_name(before).write_text(raised)
                file.write_text(raised)
                self._raised += ROOM

    @functools.cached_property
    def _cpu(self) -> tuple[Path, str] | None:
        return _first(self.folders, _NO_CPU_LIMIT)

    @functools.cached_property
    def _memory(self) -> tuple[Path, str] | None:
        return _first(self.folders, _MEMORY)

    def oom_kills(self) -> int:
        """How many processes the kernel has killed here for memory, where the agent cannot see it."""
        return 0


def of_process(pid: int) -> Cgroups:
    """The cgroups that a process of this machine is in, as far as they are visible."""
    return Cgroups([own for _, mount, own in _memberships(Path(f"/proc/{pid}")) if own != mount])


def _first(folders: Iterable[Path], names: Iterable[str]) -> tuple[Path, str] | None:
    """The first of these files that can be read, with its content."""
    for folder in folders:
        for name in names:
            with contextlib.suppress(OSError):
                return folder / name, (folder / name).read_text().strip()
    return None


def _forgettable(folder: Path) -> int:
    """Bytes of files that were read or written and that the kernel can forget again."""
    lines = (line.split() for line in (folder / "memory.stat").read_text().splitlines())
    return sum(int(size) for name, size in lines if name in ("active_file", "inactive_file"))


class Cgroup(Cgroups):
    """The cgroups of one sandbox, with its limits. Made by the constructor (OSError if it cannot be), then
    joined."""

    def __init__(self, place: Hierarchy, limits: Limits) -> None:
        super().__init__([])
        self.name = owner.fresh_name()
        try:
            for controller, parent in place.folders.items():
                folder = parent / self.name
                folder.mkdir()
                self.folders.append(folder)
                for name, value, needed in _settings(controller, limits):
                    with contextlib.nullcontext() if needed else contextlib.suppress(OSError):
                        (folder / name).write_text(value)
        except OSError:
            clear(self.folders)
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


def _settings(controller: str, limits: Limits) -> list[tuple[str, str, bool]]:
    """(file, value, whether a kernel that lacks it is refused)."""
    memory, processes, quota = str(limits.memory), str(limits.processes), cpu_quota(limits)
    return {
        "": [
            ("memory.max", memory, True),
            ("memory.swap.max", "0", False),
            ("pids.max", processes, True),
            ("cpu.max", f"{quota} {CPU_PERIOD}", False),
        ],
        "memory": [("memory.limit_in_bytes", memory, True), ("memory.memsw.limit_in_bytes", memory, False)],
        "pids": [("pids.max", processes, True)],
        "cpu": [("cpu.cfs_period_us", str(CPU_PERIOD), False), ("cpu.cfs_quota_us", str(quota), False)],
    }[controller]


def cpu_quota(limits: Limits) -> int:
    """Microseconds of CPU time in each CPU_PERIOD."""
    return max(1000, int(limits.cpus * CPU_PERIOD))


def parents() -> set[Path]:
    """Every folder in which sandboxes may have cgroups: ours (`candidates`), and the tops of all hierarchies,
    where those of runtimes are."""
    return {parent for place in candidates() for parent in place.folders.values()} | _tops()


def _tops() -> set[Path]:
    return {mount for _, mount, _ in _memberships(SELF)}


def of_runtime(name: str) -> list[Path]:
    """The cgroups of that name which a runtime has made and not removed."""
    return [top / name for top in _tops() if (top / name).is_dir()]


def clear(folders: Iterable[Path]) -> list[Path]:
    """Kill whatever is in these cgroups, and remove them. Returns those that are still in use."""
    busy = []
    for folder in folders:
        with contextlib.suppress(OSError):
            for pid in map(int, (folder / "cgroup.procs").read_text().split()):
                if pid > 0:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
        try:
            folder.rmdir()
        except OSError as error:
            if error.errno == errno.EBUSY:
                busy.append(folder)
    return busy


async def remove(folders: Iterable[Path], give_up_s: float = 2.0) -> None:
    """The same, until all are gone; the kernel takes a moment to let go of the last dead process."""
    until, pause_s = time.monotonic() + give_up_s, 0.002
    while (folders := clear(folders)) and time.monotonic() < until:
        await asyncio.sleep(pause_s)
        pause_s = min(0.05, pause_s * 1.1)


def remove_leftovers(give_up_s: float = 0.5) -> int:
    """Empty and remove the cgroups of runs that were killed. Returns how many sandboxes that were. Processes
    that are about to end are waited for, for a limited time; raises SandboxError if that is not enough."""
    left = [each for parent in parents() for each in parent.glob(owner.PATTERN) if owner.abandoned(each.name)]
    until, busy = time.monotonic() + give_up_s, clear(left)
    while busy and time.monotonic() < until:
        time.sleep(0.005)
        busy = clear(busy)
    if busy:
        raise SandboxError(f"the cgroup {busy[0]} is still in use ({len(busy)} in all)")
    return len({folder.name for folder in left if not folder.exists()})
