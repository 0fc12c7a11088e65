"""
Verdicts on a busy machine: the oracle's with eight busy loops beside it, and programs that hang.

Time limits count the time that a program had (docs/sandboxes.md). So what passes on a quiet machine passes on
a busy one, and what hangs ends within three times its limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from assay.errors import SandboxUnavailable
from assay.records import Outcome
from assay.results.store import load_records
from assay.sandboxes.pool import open_pool
from bench.measure import Section, Target, run

LOOPS = 8
MOST_TIMES = 3  # a limit, until a program that hangs has ended
HANGS = {
    "while True: pass": ["python3", "-c", "while True: pass"],
    "eight busy threads": ["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do while :; do :; done & done; wait"],
    "processes without end": ["sh", "-c", "while :; do /bin/true; done"],
    "sleep": ["sleep", "600"],
    "reads what never comes": ["sh", "-c", "mkfifo f; cat f"],
}
SLEEPERS = ("sleep", "reads what never comes")


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """So many loops that want a core each."""
    loops = [subprocess.Popen([sys.executable, "-ISc", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def oracle(tests: list[str]) -> tuple[dict[str, Outcome], float, float]:
    """What became of each test, the seconds that it took, and those that programs waited for a core."""
    chosen = [word for test in tests for word in ("--test", test)]
    with tempfile.TemporaryDirectory(prefix="assay-load-") as folder:
        command = [
            sys.executable,
            "main.py",
            "--run-tests",
            "--model",
            "oracle",
            "--no-cache",
            "--logdir",
            folder,
            *chosen,
        ]
        spent = run(command, time_limit_s=7200, check=False)
        records = load_records(sorted(Path(folder).glob("**/run-*.jsonl"))).records
    waited = sum(record.waited_seconds for record in records)
    return {record.test: record.outcome for record in records}, spent.wall, waited


async def hang(limit_s: float) -> dict[str, tuple[float, float]]:
    """Program -> the seconds until control was back, and those that it had waited for a core."""
    found = {}
    async with open_pool(ahead=0) as pool:
        for title, argv in HANGS.items():
            sandbox = await pool.acquire()
            began = time.monotonic()
            result = await sandbox.run(argv, time_limit_s=limit_s)
            found[title] = time.monotonic() - began, result.waited_seconds
            await sandbox.close()
    return found


def measure(*, quick: bool = False) -> list[Section]:
    tests = ["print_hello"] if quick else []
    limit_s, loops = (1.0, 2) if quick else (5.0, LOOPS)
    rows: list[tuple[str, ...]] = []
    targets: list[Target] = []
    notes: list[str] = []
    quiet, quiet_s, _ = oracle(tests)
    with busy(loops):
        loaded, loaded_s, waited = oracle(tests)
        try:
            hung = asyncio.run(hang(limit_s))
        except SandboxUnavailable as error:
            notes.append(f"no sandbox: {str(error).splitlines()[0]}")
            hung = {}
    passed = {test for test, outcome in quiet.items() if outcome is Outcome.PASS}
    still = {test for test in passed if loaded.get(test) is Outcome.PASS}
    rows.append(("the oracle, quiet", f"{len(passed)} of {len(quiet)} pass", f"{quiet_s:.0f} s", ""))
    rows.append(
        (f"with {loops} busy loops", f"{len(still)} of them pass", f"{loaded_s:.0f} s", f"{waited:.0f} s")
    )
    targets.append(Target("tests that pass only on a quiet machine", len(passed) - len(still), 0))
    for title, (seconds, stood) in hung.items():
        rows.append((f"hangs: {title}", f"limit {limit_s:g} s", f"{seconds:.1f} s", f"{stood:.1f} s"))
    worst = max((seconds for seconds, _ in hung.values()), default=0.0) / limit_s
    targets.append(Target("times its limit, until a program that hangs has ended", worst, MOST_TIMES))
    asleep = max((hung[title][0] for title in SLEEPERS if title in hung), default=0.0) / limit_s
    targets.append(Target("the same of one that only waits", asleep, 1.3))
    if lost := sorted(passed - still):
        notes.append(f"lost: {', '.join(lost)}")
    cores = len(os.sched_getaffinity(0))
    about = f"{cores} cores. Seconds until all was over, and those that programs waited for a core."
    return [Section("A busy machine", about, ("what", "outcome", "took", "waited"), rows, targets, notes)]
