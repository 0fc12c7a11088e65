"""
Sandboxes by podman: a hardened container each, with the agent inside. As root or rootless.

As root by podman's own low-level runtime, otherwise by `podman run` (engine.py), which is up in less time
than podman's API service takes for the same.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from assay.errors import SandboxError, SandboxUnavailable
from assay.files import modified_ns
from assay.home import BUILD_IMAGE
from assay.records import Layer, Limits
from assay.sandboxes.backends import bundle, runtime
from assay.sandboxes.backends.engine import Engine
from assay.sandboxes.image import in_use, rootfs
from assay.sandboxes.image.builder import VFS
from assay.sandboxes.limits import gpus

INSTALL = f"install it (apt-get install podman runc uidmap, dnf install podman), then {BUILD_IMAGE}"

# --read-only alone mounts more writable folders, without a size; hosts and proxies are not its business.
MORE = (
    "--read-only-tmpfs=false",
    "--http-proxy=false",
    "--no-hosts",
    "--image-volume=ignore",
    "--log-level=error",
)


class Podman(Engine):
    name = program = "podman"
    remove = ("rm", "--force", "--time=0", "--ignore")
    copies_up = True
    has_images = True
    refuses_limits = False  # it ignores those that it cannot set

    # Some machines break podman's defaults: crun fails with mixed cgroups and without CAP_SYS_RESOURCE,
    # systemd and its journal may not be there.
    ways: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "plain": (),
        "runc": ("--runtime=runc", "--cgroup-manager=cgroupfs", "--events-backend=file"),
        "crun": ("--runtime=crun", "--cgroup-manager=cgroupfs", "--events-backend=file"),
    }

    @property
    def own_users(self) -> bool:
        """Whether each sandbox has its own share of what the kernel counts by user. Rootless, each has a user
        id of its own, but the kernel charges much of it to the user behind all of them as well."""
        return not self._shared and os.geteuid() == 0

    def state(self) -> str:
        tools = filter(None, map(shutil.which, ("podman", "conmon")))
        places = (*map(Path, tools), _images())
        stamps = [f"{path}@{modified_ns(path)}" for path in places]
        return " ".join((*stamps, runtime.state(), str(self._wants_direct), self._image))

    async def check(self) -> None:
        if shutil.which("podman") is None:
            raise SandboxUnavailable(f"podman is not installed; {INSTALL}")
        code, said = await self.call("image", "exists", self._image)
        if code == 1:
            raise self.lacks_image()
        if code != 0:
            raise SandboxUnavailable(f"podman does not work here: {said[-500:]}")
        if (await self.call("info", "--format={{.Store.GraphDriverName}}"))[1].strip() == "vfs":
            raise SandboxUnavailable(VFS)

    def own_options(self, limits: Limits) -> list[str]:
        return [*MORE, *gpus.podman_options(limits.gpus)]

    def shown(self, layer: Layer) -> str:
        return f"{super().shown(layer)},relabel=shared"  # of SELinux

    def pid_options(self, pidfile: Path) -> tuple[str, ...]:
        return (f"--pidfile={pidfile}",)

    async def written(self, name: str) -> bundle.Template:
        await self.said("init", name)  # made, and never started
        return bundle.read(Path(await self.said("inspect", "--format={{.OCIConfigPath}}", name)))

    async def layers(self, image_id: str) -> str:
        return str(rootfs.mounted_at(image_id))

    def hold_image(self, image_id: str) -> in_use.Hold:
        """The image's files, mounted and protected from removal. Raises SandboxError."""
        for _ in range(3):
            root = rootfs.mount(image_id, current=False)
            if root is None:
                break
            with contextlib.suppress(FileNotFoundError):  # just removed, by a build
                return in_use.Hold(root)
        raise SandboxError(f"podman's image {image_id[:12]} cannot be mounted")

    def hidden(self) -> str:
        # nobody would notice another image of the same name
        return "" if _images().exists() else f"podman does not keep its images in {_images()}"


def _images() -> Path:
    """A value that changes whenever an image does."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    above = Path("/var/lib" if os.geteuid() == 0 else base)
    return above / "containers/storage/overlay-images/images.json"
