"""What every measurement here shares: a process and what it used, a section of results, the machine.

Comparisons run on one machine in one run with their turns interleaved, and medians are compared, so
that what holds is the ratio, not the seconds.
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T")
IDLE = 0.05  # CPU seconds a second; an idle machine uses less


@dataclass(frozen=True)
class Target:
    """A promise and what was measured. `at_most` False: the figure must be at least the limit."""

    claim: str
    measured: float
    limit: float
    unit: str = ""
    at_most: bool = True

    @property
    def met(self) -> bool:
        return self.measured <= self.limit if self.at_most else self.measured >= self.limit

    def line(self) -> str:
        word = "at most" if self.at_most else "at least"
        mark = "met" if self.met else "NOT MET"
        return f"{mark}: {self.claim}: {self.measured:.3g}{self.unit} ({word} {self.limit:g}{self.unit})"


@dataclass(frozen=True)
class Section:
    """One measurement's table. Cells are strings, ready to print."""

    title: str
    about: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    targets: Sequence[Target] = ()
    notes: Sequence[str] = field(default_factory=tuple)

    def markdown(self) -> str:
        def row(cells: Sequence[str]) -> str:
            return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

        rule = row(["---", *["---:"] * (len(self.columns) - 1)])
        table = "\n".join([row(self.columns), rule, *(row(cells) for cells in self.rows)])
        lines = "\n".join(f"- {text}" for text in (*(t.line() for t in self.targets), *self.notes))
        return "\n\n".join(part for part in (f"### {self.title}", self.about, table, lines) if part) + "\n"


# Starts the command and reports on it. It stands between us and it because the kernel counts what a process
# was before its exec: a child of a large process would have a large peak. wait4 gives one child's figures.
# With orphans, processes that left their parents (a container's monitor, say) are its children (prctl 36) and
# count as well, once they have ended.
LAUNCHER = """
import json, os, sys, time
report, orphans, argv = int(sys.argv[1]), sys.argv[2] == "orphans", sys.argv[3:]
os.set_inheritable(report, False)
if orphans:
    import ctypes
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
started = time.perf_counter()
pid = os.posix_spawnp(argv[0], argv, os.environ)
status, used, cpu = None, None, 0.0
while status is None or orphans:
    try:
        ended, code, own = os.wait4(-1, 0)
    except ChildProcessError:
        break
    cpu += own.ru_utime + own.ru_stime
    if ended == pid:
        status, used, wall = code, own, time.perf_counter() - started
spent = (wall, cpu, used.ru_maxrss * 1024)
os.write(report, json.dumps([*spent, os.waitstatus_to_exitcode(status)]).encode())
"""


@dataclass(frozen=True)
class Spent:
    """What one process and the children it waited for used. `peak` in bytes, of the largest process."""

    wall: float
    cpu: float
    peak: int
    returncode: int
    stdout: str
    stderr: str


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
    time_limit_s: float = 600,
    check: bool = True,
    orphans: bool = False,
) -> Spent:
    """Run a command to its end, with `orphans` to that of all that it has started. Raises RuntimeError if
    `check` and it failed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as report:
        process = subprocess.Popen(
            [sys.executable, "-ISc", LAUNCHER, str(report.fileno()), "orphans" if orphans else "", *argv],
            env={**os.environ, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            pass_fds=(report.fileno(),),
            start_new_session=True,
        )
        try:
            process.wait(time_limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        texts = []
        for stream in (out, err, report):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    wall, cpu, peak, status = json.loads(texts.pop() or f"[{time_limit_s}, 0, 0, {-signal.SIGKILL}]")
    spent = Spent(wall, cpu, peak, status, *texts)
    if check and spent.returncode:
        raise RuntimeError(f"{' '.join(argv)} ended with {spent.returncode}:\n{spent.stderr[-2000:]}")
    return spent


def machine_cpu() -> float:
    """CPU seconds that this machine's processes and its kernel have used since it started."""
    user, nice, system, _, _, irq, softirq = map(int, Path("/proc/stat").read_text("utf-8").split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Whole:
    """What a process used, with the daemons and monitors that work for it. `others`: CPU seconds a second
    that the machine used just before it, which are taken off."""

    spent: Spent
    cpu: float
    others: float

    @property
    def idle(self) -> bool:
        """Whether the machine was; else `cpu` is rough."""
        return self.others <= IDLE


def run_alone(argv: Sequence[str], *, env: Mapping[str, str] | None = None, look_s: float = 2) -> Whole:
    """Run a command on a machine that should do nothing else. It looks on for `look_s` before it, and half of
    that after, when daemons clear up."""

    def used(meanwhile: Callable[[], T]) -> tuple[T, float, float]:
        began, cpu = time.perf_counter(), machine_cpu()
        done = meanwhile()
        return done, machine_cpu() - cpu, time.perf_counter() - began

    _, before, seconds = used(lambda: time.sleep(look_s))

    def to_the_end() -> Spent:
        spent = run(argv, env=env, orphans=True)
        time.sleep(look_s / 2)
        return spent

    spent, cpu, took = used(to_the_end)
    others = before / seconds
    return Whole(spent, max(0.0, cpu - others * took), others)


def milliseconds(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1000:.3g}"


def megabytes(size: float) -> str:
    return f"{size / 1e6:.0f}"


def machine() -> str:
    """Cores, memory, kernel and Python. No names: the figures may be published."""
    model = ""
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    cores = len(os.sched_getaffinity(0))
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return (
        f"{cores} cores ({model or platform.machine()}), {memory:.0f} GiB of memory, "
        f"Linux {platform.release().split('-')[0]}, {system}, Python {platform.python_version()}"
    )
