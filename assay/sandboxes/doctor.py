"""What the sandboxes of this machine really do: which tiers work, what is in them, which limits hold."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import ConfigError, SandboxError
from assay.records import Limits, Sandbox, Table
from assay.sandboxes.registry import BACKENDS, Backend, backend

OPEN_LIMIT_S = 120.0
LIMITS = Limits("doctor", memory=128 << 20, processes=32, disk=8 << 20)

# Name -> command that prints a version. One shell runs them all.
VERSIONS: Mapping[str, str] = {
    "python": "python3 --version",
    "c": "gcc --version",
    "cpp": "g++ --version",
    "rust": "rustc --version",
    "java": "java -version",
    "clojure": "clojure -e '(println (clojure-version))'",
    "javascript": "node --version",
    "bash": "bash --version",
    "sql": "sqlite3 --version",
    "git": "git --version",
    "gdb": "gdb --version",
    "browser": "chromium --version --no-sandbox",
}
LIBRARIES = ("numpy", "scipy", "pillow", "matplotlib", "numba", "jax", "torch", "chess")

_LIBRARY_VERSIONS = """\
import importlib.metadata, sys
for name in sys.argv[1:]:
    try: print(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError: pass
"""
_USE_MEMORY = "x = bytearray(256 << 20); print('had it')"
_USE_PROCESSES = """\
import os, time
made = 0
try:
    for made in range(200):
        if not os.fork(): time.sleep(20); os._exit(0)
except OSError: pass
print(made)
"""


@dataclass(frozen=True)
class Tier:
    """One way to have sandboxes, as it was found. `why`: why it does not work. `versions`: tool -> version.

    `limits`: what was limited -> "kernel", "agent" (it watches, where no cgroup can) or "NOT HELD".
    """

    name: str
    tier: str
    why: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)


def candidates() -> dict[str, Backend]:
    """Every isolated tier worth trying here; bubblewrap also on the host's files if the image is there."""
    from assay.sandboxes.bubblewrap import Bubblewrap

    found = {name: backend(name) for name in BACKENDS if name != "unsafe_local"}
    found["bubblewrap on the host"] = Bubblewrap(Path("/"))
    return found


async def examine() -> list[Tier]:
    """Try every tier for real, one after the other: some seconds each. Never raises SandboxError."""
    tiers: list[Tier] = []
    for name, each in candidates().items():
        try:
            async with asyncio.timeout(OPEN_LIMIT_S):
                found = await each.probe()
                if each.tier not in [known.tier for known in tiers]:
                    watched = "watched" in found.values() or found.get("cgroups") == "none"
                    tiers.append(await _look_into(name, each, watched))
        except SandboxError as error:
            tiers.append(Tier(name, each.tier, str(error)))
        except TimeoutError:
            tiers.append(Tier(name, each.tier, f"no answer within {OPEN_LIMIT_S:g} s"))
    return tiers


async def _look_into(name: str, each: Backend, watched: bool) -> Tier:
    sandbox = await each.open(Limits(), "doctor")
    try:
        versions = await _versions(sandbox)
    finally:
        await sandbox.close()
    sandbox = await each.open(LIMITS, "doctor")
    try:
        limits = await _limits(sandbox, "agent" if watched else "kernel")
    finally:
        await sandbox.close()
    return Tier(name, each.tier, versions=versions, limits=limits)


async def _versions(sandbox: Sandbox) -> dict[str, str]:
    parts = []
    for tool, command in VERSIONS.items():
        program = command.split()[0]
        parts.append(
            f"command -v {program} >/dev/null && echo {tool} $({command} 2>&1 </dev/null | head -n 1)"
        )
    shown = await sandbox.run(["/bin/sh", "-c", "\n".join(parts)], time_limit_s=60)
    found = {}
    for line in shown.stdout.decode("utf-8", "replace").splitlines():
        tool, _, text = line.partition(" ")
        number = re.search(r"\d+(\.\d+)+", text)
        found[tool] = number[0] if number else "?"
    libraries = await sandbox.run(["python3", "-c", _LIBRARY_VERSIONS, *LIBRARIES], time_limit_s=30)
    for line in libraries.stdout.decode("utf-8", "replace").splitlines():
        library, _, version = line.partition(" ")
        found[library] = version
    return {tool: version for tool, version in found.items() if tool in (*VERSIONS, *LIBRARIES)}


async def _limits(sandbox: Sandbox, who: str) -> dict[str, str]:
    """Exceed each limit, and see who notices."""
    memory = await sandbox.run(["python3", "-c", _USE_MEMORY], time_limit_s=10)
    processes = await sandbox.run(["python3", "-c", _USE_PROCESSES], time_limit_s=10)
    fill = "head -c 32000000 /dev/zero > fill; stat -c %s fill"
    disk = await sandbox.run(["/bin/sh", "-c", fill], time_limit_s=10)
    made, size = _number(processes.stdout), _number(disk.stdout)
    return {
        "memory": "NOT HELD" if b"had it" in memory.stdout else who,
        "processes": who if processes.returncode != 0 or made <= 2 * LIMITS.processes else "NOT HELD",
        "disk": "kernel" if size <= LIMITS.disk else "NOT HELD",
    }


def _number(output: bytes) -> int:
    words = output.split()
    return int(words[-1]) if words and words[-1].isdigit() else 0


# ---------------------------------------------------------------- as tables


def tables(tiers: list[Tier]) -> list[Table]:
    """What `examine` found: tiers with their limits, then the versions in each."""
    working = [each for each in tiers if not each.why]
    kinds = ("memory", "processes", "disk")
    rows = [(each.tier, *(each.limits.get(kind, "") for kind in kinds)) for each in working]
    note = "Each was exceeded to see who stops it: the kernel, or the agent inside, which looks often."
    held = Table("Limits", ("tier", *kinds), tuple(rows), note)
    tools = tuple(
        (tool, *(each.versions.get(tool) for each in working))
        for tool in (*VERSIONS, *LIBRARIES)
        if any(tool in each.versions for each in working)
    )
    versions = Table("Versions", ("what", *(each.tier for each in working)), tools)
    return [held, versions, image_table()]


def image_table() -> Table:
    """The image in each engine that is installed, and how to get it."""
    from assay.sandboxes import image

    rows: list[tuple[str, str, str]] = []
    try:
        wanted = image.content_hash()
    except OSError as error:
        raise ConfigError(f"the Dockerfile cannot be read: {error}") from None
    for engine in image.TAGS:
        name = image.image_reference(engine)
        if shutil.which(engine) is None:
            rows.append((engine, name, f"{engine} is not installed"))
            continue
        if not image.works(engine):
            rows.append((engine, name, f"{engine} does not answer"))
            continue
        found = image.built(engine)
        state = "not there: make image" if found is None else "of another Dockerfile: make image"
        rows.append((engine, name, "up to date" if found == wanted else state))
    files = image.rootfs()
    rows.append(("bubblewrap", str(files or ""), "up to date" if files else "not there: make image"))
    return Table("Image", ("for", "name", "state"), tuple(rows), _advice())


def _advice() -> str:
    """What to install for more."""
    wanted = [
        name for name, program in (("podman", "podman"), ("bubblewrap", "bwrap")) if not shutil.which(program)
    ]
    if shutil.which("podman") and not (shutil.which("crun") or shutil.which("runc")):
        wanted.append("runc")
    if os.geteuid() != 0 and not shutil.which("newuidmap"):
        wanted.append("uidmap")
    return f"For more: apt-get install {' '.join(wanted)}" if wanted else ""
