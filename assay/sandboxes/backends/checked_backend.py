"""A package's backend and the sandboxes that it opens: what its author did wrong is told at the call, with
class, method, file and line, before it can break anything of ours."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import Any, Unpack, get_type_hints

from assay.blocking import Held, Watched
from assay.errors import AssayError, ConfigError, SandboxMistake
from assay.extensions import Extension, is_ours
from assay.limits import FIGURES
from assay.mistakes import code_of, misdeclared, must_be_raised, not_wanted, place, raised, said
from assay.records import ExecResult, Limits, RunOptions, Sandbox, Terminal, TerminalOutput
from assay.sandboxes.client import NoSandbox

SIGNATURES = {
    "tier": "@property def tier(self)",
    "state": "def state(self)",
    "lowered": "def lowered(self, limits)",
    "probe": "async def probe(self, known={})",
    "open": "async def open(self, limits, run_id)",
    "remove_leftovers": "async def remove_leftovers(self)",
    "image_id": "async def image_id(self)",
    "run": "async def run(self, argv, **options)",
    "start": "async def start(self, argv, *, files={}, env={})",
    "read_file": "async def read_file(self, path, *, max_bytes=16 << 20)",
    "pack": "async def pack(self, only=())",
    "unpack": "async def unpack(self, data)",
    "close": "async def close(self)",
    "send": "async def send(self, data)",
    "read_until": "async def read_until(self, marker, *, time_limit_s=20.0)",
}
CLOSE_TIME_LIMIT_S = 10.0  # of a sandbox
BACKEND = ("state", "lowered", "probe", "open", "remove_leftovers", "image_id")  # what a Backend has
SANDBOX = ("tier", "run", "start", "read_file", "pack", "unpack", "close")  # what a Sandbox has
TERMINAL = ("send", "read_until", "close")  # what a Terminal has


def kind_of(backend: object) -> type:
    """The class that its author wrote."""
    return type(backend.inner) if isinstance(backend, TheirBackend) else type(backend)


@cache
def _parts(kind: Any) -> Sequence[tuple[str, Any, str]]:
    """The fields of a result: name, type to look for, and its words."""
    hints = get_type_hints(kind)
    its = ((each.name, hints[each.name], str(each.type)) for each in fields(kind))
    return [(name, hint | int if hint is float else hint, words) for name, hint, words in its]


class _Theirs:
    """Something of a package's. What is no method here is asked of it as it is."""

    def __init__(self, inner: Any, package: Extension) -> None:
        self.inner, self.package = inner, package
        self._held = dict[tuple[type, str], Held]()  # by method; of a backend and all that comes of it

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def _wrong(self, method: str, why: str) -> SandboxMistake:
        return SandboxMistake(str(self.package.broken(f"{self._place(method)} {why}")))

    def _place(self, method: str) -> str:
        code = code_of(type(self.inner), method)
        return place(code) if code else f"{type(self.inner).__name__}.{method}()"

    def _tell_blocked(self, method: str, seconds: float) -> None:
        warnings.warn(
            f"{self.package} blocked the event loop for {seconds:.1f} s in {self._place(method)}, so "
            "trials wait for each other; await, or use asyncio.to_thread",
            stacklevel=2,
        )

    @contextlib.contextmanager
    def _blamed(self, method: str, *passing: type[Exception]) -> Iterator[None]:
        """What its code raises is a SandboxMistake, but for our own errors and those that are `passing`."""
        try:
            yield
        except SandboxMistake:
            raise
        except passing:
            raise
        except NoSandbox as error:
            raise self._wrong("open", str(error).removeprefix("open() ")) from None
        except ConfigError as error:
            raise SandboxMistake(str(self.package.broken(str(error), ""))) from error
        except AssayError:
            raise
        except BaseException as error:  # somebody else's code may raise anything
            if must_be_raised(error):
                raise
            kind = type(self.inner)
            told = raised(error, code_of(kind, method), SIGNATURES[method], kind.__module__)
            told = told or f"{kind.__name__}.{method}() raised {said(error)}"
            raise SandboxMistake(str(self.package.broken(told))) from error

    def _check_declared(self, kind: type, signatures: Mapping[str, str]) -> None:
        if wrong := misdeclared(kind, signatures):
            raise SandboxMistake(str(self.package.broken(wrong)))

    def _called(self, method: str, *given: Any) -> Any:
        with self._blamed(method):
            found = getattr(self.inner, method)(*given)
        if inspect.iscoroutine(found):
            found.close()
            raise self._wrong(method, f"must not be asynchronous; declare it as `{SIGNATURES[method]}`")
        return found

    async def _awaited(
        self, method: str, *given: Any, passing: Sequence[type[Exception]] = (), **named: Any
    ) -> Any:
        with self._blamed(method, *passing):
            found = getattr(self.inner, method)(*given, **named)
            if not inspect.isawaitable(found):
                raise self._wrong(method, f"must be asynchronous; declare it as `{SIGNATURES[method]}`")
            key = type(self.inner), method
            if (held := self._held.get(key)) is None:
                held = self._held[key] = Held(partial(self._tell_blocked, method))
            theirs = not is_ours(getattr(type(self.inner), method, held))
            watched = theirs and held.watches() and hasattr(found, "__await__")
            return await (Watched(found, held) if watched else found)

    def _is(self, method: str, found: Any, kind: type, wanted: str) -> Any:
        if not isinstance(found, kind):
            raise self._wrong(method, f"must return {wanted}, not {not_wanted(found)}")
        return found

    def _is_whole(self, method: str, found: Any, kind: type) -> Any:
        """It, and each of its parts: a text in place of bytes would break whoever reads it."""
        its = f"{'an' if kind is ExecResult else 'a'} {kind.__name__}"
        self._is(method, found, kind, its)
        for name, wanted, words in _parts(kind):
            self._is(method, getattr(found, name), wanted, f"{its} whose {name} is {words}")
        return found

    @property
    def tier(self) -> str:
        with self._blamed("tier"):
            tier = self.inner.tier
        name = self.package.name
        if inspect.ismethod(tier):
            raise self._wrong("tier", "is a method, and must be a property: put @property above it")
        if not str(self._is("tier", tier, str, f"a text such as {name!r}")).startswith(name):
            raise self._wrong(
                "tier",
                f"is {tier!r:.60}; it must begin with {name!r}, the sandbox's name, or its results would be "
                "taken for those of another",
            )
        return str(tier)


class TheirBackend(_Theirs):
    """See registry.Backend."""

    def __init__(self, inner: Any, package: Extension) -> None:
        super().__init__(inner, package)
        self.name = package.name
        self._looked_at = set[type]()
        self._check_declared(type(inner), {each: SIGNATURES[each] for each in BACKEND})

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)  # AttributeError where it has no such method
        return self._lowered if name == "lowered" else found

    def _lowered(self, limits: Limits) -> Limits:
        lowered: Limits = self._called("lowered", limits)
        self._is("lowered", lowered, Limits, "Limits")
        for each in FIGURES:
            asked, got = getattr(limits, each), getattr(lowered, each)
            if got > asked:
                raise self._wrong(
                    "lowered", f"raises {each} from {asked:,} to {got:,}; it may only lower what is asked for"
                )
        return lowered

    def _check_lowered(self, limits: Limits) -> None:
        """The inner open() and probe() call it themselves."""
        if hasattr(self.inner, "lowered"):
            self._lowered(limits)

    def state(self) -> str:
        return str(self._is("state", self._called("state"), str, "a text, '' where nothing can change"))

    async def probe(self, known: Mapping[str, str] = {}) -> Mapping[str, str]:
        self._check_lowered(Limits())
        found = await self._awaited("probe", known)
        wanted = "a dict of texts that are worth remembering ({} for none)"
        its: Mapping[str, str] = self._is("probe", found, Mapping, wanted)
        for each in (*its.keys(), *its.values()):
            self._is("probe", each, str, wanted)
        _ = self.tier  # known from now on; it raises if it cannot be one
        return its

    async def open(self, limits: Limits, run_id: str) -> Sandbox:
        self._check_lowered(limits)
        opened = await self._awaited("open", limits, run_id)
        try:
            return self._sandbox(opened)
        except BaseException:
            with contextlib.suppress(Exception):
                await opened.close()
            raise

    def _sandbox(self, opened: Any) -> Sandbox:
        kind = type(opened)
        if not hasattr(opened, "run"):
            raise self._wrong("open", f"must return a Sandbox, not {not_wanted(opened)}")
        theirs = TheirSandbox(opened, self.package)
        theirs._held = self._held
        with theirs._blamed("tier"):
            lacking = [each for each in SANDBOX if not hasattr(opened, each)]
        if lacking:
            raise self._wrong(
                "open", f"returned a {kind.__name__}, which is not a Sandbox: it lacks {', '.join(lacking)}"
            )
        for name, held in getattr(opened, "__dict__", {}).items():
            if inspect.iscoroutine(held):
                told = f"returned a {kind.__name__} whose {name} is {not_wanted(held)}"
                raise self._wrong("open", told)
        if kind not in self._looked_at:
            self._check_declared(kind, {each: SIGNATURES[each] for each in SANDBOX})
            self._looked_at.add(kind)
        _ = theirs.tier  # it raises if it cannot be one
        return opened if is_ours(kind) else theirs

    async def remove_leftovers(self) -> int:
        found: int = await self._awaited("remove_leftovers", passing=(OSError,))
        return found

    async def image_id(self) -> str:
        found = await self._awaited("image_id")
        return str(self._is("image_id", found, str, "the image's digest, '' for none"))


class TheirSandbox(_Theirs):
    """See records.Sandbox."""

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        ran: ExecResult = await self._awaited("run", argv, **options)
        self._is_whole("run", ran, ExecResult)
        return ran

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        started: Terminal = await self._awaited("start", argv, files=files, env=env)
        if any(not hasattr(started, each) for each in TERMINAL):
            raise self._wrong("start", f"must return a Terminal, not {not_wanted(started)}")
        if is_ours(type(started)):
            return started
        theirs = TheirTerminal(started, self.package)
        theirs._held = self._held
        return theirs

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        read = await self._awaited("read_file", path, max_bytes=max_bytes, passing=(FileNotFoundError,))
        return bytes(self._is("read_file", read, bytes, "bytes"))

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        return bytes(self._is("pack", await self._awaited("pack", only), bytes, "bytes"))

    async def unpack(self, data: bytes) -> None:
        await self._awaited("unpack", data)

    async def close(self) -> None:
        try:
            async with asyncio.timeout(CLOSE_TIME_LIMIT_S) as clock:
                await self._awaited("close")
        except TimeoutError:
            assert clock.expired(), "its own is a SandboxMistake"
            raise self._wrong("close", f"did not end within {CLOSE_TIME_LIMIT_S:g} s") from None


class TheirTerminal(_Theirs):
    """See records.Terminal."""

    async def send(self, data: bytes) -> None:
        await self._awaited("send", data)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        read: TerminalOutput = await self._awaited("read_until", marker, time_limit_s=time_limit_s)
        self._is_whole("read_until", read, TerminalOutput)
        return read

    async def close(self) -> None:
        await self._awaited("close")
