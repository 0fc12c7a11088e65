"""The processes in a sandbox as /proc shows them: whose they are, what they hold, and the end of them all."""

from __future__ import annotations

import time

from assay.sandboxes.agent.quick import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

SIGKILL, SIGSTOP = 9, 19


def processes() -> dict[int, tuple[int, bytes, int, int]]:
    """pid -> (parent's pid, state letter, CPU time with that of its dead children, start) of all visible.

    The times are in clock ticks, the start since the machine's.
    """
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb", buffering=0) as file:
                    stat = file.read(4096)
            except OSError:
                continue  # it has just ended
            fields = stat[stat.rfind(b")") + 2 :].split()
            used = sum(map(int, fields[11:15]))
            found[int(name)] = (int(fields[1]), fields[0], used, int(fields[19]))
    return found


def descendants(
    table: Mapping[int, tuple[int, bytes, int, int]], roots: Iterable[int], spared: Collection[int] = ()
) -> list[int]:
    """Every pid below `roots` in `table`, without the subtrees that start at `spared`."""
    children: dict[int, list[int]] = {}
    for pid, process in table.items():
        children.setdefault(process[0], []).append(pid)
    found: list[int] = []
    todo = list(roots)
    while todo:
        for pid in children.get(todo.pop(), ()):
            if pid not in spared:
                found.append(pid)
                todo.append(pid)
    return found


def resident(pid: int) -> int:
    """A process's share of the memory it has touched, in bytes; 0 if it has ended. Without memory that is
    shared and of no file on a disk: see `shared`."""
    found = {}
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss"):
                    found[line.split()[0]] = int(line.split()[1]) * 1024
    except OSError:
        pass
    return found[b"Pss:"] - found.get(b"Pss_Shmem:", 0) if b"Pss:" in found else resident_at_most(pid)


def shared(pids: Iterable[int]) -> int:
    """Bytes of anonymous memory that these processes have mapped to share it, touched or not: the kernel does
    not tell whose it is, and keeps it when a process says that it needs it no more. Of a process that lets
    nobody look, all that it has mapped."""
    found: dict[tuple[bytes, ...], int] = {}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", "rb") as file:
                for line in file:
                    if line.endswith(b"/dev/zero (deleted)\n"):
                        begin, end = (int(number, 16) for number in line.split()[0].split(b"-"))
                        what = (*line.split()[3:5], line.split()[2])
                        found[what] = max(found.get(what, 0), end - begin)
        except PermissionError:
            found[b"%d" % pid,] = mapped(pid)
        except OSError:
            continue
    return sum(found.values())


def mapped(pid: int) -> int:
    """The bytes of a process's address space; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:
            return int(file.read(200).split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def resident_at_most(pid: int) -> int:
    """The same, counting shared pages in full; much cheaper."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:
            return int(file.read(200).split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def out_of_memory_kills() -> int:
    """How often this container's own cgroup has killed for memory; 0 where it cannot be seen."""
    for path in ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"):
        try:
            with open(path, "rb") as file:
                for line in file:
                    if line.startswith(b"oom_kill "):
                        return int(line.split()[1])
        except OSError:
            continue
    return 0


def end_all(spared: Collection[int], alone: bool, reap: Callable[[], bool], give_up_s: float) -> None:
    """Kill every process below this one, but `spared` and what is below those.

    `alone`: all that this process may signal is its own to kill. `reap` waits for the dead; False
    when no child is left.
    """
    deadline = time.monotonic() + give_up_s
    stopped: set[int] = set()
    while time.monotonic() < deadline:
        if alone and not spared:
            try:
                os.kill(-1, SIGKILL)  # one call under the kernel's lock: no fork bomb outruns it
            except ProcessLookupError:
                pass
        else:
            table = processes()
            found = descendants(table, [os.getpid()], spared)
            victims = {pid for pid in found if table[pid][1] not in (b"Z", b"X")}
            # Stop them all before killing any: a killed one makes room for another to fork.
            for pid in victims:
                try:
                    os.kill(pid, SIGKILL if victims <= stopped else SIGSTOP)
                except (ProcessLookupError, PermissionError):
                    pass
            stopped = victims
            if not victims:
                reap()
                return
        if not reap():
            return
        time.sleep(0.0005)
