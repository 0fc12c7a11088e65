"""Which sandboxes there are, and which one works on this machine."""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from assay.errors import ConfigError, SandboxError, SandboxMistake, SandboxUnavailable
from assay.extensions import extensions, misplaced, usable
from assay.files import modified_ns
from assay.mistakes import misdeclared
from assay.records import Limits, Sandbox
from assay.sandboxes.backends.checked_backend import TheirBackend, kind_of
from assay.sandboxes.client import closing
from assay.sandboxes.remembered import Remembered

# Name -> module with a class of that module's one backend, in the order in which `auto` tries them.
BACKENDS: Mapping[str, str] = {
    "podman": "assay.sandboxes.backends.podman:Podman",
    "docker": "assay.sandboxes.backends.docker:Docker",
    "bubblewrap": "assay.sandboxes.backends.bubblewrap:Bubblewrap",
    "unsafe_local": "assay.sandboxes.backends.unsafe_local:UnsafeLocal",
}

GROUP = "assay.sandboxes"  # entry points of installed packages: name -> module:Class; ours win a clash
METHODS = ("tier", "state", "probe", "open", "remove_leftovers", "image_id")  # of a backend

REMEMBERED_S = 24 * 3600.0  # that a backend works
FAILED = "unavailable"  # the key of why it does not work
UNAVAILABLE_S = 600.0  # that it does not, while `auto` has another one


class Backend(Protocol):
    """One way to open sandboxes. Its class takes no arguments; nothing happens before `probe`."""

    name: str

    @property
    def tier(self) -> str:
        """What the record says, e.g. 'bubblewrap+host'. Known once `probe` has returned. It begins with
        `name`: results of two backends must not be taken for those of one."""

    def state(self) -> str:
        """What the probe's answer depends on, cheaply: paths and times of its tools and image."""

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        """Open a sandbox for real and run something in it, in the way that works on this machine.

        Returns what is worth remembering; given back as `known` (only while `state()` is the same),
        it makes this instance ready without opening anything. Raises SandboxUnavailable, which says
        what to install or to change. A variant that changes only how `open` opens may inherit this:
        `try_out` also opens one.
        """

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        """A pristine sandbox, with the limits that `lowered(limits)` returns if there is such a method.
        Raises SandboxError if it cannot be had or is not isolated as asked."""

    async def remove_leftovers(self) -> int:
        """Remove what killed runs left behind. Returns the number of sandboxes."""

    async def image_id(self) -> str:
        """The digest of the image whose files programs see; '' where they are the host's, or nobody knows.
        A tag says nothing: it is moved by the next build."""


def names() -> tuple[str, ...]:
    """Every backend that can be asked for: ours, in the order in which `auto` tries them, then those of
    packages, which are used only when they are asked for by name."""
    return (*BACKENDS, *(name for name in usable(GROUP) if name not in BACKENDS))


def flag_of(tier: str) -> str:
    """The flag that chooses the sandbox of that tier; '' if none of `names` does."""
    name = max((each for each in names() if tier.startswith(each)), key=len, default="")
    return f"--sandbox {name}" if name else ""


def backend(name: str) -> Backend:
    """The backend of that name, not probed yet. Raises ConfigError for an unknown name, and for a package's
    that cannot be used."""
    if name in BACKENDS:
        module, _, attribute = BACKENDS[name].partition(":")
        made: Backend = getattr(importlib.import_module(module), attribute)()
        _check_options(made)
        return made
    if (found := extensions(GROUP).get(name)) is None:
        known = f"{', '.join(names())}{misplaced(GROUP, name)}"
        raise ConfigError(f"unknown sandbox {name!r}; choose auto or one of {known}")
    made = found.load(make=_made)
    if lacking := [each for each in METHODS if not hasattr(type(made), each)]:
        raise found.broken(f"it is not a backend; it lacks {', '.join(lacking)}")
    if (its_name := getattr(made, "name", None)) != name:  # results and probes are kept by it
        raise found.broken(f"it calls itself {its_name!r}; its name must be {name!r}")
    with found.blamed():
        _check_options(made)
    return TheirBackend(made, found)


def _made(kind: Any) -> Any:
    if isinstance(kind, type) and (told := misdeclared(kind, {"__init__": "def __init__(self)"})):
        raise ConfigError(told)
    return kind() if callable(kind) else kind


def _check_options(made: Backend) -> None:
    """Raises ConfigError for options of a variant that are not several words."""
    options: Any = getattr(made, "options", tuple)()
    if not isinstance(options, list | tuple) or not all(isinstance(each, str) for each in options):
        words = tuple(options.split()) if isinstance(options, str) else ("--hostname", "small")
        raise ConfigError(f"options() must return several words, such as {words!r}, not {options!r:.60}")


async def choose(name: str = "auto", *, blind_faith: bool = False, fresh: bool = False) -> Backend:
    """A backend that has passed its probe: the one named, or with `auto` the first that does.

    `blind_faith` allows one that does not isolate. `fresh` probes again whatever is remembered. Raises
    SandboxUnavailable, with what each one needs, when there is none.
    """
    if name != "auto":
        candidate = backend(name)
        if not blind_faith and getattr(candidate, "isolated", False) is not True:
            declared = "" if name == "unsafe_local" else " (it does not declare isolated = True)"
            raise SandboxUnavailable(
                f"the sandbox {name}{declared} runs a model's code with your own rights; to allow it, set "
                "I_HAVE_BLIND_FAITH_IN_LLMS_AND_AM_OKAY_WITH_THEM_BRICKING_MY_MACHINE_OR_MAKING_THEM_HALT"
                "_AND_CATCH_FIRE to true in config.json"
            )
        await ready(candidate, fresh=fresh)
        return candidate
    reasons: dict[str, str] = {}
    tried = [each for each in BACKENDS if each != "unsafe_local" or blind_faith]
    for each, last in (*((name, False) for name in tried), *((name, True) for name in tried)):
        candidate = backend(each)
        if each in reasons or (not last and not fresh and _failed(candidate)):
            continue
        try:
            await ready(candidate, fresh=fresh)
        except SandboxUnavailable as error:
            reasons[each] = f"- {each}: {error}"
        else:
            return candidate
    raise SandboxUnavailable(
        "no sandbox works on this machine; one of these is enough:\n"
        + "\n".join(reasons[each] for each in tried)
    )


async def ready(candidate: Backend, *, fresh: bool = False) -> Mapping[str, str]:
    """Try it out or, unless `fresh` is set, trust that it worked, if that still fits the machine. Returns
    what its probe found. Raises SandboxUnavailable, and SandboxMistake for a mistake in a package's."""
    memory = _memory(candidate.name)
    key = _fingerprint(candidate)
    known = None if fresh else memory.recall(key)
    if known is not None and FAILED not in known:
        found = await candidate.probe(known)
    else:
        try:
            found = await try_out(candidate)
        except SandboxUnavailable as error:
            memory.keep({FAILED: str(error)}, key, UNAVAILABLE_S)
            raise
    if found != known:
        memory.keep({"tier": candidate.tier, **found}, key, REMEMBERED_S)
    return found


async def try_out(candidate: Backend) -> Mapping[str, str]:
    """Probe, then open one as a run does; a variant may open otherwise than the probe that it inherits.

    Raises SandboxUnavailable.
    """
    found = await candidate.probe()
    try:
        async with closing(await candidate.open(Limits(), "probe")) as sandbox:
            said = await sandbox.run(["/bin/sh", "-c", "echo works"], time_limit_s=60)
    except (SandboxUnavailable, SandboxMistake):
        raise
    except SandboxError as error:
        raise SandboxUnavailable(f"{candidate.name} passed its probe, but did not open: {error}") from None
    if said.stdout != b"works\n":
        raise SandboxUnavailable(f"{candidate.name}: a test command failed: {said.output[:300]!r}")
    return found


def _failed(candidate: Backend) -> bool:
    """Whether it did not work a moment ago. `auto` then tries it last; nobody takes it at its old word: what
    was wrong may have been mended where no fingerprint sees it, by a setting of the kernel for example."""
    return FAILED in (_memory(candidate.name).recall(_fingerprint(candidate)) or {})


def forget(names: Sequence[str] = tuple(BACKENDS)) -> None:
    """Probe again next time, for example because a sandbox did not open as expected."""
    for name in names:
        _memory(name).keep({})


def _memory(name: str) -> Remembered:
    return Remembered(f"probe-{name}")


def _fingerprint(candidate: Backend) -> str:
    system = os.uname()
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        boot = ""
    here = Path(__file__).parents[1]
    files = (path for path in sorted(here.rglob("*")) if path.suffix in (".py", ".txt"))
    ours = [f"{path.name}{path.stat().st_mtime_ns}" for path in files]
    parts = (system.release, system.machine, boot, str(os.getuid()), candidate.state(), *ours)
    parts += (*_files_of(kind_of(candidate)), repr(getattr(candidate, "options", tuple)()))
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _files_of(kind: type) -> list[str]:
    """The files of a class and of those that it is derived from, with their times: a package's may be mended
    and installed again under the same version."""
    modules = dict.fromkeys(each.__module__ for each in kind.__mro__)
    files = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    return [f"{file}{modified_ns(Path(file))}" for file in files if file]
