"""One race: contenders in turns, each start a process of its own; a failure is told, not thrown.

A contender that fails, hangs past the time limit, asks too little or judges wrongly loses this race only.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.contenders import Contender, Job
from bench.measure import Spent, run
from testing.model_server import ModelServer

TIME_LIMIT_S = 150.0
# What reading another program's results, or starting it, may end in.
TROUBLE = (OSError, ValueError, LookupError, sqlite3.Error, subprocess.SubprocessError)
Found = float | str  # a figure, or words where a contender has none


@dataclass(frozen=True)
class Done:
    """A run to its end: what the process used, and what the server counted meanwhile."""

    spent: Spent
    requests: int
    in_flight: int
    statuses: Mapping[str, int]


class Lost(Exception):
    """Why a contender has no result; one sentence."""


def finish(contender: Contender, job: Job, argv: Sequence[str], limit_s: float = TIME_LIMIT_S) -> Spent:
    """Run to the end. Raises Lost if it failed or took too long."""
    spent = run(argv, env=contender.environment(job), cwd=job.folder, time_limit_s=limit_s, check=False)
    if spent.returncode == -signal.SIGKILL and spent.wall >= limit_s:
        raise Lost(f"not done after {limit_s:.0f} s")
    if spent.returncode:
        said = [line.strip() for line in (spent.stderr + spent.stdout).splitlines() if line.strip()]
        raise Lost(f"ended with {spent.returncode}: {said[-1][:160] if said else 'and said nothing'}")
    return spent


def evaluate(
    contender: Contender,
    server: ModelServer,
    job: Job,
    *,
    cached: bool = False,
    limit_s: float = TIME_LIMIT_S,
) -> Done:
    """One whole evaluation, its samples judged as they must be."""
    job.questions  # noqa: B018, written before the clock starts
    argv = contender.run(job, cached=cached)
    server.reset()
    spent = finish(contender, job, argv, limit_s)
    return checked(contender, server, job, spent)


def checked(contender: Contender, server: ModelServer, job: Job, spent: Spent) -> Done:
    stats = server.stats()
    try:
        passed = contender.passed(job)
    except TROUBLE as error:
        raise Lost(f"left no results that can be read ({type(error).__name__}: {error})") from error
    if passed != job.right:
        raise Lost(f"{passed:,} of {job.samples:,} samples passed, {job.right:,} should")
    return Done(spent, stats["requests"], stats["in_flight_max"], stats["statuses"])


@dataclass(frozen=True)
class Resumed:
    """A run killed in the middle and finished by a second start."""

    wall: float
    repeated: int
    in_flight: int


def kill_and_resume(contender: Contender, server: ModelServer, job: Job, kill_at: int) -> Resumed:
    """Kill -9 the process and its children once the server has been asked `kill_at` times, then resume.

    `in_flight`: calls that the server was answering at that moment; nobody can know their replies.
    """
    job.questions  # noqa: B018
    server.reset()
    with (job.folder / "killed.log").open("wb") as log:
        process = subprocess.Popen(
            contender.run(job, cached=True),
            env={**os.environ, **contender.environment(job)},
            cwd=job.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        deadline = time.monotonic() + TIME_LIMIT_S
        while process.poll() is None and time.monotonic() < deadline:
            stats = server.stats()
            if stats["requests"] >= kill_at:
                break
            time.sleep(0.02)
        else:
            stats = server.stats()
        early = process.poll() is not None
        if not early:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if early or stats["requests"] < kill_at:
        raise Lost("could not be killed in mid-run")
    wall = 0.0
    for argv in contender.resume(job):
        spent = finish(contender, job, argv)
        wall += spent.wall
    done = checked(contender, server, job, spent)
    return Resumed(wall, done.requests - job.samples, stats["in_flight"])


def in_turns(
    contenders: Sequence[Contender],
    rounds: int,
    folder: Path,
    act: Callable[[Contender, Path], list[Found]],
    race: str,
) -> tuple[dict[str, list[list[Found]]], dict[str, str]]:
    """What `act` found by contender, round by round in another order each; who lost, and why."""
    found: dict[str, list[list[Found]]] = {contender.name: [] for contender in contenders}
    lost: dict[str, str] = {}
    for number in range(rounds):
        turn = number % len(contenders)
        for contender in [*contenders[turn:], *contenders[:turn]]:
            if contender.name in lost:
                continue
            begun = time.perf_counter()
            with tempfile.TemporaryDirectory(dir=folder, prefix="race-") as name:
                try:
                    found[contender.name].append(act(contender, Path(name)))
                except Lost as error:
                    lost[contender.name] = str(error)
                except TROUBLE as error:
                    lost[contender.name] = f"{type(error).__name__}: {error}"
            took = f"{time.perf_counter() - begun:.1f} s"
            print(
                f"  {race}: {contender.name}: {lost.get(contender.name, took)}", file=sys.stderr, flush=True
            )
    return found, lost


def middle(values: Sequence[float]) -> float:
    return median(values)
