"""
Sandboxes by bubblewrap: no daemon, no image needed, 10 to 50 ms to open.

Programs see the image's files where `make image` has left them within reach (tier
bubblewrap+image), otherwise the host's /usr and what of /etc programs need (bubblewrap+host),
read-only. Every namespace is their own; nothing of the host's network, processes, homes or keys
is there. The agent is pid 1, so no program inside can stop it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import signal
import time
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from assay.errors import SandboxError, SandboxUnavailable
from assay.files import modified_ns
from assay.home import CHECKOUT, tool
from assay.records import Limits, Sandbox
from assay.sandboxes.agent import processes
from assay.sandboxes.backends import filesystem
from assay.sandboxes.backends.box import Box, connected
from assay.sandboxes.backends.container import ProcessHandle, check_filter
from assay.sandboxes.backends.users import User
from assay.sandboxes.client import AgentSandbox, closing
from assay.sandboxes.image import builder, in_use
from assay.sandboxes.image.layers import folder_of
from assay.sandboxes.limits import cgroups, gpus
from assay.sandboxes.process import Process
from assay.sandboxes.wire import ENVIRONMENT, AgentSettings, agent_command

INSTALL = "install it (apt install bubblewrap, dnf install bubblewrap)"
INSTALL += ", or run make setup" if CHECKOUT else ""
FORBIDDEN = (
    "this kernel does not let users make namespaces; allow it (sysctl kernel.unprivileged_userns_clone=1, "
    "on Ubuntu also kernel.apparmor_restrict_unprivileged_userns=0), or run the container around it with "
    "--privileged or --security-opt seccomp=unconfined"
)
TOOLS = "/usr/sbin:/usr/bin:/sbin:/bin"


def program() -> str | None:
    """The path of bwrap, or of the program that ASSAY_BWRAP names. None if there is none."""
    return tool(os.environ.get("ASSAY_BWRAP") or "bwrap")


class Bubblewrap:
    """`root`: the files programs see; None for the image's if there is one, otherwise the host's.

    `use_cgroups=False`: limits by the agent and rlimits alone, as if no cgroup were available.
    """

    name = "bubblewrap"
    isolated = True

    def __init__(self, root: Path | None = None, *, use_cgroups: bool = True) -> None:
        self._root, self._use_cgroups = root, use_cgroups
        self._tier = ""
        self._cgroups: cgroups.Hierarchy | None = None
        self._view: tuple[str, ...] = ()
        self._python, self._kind = "", ""
        self._hold: in_use.Hold | None = None

    @property
    def tier(self) -> str:
        return self._tier or self.name

    @property
    def limited(self) -> bool:
        """Whether the kernel enforces memory and processes; otherwise the agent watches over them."""
        return self._cgroups is not None

    @property
    def own_users(self) -> bool:
        """Whether each sandbox has a user id of its own. Only root can assign several."""
        return os.geteuid() == 0

    @property
    def has_layers(self) -> bool:
        """Whether it can show them: they run with the image's Python."""
        return self.tier.endswith("+image")

    def options(self) -> tuple[str, ...]:
        """More options of bwrap, for a variant: ("--ro-bind", "/srv/words", "/words")."""
        return ()

    def state(self) -> str:
        bwrap, root = program(), self._files()
        stamps = [f"{path}@{modified_ns(Path(path))}" for path in (bwrap, root) if path]
        with contextlib.suppress(OSError):  # what decides whether cgroups are available
            stamps.append(str(len(Path("/proc/self/cgroup").read_text().splitlines())))
        return " ".join(stamps)

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if program() is None:
            raise SandboxUnavailable(f"bwrap is not installed; {INSTALL}")
        if os.geteuid() == 0 and shutil.which("chroot", path=TOOLS) is None:
            raise SandboxUnavailable(
                "root needs chroot to start bwrap as another user (apt install coreutils)"
            )
        root = self._held_files()
        self._tier = f"{self.name}+{'host' if root is None else 'image'}"  # a subclass has results of its own
        self._python, extra = filesystem.find_python(root or Path("/"))
        self._kind = f"{root or '/'} {self._python}"
        self._view = filesystem.view(root or Path("/"), root is not None, extra)
        self._cgroups = await asyncio.to_thread(cgroups.hierarchy) if self._use_cgroups else None
        if known:
            return known
        try:
            async with closing(await self.open(Limits(), "probe")) as sandbox:
                result = await sandbox.run(["/bin/sh", "-c", "echo works; id -u"], time_limit_s=60)
        except SandboxError as error:
            text = str(error)
            raise SandboxUnavailable(
                f"bwrap did not open a sandbox: {text}\n{self._hint(text)}".rstrip()
            ) from None
        if result.stdout.split() != [b"works", str(filesystem.UID).encode()]:
            raise SandboxUnavailable(f"a test command in bwrap failed: {result.output[:300]!r}")
        return {"cgroups": str(self._cgroups.version) if self._cgroups else "none"}

    def _hint(self, words: str) -> str:
        """The remedy for an error message of bwrap."""
        if self.options():
            return (
                f"{self.name} adds the options {shlex.join(self.options())}; bubblewrap alone may well work"
            )
        if "ermission" in words or "namespace" in words or "uid map" in words:
            return FORBIDDEN
        if "Unknown option" in words:
            return "it is too old; use version 0.8 or later"
        return f"whether it works at all: {program()} --ro-bind / / true"

    def lowered(self, limits: Limits) -> Limits:
        """What a sandbox gets where `limits` are asked for: a variant may lower them."""
        return limits

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        limits = self.lowered(limits)
        devices = filesystem.devices(limits)  # it may raise: before anything is taken
        shown = [("--ro-bind", str(folder_of(each)), each.inside) for each in limits.layers]
        closing = (*chain(*shown), *self.options(), *filesystem.writable(limits))
        box = _Box(limits, self._cgroups, self._hold)
        box.python, box.options = self._python, ((*devices, *self._view), closing)
        settings = AgentSettings(
            limits,
            env={**ENVIRONMENT, **gpus.environment(limits.gpus)},
            process_limit=0 if box.cgroup else _process_limit(limits),
            watch=box.cgroup is None,
            expect_pid=1,
            expect_uid=filesystem.UID,
            kind=self._kind,
        )
        return await connected(box, settings, self.tier)

    async def remove_leftovers(self) -> int:
        # Processes end with their parent, mounts with their namespace; only cgroups can stay behind.
        return await asyncio.to_thread(cgroups.remove_leftovers)

    async def image_id(self) -> str:
        found = self._files()
        return "" if found is None else builder.id_of_files(found)

    def _held_files(self) -> Path | None:
        """The same, but protected from removal from now on, and kept by this backend."""
        while (root := self._files()) is not None and self._root is None:
            with contextlib.suppress(FileNotFoundError):  # just removed: there is another image now
                self._hold, self._root = in_use.Hold(root), root
        return root

    def _files(self) -> Path | None:
        """The folder of the files that programs see; None for the host's."""
        if self._root is not None:
            return None if self._root == Path("/") else self._root
        return builder.rootfs()


def _process_limit(limits: Limits) -> int:
    """RLIMIT_NPROC for a sandbox without a cgroup. Since Linux 5.14 it counts by user namespace;
    before that, everything else the user runs counts too."""
    release = [int(part) for part in os.uname().release.split("-")[0].split(".")[:2] if part.isdigit()]
    if release >= [5, 14] or os.geteuid() == 0:
        return limits.processes
    others = sum(1 for pid in Path("/proc").glob("[0-9]*") if _owner(pid) == os.getuid())
    return limits.processes + others


def _owner(path: Path) -> int:
    try:
        return path.stat().st_uid
    except OSError:
        return -1


class _Box(Box):
    """The processes and the cgroup of one sandbox; it also keeps hold of the files they see. `options`:
    before and after the files of ours; they end by making / read-only."""

    patience_s = 5.0

    python: str
    options: tuple[tuple[str, ...], tuple[str, ...]]

    def __init__(self, limits: Limits, place: cgroups.Hierarchy | None, hold: in_use.Hold | None) -> None:
        super().__init__()
        self._hold = hold
        self._user = None if os.geteuid() else User()
        self.uid = self._user.uid if self._user is not None else os.getuid()
        try:
            self.cgroup = cgroups.Cgroup(place, limits) if place else None
        except OSError as error:
            self._release_uid()
            raise SandboxError(f"cannot make the sandbox's cgroup: {error}") from None
        self._status = -1
        self._joining: asyncio.Future[None] | None = None

    async def spawn(self, stderr: int) -> Process:
        """bwrap has been started, and waits for its options until it is in its cgroup: nothing that it makes
        or starts is outside."""
        bwrap = program()
        if bwrap is None:
            raise SandboxUnavailable(f"bwrap is not installed; {INSTALL}")
        self._status, info_end = os.pipe()
        options_fd, options_end = os.pipe()
        passed = [info_end, options_fd]
        os.set_blocking(self._status, False)
        data: list[str] = []
        try:
            try:
                for name, content in filesystem.GENERATED.items():
                    fd = os.memfd_create(name)
                    passed.append(fd)
                    os.write(fd, content)
                    os.lseek(fd, 0, os.SEEK_SET)
                    data += ["--perms", "0444", "--file", str(fd), f"/etc/{name}"]
                command = (
                    *self._as_other_user(),
                    bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv",
                    "--cap-drop", "ALL", "--uid", str(filesystem.UID), "--gid", str(filesystem.UID),
                    "--hostname", "sandbox", "--info-fd", str(info_end), "--args", str(options_fd),
                    "--chdir", "/", "--", *agent_command(self.python),
                )  # fmt: skip
                self._process = Process(command, stderr=stderr, pass_fds=passed, env={"PATH": TOOLS}, cwd="/")
            finally:
                for fd in passed:
                    os.close(fd)
            await self._join(self._process)
            view, closing = self.options
            with contextlib.suppress(BrokenPipeError):  # it has ended; what it said of it is read later
                os.write(
                    options_end, b"".join(os.fsencode(each) + b"\0" for each in (*view, *data, *closing))
                )
        finally:
            os.close(options_end)
        return self._process

    async def _join(self, process: Process) -> None:
        if self.cgroup is not None:
            self._joining = asyncio.ensure_future(asyncio.to_thread(self.cgroup.join, process.pid))
            try:
                await asyncio.shield(self._joining)
            except ProcessLookupError:
                pass  # as above
            except OSError as error:
                raise SandboxError(f"cannot put the sandbox into its cgroup: {error}") from None

    def _as_other_user(self) -> tuple[str, ...]:
        """Root inside a user namespace that root made would still be root to the files outside. (chroot asks
        nobody about a number with a plus, where setpriv looks for it among the names of users.)"""
        if self._user is None:
            return ()
        return ("chroot", f"--userspec=+{self.uid}:+{self.uid}", "--groups=", "/")

    async def hold(self) -> None:
        """The agent as the host sees it. Raises SandboxError if it is another user or in no cgroup."""
        await super().hold()
        self._check_user(self.pid)
        if self.cgroup is not None:
            self.cgroup.check_member(self.pid)

    def _check_user(self, pid: int) -> None:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError as error:
            raise SandboxError(f"cannot examine the sandbox's process: {error}") from None
        ours = ("Uid", "Gid", "Groups") if self._user else ("Uid", "Gid")
        for what, _, ids in (line.partition(":") for line in status.splitlines()):
            if what in ours and set(ids.split()) - {str(self.uid)}:
                raise SandboxError(f"the sandbox runs as {ids.split()}, not as {self.uid}: not isolated")

    async def find_first(self) -> ProcessHandle:
        try:
            pid = int(json.loads(os.read(self._status, 4096))["child-pid"])
            return ProcessHandle(pid, self.cgroup or cgroups.Cgroups(()))
        except (OSError, ValueError, KeyError) as error:
            raise SandboxError(f"cannot tell which process the sandbox is: {error}") from None

    def check(self, sandbox: AgentSandbox) -> None:
        check_filter(sandbox)

    def end(self) -> None:
        """Killing pid 1 of the namespace kills all of it, and bwrap outside follows."""
        joining = self._joining is not None and not self._joining.done()
        if joining or self._process is None or self._process.returncode is not None:
            return
        if self._first is not None:
            self._first.kill()
        else:
            # It is still starting. Were bwrap killed first, its child could miss that and wait for ever.
            with contextlib.suppress(ProcessLookupError):
                _stop(self._process.pid)
                for pid in processes.descendants(processes.processes(), [self._process.pid]):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                self._process.kill()

    async def _reap(self) -> None:
        if self._joining is not None and not self._joining.done():  # until then its number must stay its own
            await asyncio.wait([self._joining])
            self.end()
        await super()._reap()

    async def release(self) -> None:
        if self.cgroup is not None:
            await cgroups.remove(self.cgroup.folders)
        if self._status >= 0:
            os.close(self._status)
            self._status = -1
        self._hold = None
        self._release_uid()

    def _release_uid(self) -> None:
        if self._user is not None:
            self._user.release()


def _stop(pid: int) -> None:
    """Stop a process, and wait the moment until it can fork no more."""
    os.kill(pid, signal.SIGSTOP)
    for _ in range(100):
        if processes.processes().get(pid, (0, b"X", 0, 0))[1] in (b"T", b"Z", b"X"):
            return
        time.sleep(0.0005)
