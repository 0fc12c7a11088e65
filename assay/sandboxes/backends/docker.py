"""
Sandboxes by docker: a hardened container each, with the agent inside.

As root, with the engine on this machine, by its low-level runtime on the layers of its image; otherwise by
`docker run` (engine.py), wherever the docker command finds its engine (DOCKER_HOST, contexts, TLS, SSH).
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import SandboxError, SandboxUnavailable
from assay.files import modified_ns
from assay.home import BUILD_IMAGE
from assay.records import Limits
from assay.sandboxes.backends import bundle, container, runtime
from assay.sandboxes.backends.engine import Engine
from assay.sandboxes.image import in_use, rootfs
from assay.sandboxes.limits import gpus

INSTALL = f"install one (apt-get install docker.io) and start it, then {BUILD_IMAGE}"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "NO_PROXY", "ALL_PROXY")

# Otherwise the host's own resolver is shown, if not reachable, and the proxies of the user's configuration.
MORE = (
    "--dns=127.0.0.1",
    *(f"--env={each}=" for name in PROXIES for each in (name, name.lower())),
)


class Docker(Engine):
    name = program = "docker"
    remove = ("rm", "--force", "--volumes")
    copies_up = False
    refuses_limits = True

    def state(self) -> str:
        known = [str(shutil.which("docker")), os.environ.get("DOCKER_HOST", ""), self._image]
        for each in (_socket_path(), "/var/lib/docker/image/overlay2/repositories.json"):
            known.append(f"{each}@{modified_ns(Path(each))}")
        return f"{' '.join(known)} {runtime.state()} {self._wants_direct}"

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if known.get("image") and known["image"] != await self.current_image():
            known = {}  # another image has that name now
        return await super().probe(known)

    async def check(self) -> None:
        if shutil.which("docker") is None:
            raise SandboxUnavailable(f"docker is not installed; {INSTALL}")
        code, said = await self.call("version", limit_s=10)
        if code != 0:
            why = (said.strip().splitlines() or [f"exit {code}"])[-1]  # before it comes the client's version
            raise SandboxUnavailable(f"no docker engine answers ({why[-300:]}); {INSTALL}")
        if not await self.current_image():
            raise self.lacks_image()

    def own_options(self, limits: Limits) -> list[str]:
        return [*MORE, *gpus.docker_options(limits.gpus)]

    async def first_process(self, name: str, pidfile: Path) -> container.ProcessHandle | None:
        return _first_process(await self._inspected(name))

    async def written(self, name: str) -> bundle.Template:
        await self.said("start", name)  # meanwhile the agent waits for a request
        state = await self._inspected(name)
        first = _first_process(state)
        if first is None:
            raise SandboxError("its containers are not processes of this machine")
        first.close()
        found = bundle.read(_bundle(first.pid))
        if state["Id"] not in found.spec["linux"]["cgroupsPath"]:
            raise SandboxError("the specification found is not the container's")
        return found

    async def layers(self, image_id: str) -> str:
        driver = (await self._inspected(image_id)).get("GraphDriver") or {}
        data = driver.get("Data") or {}
        layers = [data.get("UpperDir", ""), *filter(None, (data.get("LowerDir") or "").split(":"))]
        if driver.get("Name") != "overlay2" or not all(map(os.path.isdir, layers)):
            raise SandboxError(
                f"docker does not keep the image's files as folders here ({driver.get('Name')})"
            )
        return ":".join(layers)

    def hold_image(self, image_id: str) -> in_use.Hold:
        return rootfs.hold_layers(image_id)

    def hidden(self) -> str:
        return ""  # `layers` sees

    async def _inspected(self, what: str) -> Mapping[str, Any]:
        """What docker reports of a container or an image. Raises SandboxError."""
        try:
            found: Mapping[str, Any] = json.loads(await self.said("inspect", what))[0]
        except (ValueError, IndexError) as error:
            raise SandboxError(f"docker inspect: {error}") from None
        return found


def _socket_path() -> str:
    host = os.environ.get("DOCKER_HOST", "")
    return host.removeprefix("unix://") if host.startswith("unix://") else "/var/run/docker.sock"


def _bundle(pid: int) -> Path:
    """The specification of a container's first process: its parent is containerd's shim, which works in the
    folder of the bundle. Raises SandboxError."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError as error:
        raise SandboxError(f"docker's container has ended: {error}") from None
    shim = next(line.split()[1] for line in status.splitlines() if line.startswith("PPid:"))
    return Path(f"/proc/{shim}/cwd/config.json")


def _first_process(state: Mapping[str, Any]) -> container.ProcessHandle | None:
    """The container's first process, if the engine runs on this machine and not in a virtual one."""
    pid = int(state["State"]["Pid"])
    try:
        found = container.ProcessHandle(pid) if pid > 1 else None
    except OSError:
        return None
    with contextlib.suppress(OSError):
        if state["Id"] in Path(f"/proc/{pid}/cgroup").read_text():
            return found
    if found is not None:
        found.close()
    return None
