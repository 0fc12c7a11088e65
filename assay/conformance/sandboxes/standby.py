# ruff: noqa: E501 - programs read best in one piece
"""A program that was started ahead of need stands in for the command that it was started for."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from pathlib import Path

from assay.conformance.sandboxes.suite import slow, use
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


def all_commands() -> str:
    """The command lines of every process of this machine."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found.append(file.read_bytes().decode(errors="replace"))
    return "\n".join(found)


def it_gets_the_files_the_input_and_the_answer(backend: Backend) -> None:
    async def work(sandbox: Sandbox) -> None:
        first = await sandbox.run(COMMAND, files={"main.py": ECHO}, stdin=b"typed" * 50_000, env=ENV)
        assert first.stdout == b"waited\nyes " + b"typed" * 50_000 + b"\n"
        assert (first.stderr, first.returncode, first.timed_out) == (b"bad\n", 3, False)
        assert first.max_rss > 1 << 20 and first.cpu_seconds > 0
        second = await sandbox.run(COMMAND, files={"main.py": ECHO}, stdin=b"x", env=ENV)
        assert second.stdout == b"yes x\n", "it waits once; the next run starts anew"

    use(backend, work, LIMITS)


def other_commands_run_beside_it_and_leave_it_alone(backend: Backend) -> None:
    async def work(sandbox: Sandbox) -> None:
        other = await sandbox.run(["sh", "-c", "sleep 100 & echo other"])
        assert other.stdout == b"other\n"
        assert (await sandbox.run(COMMAND, files={"main.py": b""}, env={})).stdout == b"", (
            "another environment"
        )
        assert (await sandbox.run(COMMAND, env=ENV)).stdout == b"waited\n"

    use(backend, work, LIMITS)


@slow(2)
def its_clock_starts_with_the_run_and_stops_it(backend: Backend) -> None:
    program = b"import os, time\nif os.fork() == 0: os.setsid()\nprint('begun', flush=True)\ntime.sleep(100)"

    async def work(sandbox: Sandbox) -> None:
        await asyncio.sleep(1.5)
        result = await sandbox.run(COMMAND, files={"main.py": program}, env=ENV, time_limit_s=1.4)
        assert result.timed_out and b"begun" in result.stdout and 1.3 < result.seconds < 2.6
        assert mark not in all_commands()

    mark = f"mark-{id(backend)}"
    waiting = (*WAITING, mark)
    use(backend, work, replace(LIMITS, standby=replace(STANDBY, waiting=waiting)))


def one_that_dies_waiting_or_cannot_start_is_not_missed(backend: Backend) -> None:
    async def work(sandbox: Sandbox) -> None:
        await asyncio.sleep(0.5)
        result = await sandbox.run(COMMAND, files={"main.py": b"print('plain')"}, env=ENV)
        assert (result.stdout, result.returncode) == (b"plain\n", 0)

    for waiting in (("sh", "-c", "echo early; exit 9"), ("no-such-program",)):
        use(backend, work, replace(LIMITS, standby=replace(STANDBY, waiting=waiting)))


def nothing_of_it_is_left_when_the_sandbox_closes(backend: Backend) -> None:
    mark = f"mark-{id(backend)}"
    waiting = ("sh", "-c", f"sleep 1000; echo {mark}")

    async def work(sandbox: Sandbox) -> None:
        deadline = time.monotonic() + 30
        while mark not in all_commands():  # it may not have come as far as its exec
            assert time.monotonic() < deadline, "it was not started"
            await asyncio.sleep(0.02)

    use(backend, work, replace(LIMITS, standby=replace(STANDBY, waiting=waiting)))
    deadline = time.monotonic() + 10
    while mark in all_commands():
        assert time.monotonic() < deadline, "it outlived its sandbox"
        time.sleep(0.05)
