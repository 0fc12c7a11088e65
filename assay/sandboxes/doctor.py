"""What the sandboxes of this machine really do: which tiers work, what is in them, which limits hold."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import ConfigError, SandboxError
from assay.home import BUILD_IMAGE, docs_page
from assay.language.languages import Language
from assay.records import Limits, Sandbox, Table
from assay.sandboxes.backends.registry import BACKENDS, Backend, backend, names, try_out
from assay.sandboxes.client import closing
from assay.sandboxes.image.contents import LIBRARIES, UNKNOWN, asked, machine, versions

OPEN_LIMIT_S = 120.0
LIMITS = Limits("doctor", memory=128 << 20, processes=32, disk=8 << 20)

UP_TO_DATE, STALE, ABSENT = "up to date", f"of another Dockerfile: {BUILD_IMAGE}", f"not there: {BUILD_IMAGE}"

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
    """One way to open sandboxes, as examined. `why`: why it does not work, or, if it `opens`, why it
    could not be examined. `versions`: tool -> version. `way`: what opens it, if there are several ways.

    `limits`: what was limited -> "kernel", "agent" (it watches, where no cgroup can) or "NOT HELD".
    """

    name: str
    tier: str
    why: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    opens: bool = False
    way: str = ""


def candidates() -> dict[str, Backend]:
    """Every isolated tier worth trying here, and those of packages; bubblewrap also on the host's files if
    the image is there."""
    from assay.sandboxes.backends.bubblewrap import Bubblewrap

    found = {name: backend(name) for name in BACKENDS if name != "unsafe_local"}
    found["bubblewrap on the host"] = Bubblewrap(Path("/"))
    for name in names():
        if name not in BACKENDS:
            with contextlib.suppress(ConfigError):  # it cannot be used, which is told where all are tried
                found[name] = backend(name)
    return {name: each for name, each in found.items() if getattr(each, "isolated", True)}


async def examine(tell: Callable[[str], None] = lambda name: None) -> list[Tier]:
    """Try every tier for real, one after the other: some seconds each, and `tell` its name before. Never
    raises SandboxError."""
    tiers: list[Tier] = []
    for name, each in candidates().items():
        tell(name)
        opens = False
        try:
            async with asyncio.timeout(OPEN_LIMIT_S):
                found = await try_out(each)
                opens = True
                if each.tier not in [known.tier for known in tiers]:
                    watched = "watched" in found.values() or found.get("cgroups") == "none"
                    tiers.append(await _look_into(name, each, watched))
        except SandboxError as error:
            tiers.append(Tier(name, each.tier, str(error), opens=opens))
        except TimeoutError:
            tiers.append(Tier(name, each.tier, f"no answer within {OPEN_LIMIT_S:g} s", opens=opens))
    return tiers


async def _look_into(name: str, each: Backend, watched: bool) -> Tier:
    async with closing(await each.open(Limits(), "doctor")) as sandbox:
        inside = await versions(sandbox)
    async with closing(await each.open(LIMITS, "doctor")) as sandbox:
        limits = await _limits(sandbox, "agent" if watched else "kernel")
    found = {**machine(await each.image_id()), **inside}
    way: str = getattr(each, "way", "")
    return Tier(name, each.tier, versions=found, limits=limits, opens=True, way=way)


async def _limits(sandbox: Sandbox, who: str) -> dict[str, str]:
    """Exceed each limit, and observe what enforces it."""
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


HELLO = "hello\n"
SHORT = 100  # characters of an output; what is longer has lines of its own
SHOWN = 2_000  # of its end


async def says_hello(sandbox: Sandbox, language: Language) -> str:
    """Run the language's `hello` as a model's program is run; '' if it says hello, otherwise what it says."""
    files = {language.filename: language.hello.encode()}
    ran = await sandbox.run(["sh", "-c", language.whole], files=files, time_limit_s=60)
    if (ran.stdout, ran.returncode) == (HELLO.encode(), 0):
        return ""
    shown = ran.output if ran.returncode else ran.texts[0] or ran.output
    if len(shown) > SHORT:
        return f"the output is not {HELLO!r} (exit {ran.returncode}), but:\n{shown.strip()[-SHOWN:]}"
    return f"the output is not {HELLO!r}, but: {repr(shown) if shown else 'nothing'} (exit {ran.returncode})"


def _number(output: bytes) -> int:
    words = output.split()
    return int(words[-1]) if words and words[-1].isdigit() else 0


# ---------------------------------------------------------------- as tables


def tables(tiers: list[Tier]) -> list[Table]:
    """What `examine` found: tiers with their limits, then the versions in each."""
    working = [each for each in tiers if not each.why]
    kinds = ("memory", "processes", "disk")
    rows = [(each.tier, *(each.limits.get(kind, "") for kind in kinds)) for each in working]
    note = "Each was exceeded to see what enforces it: the kernel, or the agent, which checks often."
    if any("agent" in each.limits.values() for each in working):
        note += f" If it is the agent, memory is watched, not bounded ({docs_page('sandboxes')})."
    note += "".join(f" {each.tier} opens by {each.way}." for each in working if each.way)
    for each in tiers:
        if each.opens and each.why:
            rows.append((each.tier, *("not tried" for _ in kinds)))
            why = " ".join(each.why.split())
            note += f" {each.tier} opens with the usual limits, but not with small ones: {why}."
    held = Table("Limits", ("tier", *kinds), tuple(rows), note)
    tools = tuple(
        (tool, *(each.versions.get(tool) or None for each in working))
        for tool in ("image", "kernel", *asked(), *LIBRARIES)
        if any(each.versions.get(tool) for each in working)
    )
    unknown = any(UNKNOWN in row for row in tools)
    note = f"{UNKNOWN}: it is there, but the command for its version prints no number such as 1.2." * unknown
    named = Table("Versions", ("what", *(each.tier for each in working)), tools, note)
    return [held, named, image_table()]


def image_table() -> Table:
    """The image in each engine that is installed, and how to get it."""
    from assay.sandboxes.image import builder

    rows: list[tuple[str, str, str]] = []
    try:
        wanted = builder.content_hash()
    except OSError as error:
        raise ConfigError(f"the Dockerfile cannot be read: {error}") from None
    for engine in builder.TAGS:
        name = builder.image_reference(engine)
        if shutil.which(engine) is None:
            rows.append((engine, name, f"{engine} is not installed"))
            continue
        if not builder.works(engine):
            rows.append((engine, name, f"{engine} does not answer"))
            continue
        found = builder.built(engine)
        rows.append((engine, name, UP_TO_DATE if found == wanted else STALE if found is not None else ABSENT))
    files = builder.rootfs()
    state = ABSENT
    if files is not None:
        found = builder.files_built()
        unknown = "of an unknown Dockerfile: no engine here has this image"
        state = UP_TO_DATE if found == wanted else STALE if found is not None else unknown
    rows.append(("bubblewrap", str(files or ""), state))
    return Table("Image", ("for", "name", "state"), tuple(rows), _advice())


def remedy(tier: str, images: Table) -> str:
    """What to do if the sandbox `tier` lacks something. `images`: from `image_table`."""
    states = {str(row[0]): str(row[2]) for row in images.rows}
    on_host = tier.endswith("+host") or tier.startswith("unsafe_local")
    state = next((state for engine, state in states.items() if not on_host and tier.startswith(engine)), "")
    if state == UP_TO_DATE:
        from assay.sandboxes.image.builder import DOCKERFILE

        return (
            f"The image is up to date, so {DOCKERFILE} does not have it: add the package there (it may have "
            f"another name than the command), then {BUILD_IMAGE}."
        )
    if state == STALE:
        return f"The image was built from another Dockerfile; {BUILD_IMAGE} builds it again."
    return f"Install it on this machine, or run in the image ({BUILD_IMAGE}), if the Dockerfile has it."


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
