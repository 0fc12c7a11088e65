"""
Opened sandboxes, a few ahead of need, so that a trial gets a pristine one at once.

Nothing is opened before the first use. Every sandbox is handed out once and thrown away when its
owner closes it; however the pool ends, none stays open.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import time
import warnings
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from assay.errors import MissingData, SandboxError
from assay.files import modified_ns
from assay.records import ExecResult, Limits, RunOptions, Sandbox, Terminal
from assay.sandboxes.backends.registry import Backend, choose, forget
from assay.sandboxes.client import closing
from assay.sandboxes.image.contents import ASK, LIBRARIES, asked, known, machine, versions
from assay.sandboxes.image.layers import folder_of
from assay.trial_clock import standing_still

OPEN_LIMIT_S = 3600.0  # its image may have to be built first; a trial that waits has no limit of its own

# Runs inside: prints the requirements that are not there, as JSON.
_LOOK = """\
import importlib.util, json, os, re, shutil, subprocess, sys
def version(command):
    for asked in ("--version", "version"):
        said = subprocess.run([command, asked], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if said.returncode == 0 and (found := re.search(r"\\d+(\\.\\d+)*", said.stdout)):
            return numbers(found[0])
    return []
def numbers(text):
    return [int(part) for part in re.findall(r"\\d+", text)]
def there(need):
    kind, _, name = need.partition(":")
    if kind == "file" and name:
        return os.path.exists(name)
    if kind == "python" and name:
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False
    command, _, oldest = need.partition(">=")
    if shutil.which(command) is None:
        return False
    return not oldest or version(command) >= numbers(oldest)
print(json.dumps([need for need in sys.argv[1:] if not there(need)]))
"""


@contextlib.asynccontextmanager
async def open_pool(
    name: str = "auto",
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    ahead: int = 2,
    max_open: int | None = None,
    max_running: int | asyncio.Semaphore | None = None,
    run_id: str = "",
    blind_faith: bool = False,
    pages: int = 1,
) -> AsyncIterator[Pool]:
    """A pool of sandboxes of the backend `name`; leaving the block closes them all.

    `ahead` sandboxes are kept open beyond those in use, `max_open` bounds all of them (default: 4
    for each core, at least 8), `max_running` the commands running at once (default: the cores; a semaphore:
    of all pools that share it), `pages` the browser pages rendered at once. Raises SandboxUnavailable,
    with what to install.
    """
    backend = await choose(name, blind_faith=blind_faith)
    clearing = asyncio.create_task(_clear_leftovers(backend))  # of others: nobody has to wait for it
    cores = len(os.sched_getaffinity(0))
    most_open, running = max_open or max(8, 4 * cores), max_running or cores
    pool = Pool(backend, limits, ahead, most_open, running, run_id, pages)
    try:
        yield pool
    finally:
        await pool.close()
        await clearing


async def _clear_leftovers(backend: Backend) -> None:
    """A failure is reported once; the next run tries again."""
    try:
        await backend.remove_leftovers()
    except (SandboxError, OSError) as error:
        warnings.warn(
            f"{backend.tier}: what killed runs left behind could not be removed: {error}", stacklevel=2
        )


# Paths that change when the host's programs, libraries or headers do: the folders that installing by hand
# changes, Debian's choices between programs, and the lists of packages of apt, rpm, pacman and apk.
HOSTS = (
    "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/include", "/usr/local", "/usr/local/bin", "/usr/local/lib",
    "/usr/local/include", "/etc/alternatives", "/var/lib/dpkg/status", "/var/lib/rpm",
    "/usr/lib/sysimage/rpm", "/var/lib/pacman/local", "/lib/apk/db",
)  # fmt: skip


def lowered(backend: Backend, asked: Limits) -> Limits:
    """The limits that a backend keeps to; a variant's own under a name that tells them from those asked
    for."""
    lower = getattr(backend, "lowered", None)
    own: Limits = asked if lower is None else lower(asked)
    return own.named_after(asked) if own.profile == asked.profile else own


class Pool:
    """See `open_pool`. For one event loop."""

    def __init__(
        self,
        backend: Backend,
        limits: Limits,
        ahead: int,
        max_open: int,
        max_running: int | asyncio.Semaphore,
        run_id: str,
        pages: int,
    ) -> None:
        self._asked = limits
        self.limits = lowered(backend, limits)
        self.browser = asyncio.Semaphore(max(1, pages))
        self._backend, self._run_id = backend, run_id
        self._ahead = max(0, min(ahead, max_open - 1))
        self._slots = asyncio.Semaphore(max_open)  # one for each open sandbox, in use or ready
        if isinstance(max_running, int):
            max_running = asyncio.Semaphore(max_running)
        self._running = max_running
        self._ready: asyncio.Queue[Sandbox | BaseException] = asyncio.Queue()
        self._beyond = asyncio.Semaphore(max(2, len(os.sched_getaffinity(0))))  # open beside, beyond max_open
        self._waiting = 0  # for a sandbox, in acquire
        self._coming = 0  # being opened
        self._tasks: set[asyncio.Task[None]] = set()
        self._lent: set[PooledSandbox] = set()
        self._trials: Callable[[], float] = lambda: math.inf
        self._in_looks = 0  # sandboxes that no trial has
        self._present: dict[str, bool] = {}
        self._naming, self._looking = asyncio.Lock(), asyncio.Lock()
        self._image: str | None = None  # its id, once somebody has asked
        self._closed = False

    @property
    def tier(self) -> str:
        return self._backend.tier

    @property
    def limited(self) -> bool:
        """Whether the kernel bounds memory and processes; otherwise the agent watches over them."""
        return getattr(self._backend, "limited", True)

    @property
    def isolated(self) -> bool:
        """Whether the backend says that programs are kept from the host's files."""
        return bool(getattr(self._backend, "isolated", False))

    @property
    def identity(self) -> str:
        """What a sandbox's files are: changes with the backend, the image (by its id, which a tag does not
        tell; known once `missing` was asked), a variant's options, or the host's own programs."""
        on_image = self.tier.endswith(("image", "podman", "docker"))
        stamps = [] if on_image else [modified_ns(Path(place)) for place in HOSTS]
        return f"{self.tier} {self._image or ''} {self._backend.state()} {stamps} {self._options() or ()}"

    def expect(self, trials: Callable[[], int]) -> None:
        """Keep no more sandboxes ready than the trials that have not ended can still take."""
        self._trials = trials

    async def contents(self) -> dict[str, str]:
        """Kernel, image, and the versions of the compilers and packages inside. Asked inside once for each
        identity on this machine: it takes some seconds. Raises SandboxError."""
        await self.missing(())
        kept = known(self.identity, ASK, *(commands := asked()), *commands.values(), *LIBRARIES)
        if (found := kept.recall()) is None:
            async with closing(await self.acquire()) as sandbox:
                found = await versions(sandbox)
            kept.keep(found)
        return {**machine(self._image or ""), **found}

    async def acquire(self) -> Sandbox:
        """A pristine sandbox; closing it makes room for another. Raises SandboxError if none opens."""
        self._check()
        self._waiting += 1
        try:
            while True:
                self._open_more()
                found = await self._ready.get()
                if isinstance(found, BaseException):
                    raise found
                if getattr(found, "alive", True):
                    break
                await found.close()  # it died while it waited
                self._slots.release()
        finally:
            self._waiting -= 1
        return self._lend(found, self._slots)

    async def acquire_beside(self) -> Sandbox:
        """A pristine sandbox for a trial that has one already. It never waits for such a trial to end, as it
        would by `acquire` if all that may be open belong to trials that want a second one: it is a ready one
        that nobody waits for, or opened beyond `max_open`, a few at a time."""
        self._check()
        while self._ready.qsize() > self._waiting:
            found = self._ready.get_nowait()
            if isinstance(found, BaseException):  # of a sandbox that did not open; it is tried again below
                continue
            if getattr(found, "alive", True):
                return self._lend(found, self._slots)
            await found.close()
            self._slots.release()
        await self._beyond.acquire()
        try:
            opened = await self._opened()
        except BaseException:
            self._beyond.release()
            raise
        return self._lend(opened, self._beyond)

    def _check(self) -> None:
        if self._closed:
            raise SandboxError("the pool of sandboxes is closed")
        if self.limits.container is not None and not getattr(self._backend, "has_images", False):
            raise MissingData(
                f"containers of a test's own image need --sandbox podman, not {self._backend.name}"
            )
        for layer in self.limits.layers:
            folder_of(layer)
            if self.limits.container is not None or not getattr(self._backend, "has_layers", False):
                raise MissingData(
                    f"the layer {layer.name} needs the image, in --sandbox podman, docker or bubblewrap, not "
                    f"{self.tier}"
                )

    def _lend(self, sandbox: Sandbox, places: asyncio.Semaphore) -> PooledSandbox:
        """`places`: of which it takes one."""
        lent = PooledSandbox(sandbox, self._running, partial(self._give_back, places))
        self._lent.add(lent)
        self._open_more()
        return lent

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]:
        """The words among these that the sandbox lacks. A word is a command on its PATH (`go>=1.23`: not an
        older one), `python:MODULE` a module of its python3, `file:PATH` a file. Looked up once in a pool's
        life."""
        wanted = tuple(dict.fromkeys(requirements))
        async with self._naming:
            if self._image is None:
                self._image = await self._backend.image_id()
        # Who looks may have to wait until a trial ends. A trial that has a sandbox comes here too, with
        # nothing to look for: it must not stand behind the one that waits for it.
        if not self._present.keys() >= set(wanted):
            async with self._looking:
                if unknown := [need for need in wanted if need not in self._present]:
                    self._present.update(await self._look(unknown))
        return tuple(need for need in wanted if not self._present[need])

    async def close(self) -> None:
        """Close every sandbox, also those in use and those about to open."""
        self._closed = True
        closing = asyncio.ensure_future(self._close())
        interrupted: asyncio.CancelledError | None = None
        while not closing.done():  # a second Ctrl-C waits until nothing is left behind
            try:
                await asyncio.shield(closing)
            except asyncio.CancelledError as error:
                interrupted = error
        closing.result()
        if interrupted is not None:
            raise interrupted

    # ------------------------------------------------------------ how it is done

    def _open_more(self, ending: int = 0) -> None:
        """Start opening until every waiter and the reserve are served, or the bound is reached. `ending`:
        trials that have given theirs back and are about to end."""
        without = self._trials() - ending + self._in_looks - len(self._lent) - self._waiting
        wanted = self._waiting + min(self._ahead, max(0, without))
        while not self._closed and self._ready.qsize() + self._coming < wanted and not self._slots.locked():
            self._coming += 1
            task = asyncio.create_task(self._open_one())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _opened(self) -> Sandbox:
        """A program that starts ahead of need does so on a core that is free: while all are taken it would
        make other programs slower, and start no sooner itself."""
        limits = replace(self._asked, standby=None) if self._running.locked() else self._asked
        try:
            async with asyncio.timeout(OPEN_LIMIT_S) as limit:
                return await self._backend.open(limits, self._run_id)
        except TimeoutError as error:
            if not limit.expired():
                raise
            late = f"the sandbox {self._backend.name} did not open within {OPEN_LIMIT_S:g} s"
            raise SandboxError(late) from error

    async def _open_one(self) -> None:
        """Open one more sandbox; a failure is passed to a waiter, and forgotten if there is none."""
        try:
            await self._slots.acquire()
        except BaseException:
            self._coming -= 1
            raise
        try:
            sandbox = await self._opened()
        except Exception as error:  # noqa: BLE001 - a bug in a backend must reach the trial that waits
            self._slots.release()
            self._coming -= 1
            forget([self._backend.name])
            if self._waiting > self._ready.qsize():
                self._ready.put_nowait(error)
            if self._waiting > self._ready.qsize() + self._coming:
                self._open_more()
            return
        except BaseException:
            self._slots.release()
            self._coming -= 1
            raise
        self._coming -= 1
        self._ready.put_nowait(sandbox)

    def _give_back(self, places: asyncio.Semaphore, lent: PooledSandbox) -> None:
        if lent in self._lent:
            self._lent.discard(lent)
            places.release()
            if places is self._slots:
                self._open_more(ending=1)

    async def _look(self, needs: Sequence[str]) -> dict[str, bool]:
        """Which of these are there. Of an image that is told once on this machine: it does not change. Other
        files do, and so may what a variant or a driver adds to it."""
        whole = self._image and self._options() == () and not self.limits.gpus
        kept = known(self.identity, *sorted(needs)) if whole else None
        if kept is not None and (found := kept.recall()) is not None and found.keys() == set(needs):
            return {need: found[need] == "there" for need in needs}
        self._in_looks += 1
        try:
            async with closing(await self.acquire()) as sandbox:
                result = await sandbox.run(["python3", "-c", _LOOK, *needs])
        finally:
            self._in_looks -= 1
        try:
            absent = set(json.loads(result.stdout))
        except ValueError:
            raise SandboxError(f"cannot find out what the sandbox has: {result.output[-500:]}") from None
        if kept is not None:
            kept.keep({need: "absent" if need in absent else "there" for need in needs})
        return {need: need not in absent for need in needs}

    def _options(self) -> tuple[str, ...] | None:
        """What a variant adds; None of a backend that does not say."""
        options = getattr(self._backend, "options", None)
        return None if options is None else tuple(options())

    async def _close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        ready = []
        while not self._ready.empty():
            found = self._ready.get_nowait()
            if not isinstance(found, BaseException):
                ready.append(found)
        await asyncio.gather(*(each.close() for each in (*ready, *self._lent)), return_exceptions=True)


class PooledSandbox:
    """A borrowed sandbox: its commands wait for their turn, and closing it returns the slot."""

    def __init__(
        self, inner: Sandbox, running: asyncio.Semaphore, give_back: Callable[[PooledSandbox], None]
    ) -> None:
        self._inner, self._running, self._give_back = inner, running, give_back

    @property
    def tier(self) -> str:
        return self._inner.tier

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        came = time.monotonic()
        with standing_still():
            await self._running.acquire()
        try:
            queued = time.monotonic() - came
            ran = await self._inner.run(argv, **options)
        finally:
            self._running.release()
        return replace(ran, queued_seconds=queued + ran.queued_seconds)

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        return await self._inner.start(argv, files=files, env=env)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        return await self._inner.read_file(path, max_bytes=max_bytes)

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        return await self._inner.pack(only)

    async def unpack(self, data: bytes) -> None:
        await self._inner.unpack(data)

    async def close(self) -> None:
        try:
            await self._inner.close()
        finally:
            self._give_back(self)
