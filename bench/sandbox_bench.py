"""Commands in a ready sandbox, pristine sandboxes from the pool, and cold ones, for each backend here."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import time
from collections.abc import Awaitable, Callable
from statistics import median

from assay.errors import SandboxError, SandboxUnavailable
from assay.records import Limits
from assay.sandboxes.backends.docker import Docker
from assay.sandboxes.backends.podman import Podman
from assay.sandboxes.backends.registry import Backend, backend
from assay.sandboxes.pool import open_pool
from bench.measure import Section, Target, milliseconds, run
from testing import engines

BACKENDS = ("bubblewrap", "podman", "docker")
ENGINES: dict[str, type[Podman | Docker]] = {"podman": Podman, "docker": Docker}
COLD_LIMIT_MS = {"bubblewrap": 60, "podman": 400}
COMMANDS = {
    "/bin/true": ["/bin/true"],
    "python3 hello": ["/usr/bin/python3", "-c", "print('hello')"],
}


async def timed(act: Callable[[], Awaitable[object]]) -> float:
    started = time.perf_counter()
    await act()
    return time.perf_counter() - started


def on_the_host(argv: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(argv, capture_output=True, check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - started


async def ready_commands(name: str, rounds: int) -> tuple[str, dict[str, tuple[list[float], list[float]]]]:
    """The tier, and for each command the seconds on the host and in a ready sandbox, taken in turns."""
    async with open_pool(name, ahead=1) as pool:
        sandbox = await pool.acquire()
        found: dict[str, tuple[list[float], list[float]]] = {}
        for title, argv in COMMANDS.items():
            host: list[float] = []
            inside: list[float] = []
            for number in range(rounds + 3):
                a = on_the_host(argv)
                started = time.perf_counter()
                result = await sandbox.run(argv)
                b = time.perf_counter() - started
                if result.returncode:
                    raise SandboxError(f"{argv} in {name}: {result.output}")
                if number >= 3:
                    host.append(a)
                    inside.append(b)
            found[title] = host, inside
        await sandbox.close()
        return pool.tier, found


async def from_the_pool(name: str, rounds: int, pause_s: float) -> list[float]:
    """Seconds to get a pristine sandbox while trials come no faster than the pool can open new ones."""
    async with open_pool(name, ahead=2) as pool:
        seconds = []
        for number in range(rounds + 1):
            started = time.perf_counter()
            sandbox = await pool.acquire()
            if number:  # the first one starts the pool
                seconds.append(time.perf_counter() - started)
            await sandbox.run(["/bin/true"])
            await sandbox.close()
            await asyncio.sleep(pause_s)
    return seconds


async def cold(made: Backend, rounds: int) -> list[float]:
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        sandbox = await made.open(Limits(), "bench")
        seconds.append(time.perf_counter() - started)
        await sandbox.close()
    return seconds


async def through_exec(name: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of /bin/true in one container, which the engine itself has started and so knows: through its
    agent, and by the engine's own exec, in turns."""
    made = ENGINES[name](direct=False)
    await made.probe()
    sandbox = await made.open(Limits(), "bench-exec")
    list_it = [name, "ps", "--quiet", "--filter=label=assay.run=bench-exec"]
    shown = run(list_it).stdout.split()
    inside, by_exec = [], []
    for _ in range(rounds):
        inside.append(await timed(lambda: sandbox.run(["/bin/true"])))
        by_exec.append(on_the_host([name, "exec", shown[0], "/bin/true"]))
    await sandbox.close()
    return inside, by_exec


async def measure_backend(name: str, rounds: int) -> tuple[list[tuple[str, ...]], list[Target]]:
    tier, commands = await ready_commands(name, rounds)
    pristine = await from_the_pool(name, max(5, rounds // 5), 1.0)
    made = backend(name)
    await made.probe()
    opened = await cold(made, max(5, rounds // 5))
    rows, targets = [], []
    for title, (host, inside) in commands.items():
        rows.append((tier, title, milliseconds(host), milliseconds(inside)))
        more = (median(inside) - median(host)) * 1000
        targets.append(Target(f"{tier}: {title} in a ready sandbox over the host's", more, 5, " ms"))
    rows.append((tier, "a pristine sandbox from the pool", "", milliseconds(pristine)))
    rows.append((tier, "opening one cold", "", milliseconds(opened)))
    targets.append(Target(f"{tier}: a pristine sandbox from the pool", median(pristine) * 1000, 10, " ms"))
    if name in ENGINES:
        inside, by_exec = await through_exec(name, max(5, rounds // 5))
        rows.append((f"{name} exec", "/bin/true", "", milliseconds(by_exec)))
        ratio = median(by_exec) / median(inside)
        targets.append(Target(f"{tier}: {name} exec, times a ready sandbox", ratio, 10, at_most=False))
    if name in COLD_LIMIT_MS:
        limit = COLD_LIMIT_MS[name]
        targets.append(Target(f"{tier}: opening one cold", median(opened) * 1000, limit, " ms"))
    return rows, targets


def measure(*, quick: bool = False) -> list[Section]:
    with contextlib.nullcontext() if quick else engines.docker():
        return measure_here(quick)


def measure_here(quick: bool) -> list[Section]:
    rounds = 10 if quick else 100
    rows: list[tuple[str, ...]] = []
    targets: list[Target] = []
    notes: list[str] = []
    for name in BACKENDS:
        try:
            found, promised = asyncio.run(measure_backend(name, rounds))
        except SandboxUnavailable as error:
            notes.append(f"{name}: not here: {str(error).splitlines()[0]}")
            continue
        rows += found
        targets += promised
    fewer = max(5, rounds // 5)
    about = f"Medians of {rounds} runs, host and sandbox in turns; {fewer} for the pool and for cold ones."
    columns = ("sandbox", "what", "host ms", "sandbox ms")
    return [Section("Sandboxes", about, columns, rows, targets, notes)]
