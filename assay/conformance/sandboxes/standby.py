# ruff: noqa: E501 - programs read best in one piece
"""A program that was started ahead of need replaces the command that it was started for."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace

from assay.conformance.sandboxes.suite import check, in_time, processes_with, use
from assay.records import Limits, Sandbox, Standby
from assay.sandboxes.backends.registry import Backend

COMMAND = ("python3", "main.py")
# It waits for its byte, says so, and goes on as the command does.
WAITING = (
    "python3", "-c",
    "import os; os.read(0, 1); print('waited', flush=True); exec(open('main.py').read())",
)  # fmt: skip
STANDBY = Standby(COMMAND, WAITING, (("GIVEN", "yes"),))
LIMITS = Limits(standby=STANDBY)
ENV = {"GIVEN": "yes"}
ECHO = b"import os, sys; print(os.environ['GIVEN'], sys.stdin.read()); print('bad', file=sys.stderr); sys.exit(3)"


@check(limits=LIMITS)
async def it_gets_the_files_the_input_and_the_answer(sandbox: Sandbox) -> None:
    first = await sandbox.run(COMMAND, files={"main.py": ECHO}, stdin=b"typed" * 50_000, env=ENV)
    assert first.stdout == b"waited\nyes " + b"typed" * 50_000 + b"\n"
    assert (first.stderr, first.returncode, first.timed_out) == (b"bad\n", 3, False)
    assert first.max_rss > 1 << 20 and first.cpu_seconds > 0
    second = await sandbox.run(COMMAND, files={"main.py": ECHO}, stdin=b"x", env=ENV)
    assert second.stdout == b"yes x\n", "it waits once; the next run starts anew"


@check(limits=LIMITS)
async def other_commands_run_beside_it_and_leave_it_alone(sandbox: Sandbox) -> None:
    other = await sandbox.run(["sh", "-c", "sleep 100 & echo other"])
    assert other.stdout == b"other\n"
    result = await sandbox.run(COMMAND, files={"main.py": b""}, env={})
    assert result.stdout == b"", "another environment"
    result = await sandbox.run(COMMAND, env=ENV)
    assert result.stdout == b"waited\n"


MARK = f"mark-{os.getpid()}"  # an argument of the one that waits


@check(seconds=2, limits=replace(LIMITS, standby=replace(STANDBY, waiting=(*WAITING, MARK))))
async def its_clock_starts_with_the_run_and_stops_it(sandbox: Sandbox) -> None:
    program = b"import os, time\nif os.fork() == 0: os.setsid()\nprint('begun', flush=True)\ntime.sleep(100)"
    await asyncio.sleep(1.5)
    result = await sandbox.run(COMMAND, files={"main.py": program}, env=ENV, time_limit_s=1.4)
    assert result.timed_out and b"begun" in result.stdout and result.seconds > 1.3
    in_time(result.seconds, 2.6)
    left = processes_with(MARK)
    assert not left, "a process is left"


def one_that_dies_waiting_or_cannot_start_is_not_missed(backend: Backend) -> None:
    async def work(sandbox: Sandbox) -> None:
        await asyncio.sleep(0.5)
        result = await sandbox.run(COMMAND, files={"main.py": b"print('plain')"}, env=ENV)
        assert (result.stdout, result.returncode) == (b"plain\n", 0)

    for waiting in (("sh", "-c", "echo early; exit 9"), ("no-such-program",)):
        use(backend, work, replace(LIMITS, standby=replace(STANDBY, waiting=waiting)))


@check(limits=replace(LIMITS, standby=replace(STANDBY, waiting=("sh", "-c", "sleep 1000; true", MARK))))
async def nothing_of_it_is_left_when_the_sandbox_closes(sandbox: Sandbox) -> None:
    deadline = time.monotonic() + 30
    while not processes_with(MARK):  # it may not have reached its exec
        assert time.monotonic() < deadline, "it was not started"
        await asyncio.sleep(0.02)
    await sandbox.close()
    deadline = time.monotonic() + 10
    while processes_with(MARK):
        assert time.monotonic() < deadline, "it outlived its sandbox"
        await asyncio.sleep(0.05)
