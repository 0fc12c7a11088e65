"""How the host starts the agent and speaks to it: the bytes, and nothing that waits."""

from __future__ import annotations

import functools
import importlib.util
import marshal
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import ModelFault, NodeError
from assay.records import Limits
from assay.sandboxes import agent
from assay.sandboxes.agent import files, frames
from assay.sandboxes.limits.syscalls import filters

WORK_DIR = "/usr/src/app"
HOME = "/home/assay"

ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": HOME,
    "USER": "assay",
    "LOGNAME": "assay",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "TMPDIR": "/tmp",
}

# Reads from its stdin: the version tag of the host's Python, then each of the agent's modules: name,
# compiled code, source. Compiled code loads in 0.1 ms, the source takes 20; only the same Python can use the
# former. An agent that cannot passes main() the code that it has compiled itself, for the next sandbox of
# its kind.
_BOOTSTRAP = """\
import posix as os
def take(size):
    data = b""
    while len(data) < size:
        more = os.read(0, size - len(data))
        if not more:
            os._exit(0)
        data += more
    return data
def part():
    return take(int.from_bytes(take(4), "big"))
import _frozen_importlib_external, marshal, sys
sys.modules["__future__"] = future = type(sys)("__future__")  # the compiler has read it already
future.annotations = None
magic = _frozen_importlib_external.MAGIC_NUMBER
same = part() == magic
compiled = [] if same else [magic]
for _ in range(int(part())):
    name, code, text = part().decode(), part(), part()
    module = sys.modules[name] = type(sys)(name)
    code = marshal.loads(code) if same else compile(text, name, "exec", 0, True, 2)
    if not same:
        compiled.append(marshal.dumps(code))
    exec(code, module.__dict__)
module.main(compiled)
"""


def agent_command(python: str = "python3") -> tuple[str, ...]:
    """The argument vector that starts the agent: its code comes over stdin, see `opening`.

    -I -S: nothing that a model wrote and no site package can stand in for a standard module.
    """
    return (python, "-I", "-S", "-c", _BOOTSTRAP)


@functools.cache
def _sources() -> Mapping[str, bytes]:
    """The agent's modules by their names, in the order in which they are sent."""
    folder = Path(agent.__file__).parent
    return {f"{agent.__name__}.{name}": (folder / f"{name}.py").read_bytes() for name in agent.MODULES}


# The agent's program by AgentSettings.kind, while this process lives: compiled by the Python of a pristine
# sandbox, where it is another version than ours. It is never executed here.
_learned: dict[str, bytes] = {}


def learn(kind: str, compiled: Sequence[bytes]) -> None:
    """Keep the code that an agent sent at its start, before any command: other sandboxes of its kind get
    it."""
    if kind and len(compiled) == 1 + len(agent.MODULES):
        _learned[kind] = _program(*compiled)


def _program(magic: bytes, *codes: bytes) -> bytes:
    parts = [magic, b"%d" % len(codes)]
    for (name, source), code in zip(_sources().items(), codes, strict=True):
        parts += [name.encode(), code, source]
    return frames.pack(parts)


@functools.cache
def _compiled_here() -> bytes:
    codes = (marshal.dumps(compile(text, name, "exec", 0, True, 2)) for name, text in _sources().items())
    return _program(importlib.util.MAGIC_NUMBER, *codes)


@dataclass(frozen=True)
class AgentSettings:
    """What the agent is told at its start, and what its first answer must say.

    `child_uid`, `child_gid`: the user and group that commands run as, 0 for the agent's own user and for the
    group with the user's number; for another user the agent
    needs the capabilities SETUID, SETGID and KILL, and the work directory and HOME must belong to that user,
    or be empty in folders that belong to the agent.
    `process_limit`: RLIMIT_NPROC for commands, 0 for none. It counts every process of that uid in
    the user namespace, other sandboxes' too: leave it 0 where a pids cgroup does the work.
    `watch`: the agent itself sums memory and counts processes, for where no cgroup does.
    `expect_pid`, `expect_uid`: checked against what the agent reports; None for anything.
    `kind`: the same for sandboxes that see the same files, so that code that one of them compiled, pristine,
    serves the others; '' if that is not known.
    """

    limits: Limits
    work_dir: str = WORK_DIR
    env: Mapping[str, str] = field(default_factory=lambda: dict(ENVIRONMENT))
    child_uid: int = 0
    child_gid: int = 0
    process_limit: int = 0
    watch: bool = False
    expect_pid: int | None = None
    expect_uid: int | None = None
    kind: str = ""


@dataclass(frozen=True)
class Hello:
    """The agent's first answer."""

    pid: int
    uid: int
    child_uid: int
    capabilities: int
    filtered: bool  # the seccomp filter is in place
    python: str


class Wire:
    """Frames to and from one agent. Raises ValueError for bytes that the agent cannot have sent."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._out = frames.Seal(self._key, b"to-sbox:")
        self._in = frames.Seal(self._key, b"to-host:")

    def opening(self, settings: AgentSettings) -> bytes:
        """Everything to send before the first request: the agent's program, the key, the settings."""
        limits = settings.limits
        pairs: dict[str, object] = {
            "work": settings.work_dir,
            "child_uid": settings.child_uid,
            "child_gid": settings.child_gid,
            "processes": settings.process_limit,
            "output": limits.output,
            "cpus": min(limits.cpus, len(os.sched_getaffinity(0))),
            "file_size": limits.disk,
            "watched_memory": limits.memory if settings.watch else 0,
            "watched_processes": limits.processes if settings.watch else 0,
            "data_limit": limits.memory * 2 if settings.watch else 0,
        }
        fields = [self._key]
        for name, value in pairs.items():
            fields += [name.encode(), str(value).encode()]
        fields += [b"env", frames.pack(flat(settings.env))]
        for machine, program in filters(counted=not settings.watch).items():
            fields += [f"filter_{machine}".encode(), program]
        first = frames.pack(fields)
        program = _learned.get(settings.kind) or _compiled_here()
        return program + len(first).to_bytes(4, "big") + first

    def request(self, *fields: bytes) -> bytes:
        """One request as a frame. Frames must be sent in the order in which they were made."""
        body = frames.pack(fields)
        if len(body) > 1 << 30:
            raise NodeError(f"{len(body) >> 20} MB are more than a sandbox takes at once")
        return len(body).to_bytes(4, "big") + self._out.of(body) + body

    def answer(self, seal: bytes, body: bytes) -> list[bytes]:
        """The fields of an answer, once its seal holds."""
        if not secrets.compare_digest(self._in.of(body), seal):
            raise ValueError("its answer is forged")
        return frames.unpack(body)


def flat(pairs: Mapping[str, str]) -> list[bytes]:
    """An environment as the agent reads it. Raises NodeError for names and values no process can have."""
    for name, value in pairs.items():
        if not name or "=" in name or "\0" in name + value:
            raise NodeError(f"not an environment variable: {name!r}")
    return [part.encode("utf-8", "surrogateescape") for pair in pairs.items() for part in pair]


def arguments(argv: Sequence[str]) -> bytes:
    """An argument vector as the agent reads it."""
    if not argv or not argv[0]:
        raise NodeError("an empty command")
    if any("\0" in argument for argument in argv):
        raise NodeError("a command's arguments must not contain NUL")
    return frames.pack(argument.encode("utf-8", "surrogateescape") for argument in argv)


def contents(files: Mapping[str, bytes]) -> bytes:
    """Files as the agent reads them. Raises ModelFault for a name that leaves the work directory."""
    return frames.pack(part for name, content in files.items() for part in (file_name(name), content))


def file_name(name: str) -> bytes:
    """A file's name for the agent. Raises ModelFault for one that leaves the work directory: what an author
    wrote was looked at when the test was loaded."""
    try:
        parts = files.split(name)
        encoded = name.encode("utf-8", "surrogateescape")
    except files.BadName as error:
        raise ModelFault(f"file name {name!r}: {error}") from None
    except UnicodeEncodeError:
        raise ModelFault(f"file name {name!r}: not valid text") from None
    if len(encoded) > 4000 or any(len(part.encode("utf-8", "surrogateescape")) > 255 for part in parts):
        raise ModelFault(f"file name {name[:60]!r}...: too long")
    return encoded
