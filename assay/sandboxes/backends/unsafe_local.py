"""
No sandbox at all: commands run as you, on your files and your network.

For people who have accepted this in config.json. A command still gets its own temporary
folder and environment, its time limit and its output cap, and everything it starts is killed with
it. Nothing keeps it from reading, changing or deleting whatever you can.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from assay.errors import SandboxUnavailable
from assay.records import Limits, Sandbox
from assay.sandboxes.backends import owner
from assay.sandboxes.backends.box import Box, connected
from assay.sandboxes.client import AgentSandbox
from assay.sandboxes.process import Process
from assay.sandboxes.wire import ENVIRONMENT, AgentSettings, agent_command

UNSAFE = "unsafe-"  # in the names of temporary folders
MARK = "ASSAY_SANDBOX"  # in the environment of the agent and of everything a command starts, to find it again


class UnsafeLocalWarning(UserWarning):
    """Said at every run: a model's code is not isolated."""


class UnsafeLocal:
    name = "unsafe_local"
    isolated = False
    limited = False  # no cgroup bounds what it uses

    @property
    def tier(self) -> str:
        return self.name

    def state(self) -> str:
        return sys.executable

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if not sys.platform.startswith("linux"):
            raise SandboxUnavailable("unsafe_local needs Linux; use docker or podman here")
        warnings.warn(
            "unsafe_local: a model's code runs WITHOUT A SANDBOX, with your rights on your files and network",
            UnsafeLocalWarning,
            stacklevel=2,
        )
        return {}

    def lowered(self, limits: Limits) -> Limits:
        """What a sandbox gets where `limits` are asked for: a variant may lower them."""
        return limits

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        limits = self.lowered(limits)
        box = _Folder()
        settings = AgentSettings(limits, work_dir=str(box.work), env=box.environment(), watch=True)
        return await connected(box, settings, self.tier)

    async def remove_leftovers(self) -> int:
        left = await asyncio.to_thread(owner.abandoned_folders, f"{UNSAFE}*")
        for folder in left:
            await asyncio.to_thread(_clear, folder)
        return len(left)

    async def image_id(self) -> str:
        return ""


class _Folder(Box):
    """One sandbox's temporary folder and the processes started in it."""

    patience_s = 2.5  # for the agent, which kills what it has started, to end

    def __init__(self) -> None:
        super().__init__()
        self.path = Path(tempfile.mkdtemp(prefix=f"{owner.fresh_name()}.{UNSAFE}"))
        self.work, self.home, self.tmp = self.path / "work", self.path / "home", self.path / "tmp"
        for each in (self.work, self.home, self.tmp):
            each.mkdir()

    def environment(self) -> dict[str, str]:
        """The sandboxes' usual one, but with the user's own PATH: their tools are why they are here."""
        return {
            **ENVIRONMENT,
            "PATH": os.environ.get("PATH", ENVIRONMENT["PATH"]),
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            MARK: self.path.name,
        }

    async def spawn(self, stderr: int) -> Process:
        # The mark is also on what the agent has forked and that is not a program yet: if the agent is killed
        # then, or gives up, nothing else would end it
        env = {"PATH": "/usr/bin:/bin", MARK: self.path.name}
        return Process(agent_command(sys.executable), stderr=stderr, env=env, cwd="/")

    async def hold(self) -> None:
        assert self._process is not None
        self.pid = self._process.pid

    async def find_first(self) -> None:
        """The agent itself must not be killed first: it ends what it has started."""

    def check(self, sandbox: AgentSandbox) -> None:
        """Nothing is isolated here."""

    async def release(self) -> None:
        await asyncio.to_thread(_clear, self.path)  # of processes too, in case somebody killed the agent


def _clear(path: Path) -> None:
    """Kill every process with the sandbox's mark in its environment, until there is none, and remove its
    folder, which a program may have made unreadable."""
    needle = f"{MARK}={path.name}".encode()
    for _ in range(100):
        found = False
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if needle in (folder / "environ").read_bytes().split(b"\0"):
                    os.kill(int(folder.name), signal.SIGKILL)
                    found = True
        if not found:
            break
    for base, folders, _ in os.walk(path):
        for name in folders:
            inner = Path(base) / name
            if not inner.is_symlink():
                with contextlib.suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(path, ignore_errors=True)
