"""
Sandboxes by docker: a hardened container each, with the agent inside.

As root, with the engine on this machine, by its low-level runtime, started without docker
(runtime.py) on the layers of its image. Otherwise by the Docker SDK where the engine listens
on a socket of this machine (DOCKER_HOST, or the usual one), by the docker command for everything else
(contexts, TLS, SSH).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from assay.errors import SandboxError, SandboxUnavailable
from assay.home import BUILD_IMAGE
from assay.records import Limits, Sandbox
from assay.sandboxes.backends import bundle, container, owner, runtime
from assay.sandboxes.backends.container_command import call, open_by_command
from assay.sandboxes.backends.users import FIRST_UID
from assay.sandboxes.client import AgentSandbox, Channel, connect
from assay.sandboxes.image import rootfs
from assay.sandboxes.image.builder import image_reference
from assay.sandboxes.limits import cgroups, gpus
from assay.sandboxes.wire import agent_command

if TYPE_CHECKING:
    from docker import APIClient

INSTALL = f"install one (apt-get install docker.io) and start it, then {BUILD_IMAGE}"
ANSWER_S = 30
DEFAULT = Limits()
GONE_S = 20  # for a removal that is under way


class Docker:
    """`reference`: the image to use. `direct=False`: always by the engine."""

    name = "docker"
    isolated = True

    def __init__(self, reference: str = "", *, direct: bool = True) -> None:
        self._image, self._wants_direct = reference or image_reference("docker"), direct
        self._shortcut = runtime.Shortcut("the docker engine", rootfs.hold_layers)
        self._limited = True
        self._shared = False
        self._client: APIClient | None = None

    @property
    def own_users(self) -> bool:
        """Whether the commands of each sandbox run as a user id of their own."""
        return not self._shared

    @property
    def tier(self) -> str:
        return self.name  # so that a variant has results of its own

    def options(self) -> tuple[str, ...]:
        """More options of `docker run`, for a variant: ("--volume=/srv/words:/words:ro",). With any, the
        docker command is used, also where there is a socket."""
        return ()

    @property
    def way(self) -> str:
        """How sandboxes are opened: the name of a runtime, or why it takes docker."""
        return self._shortcut.way

    @property
    def limited(self) -> bool:
        """Whether the kernel enforces memory and processes; otherwise the agent watches over them."""
        return self._limited

    def state(self) -> str:
        path = _socket_path()
        known = [str(shutil.which("docker")), os.environ.get("DOCKER_HOST", ""), self._image]
        for each in (path, "/var/lib/docker/image/overlay2/repositories.json"):
            with contextlib.suppress(OSError):
                known.append(f"{each}@{Path(each).stat().st_mtime_ns}")
        return f"{' '.join(known)} {runtime.state()} {self._wants_direct}"

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        self._shared = known.get("users") == "shared"
        self._shortcut.take(known, self._image, self.tier)
        if known.get("by") == "command":
            self._limited = known["limits"] == "enforced"
            return known
        if self.options():
            await _ask_command("asked by the docker command, since this variant adds options")
        else:
            try:
                self._client = await asyncio.to_thread(_client)
            except OSError as error:
                await _ask_command(str(error))
        if known and self._shortcut.image_id not in ("", await self._image_id()):
            known = {}  # another image has that name now
        if known:
            self._limited = known["limits"] == "enforced"
            return known
        await self._look_for_image()
        reasons = ""
        # An engine in a virtual machine, or with a range of users, may have only the image's user to give.
        for self._shared, self._limited in ((False, True), (False, False), (True, True), (True, False)):
            try:
                holds = await self._try()
            except SandboxError as error:
                reasons = str(error)[-600:]
                continue
            if holds or not self._limited:
                return {
                    "by": "socket" if self._client else "command",
                    "limits": "enforced" if self._limited else "watched",
                    "users": "shared" if self._shared else "own",
                    **await self._shortcut.look(self._image, self.tier, self, self._only_by_docker()),
                }
        raise SandboxUnavailable(f"docker cannot run a container here: {reasons}")

    def _only_by_docker(self) -> str:
        """Why only docker itself can open what is asked; '' if a runtime can."""
        if not self._wants_direct:
            return "that is asked for"
        if self._client is None:
            return "it is used by its command"
        if self._shared or not self._limited:
            return "it cannot give users or limits here"
        return ""

    async def layers(self, image_id: str) -> str:
        assert self._client is not None
        return await asyncio.to_thread(_layers, self._client, image_id)

    async def template(self, limits: Limits = DEFAULT) -> bundle.Template:
        assert self._client is not None
        return await asyncio.to_thread(_template, self._client, self._image, limits)

    async def _look_for_image(self) -> None:
        if self._client is None:
            found = (await call(("docker", "image", "inspect", self._image), ANSWER_S))[0] == 0
        else:
            found = bool(await asyncio.to_thread(self._client.images, name=self._image))
        if not found:
            raise SandboxUnavailable(f"docker has no image {self._image}; {BUILD_IMAGE} builds it")

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
        account = container.Account(FIRST_UID, self._shared)
        if self._client is None:
            options = container.run_arguments(
                limits, name, run_id, self._limited, copies_up=False, account=account
            )
            options += [*gpus.docker_options(limits.gpus), *self.options()]
            return await open_by_command(
                ("docker",), options, self._image, name, limits, self._limited, account, self.tier
            )
        box = _Box(self._client, name, account)
        try:
            creation = _creation(self._client, self._image, limits, name, run_id, self._limited, account)
            channel = await box.start(creation)
            settings = container.settings(limits, self._limited, account, self._image)
            sandbox = await connect(channel, settings, self.tier)
        except BaseException:
            await box.kill()
            raise
        try:
            container.check_agent(sandbox)
        except BaseException:
            await sandbox.close()
            raise
        return sandbox

    async def containers(self) -> list[str]:
        """The names of all containers that an Assay on this machine has had docker open and not remove."""
        if self._client is not None:
            return await asyncio.to_thread(_containers, self._client)
        command = ("docker", "ps", "--all", f"--filter=label={container.LABEL}", "--format={{.Names}}")
        code, out = await call(command, ANSWER_S)
        return out.split() if code == 0 else []

    async def image_id(self) -> str:
        return self._shortcut.image_id or await self._image_id()

    async def _image_id(self) -> str:
        """Of the image that has the name now."""
        if self._client is not None:
            with contextlib.suppress(OSError):  # the SDK's errors are such
                return str((await asyncio.to_thread(self._client.inspect_image, self._image)).get("Id", ""))
            return ""
        code, said = await call(("docker", "image", "inspect", "--format={{.Id}}", self._image), ANSWER_S)
        return said.strip() if code == 0 else ""

    async def remove_leftovers(self) -> int:
        await asyncio.to_thread(container.remove_folders)
        killed = await asyncio.to_thread(cgroups.remove_leftovers)
        left = [name for name in await self.containers() if owner.abandoned(name)]
        for name in left:
            if self._client is not None:
                await asyncio.to_thread(_remove, self._client, name)
            else:
                await call(("docker", "rm", "--force", name), 60)
        return len(left) + killed


class _Box:
    """One container made by the SDK, and the connection to the agent inside."""

    def __init__(self, client: APIClient, name: str, account: container.Account) -> None:
        self._client, self._name, self._account = client, name, account
        self._first: container.ProcessHandle | None = None
        self._words = bytearray()
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._made: asyncio.Future[socket.socket] | None = None
        self._killed: asyncio.Task[None] | None = None

    async def start(self, creation: Mapping[str, Any]) -> Channel:
        self._made = asyncio.ensure_future(asyncio.to_thread(self._make, creation))
        connection = await asyncio.shield(self._made)
        raw, self._writer = await asyncio.open_connection(sock=connection, limit=1 << 20)
        reader = asyncio.StreamReader(limit=1 << 20)
        self._reading = asyncio.create_task(self._separate(raw, reader))
        channel = Channel(reader, self._writer, self.kill, self._diagnose)
        if self._first is not None:
            first = self._first
            channel.lift_cpu_limit, channel.make_room, channel.stood = (
                first.lift_cpu_limit,
                first.make_room,
                first.stood,
            )
        return channel

    def _make(self, creation: Mapping[str, Any]) -> socket.socket:
        """Create, attach, start: in a thread, for the SDK blocks."""
        from docker.errors import DockerException
        from requests.exceptions import RequestException

        try:
            self._client.create_container(**creation)
            streams = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            attached = self._client.attach_socket(self._name, streams)
            connection = socket.socket(fileno=os.dup(attached.fileno()))
            attached._response.close()  # the SDK keeps it open, and has no other name for it
            self._client.start(self._name)
            state = self._client.inspect_container(self._name)
        except (DockerException, RequestException, OSError) as error:
            raise SandboxError(f"docker could not start a container: {error}") from None
        connection.setblocking(False)
        self._first = _first_process(state)
        return connection

    async def _separate(self, raw: asyncio.StreamReader, reader: asyncio.StreamReader) -> None:
        """The engine sends stdout and stderr on one connection: 1 or 2, three zeros, length, bytes."""
        try:
            while True:
                head = await raw.readexactly(8)
                data = await raw.readexactly(int.from_bytes(head[4:], "big"))
                if head[0] == 1:
                    reader.feed_data(data)
                else:
                    self._words = (self._words + data)[-4000:]
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            reader.feed_eof()

    def _diagnose(self) -> str:
        return self._words.decode("utf-8", "replace")

    async def kill(self) -> None:
        if self._killed is None:
            if self._first is not None:
                self._first.kill()
            self._killed = asyncio.ensure_future(self._reap())
        await asyncio.shield(self._killed)

    async def _reap(self) -> None:
        if self._made is not None:
            with contextlib.suppress(SandboxError):
                connection = await self._made  # a container that is being made must be made to be removed
                if self._writer is None:
                    connection.close()
        await asyncio.to_thread(_remove, self._client, self._name)
        if self._writer is not None:
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
        if self._reading is not None:
            await self._reading
        if self._first is not None:
            self._first.close()
        self._account.close()


def _creation(
    client: APIClient,
    image: str,
    limits: Limits,
    name: str,
    run_id: str,
    limited: bool,
    account: container.Account,
) -> dict[str, Any]:
    """The same container as `container.run_arguments` describes, in the SDK's words."""
    most = container.process_ulimit()
    host: dict[str, Any] = {
        "network_mode": "none",
        "ipc_mode": "private",
        "dns": ["127.0.0.1"],  # otherwise the host's own resolver is shown, if not reachable
        "cap_drop": ["ALL"],
        "cap_add": list(container.CAPABILITIES),
        "security_opt": ["no-new-privileges"],
        "read_only": True,
        "tmpfs": container.tmpfs(limits, copies_up=False, uid=account.uid),
        "binds": list(account.mounts()),
        "shm_size": limits.disk,
        "log_config": {"Type": "none", "Config": {}},
        "ulimits": [
            {"Name": "nofile", "Soft": container.OPEN_FILES, "Hard": container.OPEN_FILES},
            {"Name": "nproc", "Soft": most, "Hard": most},
            {"Name": "core", "Soft": container.core_ulimit(), "Hard": container.core_ulimit()},
        ],
        "auto_remove": True,
    }
    if limits.gpus:
        host["device_requests"] = gpus.docker_requests(limits.gpus)
    if limited:
        host |= {
            "mem_limit": limits.memory,
            "memswap_limit": limits.memory,
            "pids_limit": limits.processes,
            "cpu_period": 100_000,
            "cpu_quota": max(1000, int(limits.cpus * 100_000)),
        }
    return {
        "image": image,
        "command": list(agent_command("/usr/bin/python3")),
        "name": name,
        "hostname": "sandbox",
        "user": "0:0",
        "working_dir": "/",
        "stdin_open": True,
        "labels": {container.LABEL: name, container.RUN_LABEL: run_id},
        "use_config_proxy": False,
        "host_config": client.create_host_config(**host),
    }


async def _ask_command(why: str) -> None:
    """Raises SandboxUnavailable unless the docker command is there and reaches an engine."""
    if shutil.which("docker") is None or (await call(("docker", "version"), 10))[0] != 0:
        raise SandboxUnavailable(f"no docker engine answers ({why}); {INSTALL}")


def _socket_path() -> str:
    host = os.environ.get("DOCKER_HOST", "")
    return host.removeprefix("unix://") if host.startswith("unix://") else "/var/run/docker.sock"


def _client() -> APIClient:
    """A client of the engine on a socket here. OSError if there is none, or none that answers."""
    host = os.environ.get("DOCKER_HOST", "")
    if host and (not host.startswith(("unix://", "tcp://")) or os.environ.get("DOCKER_TLS_VERIFY")):
        raise OSError(f"DOCKER_HOST is {host}")
    if not host and not Path(_socket_path()).exists():
        raise OSError(f"there is no {_socket_path()}")
    _knock(host)
    from docker import APIClient
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        client = APIClient(base_url=host or f"unix://{_socket_path()}", version="auto", timeout=ANSWER_S)
        client.ping()
        client.headers["Connection"] = "close"  # nobody would close a connection kept for later
    except (DockerException, RequestException) as error:
        raise OSError(str(error)[-300:]) from None
    return client


def _knock(host: str) -> None:
    """OSError unless somebody listens there: the SDK would leave its half-open client behind."""
    if host.startswith("tcp://"):
        address = urlsplit(host)
        socket.create_connection((address.hostname or "127.0.0.1", address.port or 2375), ANSWER_S).close()
        return
    with socket.socket(socket.AF_UNIX) as knocking:
        knocking.connect(_socket_path())


def _layers(client: APIClient, image_id: str) -> str:
    """The folders of docker's own storage that make up an image. Raises SandboxError."""
    inspected: Mapping[str, Any] = client.inspect_image(image_id)  # type: ignore[no-untyped-call]
    driver = inspected.get("GraphDriver") or {}
    data = driver.get("Data") or {}
    layers = [data.get("UpperDir", ""), *filter(None, (data.get("LowerDir") or "").split(":"))]
    if driver.get("Name") != "overlay2" or not all(map(os.path.isdir, layers)):
        raise SandboxError(f"docker does not keep the image's files as folders here ({driver.get('Name')})")
    return ":".join(layers)


def _template(client: APIClient, image: str, limits: Limits) -> bundle.Template:
    """What the engine tells its runtime of a container of ours, which waits meanwhile for what nobody sends.
    Raises SandboxError."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    name, account = owner.fresh_name(), container.Account(FIRST_UID)
    try:
        client.create_container(**_creation(client, image, limits, name, "probe", True, account))
        client.start(name)
        first = _first_process(state := client.inspect_container(name))
        if first is None:
            raise SandboxError("its containers are not processes of this machine")
        first.close()
        # The parent is containerd's shim, which works in the folder of the container's bundle.
        status = Path(f"/proc/{state['State']['Pid']}/status").read_text()
        shim = next(line.split()[1] for line in status.splitlines() if line.startswith("PPid:"))
        found = bundle.read(Path(f"/proc/{shim}/cwd/config.json"))
        if state["Id"] not in found.spec["linux"]["cgroupsPath"]:
            raise SandboxError("the specification found is not the container's")
        return found
    except (DockerException, RequestException, OSError) as error:
        raise SandboxError(f"docker could not start a container: {error}") from None
    finally:
        _remove(client, name)
        account.close()


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


def _remove(client: APIClient, name: str) -> None:
    """Kill and remove, and see it gone: the engine may have begun by itself, as its process has ended."""
    from docker.errors import APIError, DockerException
    from requests.exceptions import RequestException

    with contextlib.suppress(DockerException, RequestException):
        try:
            client.remove_container(name, force=True, v=True)
        except APIError as error:
            if error.status_code == 409:
                client.wait(name, timeout=GONE_S, condition="removed")


def _containers(client: APIClient) -> list[str]:
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        found = client.containers(all=True, filters={"label": container.LABEL})
    except (DockerException, RequestException):
        return []
    return [name.lstrip("/") for each in found for name in each["Names"]]
