"""
Run hostile programs against a sandbox of this machine (`assay doctor --attack`).

Every attack gets a fresh sandbox with tight limits. It is repelled if it did not get what it wanted, control
came back within its time limit plus a second, the bait on the host is untouched, and the closed sandbox has
left nothing: no process, container, cgroup or file.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import re
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import AssayError, SandboxError
from assay.records import ExecResult, Limits, Sandbox
from assay.sandboxes.backends import owner
from assay.sandboxes.backends.registry import Backend
from assay.sandboxes.client import closing
from assay.sandboxes.limits import cgroups
from assay.sandboxes.limits.patience import stood

LIMITS = Limits("attack", memory=256 << 20, processes=64, disk=16 << 20, output=256 << 10)
TIME_LIMIT_S = 2.0
GRACE_S = 1.25  # past the time limit, until control must be back: a second, and a busy machine's delay
VANISH_S = 3.0  # until the last trace of a closed sandbox must be gone
PROGRAMS = Path(__file__).parent / "programs"  # in Python, as they run inside
BEGAN = b"the attack began\n"  # on stderr: where nothing ran, nothing was withstood
BEGIN = f"import os\nos.write(2, {BEGAN!r})\n"  # before each program in Python
NO_MODULE = re.compile(rb"^(ModuleNotFound|Import)Error: ", re.MULTILINE)
NOT_FOUND = 127  # the exit code of a command that is not there


def program(name: str) -> str:
    """One of PROGRAMS. It prints a word in capitals for each thing that it should not be able to do."""
    return "".join((PROGRAMS / f"{each}.txt").read_text() for each in ("tried", name))


class Breach(Exception):
    """The attack got what it wanted; the message says what."""


class Late(Breach):
    """Something did not end in time. A busy machine looks alike, so it is tried once more."""


def busy() -> str:
    """How busy this machine is, if it is, for the end of a sentence."""
    load, cores = os.getloadavg()[0], len(os.sched_getaffinity(0))
    return f"; the load of this machine was {load:.1f} (cores: {cores})" if load > cores else ""


class NotTried(Exception):
    """An attack or a check cannot be carried out here; the message says why."""


def not_run(program: str, output: str) -> NotTried:
    """Says why a program of an attack did not run, by the last line of what came instead."""
    said = [line for line in output.splitlines() if line.strip()] or [f"{program} said nothing"]
    return NotTried(f"it could not run: {said[-1][:300]}")


@dataclass(frozen=True)
class Attack:
    """`steps` raises Breach if the attack succeeds, and returns the outcome in a few words."""

    name: str
    aim: str
    steps: Callable[[Arena], Awaitable[str]]


@dataclass(frozen=True)
class AttackResult:
    name: str
    aim: str
    tier: str
    passed: bool  # True of what was not tried, too: no hole was found
    outcome: str
    seconds: float
    tried: bool = True

    @property
    def verdict(self) -> str:
        return ("held" if self.passed else "FAILED") if self.tried else "not tried"


def summary(results: Sequence[AttackResult]) -> str:
    """How many held, and how many were not tried."""
    verdicts = [each.verdict for each in results]
    untried = f", {number} not tried" if (number := verdicts.count("not tried")) else ""
    return f"{verdicts.count('held')} of {len(results)} held{untried}."


@dataclass
class Arena:
    """One attack's sandbox and the bait laid out for it."""

    backend: Backend
    sandbox: Sandbox
    bait: Bait
    token: str  # in the environment of everything the attack starts

    async def shell(self, script: str, *, time_limit_s: float = TIME_LIMIT_S) -> ExecResult:
        return await self.run(["bash", "-c", f"echo {BEGAN.decode().strip()} >&2; {script}"], time_limit_s)

    async def python(self, source: str, *arguments: str, time_limit_s: float = TIME_LIMIT_S) -> ExecResult:
        return await self.run(["python3", "-c", BEGIN + source, *arguments], time_limit_s)

    async def run(self, argv: Sequence[str], time_limit_s: float) -> ExecResult:
        """Run a command that carries the attack's token and says that it BEGAN; an answer that comes too late
        is a breach. Raises NotTried if it did not begin, or lacks a program or a module."""
        started, stood_before = time.monotonic(), stood(os.getpid())
        result = await self.sandbox.run(argv, time_limit_s=time_limit_s, env={"ATTACK": self.token})
        busy = result.waited_seconds + stood(os.getpid()) - stood_before  # the machine, with other things
        late = time.monotonic() - started - time_limit_s - busy
        if late > GRACE_S:
            raise Late(f"the command returned {late:.1f} s after the time limit")
        if result.out_of_memory and not result.output:  # all that it printed went with the agent
            raise SandboxError("the agent inside was killed for memory")
        lacks = result.returncode == NOT_FOUND or NO_MODULE.search(result.stderr)
        if lacks or BEGAN not in result.stderr:
            raise not_run(argv[0], result.output)
        return replace(result, stderr=result.stderr.replace(BEGAN, b""))

    async def alive(self) -> None:
        """Check that the sandbox still obeys."""
        answer = await self.sandbox.run(["/bin/sh", "-c", "echo $((6 * 7))"], time_limit_s=10)
        if answer.stdout != b"42\n" or answer.returncode != 0:
            raise Breach(f"afterwards the sandbox answers {answer.output[:200]!r}")


@dataclass
class Bait:
    """What must stay out of reach: a secret in a file and in our environment, sockets, a process."""

    folder: Path
    secret: str
    tcp_port: int
    abstract: str
    victim: subprocess.Popen[bytes]
    key_name: str
    key: int  # its number; 0 where this kernel has no keys
    touched: list[str] = field(default_factory=list)

    @property
    def secret_file(self) -> Path:
        return self.folder / "secret"

    def check(self) -> None:
        """Raises Breach if anything on the host is not as it was."""
        if self.victim.poll() is not None:
            raise Breach("a process of the host was killed")
        if self.touched:
            raise Breach(f"the host was reached: {self.touched[0]}")
        if sorted(path.name for path in self.folder.iterdir()) != ["secret"]:
            raise Breach(f"there are new files in {self.folder}")
        if self.secret_file.read_text() != self.secret:
            raise Breach(f"{self.secret_file} was changed")


async def run_all(backend: Backend, only: Sequence[str] = ()) -> list[AttackResult]:
    """Run every attack (or those named in `only`) against a backend that has passed its probe.

    Takes about 20 seconds. An attack that cannot be carried out at all is reported as not passed.
    """
    from assay.sandboxes.attacks.cases import ATTACKS

    return [await run_one(backend, attack) for attack in ATTACKS if not only or attack.name in only]


async def run_one(backend: Backend, attack: Attack) -> AttackResult:
    """One attack in its own sandbox, with everything checked before, during and after; a second one if the
    first is late or its sandbox breaks."""
    started, passed, tried, load, again = time.monotonic(), False, True, busy(), ""
    try:
        try:
            outcome = await _attacked(backend, attack)
        except Late:
            outcome = await _attacked(backend, attack)
        except SandboxError as error:
            again = f", at the second try; at the first: {error}{load}"
            outcome = await _attacked(backend, attack) + again
        passed = True
    except Late as late:
        outcome = f"{late}, twice{load}"
    except Breach as breach:
        outcome = str(breach)
    except NotTried as why:
        passed, tried, outcome = True, False, str(why)
    except (AssayError, OSError) as error:
        outcome = f"{type(error).__name__}: {error}"
    if not passed:
        outcome += again
    seconds = time.monotonic() - started
    return AttackResult(attack.name, attack.aim, backend.tier, passed, outcome, seconds, tried)


async def _attacked(backend: Backend, attack: Attack) -> str:
    """The outcome of an attack that is repelled. Raises Breach, NotTried, or what the backend raised."""
    token = f"assay-attack-{secrets.token_hex(8)}"
    before = await _open_things(backend)
    with _baited() as bait:
        async with _watched(bait):
            async with closing(await backend.open(LIMITS, "attack")) as sandbox:
                arena = Arena(backend, sandbox, bait, token)
                outcome = await attack.steps(arena)
                await arena.alive()
            bait.check()
        await _nothing_left(backend, token, before)
    return outcome


# ---------------------------------------------------------------- the bait


@contextlib.contextmanager
def _baited() -> Iterator[Bait]:
    secret = f"bait-{secrets.token_hex(16)}"
    name = "ASSAY_BAIT_API_KEY"
    with tempfile.TemporaryDirectory(prefix="assay-bait-") as folder:
        here = Path(folder)
        here.chmod(0o755)  # only the sandbox may keep an attacker from the secret
        (here / "secret").write_text(secret)
        (here / "secret").chmod(0o644)
        victim = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
        os.environ[name] = secret
        try:
            with _key(secret) as (key_name, key):
                yield Bait(here, secret, 0, f"assay-bait-{secrets.token_hex(8)}", victim, key_name, key)
        finally:
            os.environ.pop(name, None)
            victim.kill()
            victim.wait()


@contextlib.contextmanager
def _key(secret: str) -> Iterator[tuple[str, int]]:
    """A key in the session's keyring, such as a login or a network drive leaves: name and number."""
    calls = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(os.uname().machine)
    name, unlink, session = f"assay-bait-{secrets.token_hex(8)}", 9, -3
    if calls is None:
        yield name, 0
        return
    add_key, keyctl = calls
    libc = ctypes.CDLL(None)
    key = libc.syscall(add_key, b"user", name.encode(), secret.encode(), len(secret), session)
    try:
        yield name, max(0, key)
    finally:
        if key > 0:
            libc.syscall(keyctl, unlink, key, session)


@contextlib.asynccontextmanager
async def _watched(bait: Bait) -> AsyncIterator[None]:
    """Listen on loopback and on an abstract socket; whoever connects is noted."""

    def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        bait.touched.append("a connection to a socket on the host")
        writer.close()

    abstract = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    abstract.bind(f"\0{bait.abstract}")
    abstract.listen()
    unix = await asyncio.start_server(connected, sock=abstract)
    loopback = await asyncio.start_server(connected, "127.0.0.1", 0)
    bait.tcp_port = loopback.sockets[0].getsockname()[1]
    try:
        yield
    finally:
        for server in (unix, loopback):
            server.close()
            await server.wait_closed()


# ---------------------------------------------------------------- what is left


async def _nothing_left(backend: Backend, token: str, before: set[str]) -> None:
    """Raises Breach if anything of the attack is still there a moment after its sandbox was closed."""
    until = time.monotonic() + VANISH_S
    while left := [*_processes(token), *sorted(await _open_things(backend) - before)]:
        if time.monotonic() > until:
            raise Breach(f"left behind: {', '.join(left[:5])}")
        await asyncio.sleep(0.1)


def _processes(token: str) -> list[str]:
    """Processes of this machine that were started with `token` in their environment."""
    found, mark = [], token.encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes():
                found.append(f"process {path.parent.name}")
        except OSError:
            continue
    return found


async def _open_things(backend: Backend) -> set[str]:
    """Containers, cgroups and temporary folders of sandboxes that this process has opened."""
    found = _traces()
    containers: Callable[[], Awaitable[list[str]]] | None = getattr(backend, "containers", None)
    if containers is not None:
        found |= {f"container {name}" for name in await containers() if name.startswith(owner.own_prefix())}
    return found


def _traces() -> set[str]:
    ours = f"{owner.own_prefix()}*"
    groups = {f"cgroup {folder}" for parent in cgroups.parents() for folder in parent.glob(ours)}
    folders = {f"folder {path}" for path in Path(tempfile.gettempdir()).glob(ours)}
    return groups | folders
