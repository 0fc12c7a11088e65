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
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from assay.conformance import clock, forgeries
from assay.conformance.clock import TimeUp, limited
from assay.conformance.failures import interrupted, told
from assay.errors import ConfigError, SandboxMistake, SandboxUnavailable
from assay.mistakes import must_be_raised
from assay.records import Limits, Sandbox
from assay.sandboxes.attacks import runner
from assay.sandboxes.attacks.cases import ATTACKS
from assay.sandboxes.attacks.runner import AttackResult, Late, NotTried, busy
from assay.sandboxes.backends import registry
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.client import closing

MODULES = (
    "commands", "files", "terminals", "time_limits", "size_limits", "standby", "closing", "isolation",
    "agent_safety",
)  # fmt: skip
DEFAULT = Limits()
STUCK = 3  # checks that run out of time in a row, after which the others are not tried
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
        yield Check(title, partial(_not_late, holds), isolated, seconds)


def _not_late(holds: Callable[[Backend], Any], backend: Backend) -> Any:
    """A check; a second time if it is late."""
    load = busy()
    try:
        return holds(backend)
    except Late:
        pass
    try:
        return holds(backend)
    except Late as late:
        raise Late(f"{late}, twice{load}") from None


def check_backend(name: str, said: Callable[[str], None] = lambda line: None) -> Iterator[AttackResult]:
    """The checks and, for a backend that isolates, the attacks and the forged verdicts, against the backend
    of that name, ours or an installed package's; outside any event loop, some minutes. `said` is told the
    name of each one before it runs, and what did not hold. Raises ConfigError for a name or a package that
    cannot be used and where Python was told to leave assertions out, SandboxUnavailable where the backend
    does not work on this machine."""
    if not __debug__:
        raise ConfigError("python -O leaves out the assertions that these checks consist of; run it without")
    made = registry.backend(name)
    said("trying its probe")
    try:
        with limited(clock.CHECK_TIME_LIMIT_S):
            asyncio.run(registry.ready(made, fresh=True))
    except TimeUp as error:
        raise SandboxUnavailable(f"the probe of {name} {_late(error)}") from None
    late = 0
    for title, aim, holds in _trials(made):
        said(f"trying {title}")
        result = attempt(title, aim, made.tier, holds)
        yield result
        if not result.passed:
            said(f"FAILED: {title}: {result.outcome}")
        late = late + 1 if not result.passed and result.seconds >= clock.CHECK_TIME_LIMIT_S else 0
        if late == STUCK:
            said(f"{STUCK} checks in a row did not end in time; the others are not tried")
            return


def _trials(made: Backend) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """The name of each one, what it is about, and what carries it out."""
    for check in checks():
        if isolates(made) or not check.for_isolated:
            yield check.name, "conformance", partial(check.holds, made)
    if isolates(made):
        for attack in ATTACKS:
            yield attack.name, attack.aim, partial(_run, runner.run_one, made, attack)
        for forgery in forgeries.FORGERIES:
            yield forgery.name, forgery.aim, partial(_run, forgeries.run_one, made, forgery)


def _run(work: Callable[..., Coroutine[Any, Any, T]], *given: Any) -> T:
    return asyncio.run(work(*given))


def isolates(backend: Backend) -> bool:
    """Whether it isolates programs from the machine; it does unless it declares otherwise."""
    return bool(getattr(backend, "isolated", True))


def attempt(
    name: str, aim: str, tier: str, holds: Callable[[], Any], limit_s: float | None = None
) -> AttackResult:
    """Check one property within `limit_s` (by default that of every check); whatever is raised means that it
    does not hold, unless it is NotTried. `holds` may return a text that says more, or a whole result."""
    started, outcome, said, tried = time.monotonic(), "", None, True
    try:
        with limited(limit_s or clock.CHECK_TIME_LIMIT_S):
            said = holds()
    except TimeUp as error:
        outcome = f"it {_late(error, limit_s)}"
    except NotTried as why:
        said, tried = str(why), False
    except BaseException as error:  # theirs may raise anything
        if must_be_raised(error):
            raise
        outcome = told(error)
    if isinstance(said, AttackResult):
        return said
    words = outcome or (said if isinstance(said, str) and said else "holds")
    return AttackResult(name, aim, tier, not outcome, words, time.monotonic() - started, tried)


def _late(error: TimeUp, limit_s: float | None = None) -> str:
    return f"did not end within {limit_s or clock.CHECK_TIME_LIMIT_S:g} s{interrupted(error)}"


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


def in_time(seconds: float, limit_s: float) -> None:
    """Raises Late if it took longer."""
    if seconds >= limit_s:
        raise Late(f"it took {seconds:.1f} s, and must take less than {limit_s:g} s")


@contextlib.contextmanager
def raises(kind: type[BaseException]) -> Iterator[None]:
    """AssertionError unless the block raises that. A mistake in a package's code is never what is wanted."""
    came = "nothing was raised"
    try:
        yield
    except Exception as error:  # noqa: BLE001 - theirs may raise anything
        if isinstance(error, kind) and not isinstance(error, SandboxMistake):
            return
        came = f"{'' if isinstance(error, SandboxMistake) else type(error).__name__ + ': '}{error}"
    raise AssertionError(f"expected {kind.__name__}, but {came}")


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
