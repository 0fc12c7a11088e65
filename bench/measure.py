"""What every measurement here shares: a process and what it used, a section of results, the machine.

Comparisons run on one machine in one run with their turns interleaved, and medians are compared, so
that what holds is the ratio, not the seconds.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent


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
) -> Spent:
    """Run a command to its end. Raises RuntimeError if `check` and it failed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen(
            argv, env={**os.environ, **(env or {})}, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        # wait4 gives this child's own figures; RUSAGE_CHILDREN would add up all that came before.
        previous = signal.signal(signal.SIGALRM, lambda *_: process.kill())
        signal.setitimer(signal.ITIMER_REAL, time_limit_s)
        try:
            _, status, used = os.wait4(process.pid, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, previous)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
    spent = Spent(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024, process.returncode, *texts)
    if check and spent.returncode:
        raise RuntimeError(f"{' '.join(argv)} ended with {spent.returncode}:\n{spent.stderr[-2000:]}")
    return spent


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
