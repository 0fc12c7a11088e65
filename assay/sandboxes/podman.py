"""
Sandboxes by podman: a hardened container each, with the agent inside. As root or rootless.

By the command line: `podman run` is up in less time than its API service takes for the same, and
the agent's streams are then plain pipes.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from assay.errors import SandboxError, SandboxUnavailable
from assay.home import BUILD_IMAGE
from assay.records import Limits, Sandbox
from assay.sandboxes import container, gpus, owner
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.container_command import call, open_by_command
from assay.sandboxes.image import VFS, image_reference
from assay.sandboxes.users import FIRST_MAPPED_UID, FIRST_UID

INSTALL = f"install it (apt-get install podman runc uidmap, dnf install podman), then {BUILD_IMAGE}"

# Ways to call podman, tried in this order. Some machines break its defaults: crun fails with mixed
# cgroups and without CAP_SYS_RESOURCE, systemd and its journal may not be there.
WAYS: Mapping[str, tuple[str, ...]] = {
    "plain": (),
    "runc": ("--runtime=runc", "--cgroup-manager=cgroupfs", "--events-backend=file"),
    "crun": ("--runtime=crun", "--cgroup-manager=cgroupfs", "--events-backend=file"),
}

# --read-only alone mounts more writable folders, without a size; hosts and proxies are not its business.
MORE = (
    "--read-only-tmpfs=false",
    "--http-proxy=false",
    "--no-hosts",
    "--image-volume=ignore",
    "--log-level=error",
)


class Podman:
    """`reference`: the image to use."""

    name = "podman"
    isolated = True

    def __init__(self, reference: str = "") -> None:
        self._image = reference or image_reference("podman")
        self._way: tuple[str, ...] = ()
        self._limited = True
        self._shared = False

    @property
    def own_users(self) -> bool:
        """Whether each sandbox has what the kernel counts by user for itself. Rootless, each has a user id of
        its own, but the kernel charges much of it to the user behind all of them as well."""
        return not self._shared and os.geteuid() == 0

    @property
    def tier(self) -> str:
        return self.name  # so that a variant has results of its own

    def options(self) -> tuple[str, ...]:
        """More options of `podman run`, for a variant: ("--volume=/srv/words:/words:ro",)."""
        return ()

    @property
    def limited(self) -> bool:
        """Whether the kernel enforces memory and processes; otherwise the agent watches over them."""
        return self._limited

    def state(self) -> str:
        tools = [shutil.which(each) for each in ("podman", "crun", "runc", "conmon")]
        stamps = [f"{path}@{_changed(Path(path))}" for path in tools if path]
        return " ".join((*stamps, str(_changed(_storage() / "overlay-images/images.json")), self._image))

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if shutil.which("podman") is None:
            raise SandboxUnavailable(f"there is no podman; {INSTALL}")
        if known:
            self._way, self._limited = WAYS[known["way"]], known["limits"] == "enforced"
            self._shared = known.get("users") == "shared"
            return known
        found = await self._call(("image", "exists", self._image))
        if found[0] == 1:
            raise SandboxUnavailable(f"podman has no image {self._image}; {BUILD_IMAGE} builds it")
        if found[0] != 0:
            raise SandboxUnavailable(f"podman does not work here: {found[1][-500:]}")
        driver = (await self._call(("info", "--format={{.Store.GraphDriverName}}")))[1].strip()
        if driver == "vfs":
            raise SandboxUnavailable(VFS)
        reasons = []
        for way, options in WAYS.items():
            if way != "plain" and shutil.which(way) is None:
                continue
            self._way = options
            for self._shared in (False, True):
                self._limited = True
                try:
                    self._limited = await self._try()
                    if not self._limited:
                        await self._try()
                except SandboxError as error:
                    reasons.append(f"{way}: {str(error)[-400:]}")
                    continue  # limits are not what is wrong; too small a range of user ids may be
                return {
                    "way": way,
                    "limits": "enforced" if self._limited else "watched",
                    "users": "shared" if self._shared else "own",
                }
        raise SandboxUnavailable("podman cannot run a container here:\n" + "\n".join(reasons))

    async def _try(self) -> bool:
        """Open a sandbox and use it; whether its limits are as asked. Raises SandboxError."""
        limits = Limits()
        sandbox = await self._open(limits, "probe")
        try:
            return await container.limits_hold(sandbox, limits)
        finally:
            await sandbox.close()

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        return await self._open(limits, run_id)

    async def _open(self, limits: Limits, run_id: str) -> AgentSandbox:
        name = owner.fresh_name()
        account = container.Account(FIRST_MAPPED_UID if os.geteuid() else FIRST_UID, self._shared)
        options = container.run_arguments(
            limits, name, run_id, self._limited, copies_up=True, account=account
        )
        return await open_by_command(
            ("podman", *self._way),
            (*options, *MORE, *self.options(), *gpus.podman_options(limits.gpus)),
            self._image,
            name,
            limits,
            self._limited,
            account,
            self.tier,
            "--pidfile",
        )

    async def containers(self) -> list[str]:
        """The names of all containers that an Assay on this machine has opened and not removed."""
        code, out = await self._call(
            ("ps", "--all", f"--filter=label={container.LABEL}", "--format={{.Names}}"), limit_s=20
        )
        return out.split() if code == 0 else []

    async def remove_leftovers(self) -> int:
        await asyncio.to_thread(container.remove_folders)
        left = [name for name in await self.containers() if owner.abandoned(name)]
        if left:
            await self._call(("rm", "--force", "--time=0", "--ignore", *left), limit_s=60)
        return len(left)

    async def image_id(self) -> str:
        code, said = await self._call(("image", "inspect", "--format={{.Id}}", self._image))
        return said.strip() if code == 0 else ""

    async def _call(self, arguments: tuple[str, ...], limit_s: float = 30.0) -> tuple[int, str]:
        return await call(("podman", *self._way, *arguments), limit_s)


def _storage() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/containers/storage")
    base = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    return Path(base) / "containers/storage"


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
