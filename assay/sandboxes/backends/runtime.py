"""
Sandboxes by an engine's low-level runtime, crun or runc, started without the engine.

The same container as the engine would start, by the specification that the engine itself has written
(bundle.py), on the files of its image, at a tenth of the cost: no client, no monitor, no
database of containers. Each sandbox has an overlay of the image's files for itself, read-only. What it needs
outside lies in a file system in memory that only its runtime sees, and is gone with it; what can be left of a
killed run is its cgroup, which carries the name of its owner.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from assay.errors import SandboxError
from assay.files import modified_ns
from assay.home import tool
from assay.records import Limits
from assay.sandboxes.backends import bundle, container, owner
from assay.sandboxes.backends.box import Box, connected
from assay.sandboxes.backends.private_mounts import NO_DEVICES, NO_SUID, READ_ONLY, apart, mount, unmount
from assay.sandboxes.backends.users import FIRST_UID
from assay.sandboxes.client import AgentSandbox, closing
from assay.sandboxes.image.layers import folder_of
from assay.sandboxes.image.rootfs import MOUNTS
from assay.sandboxes.limits import cgroups
from assay.sandboxes.process import Process

PROGRAMS = ("crun", "runc")  # the first that works
NUMBER_LIMIT_S = 20.0  # until a runtime has written down the number of a process that runs already
BOX = MOUNTS / "box"  # each sandbox mounts its own file system there, which nobody else sees
UNIFIED = Path("/sys/fs/cgroup/cgroup.controllers")  # where there is nothing but version 2
MIXED = Path("/sys/fs/cgroup/unified")  # version 2 beside version 1: crun wants none of it


@dataclass(frozen=True)
class Runtime:
    """One that works here. `layers`: folders with the image's files, the uppermost first; `made`: what they
    lack to mount on, path -> mode, -1 for a file; `compiled`: the engine's filter of system calls as crun has
    compiled it once, for that takes as long as all else; `image`, `tier`: for whom it is."""

    program: str
    template: bundle.Template
    layers: str
    made: Mapping[str, int]
    image: str
    tier: str
    compiled: str = ""

    @property
    def name(self) -> str:
        return Path(self.program).name

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "program": self.name})

    async def open(self, limits: Limits) -> AgentSandbox:
        """Raises SandboxError if it cannot be had or is not isolated as asked."""
        return await self.open_in(_RuntimeBox(self, limits))

    async def open_in(self, box: _RuntimeBox) -> AgentSandbox:
        settings = container.settings(box.limits, True, box.account, self.image)
        return await connected(box, settings, self.tier)


def from_json(text: str) -> Runtime:
    """Restore a saved one. Raises SandboxError if it can no longer be used."""
    try:
        kept = json.loads(text)
        if kept["program"] not in PROGRAMS or (program := tool(kept["program"])) is None:
            raise SandboxError(f"{kept['program']} is no longer here")
        return Runtime(**{**kept, "program": program, "template": bundle.kept(kept["template"])})
    except (ValueError, KeyError, TypeError) as error:
        raise SandboxError(f"the saved data of the runtime cannot be read: {error}") from None


async def find(template: bundle.Template, layers: str, image: str, tier: str) -> Runtime:
    """Find a runtime that works, by trying it. Raises SandboxError, which says why there is none."""
    reasons = []
    try:
        made = await asyncio.shield(apart(partial(_lacking, template, layers)))
    except OSError as error:
        raise SandboxError(f"the image's files cannot be mounted again: {error}") from None
    for program in filter(None, map(tool, PROGRAMS)):
        found = Runtime(program, template, layers, made, image, tier)
        limits = Limits()
        try:
            box = _RuntimeBox(found, limits)
            async with closing(await found.open_in(box)) as sandbox:
                if not await container.limits_hold(sandbox, limits):
                    raise SandboxError("its limits are not as requested")
                if compiled := box.compiled_filter():
                    found = replace(found, compiled=base64.b64encode(compiled).decode())
            if found.compiled:
                await (await found.open(limits)).close()  # or it would be used otherwise than it was tried
        except SandboxError as error:
            reasons.append(f"{found.name}: {str(error)[-300:].strip()}")
        else:
            return found
    raise SandboxError("; ".join(reasons) or f"there is no {' and no '.join(PROGRAMS)}")


def state() -> str:
    """What decides which of them works, and how: the programs, and the limits that this process may raise."""
    programs = [f"{path}@{modified_ns(Path(path))}" for path in filter(None, map(tool, PROGRAMS))]
    try:
        likely = Path("/proc/self/oom_score_adj").read_text().strip()
    except OSError:
        likely = ""
    return " ".join((*programs, str(container.process_ulimit()), str(container.core_ulimit()), likely))


class _RuntimeBox(Box):
    """One container of a runtime."""

    def __init__(self, runtime: Runtime, limits: Limits) -> None:
        super().__init__()
        self.account = container.Account(FIRST_UID)
        self.limits = limits
        self._runtime, self._name = runtime, owner.fresh_name()
        self._spawning: asyncio.Future[Process] | None = None

    async def spawn(self, stderr: int) -> Process:
        own = os.dup(stderr)  # the thread's, which goes on if this is cancelled
        self._spawning = asyncio.ensure_future(apart(partial(self._spawn, own)))
        self._spawning.add_done_callback(lambda _: os.close(own))
        return await asyncio.shield(self._spawning)

    def _spawn(self, stderr: int) -> Process:
        """Runs in a thread with mounts of its own, which the runtime inherits."""
        runtime = self._runtime
        if runtime.name == "crun" and MIXED.is_mount():
            unmount(str(MIXED))
        shown = {each.inside: folder_of(each) for each in self.limits.layers}
        below = [part.lstrip("/") for inside in shown for part in (str(Path(inside).parent), inside)]
        _mount_root(runtime.layers, {**runtime.made, **dict.fromkeys(below, 0o755)})
        files = {**runtime.template.files, bundle.PASSWD: self.account.passwd}
        sources = {}
        for number, (inside, content) in enumerate(files.items()):
            path = BOX / f"file-{number}"
            path.write_text(content)
            path.chmod(0o644)
            sources[inside] = str(path)
        notes = {"run.oci.seccomp_bpf_data": runtime.compiled} if runtime.compiled else {}
        where = f"{BOX}/root"
        spec = bundle.configure(
            runtime.template, self._name, self.limits, self.account.uid, where, sources, notes
        )
        spec["mounts"] += [bundle.read_only(*each) for each in shown.items()]
        if runtime.name == "crun" and not UNIFIED.exists():
            spec["mounts"].append(bundle.READ_ONLY_CGROUPS)
        (BOX / "config.json").write_text(json.dumps(spec))
        manager = ("--cgroup-manager=cgroupfs",) if runtime.name == "crun" else ()
        command = (runtime.program, "--root", f"{BOX}/state", *manager, "run")
        command += ("--bundle", str(BOX), "--pid-file", f"{BOX}/pid", self._name)
        return Process(command, stderr=stderr, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, cwd="/")

    def _outside(self) -> Path:
        """The runtime's folder as this process sees it."""
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/root{BOX}")

    async def find_first(self) -> container.ProcessHandle | None:
        return container.handle(self._outside() / "pid")

    def compiled_filter(self) -> bytes:
        """As crun has left it; b'' where it has not."""
        try:
            return (self._outside() / f"state/{self._name}/seccomp.bpf").read_bytes()
        except OSError:
            return b""

    async def hold(self) -> None:
        """Raises SandboxError unless the container is what the specification says, as seen from here."""
        assert self._process is not None
        # The runtime writes down the process's number once it runs; the agent may have answered before.
        until = time.monotonic() + NUMBER_LIMIT_S
        await super().hold()
        while self._first is None:
            if self._process.returncode is not None or time.monotonic() > until:
                raise SandboxError("cannot tell which process the container is")
            await asyncio.sleep(0.001)
            await super().hold()
        process = Path(f"/proc/{self._first.pid}")
        try:
            lines = (process / "status").read_text().splitlines()
            groups = (process / "cgroup").read_text().splitlines()
        except OSError as error:
            raise SandboxError(f"cannot examine the container's process: {error}") from None
        status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
        # the engine's, if it has one, and the agent's own; kernels before 5.9 do not count them
        filters = 2 if self._runtime.template.spec["linux"].get("seccomp") else 1
        if status.get("NoNewPrivs") != "1" or int(status.get("Seccomp_filters", filters)) < filters:
            raise SandboxError("the container lacks the engine's filter of system calls")
        of_version_1 = any(":memory:" in line.replace(",", ":") for line in groups)
        held = [line for line in groups if line.endswith(f"/{self._name}")]
        controllers = {each for line in held for each in line.split(":")[1].split(",")}
        if not controllers >= ({"memory", "pids", "devices"} if of_version_1 else {""}):
            raise SandboxError("the container is not in its cgroups; nothing would limit it")

    async def remove(self, process: Process) -> None:
        await cgroups.remove(cgroups.of_runtime(self._name))

    async def kill(self) -> None:
        if self._spawning is not None and self._process is None:
            with contextlib.suppress(OSError):  # it did not start
                self._process = await asyncio.shield(self._spawning)
        await super().kill()

    async def release(self) -> None:
        await cgroups.remove(cgroups.of_runtime(self._name))
        self.account.close()


def _mount_root(layers: str, made: Mapping[str, int]) -> None:
    """The sandbox's own folder, and in it an overlay of the image's files that no other sandbox shares: what
    the kernel keeps for a file, watches and locks, is each one's own."""
    BOX.mkdir(mode=0o700, parents=True, exist_ok=True)
    mount("assay", str(BOX), "tmpfs", NO_SUID | NO_DEVICES, "size=8m,mode=0700")
    for name in ("root", "made", "state"):
        (BOX / name).mkdir(mode=0o755)
    for name, mode in made.items():
        path = BOX / "made" / name
        path.touch() if mode < 0 else path.mkdir(exist_ok=True)
        path.chmod(mode if mode >= 0 else 0o644)
    options = f"lowerdir={BOX}/made:{layers}"
    mount("overlay", f"{BOX}/root", "overlay", READ_ONLY | NO_SUID | NO_DEVICES, options)


def _lacking(template: bundle.Template, layers: str) -> dict[str, int]:
    """What has to be made so that everything can be mounted, see `Runtime.made`. In a thread of its own."""
    _mount_root(layers, {})
    root = BOX / "root"
    folders = [Path(each["destination"]) for each in template.spec["mounts"]]
    made = {".": Path(layers.partition(":")[0]).stat().st_mode & 0o7777}  # the root's own is of what we mount
    for folder in folders:
        if set(folder.parents) & set(folders) or os.path.lexists(root / folder.relative_to("/")):
            continue
        for part in reversed((folder, *folder.parents)):
            inside = part.relative_to("/")
            found = root / inside
            if found.is_symlink() or (found.exists() and found.stat().st_uid):
                raise OSError(f"{part} of the image is a link, or not root's")
            made.setdefault(str(inside), found.stat().st_mode & 0o7777 if found.exists() else 0o755)
        if str(folder) in bundle.FILES:
            made[str(folder.relative_to("/"))] = -1
    return made
