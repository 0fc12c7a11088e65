"""What a verdict costs beside its program: by make_python_test, make_c_test and PyEvaluator, with the pool.

Beside each stands the same without it: the same program without checks, or the same function in the program's
own sandbox. Wall time is of trials in turns in one process (bench/verdict_trials.py). CPU is of processes in
turns that run one kind of trial each, with all that they started, containers and their monitors included.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from assay.errors import SandboxUnavailable
from assay.sandboxes.backends.registry import backend
from bench.measure import ROOT, Section, Spent, Target, milliseconds, run

BACKENDS = {"bubblewrap": (20, 0.1), "podman": (8, 0.5)}  # rounds; a pause, to open what was taken
PROCESSES = 3  # of each kind, for CPU
BESIDE = {
    "make_python_test": "program",
    "make_python_test, expected by a function": "program",
    "make_c_test": "C program",
    "PyEvaluator behind a program": "program, function",
    "PyEvaluator behind a file": "file, function",
}
MORE_WALL_MS, MORE_CPU_MS = 15, 60


@dataclass(frozen=True)
class Kind:
    """What was measured of one kind of trial: seconds of each, and CPU seconds a trial of each process."""

    wall: list[float]
    cpu: list[float]


def works_here(names: Iterable[str], notes: list[str]) -> list[str]:
    """Those of the backends that work; what is wrong with the others goes into the notes."""
    working = []
    for name in names:
        try:
            asyncio.run(backend(name).probe())
            working.append(name)
        except SandboxUnavailable as error:
            notes.append(f"{name}: not here: {str(error).splitlines()[0]}")
    return working


def trials(name: str, kinds: Sequence[str], rounds: int, *, pause_s: float = 0, root: Path = ROOT) -> Spent:
    """A process of the checkout `root` that runs these kinds in turns; see bench/verdict_trials.py."""
    command = [sys.executable, str(ROOT / "bench" / "verdict_trials.py"), name, *kinds]
    flags = [f"--rounds={rounds}", f"--pause={pause_s}"]
    return run([*command, *flags], env={"PYTHONPATH": str(root)}, time_limit_s=1800, orphans=True)


def cpu_a_trial(name: str, kind: str, rounds: int, root: Path = ROOT) -> float:
    """CPU seconds, with all that the process started, and its own start."""
    return trials(name, [kind], rounds, root=root).cpu / (rounds + 1)


def measure_backend(name: str, rounds: int, pause_s: float, processes: int) -> dict[str, Kind]:
    kinds = list(dict.fromkeys(kind for pair in BESIDE.items() for kind in reversed(pair)))
    seconds = json.loads(trials(name, kinds, rounds, pause_s=pause_s).stdout)
    found = {kind: Kind(wall, []) for kind, wall in seconds.items()}
    for _ in range(processes):
        for kind in kinds:
            found[kind].cpu.append(cpu_a_trial(name, kind, rounds))
    return found


def measure(*, quick: bool = False) -> list[Section]:
    processes = 1 if quick else PROCESSES
    rows: list[tuple[str, ...]] = []
    targets: list[Target] = []
    notes: list[str] = []
    for name in works_here(BACKENDS, notes):
        rounds, pause_s = BACKENDS[name]
        found = measure_backend(name, 1 if quick else rounds, pause_s, processes)

        def cells(kind: str, of: Callable[[Kind], list[float]], found: dict[str, Kind] = found) -> list[str]:
            one, other = of(found[kind]), of(found[BESIDE[kind]])
            more = (median(one) - median(other)) * 1000
            return [milliseconds(other), milliseconds(one), f"{more:.1f}"]

        for kind, plain in BESIDE.items():
            wall, cpu = cells(kind, lambda each: each.wall), cells(kind, lambda each: each.cpu)
            rows.append((name, kind, plain, *wall, *cpu))
            targets.append(Target(f"{name}: {kind}: more wall time", float(wall[2]), MORE_WALL_MS, " ms"))
            targets.append(Target(f"{name}: {kind}: more CPU", float(cpu[2]), MORE_CPU_MS, " ms"))
    trials = " or ".join(str(1 if quick else rounds) for rounds, _ in BACKENDS.values())
    about = (
        f"Medians of {trials} trials in turns (wall) and of {processes} processes in turns with as many "
        "(CPU a trial, process start included). Beside each verdict stands the same without it: the program "
        "alone, or the program or file and then the same function in its sandbox."
    )
    columns = (
        *("sandbox", "verdict", "beside", "ms beside", "ms", "more"),
        *("CPU ms beside", "CPU ms", "more CPU"),
    )
    return [Section("Verdicts", about, columns, rows, targets, notes)]
