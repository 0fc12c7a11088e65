"""
Sandboxes of a test's own image (records.Container), by the container engine.

They differ from the others in what tasks for agents need: every file can be written to, and commands are
root. That is, where Assay runs as root, the root of a user namespace, which owns nothing outside. It may do
what containers usually may, and not raise its rights. Mounts, raw packets and the memory of other processes
stay closed, by capabilities, the engine's filter of system calls and the agent's. There is no network.

Assay's own programs run on a Python of their own (image/agent_python.py). Three folders of the host are
mounted inside: /tests and /solution are empty, and no program can write there, until the host puts files
there; what is in /logs/verifier is removed when it puts files into /tests. So nothing there was prepared for
a verifier.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import stat
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from assay.errors import MissingData, ModelFault, SandboxError
from assay.records import ExecResult, Limits, RunOptions, Terminal, TerminalOutput
from assay.sandboxes.agent import files as agent_files
from assay.sandboxes.backends import container
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.wire import AgentSettings, agent_command

SOLUTION, TESTS, OUTPUT = "/solution/", "/tests/", "/logs/verifier/"
CHANGED = "/.assay/changed"  # read: the names of programs that are not the image's, a line each
PROGRAMS = ("usr/bin", "usr/sbin", "usr/local/bin", "usr/local/sbin", "bin", "sbin", "etc")
PRELOADED = "/etc/ld.so.preload"  # the one file of etc that counts: libraries that every program loads
FOLDERS = {SOLUTION: "solution", TESTS: "tests", OUTPUT: "output"}  # inside -> in the sandbox's folder here
RIGHTS = {  # -> number of the capability
    "CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "FSETID": 4, "KILL": 5, "SETGID": 6, "SETUID": 7,
    "NET_BIND_SERVICE": 10, "SYS_CHROOT": 18,
}  # fmt: skip
RIGHT_BITS = sum(1 << number for number in RIGHTS.values())
FIRST_ID, IDS = 1_901_000_000, 65536  # of the user namespace, above those of the other sandboxes
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
SHM = 64 << 20
WATCH_EVERY_S = 2.0  # how often the disk is looked at, and seldom if that takes long
BLOCK = 4096
MAKE = """\
import posix
for folder in {!r}:
    try:
        posix.mkdir(folder)
    except FileExistsError:
        pass
"""
HOSTS = "127.0.0.1 localhost task\n::1 localhost\n"  # an engine would name this machine


def run_arguments(limits: Limits, name: str, run_id: str, limited: bool) -> list[str]:
    """Options of the engine's `run`."""
    arguments = [
        "--interactive", "--rm", "--pull=never", f"--name={name}", f"--label={container.LABEL}={name}",
        f"--label={container.RUN_LABEL}={run_id}", "--network=none", "--hostname=task", "--no-hosts",
        "--ipc=private", "--user=0:0", "--workdir=/", "--entrypoint=", "--unsetenv-all", "--cap-drop=all",
        *(f"--cap-add={each}" for each in RIGHTS), "--security-opt=no-new-privileges", "--http-proxy=false",
        "--image-volume=ignore", "--log-level=error", "--log-driver=none",
        f"--shm-size={min(SHM, limits.disk)}", *container.ulimits(),
    ]  # fmt: skip
    if os.geteuid() == 0:
        arguments += [f"--uidmap=0:{FIRST_ID}:{IDS}", f"--gidmap=0:{FIRST_ID}:{IDS}"]
    if limited:
        arguments += container.limit_arguments(limits)
    return arguments


def volumes(folder: Path) -> list[str]:
    """Makes the host's folders, and says how they are mounted."""
    mounted = []
    for inside, name in FOLDERS.items():
        place = folder / name
        place.mkdir(mode=0o755)
        mounted.append(f"--volume={place}:{inside.rstrip('/')}:rw,Z")
    give(folder / FOLDERS[OUTPUT])
    hosts = folder / "hosts"
    hosts.write_text(HOSTS)
    give(hosts)
    return [*mounted, f"--volume={hosts}:/etc/hosts:rw,Z"]


def settings(limits: Limits, limited: bool, configured: Mapping[str, Any]) -> AgentSettings:
    """What the agent is told. `configured`: what the image says of its containers. Raises MissingData for
    one whose commands are not root's."""
    assert limits.container is not None
    if (user := str(configured.get("User") or "root").partition(":")[0]) not in ("root", "0"):
        raise MissingData(f"the commands of {limits.container.image} run as {user}, and only root can be had")
    given = dict(each.partition("=")[::2] for each in configured.get("Env") or ())
    return AgentSettings(
        limits,
        work_dir=limits.container.work_dir or configured.get("WorkingDir") or "/",
        env={**ENVIRONMENT, **given, **dict(limits.container.env)},
        watch=not limited,
        expect_pid=1,
        expect_uid=0,
        kind="agent-python",
    )


def check(sandbox: AgentSandbox) -> None:
    """Raises SandboxError unless the agent has the rights it was to have, and no other."""
    if sandbox.hello.capabilities != RIGHT_BITS:
        raise SandboxError(
            f"the container has capabilities {sandbox.hello.capabilities:#x}, not {RIGHT_BITS:#x}"
        )
    container.check_filter(sandbox)


def command(python: Sequence[str], work_dir: str) -> tuple[str, ...]:
    """What starts the agent, and makes the work directory before if the image only names it: an engine would
    make one that the container's root does not own."""
    *start, program = agent_command()[1:]
    folders = [str(each) for each in reversed((Path(work_dir), *Path(work_dir).parents))]
    return (*python, *start, f"{MAKE.format(folders)}{program}")


def configured(said: str) -> Mapping[str, Any]:
    """What `image inspect --format={{json .Config}}` has printed."""
    try:
        found = json.loads(said)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise SandboxError(f"cannot see how the image is configured: {said[:300]}")
    return found


def give(folder: Path) -> None:
    """Let the container's root have a folder with all that is in it."""
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, FIRST_ID, FIRST_ID, follow_symlinks=False)


class TaskSandbox:
    """A `records.Sandbox` with the host's folders. `written` tells where the engine keeps what is written to
    the container's other files. If all that takes more than `limit` bytes of disk, it is killed: that is a
    ModelFault."""

    def __init__(
        self,
        inner: AgentSandbox,
        folder: Path,
        python: Sequence[str],
        limit: int,
        written: Callable[[], Awaitable[str]],
    ) -> None:
        self._inner, self._folder, self._python = inner, folder, python
        self._limit, self._written = limit, written
        self._full = ""
        self._watching = asyncio.create_task(self._watch())

    @property
    def tier(self) -> str:
        return self._inner.tier

    @property
    def alive(self) -> bool:
        return self._inner.alive

    async def _watch(self) -> None:
        pause, folders = WATCH_EVERY_S, [self._folder]
        with contextlib.suppress(SandboxError):  # it has ended, or the engine does not say
            await asyncio.sleep(pause)
            folders.append(Path(await self._written()))
        while self.alive:
            begun = time.monotonic()
            if await asyncio.to_thread(_taken, folders, self._limit) > self._limit:
                self._full = f"the container's files take more than its {self._limit >> 20} MB of disk"
                await self._inner.close()
                return
            await asyncio.sleep(max(pause, 20 * (time.monotonic() - begun)))

    @contextlib.contextmanager
    def _in_it(self) -> Iterator[None]:
        """Around whatever is done inside."""
        try:
            yield
        except SandboxError:
            if self._full:
                raise ModelFault(self._full) from None
            raise

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        """Files of the host's folders take the place of all that was there."""
        given = dict(options.get("files", {}))
        for inside in FOLDERS:
            own = {
                name.removeprefix(inside): given.pop(name) for name in list(given) if name.startswith(inside)
            }
            if own:
                self._put(inside, own)
        options["files"] = given
        with self._in_it():
            return await self._inner.run(argv, **options)

    def _put(self, inside: str, files: Mapping[str, bytes]) -> None:
        place = self._folder / FOLDERS[inside]
        _empty(place)
        if inside == TESTS:
            _empty(self._folder / FOLDERS[OUTPUT])
        for name, content in files.items():
            path = place.joinpath(*agent_files.split(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755)
        give(place)

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        if tuple(argv[:2]) == ("python3", "-I"):  # a program of ours, and the image may have no Python
            argv = [*self._python, *argv[1:]]
        with self._in_it():
            return _TaskTerminal(await self._inner.start(argv, files=files, env=env), self._in_it)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        if path == CHANGED:
            names = await asyncio.to_thread(_changed, Path(await self._written()))
            return "\n".join(names).encode("utf-8", "replace")
        if not path.startswith(OUTPUT):
            with self._in_it():
                return await self._inner.read_file(path, max_bytes=max_bytes)
        name = path.removeprefix(OUTPUT)
        if not name or "/" in name or name in (".", ".."):
            raise ModelFault(f"cannot read {path}")
        try:
            return _read(self._folder / FOLDERS[OUTPUT] / name, max_bytes)
        except FileNotFoundError:
            raise FileNotFoundError(f"{path}: there is no such file") from None
        except OSError as error:
            raise ModelFault(f"cannot read {path}: {error.strerror or error}") from None

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        """Nothing: what was worked on is the container, whose files stay where they are."""
        return b""

    async def unpack(self, data: bytes) -> None:
        await self._inner.unpack(data)

    async def close(self) -> None:
        self._watching.cancel()
        await self._inner.close()


class _TaskTerminal:
    def __init__(self, inner: Terminal, in_it: Callable[[], contextlib.AbstractContextManager[None]]) -> None:
        self._inner, self._in_it = inner, in_it

    async def send(self, data: bytes) -> None:
        with self._in_it():
            await self._inner.send(data)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        with self._in_it():
            return await self._inner.read_until(marker, time_limit_s=time_limit_s)

    async def close(self) -> None:
        await self._inner.close()


def _taken(folders: Sequence[Path], limit: int) -> int:
    """Bytes on disk below folders, at least a block for each name; no further than just over `limit`."""
    found, todo = 0, [os.fsencode(folder) for folder in folders]
    while todo and found <= limit:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # it is gone, or of a user who is not ours to see
                    found += max(BLOCK, 512 * entry.stat(follow_symlinks=False).st_blocks)
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
    return found


def _changed(written: Path) -> list[str]:
    """The programs that are among what a container has written, following no link that it has made."""
    found = []
    root = os.open(written, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in PROGRAMS:
            with contextlib.suppress(OSError, agent_files.BadName):
                place = agent_files.open_directory(root, folder.split("/"))
                try:
                    found += sorted(f"/{folder}/{name}" for name in os.listdir(place))  # noqa: PTH208 - a descriptor
                finally:
                    os.close(place)
    finally:
        os.close(root)
    return [name for name in found if not name.startswith("/etc/") or name == PRELOADED]


def _empty(folder: Path) -> None:
    """Remove all that is in a folder, following no link."""
    for entry in list(os.scandir(folder)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            Path(entry.path).unlink()


def _read(path: Path, max_bytes: int) -> bytes:
    """A regular file that a program inside may have made: no link is followed, and nothing waited for."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with os.fdopen(fd, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError("it is not a regular file")
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(f"it has more than {max_bytes} bytes")
    return content
