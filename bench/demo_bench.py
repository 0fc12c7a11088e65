"""`make demo` in an empty clone, by its parts, now and at an earlier commit.

    python -m bench demo

Package caches are warm: each side has made its environment once before, in another clone. Seconds are told,
not CPU alone, for that is what somebody waits; they hold for a machine that does nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.before import COMMIT, NoSuchCommit, checkout
from bench.measure import IDLE, ROOT, Section, Target, machine_cpu

NOW, BEFORE = "now", "before"
TIME_LIMIT_S = 900
LOOK_S = 3.0
# What is said when a part begins; the last one is the end.
PARTS = {
    "environment": re.compile(r"setup: making \.venv"),
    "packages": re.compile(r"setup: installing "),
    "start": re.compile(r"setup: done"),
    "tests": re.compile(r"(\d+) trials to run"),
    "report": re.compile(r"\d+/\d+ trials in "),
}
# Of the make that may have started this, of the environment that runs it, and of this project's settings
NOT_THEIRS = ("MAKE", "MFLAGS", "ARGS", "EXTRAS", "VIRTUAL_ENV", "PYTHON", "ASSAY_")


@dataclass(frozen=True)
class Demo:
    """Seconds of each part and CPU seconds of the whole machine; `trials` of the run. `others`: CPU seconds a
    second that the machine used just before."""

    seconds: Mapping[str, float]
    cpu: float
    trials: int
    others: float

    @property
    def total(self) -> float:
        return sum(self.seconds.values())


def environment() -> dict[str, str]:
    """That of somebody who has just opened a shell."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_THEIRS)}
    paths = kept["PATH"].split(os.pathsep)
    kept["PATH"] = os.pathsep.join(each for each in paths if not (Path(each) / "activate").exists())
    return kept


def clone(of: Path, folder: Path) -> Path:
    quiet = ["-c", "advice.detachedHead=false"]
    command = ["git", *quiet, "clone", "--quiet", str(of), str(folder)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return folder


def make(folder: Path, *words: str) -> Demo:
    """Run make and note when each part begins. Raises RuntimeError if it fails."""
    before = machine_cpu()
    time.sleep(LOOK_S)
    began, cpu = time.perf_counter(), machine_cpu()
    others = (cpu - before) / LOOK_S
    at, trials, said = {"environment": began}, 0, []
    command = ["timeout", str(TIME_LIMIT_S), "make", *words]
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            for part, sign in PARTS.items():
                if found := sign.search(line):
                    at.setdefault(part, time.perf_counter())
                    trials = int(found[1]) if found.groups() else trials
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{''.join(said[-20:])}")
    marks = [at[part] for part in PARTS if part in at] + [time.perf_counter()]
    names = [part for part in PARTS if part in at]
    seconds = {part: marks[n + 1] - marks[n] for n, part in enumerate(names)}
    return Demo(seconds, machine_cpu() - cpu, trials, others)


def measure(*, quick: bool = False) -> list[Section]:
    sides, notes = {NOW: ROOT}, ["Now: the last commit, without what is not committed."]
    if not quick:
        try:
            sides[BEFORE] = checkout()
        except NoSuchCommit as error:
            notes.append(f"Before: {error}.")
    words = ["ARGS=--test print_hello"] if quick else []
    found = {}
    with tempfile.TemporaryDirectory(prefix="assay-demo-") as folder:
        for name, side in sides.items():
            make(clone(side, Path(folder) / f"{name}-first"), "setup")
        for name, side in sides.items():
            found[name] = make(clone(side, Path(folder) / name), "demo", *words)
    now = found[NOW]
    rows = [(part, *(f"{each.seconds[part]:.1f}" for each in found.values())) for part in PARTS]
    rows.append(("in all", *(f"{each.total:.1f}" for each in found.values())))
    rows.append(("CPU seconds of the machine", *(f"{each.cpu:.0f}" for each in found.values())))
    rows.append(("trials", *(str(each.trials) for each in found.values())))
    targets = [
        Target("make demo in an empty clone, package caches warm", now.total, 90, " s"),
        Target("of it tests", now.seconds["tests"], 30, " s", at_most=False),
    ]
    if BEFORE in found:
        targets.append(Target("trials", now.trials, found[BEFORE].trials, at_most=False))
        notes.append(f"Before: commit {COMMIT}.")
    if busy := [f"{name} {each.others:.1f}" for name, each in found.items() if each.others > IDLE]:
        notes.append(
            f"The machine was not idle (CPU seconds a second just before: {', '.join(busy)}): rough."
        )
    about = (
        "`make demo` in a clone made for it, in the sandbox that is this machine's default. pip's and uv's "
        "caches of packages are warm."
    )
    columns = ("seconds", *(name for name in found))
    return [Section("The demo in an empty clone", about, columns, rows, targets, notes)]
