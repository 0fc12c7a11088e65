"""
Sandboxes by podman: a hardened container each, with the agent inside. As root or rootless.

As root by podman's own low-level runtime, started without podman (runtime.py) on its image.
Where that cannot be, by the command line: `podman run` is up in less time than its API service takes for the
same, and the agent's streams are then plain pipes.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from assay.errors import SandboxError, SandboxUnavailable
from assay.home import BUILD_IMAGE
from assay.records import Limits, Sandbox
from assay.sandboxes.backends import bundle, container, owner, runtime
from assay.sandboxes.backends.container_command import call, open_by_command
from assay.sandboxes.backends.users import FIRST_MAPPED_UID, FIRST_UID
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.image import in_use, rootfs
from assay.sandboxes.image.builder import VFS, image_reference
from assay.sandboxes.limits import cgroups, gpus
from assay.sandboxes.wire import agent_command

INSTALL = f"install it (apt-get install podman runc uidmap, dnf install podman), then {BUILD_IMAGE}"

DEFAULT = Limits()

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
    """`reference`: the image to use. `direct=False`: always by `podman run`."""

    name = "podman"
    isolated = True

    def __init__(self, reference: str = "", *, direct: bool = True) -> None:
        self._image, self._wants_direct = reference or image_reference("podman"), direct
        self._shortcut = runtime.Shortcut("podman run", _held)
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
    def way(self) -> str:
        """How sandboxes are opened: the name of a runtime, or why it takes podman."""
        return self._shortcut.way

    @property
    def limited(self) -> bool:
        """Whether the kernel enforces memory and processes; otherwise the agent watches over them."""
        return self._limited

    def state(self) -> str:
        tools = filter(None, map(shutil.which, ("podman", "conmon")))
        places = (*map(Path, tools), _images())
        stamps = [f"{path}@{runtime.changed(path)}" for path in places]
        return " ".join((*stamps, runtime.state(), str(self._wants_direct), self._image))

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if shutil.which("podman") is None:
            raise SandboxUnavailable(f"there is no podman; {INSTALL}")
        if known:
            self._way, self._limited = WAYS[known["way"]], known["limits"] == "enforced"
            self._shared = known.get("users") == "shared"
            self._shortcut.take(known, self._image, self.tier)
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
                    **await self._shortcut.look(self._image, self.tier, self, self._only_by_podman()),
                }
        raise SandboxUnavailable("podman cannot run a container here:\n" + "\n".join(reasons))

    def _only_by_podman(self) -> str:
        """Why only podman itself can open what is asked; '' if a runtime can."""
        if not self._wants_direct:
            return "that is asked for"
        if self.options():
            return f"{self.name} adds options of podman run"
        if self._shared or not self._limited:
            return "podman cannot give users or limits here"
        if not _images().exists():  # nobody would notice another image of the same name
            return f"podman does not keep its images in {_images()}"
        return ""

    async def layers(self, image_id: str) -> str:
        return str(rootfs.mounted_at(image_id))

    async def template(self, limits: Limits = DEFAULT) -> bundle.Template:
        """What podman tells its runtime of a container of ours. It is made, and never started."""
        name, account = owner.fresh_name(), container.Account(FIRST_UID)
        options = container.run_arguments(limits, name, "probe", True, copies_up=True, account=account)
        mounts = [f"--volume={each}" for each in account.mounts()]
        try:
            for command in (
                ("create", *options, *MORE, *mounts, self._image, *agent_command("/usr/bin/python3")),
                ("init", name),
                ("inspect", "--format={{.OCIConfigPath}}", name),
            ):
                code, said = await self._call(command)
                if code != 0:
                    raise SandboxError(f"podman {command[0]}: {said[-300:].strip()}")
            return bundle.read(Path(said.strip()))
        finally:
            await self._call(("rm", "--force", "--time=0", name))
            account.close()

    async def _try(self) -> bool:
        """Open a sandbox and use it; whether its limits are as asked. Raises SandboxError."""
        limits = Limits()
        sandbox = await self._open(limits, "probe")
        try:
            return await container.limits_hold(sandbox, limits)
        finally:
            await sandbox.close()

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        if self._shortcut.runtime is not None and not limits.gpus:
            return await self._shortcut.runtime.open(limits)
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
        """The names of all containers that an Assay on this machine has had podman open and not remove."""
        code, out = await self._call(
            ("ps", "--all", f"--filter=label={container.LABEL}", "--format={{.Names}}"), limit_s=20
        )
        return out.split() if code == 0 else []

    async def remove_leftovers(self) -> int:
        await asyncio.to_thread(container.remove_folders)
        killed = await asyncio.to_thread(cgroups.remove_leftovers)
        left = [name for name in await self.containers() if owner.abandoned(name)]
        if left:
            await self._call(("rm", "--force", "--time=0", "--ignore", *left), limit_s=60)
        return len(left) + killed

    async def image_id(self) -> str:
        if self._shortcut.image_id:
            return self._shortcut.image_id
        code, said = await self._call(("image", "inspect", "--format={{.Id}}", self._image))
        return said.strip() if code == 0 else ""

    async def _call(self, arguments: tuple[str, ...], limit_s: float = 30.0) -> tuple[int, str]:
        return await call(("podman", *self._way, *arguments), limit_s)


def _held(image: str) -> in_use.Hold:
    """The image's files, mounted, where nobody removes them from now on. Raises SandboxError."""
    for _ in range(3):
        root = rootfs.mount(image, current=False)
        if root is None:
            break
        with contextlib.suppress(FileNotFoundError):  # just removed, by a build
            return in_use.Hold(root)
    raise SandboxError(f"podman's image {image[:12]} cannot be mounted")


def _images() -> Path:
    """What changes whenever an image does."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    above = Path("/var/lib" if os.geteuid() == 0 else base)
    return above / "containers/storage/overlay-images/images.json"
