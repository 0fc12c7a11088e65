"""
Checks of every sandbox backend, ours and those of other packages: each check asserts one property. An `async`
check is given a sandbox, which is opened and closed for it, any other check the backend. A check whose
parameter is named `isolated` is about isolation, and is skipped for a backend that declares it has none.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import re
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from assay.conformance import forgeries
from assay.errors import AssayError, ConfigError
from assay.records import Limits, Sandbox
from assay.sandboxes.attacks import runner
from assay.sandboxes.attacks.runner import AttackResult
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.client import closing
from assay.suites.diagnostics import shown_path

MODULES = (
    "commands", "files", "terminals", "time_limits", "size_limits", "standby", "closing", "isolation",
    "agent_safety",
)  # fmt: skip
DEFAULT = Limits()
T = TypeVar("T")


@dataclass(frozen=True)
class Check:
    """One check. `holds` raises AssertionError, or whatever the backend raised, if the property is not there.
    `seconds`: about how long it takes, where that is more than one."""

    name: str
    holds: Callable[[Backend], None]
    for_isolated: bool
    seconds: int


def checks() -> list[Check]:
    """All of them, in the order in which they run."""
    found: list[Check] = []
    for module in MODULES:
        loaded = importlib.import_module(f"assay.conformance.sandboxes.{module}")
        for name, function in vars(loaded).items():
            if inspect.isfunction(function) and function.__module__ == loaded.__name__:
                parameters = list(inspect.signature(function).parameters)
                if parameters[:1] in (["backend"], ["sandbox"], ["isolated"]):
                    found += _checks(f"{module}.{name}", function, parameters[0] == "isolated")
    return found


def _checks(name: str, function: Callable[..., Any], isolated: bool) -> Iterator[Check]:
    seconds, limits = getattr(function, "seconds", 0), getattr(function, "limits", DEFAULT)
    for values in getattr(function, "cases", [{}]):
        title = f"{name}[{'-'.join(str(each)[:40] for each in values.values())}]" if values else name
        holds = partial(function, **values)
        if inspect.iscoroutinefunction(function):
            holds = partial(use, work=holds, limits=limits)
        yield Check(title, holds, isolated, seconds)


def check_backend(name: str, said: Callable[[str], None] = lambda line: None) -> list[AttackResult]:
    """The checks and, for a backend that isolates, the attacks and the forged verdicts, against the backend
    of that name, ours or an installed package's; outside any event loop, some minutes. Raises ConfigError
    for a name or a package that cannot be used, SandboxUnavailable where the backend does not work on this
    machine."""
    made = registry.backend(name)
    asyncio.run(registry.ready(made, fresh=True))
    results = run_all(made, said)
    if isolates(made):
        said("trying the attacks")
        results += asyncio.run(runner.run_all(made))
        said("trying the forged verdicts")
        results += asyncio.run(forgeries.run_all(made))
    return results


def isolates(backend: Backend) -> bool:
    """Whether it isolates programs from the machine; it does unless it declares otherwise."""
    return bool(getattr(backend, "isolated", True))


def run_all(backend: Backend, said: Callable[[str], None] = lambda line: None) -> list[AttackResult]:
    """Every check, against a backend that has passed its probe; outside any event loop. `said` is told the
    name of each one before it runs, and what did not hold. Raises ConfigError where Python was told to leave
    assertions out."""
    if not __debug__:
        raise ConfigError("python -O leaves out the assertions that these checks consist of; run it without")
    results = []
    for check in checks():
        if check.for_isolated and not isolates(backend):
            continue
        said(f"trying {check.name}")
        results.append(attempt(check.name, "conformance", backend.tier, partial(check.holds, backend)))
        if not results[-1].passed:
            said(f"FAILED: {check.name}: {results[-1].outcome}")
    return results


class Unmet(AssertionError):
    """What a check found missing, in words that need none of our code beside them."""


def attempt(name: str, aim: str, tier: str, holds: Callable[[], Any]) -> AttackResult:
    """Check one property; whatever is raised means that it does not hold. `holds` may return a text that says
    more, such as why it was skipped."""
    started, outcome, said = time.monotonic(), "", None
    try:
        said = holds()
    except Exception as error:  # noqa: BLE001 - theirs may raise anything
        outcome = _told(error)
    told = outcome or (said if isinstance(said, str) and said else "holds")
    return AttackResult(name, aim, tier, not outcome, told, time.monotonic() - started)


def _told(error: Exception) -> str:
    """The error, and the line that failed: of a check, or the last one of what it called."""
    if isinstance(error, Unmet | ConfigError):  # what a run would say
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, AssertionError):
        last = [each for each in frames if "conformance" in each.filename][-1:]
        where = f" at: {last[0].line}" if last else ""
    else:  # ours say enough
        last = [] if isinstance(error, AssayError) else frames[-1:]
        where = f" ({shown_path(Path(last[0].filename))}:{last[0].lineno})" if last else ""
    return f"{type(error).__name__}: {error}{where}" if str(error) else f"{type(error).__name__}{where}"


# ---------------------------------------------------------------- what checks are written with


def check(**facts: Any) -> Callable[[T], T]:
    """Facts of a check: `seconds`, about how long it takes; `limits`, of the sandbox that it is given."""

    def mark(function: T) -> T:
        vars(function).update(facts)
        return function

    return mark


def cases(names: str, values: Any) -> Callable[[T], T]:
    """Make several checks of one function: "script, code" -> a value for each."""
    keys = [name.strip() for name in names.split(",")]
    return check(cases=[dict(zip(keys, each if len(keys) > 1 else (each,), strict=True)) for each in values])


@contextlib.contextmanager
def raises(kind: type[BaseException], match: str = "") -> Iterator[None]:
    """AssertionError unless the block raises that, with a message in which `match` is found."""
    try:
        yield
    except kind as error:
        assert re.search(match, str(error)), f"{error!r} does not say {match!r}"
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


def use(backend: Backend, work: Callable[[Sandbox], Awaitable[Any]], limits: Limits = DEFAULT) -> Any:
    """Open a sandbox, do `work` in it, and close it. Returns what `work` returned."""

    async def main() -> Any:
        async with closing(await backend.open(limits, "conformance")) as sandbox:
            return await work(sandbox)

    return asyncio.run(main())


def run(backend: Backend, argv: Sequence[str], limits: Limits = DEFAULT, **options: Any) -> Any:
    """The result of one command in a fresh sandbox."""
    return use(backend, lambda sandbox: sandbox.run(argv, **options), limits)


def shell(backend: Backend, script: str, limits: Limits = DEFAULT, **options: Any) -> Any:
    """As `run`, of a script for bash."""
    return run(backend, ["bash", "-c", script], limits, **options)


def python(backend: Backend, program: str, limits: Limits = DEFAULT, **options: Any) -> Any:
    """As `run`, of a program for Python."""
    return run(backend, ["python3", "-c", program], limits, **options)


def timed(backend: Backend, argv: list[str], **options: Any) -> tuple[Any, float]:
    """One command's result and the seconds until control was back, without the opening."""

    async def work(sandbox: Sandbox) -> tuple[Any, float]:
        started = time.monotonic()
        return await sandbox.run(argv, **options), time.monotonic() - started

    result: tuple[Any, float] = use(backend, work)
    return result


def processes_with(word: str) -> list[str]:
    """The command lines on this machine that have `word` as an argument."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            argv = path.read_bytes().decode(errors="replace").split("\0")
            found += [" ".join(argv)] * (word in argv)
    return found
