"""
A container engine by its command line, podman or docker: its client is attached to the agent, and its pipes
are the way in.

As root the engine is asked once what it tells its low-level runtime, and sandboxes are then opened by that
runtime alone (runtime.py). Where that cannot be, each is a `run` of the engine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from assay.errors import SandboxError, SandboxUnavailable
from assay.home import BUILD_IMAGE
from assay.records import Container, Layer, Limits, Sandbox
from assay.sandboxes.backends import bundle, container, owner, runtime, task_container
from assay.sandboxes.backends.box import Box, connected
from assay.sandboxes.backends.users import FIRST_MAPPED_UID, FIRST_UID
from assay.sandboxes.client import AgentSandbox, closing
from assay.sandboxes.image import agent_python, in_use
from assay.sandboxes.image.builder import image_reference
from assay.sandboxes.image.layers import folder_of
from assay.sandboxes.limits import cgroups
from assay.sandboxes.process import Process
from assay.sandboxes.wire import agent_command

DEFAULT = Limits()


class Engine(ABC):
    """`reference`: the image to use. `direct=False`: always by the engine itself."""

    name: str
    isolated = True
    has_layers = True
    program: ClassVar[str]  # its command; a variant has another name
    ways: ClassVar[Mapping[str, tuple[str, ...]]] = {"plain": ()}  # global options, to be tried in this order
    remove: ClassVar[tuple[str, ...]]  # the command that kills and removes containers, without their names
    copies_up: ClassVar[bool]  # see container.tmpfs
    refuses_limits: ClassVar[bool]  # what fails with limits may work without

    def __init__(self, reference: str = "", *, direct: bool = True) -> None:
        self._image, self._wants_direct = reference or image_reference(self.program), direct
        self.way = f"{self.program} run"  # how sandboxes are opened: by which runtime, or why by the engine
        self.runtime: runtime.Runtime | None = None  # that opens them without the engine
        self._runtimes_image = ""  # its id
        self._hold: in_use.Hold | None = None
        self._way: tuple[str, ...] = ()
        self.limited, self._shared = True, False  # limited: by the kernel; else the agent watches over them

    @property
    def tier(self) -> str:
        return self.name  # so that a variant has results of its own

    @property
    def own_users(self) -> bool:
        """Whether the commands of each sandbox run as a user id of their own."""
        return not self._shared

    def options(self) -> tuple[str, ...]:
        """More options of the engine's `run`, for a variant: ("--volume=/srv/words:/words:ro",)."""
        return ()

    # ------------------------------------------------------------ what differs between engines

    @abstractmethod
    async def check(self) -> None:
        """Raises SandboxUnavailable where the engine or its image is missing."""

    @abstractmethod
    def own_options(self, limits: Limits) -> list[str]:
        """Options of its own for `create` and `run`, GPUs among them."""

    @abstractmethod
    async def written(self, name: str) -> bundle.Template:
        """What it tells its runtime of the container `name`, which has been created. Raises SandboxError."""

    @abstractmethod
    async def layers(self, image_id: str) -> str:
        """Folders with the image's files, separated by :, the uppermost first. Raises SandboxError."""

    @abstractmethod
    def hold_image(self, image_id: str) -> in_use.Hold:
        """Protect the files of that image from removal."""

    @abstractmethod
    def hidden(self) -> str:
        """Why a runtime cannot reach its images; '' if it can."""

    def pid_options(self, pidfile: Path) -> tuple[str, ...]:
        """Options with which `run` records the container's first process."""
        return ()

    async def first_process(self, name: str, pidfile: Path) -> container.ProcessHandle | None:
        return container.handle(pidfile)

    # ------------------------------------------------------------ the backend

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        if shutil.which(self.program) is None:
            await self.check()
        self._take(known)
        if known:
            self._way, self.limited = self.ways[known["way"]], known["limits"] == "enforced"
            self._shared = known.get("users") == "shared"
            return known
        await self.check()
        reasons = []
        for way, options in self.ways.items():
            self._way = options
            if way != "plain" and shutil.which(way) is None:
                continue
            # An engine in a virtual machine, or with few user ids, may have only the image's user to give.
            for self._shared in (False, True):
                for self.limited in (True, False):
                    try:
                        holds = await self._try()
                    except SandboxError as error:
                        reasons.append(f"{way}: {str(error)[-400:]}")
                        if not self.refuses_limits:
                            break
                        continue
                    if holds or not self.limited:
                        found = await self._look()
                        self._take(found)
                        limits = "enforced" if self.limited else "watched"
                        users = "shared" if self._shared else "own"
                        return {"way": way, "limits": limits, "users": users, **found}
        raise SandboxUnavailable(f"{self.program} cannot run a container here:\n" + "\n".join(reasons))

    def _only_by_engine(self) -> str:
        """Why only the engine itself can open such a sandbox; '' if a runtime can."""
        if not self._wants_direct:
            return "that is asked for"
        if self.options():
            return f"{self.name} adds options of {self.program} run"
        if self._shared or not self.limited:
            return f"{self.program} cannot give users or limits here"
        return self.hidden() or (
            "" if os.geteuid() == 0 else "only root can start containers without the engine"
        )

    async def _look(self) -> dict[str, str]:
        """A runtime that opens sandboxes without the engine, or why none does: for `_take`, to be kept."""
        try:
            if why := self._only_by_engine():
                raise SandboxError(why)
            image_id = await self.current_image()
            self._hold = self.hold_image(image_id)
            layers, template = await self.layers(image_id), await self.template()
            found = await runtime.find(template, layers, self._image, self.tier)
        except (SandboxError, OSError) as error:
            return {"why": str(error)}
        return {"runtime": found.to_json(), "image": image_id}

    def _take(self, known: Mapping[str, str]) -> None:
        """Open sandboxes from now on as `_look` has found that it works."""
        self.runtime, self._runtimes_image, why = None, "", known.get("why", "")
        if "runtime" in known:
            try:
                self._hold = self.hold_image(known["image"])
                self.runtime, self._runtimes_image = runtime.from_json(known["runtime"]), known["image"]
            except (SandboxError, OSError) as error:
                why = str(error)
        self.way = self.runtime.name if self.runtime else f"{self.program} run: {why}"

    async def _try(self) -> bool:
        """Open a sandbox and use it. Returns whether its limits are as requested. Raises SandboxError."""
        async with closing(await self._open(DEFAULT, "probe")) as sandbox:
            return await container.limits_hold(sandbox, DEFAULT)

    def lowered(self, limits: Limits) -> Limits:
        """What a sandbox gets where `limits` are asked for: a variant may lower them."""
        return limits

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        limits = self.lowered(limits)
        if limits.container is not None:
            return await self._open_task(limits, limits.container, run_id)
        if self.runtime is not None and not limits.gpus:
            return await self.runtime.open(limits)
        return await self._open(limits, run_id)

    async def _open(self, limits: Limits, run_id: str) -> AgentSandbox:
        mapped = self.program == "podman" and os.geteuid() != 0
        account = container.Account(FIRST_MAPPED_UID if mapped else FIRST_UID, self._shared)
        box = _EngineBox(self, owner.fresh_name(), account)
        options = (*self._options(limits, box.name, run_id, account, box.folder), *self.options())
        box.command = self._command("run", *options, *self.pid_options(box.pidfile), *self._inside())
        settings = container.settings(limits, self.limited, account, self._image)
        return await connected(box, settings, self.tier)

    async def _open_task(self, limits: Limits, own: Container, run_id: str) -> Sandbox:
        said = await self.said("image", "inspect", "--format={{json .Config}}", own.image)
        settings = task_container.settings(limits, self.limited, task_container.configured(said))
        python, command = await asyncio.to_thread(agent_python.agent_python)
        box = _TaskBox(self, owner.fresh_name(), container.Account(FIRST_UID, shared=True))
        options = (
            *task_container.run_arguments(limits, box.name, run_id, self.limited),
            *task_container.volumes(box.folder),
            f"--volume={python}:{agent_python.INSIDE}:ro",
            *self.pid_options(box.pidfile),
        )
        box.command = self._command(
            "run", *options, own.image, *task_container.command(command, settings.work_dir)
        )
        written = partial(self.said, "inspect", "--format={{.GraphDriver.Data.UpperDir}}", box.name)
        sandbox = await connected(box, settings, self.tier)
        return task_container.TaskSandbox(sandbox, box.folder, command, limits.disk, written)

    def _options(
        self, limits: Limits, name: str, run_id: str, account: container.Account, folder: Path
    ) -> tuple[str, ...]:
        ours = container.run_arguments(
            limits, name, run_id, self.limited, copies_up=self.copies_up, account=account
        )
        return (*ours, *self.own_options(limits), *account.volumes(folder), *map(self.shown, limits.layers))

    def shown(self, layer: Layer) -> str:
        """The option that shows a layer. Raises MissingData."""
        return f"--mount=type=bind,source={folder_of(layer)},target={layer.inside},readonly"

    def _inside(self) -> tuple[str, ...]:
        return (self._image, *agent_command("/usr/bin/python3"))

    async def template(self, limits: Limits = DEFAULT) -> bundle.Template:
        """What the engine tells its runtime of a container of ours, made for this alone."""
        name, account = owner.fresh_name(), container.Account(FIRST_UID)
        with tempfile.TemporaryDirectory(prefix=f"{name}.") as folder:
            try:
                options = self._options(limits, name, "probe", account, Path(folder))
                await self.said("create", *options, *self._inside())
                return await self.written(name)
            finally:
                await self.call(*self.remove, name)
                account.close()

    async def containers(self) -> list[str]:
        """The names of all containers that an Assay on this machine has had it open and not remove."""
        listing = ("ps", "--all", f"--filter=label={container.LABEL}", "--format={{.Names}}")
        code, out = await self.call(*listing, limit_s=20)
        return out.split() if code == 0 else []

    async def remove_leftovers(self) -> int:
        for folder in await asyncio.to_thread(owner.abandoned_folders, "????????"):  # as mkdtemp names them
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        if left := [name for name in await self.containers() if owner.abandoned(name)]:
            _, words = await self.call(*self.remove, *left, limit_s=60)
            if set(left) & set(await self.containers()):  # another run may have been faster
                raise SandboxError(f"{self.program} {self.remove[0]}: {words[-300:].strip()}")
        return len(left) + await asyncio.to_thread(cgroups.remove_leftovers)

    async def image_id(self) -> str:
        return self._runtimes_image or await self.current_image()

    async def current_image(self) -> str:
        """The id of the image that has the name now; '' if there is none."""
        code, said = await self.call("image", "inspect", "--format={{.Id}}", self._image)
        return said.strip() if code == 0 else ""

    def lacks_image(self) -> SandboxUnavailable:
        return SandboxUnavailable(f"{self.program} has no image {self._image}; {BUILD_IMAGE} builds it")

    # ------------------------------------------------------------ its command

    def _command(self, *arguments: str) -> tuple[str, ...]:
        return (self.program, *self._way, *arguments)

    async def call(self, *arguments: str, limit_s: float = 30.0) -> tuple[int, str]:
        return await call(self._command(*arguments), limit_s)

    async def said(self, *arguments: str) -> str:
        """The output of an engine's command. Raises SandboxError if it fails."""
        code, said = await self.call(*arguments)
        if code != 0:
            raise SandboxError(f"{self.program} {arguments[0]}: {said[-300:].strip()}")
        return said.strip()


class _EngineBox(Box):
    """A container that the engine's own client starts."""

    command: tuple[str, ...]

    def __init__(self, engine: Engine, name: str, account: container.Account) -> None:
        super().__init__()
        self._engine, self.name, self._account = engine, name, account
        self.folder = Path(tempfile.mkdtemp(prefix=f"{name}."))
        self.pidfile = self.folder / "pid"

    async def spawn(self, stderr: int) -> Process:
        # There, podman's monitor leaves a file named oom when the kernel has killed for memory.
        return Process(self.command, stderr=stderr, cwd=str(self.folder))

    async def find_first(self) -> container.ProcessHandle | None:
        return await self._engine.first_process(self.name, self.pidfile)

    async def remove(self, process: Process) -> None:
        process.kill()
        await self._engine.call(*self._engine.remove, self.name)

    async def release(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._account.close()


class _TaskBox(_EngineBox):
    """One with an image of its own."""

    def check(self, sandbox: AgentSandbox) -> None:
        task_container.check(sandbox)


async def call(command: tuple[str, ...], limit_s: float) -> tuple[int, str]:
    """Run a command of the engine: exit code and output, errors included; -1 for a time-out."""
    process = Process(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    try:
        async with asyncio.timeout(limit_s):
            out = await (await process.output()).read()
            code = await process.wait()
    except TimeoutError:
        return -1, f"{' '.join(command[:3])} took more than {limit_s:g} s"
    finally:
        await process.end()
    return code, out.decode("utf-8", "replace")
