"""The host's side of a sandbox: commands, terminals and files, through the agent inside."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TypeVar

from assay.errors import ConfigError, ModelFault, NodeError, SandboxError
from assay.mistakes import not_wanted
from assay.records import ExecResult, Limits, Sandbox, Standby, TerminalOutput
from assay.sandboxes.agent import frames
from assay.sandboxes.agent.waiting import MOST_TIMES
from assay.sandboxes.limits.cgroups import Cgroups
from assay.sandboxes.limits.patience import GRACE_S, Patience, stood
from assay.sandboxes.wire import AgentSettings, Hello, Wire, arguments, contents, file_name, flat, learn

ANSWER_S = 10.0  # for requests that take the agent no time
LONGEST_S = 30 * 86400.0  # any limit beyond it means none
LARGEST_FILE = 64 << 20  # that can be read back
LARGEST_PACK = 128 << 20  # of a sandbox's files that are handed on to another one
PACK_S = 20.0

# A loop holds its tasks weakly: that of a sandbox which a variant's open() does not return would be lost
_listeners = set[asyncio.Task[None]]()


class Channel(ABC):
    """An agent that has been started: its streams, its number here (0: unknown) and its cgroups."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    pid = 0
    cgroups = Cgroups(())

    @abstractmethod
    async def kill(self) -> None:
        """End every process in the sandbox and remove it. It must be safe to call twice, must not raise, and
        should do the killing itself before it first awaits."""

    def diagnose(self) -> str:
        """The engine's explanation, for example its stderr."""
        return ""


async def connect(
    channel: Channel, settings: AgentSettings, tier: str, *, open_limit_s: float = 60.0
) -> AgentSandbox:
    """Send the agent its program and settings, and check what it says of itself.

    Raises SandboxError, with everything killed, if it does not answer or is not as it should be.
    """
    sandbox = AgentSandbox(channel, settings, tier)
    try:
        await sandbox._greet(open_limit_s)
        if settings.limits.standby is not None:
            await sandbox.prepare(settings.limits.standby)
    except BaseException:
        await sandbox.close()
        raise
    return sandbox


Closable = TypeVar("Closable", bound=Sandbox)


class NoSandbox(ConfigError):
    """What the open() of a backend returned."""


@contextlib.asynccontextmanager
async def closing(sandbox: Closable) -> AsyncIterator[Closable]:
    """Closes it, however the block ends. Raises NoSandbox for what is none."""
    if not hasattr(sandbox, "run"):
        raise NoSandbox(f"open() must return a Sandbox, not {not_wanted(sandbox)}")
    try:
        yield sandbox
    finally:
        await sandbox.close()


class AgentSandbox:
    """A `records.Sandbox`. One command at a time; terminals beside it."""

    def __init__(self, channel: Channel, settings: AgentSettings, tier: str) -> None:
        self._channel, self._settings, self.tier = channel, settings, tier
        self._wire = Wire()
        self._broken = ""  # why no request can be answered any more
        self._closed: asyncio.Task[None] | None = None
        self._waiting: dict[bytes, asyncio.Future[list[bytes]]] = {}
        self._patience: dict[bytes, Patience] = {}
        self._requests = 0
        self._kills = 0  # by the kernel, for memory, before the command
        self._filled = False  # whether the command left the agent without memory, and took it along
        self._turn = asyncio.Lock()
        self._standby: Standby | None = None  # what waits for its start
        self._listener: asyncio.Task[None] | None = None
        self.hello = Hello(0, 0, 0, 0, False, "")

    @property
    def limits(self) -> Limits:
        """Those that it was opened with; a variant may have lowered what was asked for."""
        return self._settings.limits

    @property
    def alive(self) -> bool:
        """Whether it still takes requests."""
        return not self._broken

    # ------------------------------------------------------------ what a node calls

    async def run(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, bytes] = {},
        stdin: bytes = b"",
        time_limit_s: float = 20.0,
        env: Mapping[str, str] = {},
    ) -> ExecResult:
        time_limit_s = _limited(time_limit_s)
        limit, cap = str(time_limit_s).encode(), str(self._settings.limits.output).encode()
        fields = (limit, cap, arguments(argv), frames.pack(flat(env)), contents(files), stdin)
        standby = self._standby
        waits = standby is not None and (standby.command, dict(standby.env)) == (tuple(argv), dict(env))
        async with self._turn:
            self._kills, self._filled = self._channel.cgroups.oom_kills(), False
            started = asyncio.get_running_loop().time()
            try:
                ask = self._go if waits else self._run
                answer = await ask(*fields, limit_s=time_limit_s)
            except TimeoutError:  # the agent is stuck: its clock has failed, ours holds
                seconds = asyncio.get_running_loop().time() - started
                grown = self._out_of_memory()
                await self._give_up(f"a command was not over {GRACE_S:g} s after its time limit")
                return ExecResult(
                    b"",
                    b"",
                    None,
                    True,
                    out_of_memory=grown,
                    seconds=seconds,
                    waited_seconds=max(0.0, seconds - time_limit_s - GRACE_S),
                    time_limit_s=time_limit_s,
                )
            except SandboxError:
                if not self._filled:
                    raise
                seconds = asyncio.get_running_loop().time() - started
                return ExecResult(
                    b"", b"", -9, out_of_memory=True, seconds=seconds, time_limit_s=time_limit_s
                )
            grown = self._out_of_memory()
        try:
            return _result(self._checked(answer, b"done"), time_limit_s, grown)
        except (ValueError, IndexError) as error:
            raise await self._unreadable(error) from error

    async def prepare(self, standby: Standby) -> None:
        """Start a program ahead of need: the next `run` of its command finds it waiting. If it cannot be
        started, nothing is lost: `run` then starts it and reports the error."""
        cap = str(self._settings.limits.output).encode()
        fields = (cap, arguments(standby.waiting), frames.pack(flat(dict(standby.env))))
        answer = await self._ask(b"prepare", *fields, limit_s=ANSWER_S, fatal=True)
        self._standby = standby if answer == [b"prepared"] else None

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> AgentTerminal:
        fields = (arguments(argv), frames.pack(flat(env)), contents(files))
        answer = await self._ask(b"start", *fields, limit_s=ANSWER_S, fatal=True)
        return AgentTerminal(self, self._checked(answer, b"started")[0])

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        name = file_name(path)
        fields = (str(ANSWER_S).encode(), name, str(min(max_bytes, LARGEST_FILE)).encode())
        async with self._turn:
            answer = await self._ask(b"read_file", *fields, limit_s=ANSWER_S, fatal=True)
        done = self._checked(answer, b"done", path)
        code, timed_out, problem, content = done[0], done[1], done[8], done[9]
        if problem == b"M":
            raise FileNotFoundError(f"{path}: the program left no such file")
        if code != b"0" or timed_out != b"0" or problem:
            words = done[10].decode("utf-8", "replace") or "the reader was stopped"
            raise ModelFault(f"cannot read {path}: {words}")
        return content

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        names = frames.pack(file_name(name) for name in only)
        fields = (str(PACK_S).encode(), str(LARGEST_PACK).encode(), names)
        return (await self._tree(b"pack", *fields))[9]

    async def unpack(self, data: bytes) -> None:
        await self._tree(b"unpack", str(PACK_S).encode(), data)

    async def _tree(self, kind: bytes, *fields: bytes) -> list[bytes]:
        async with self._turn:
            answer = await self._ask(kind, *fields, limit_s=PACK_S, fatal=True)
        done = self._checked(answer, b"done", "the work directory")
        if done[0] != b"0" or done[1] != b"0" or done[2] != b"0" or done[8]:
            words = done[10].decode("utf-8", "replace") or "whoever reads them was stopped"
            raise ModelFault(f"the files of the sandbox cannot be handed on: {words}")
        return done

    async def close(self) -> None:
        if self._closed is None:
            self._broken = self._broken or "it is closed"
            self._closed = asyncio.ensure_future(self._close())
        # Shielded: a second Ctrl-C must not leave half a sandbox behind.
        await asyncio.shield(self._closed)

    # ------------------------------------------------------------ how it is done

    async def _run(self, *fields: bytes, limit_s: float) -> list[bytes]:
        return await self._ask(b"run", *fields, limit_s=limit_s, lift_cpu_limit=True)

    async def _go(
        self, limit: bytes, cap: bytes, argv: bytes, env: bytes, files: bytes, stdin: bytes, *, limit_s: float
    ) -> list[bytes]:
        """`_run` for the program that waits: its files are written first, by a command that does nothing
        else."""
        self._standby = None
        if files:
            writer = (str(ANSWER_S).encode(), cap, arguments(["true"]), b"", files, b"")
            written = await self._run(*writer, limit_s=ANSWER_S)
            if written[:2] != [b"done", b"0"]:
                return written
        answer = await self._ask(b"go", limit, stdin, limit_s=limit_s, lift_cpu_limit=True)
        if answer == [b"gone"]:  # killed for memory, say, while it waited
            answer = await self._run(limit, cap, argv, env, b"", stdin, limit_s=limit_s)
        return answer

    async def _greet(self, limit_s: float) -> None:
        hello: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        self._waiting[b"0"] = hello
        self._listener = asyncio.create_task(self._listen())
        _listeners.add(self._listener)
        self._listener.add_done_callback(_listeners.discard)
        self._write(self._wire.opening(self._settings))
        try:
            async with asyncio.timeout(limit_s):
                word, version, *fields = await hello
        except TimeoutError:
            raise SandboxError(self._with_reason(f"no answer within {limit_s:g} s of its start")) from None
        if (word, version) != (b"hello", frames.VERSION) or len(fields) != 7:
            raise SandboxError("the agent inside is not the one that was sent")
        pid, uid, child, capabilities, filtered, python, compiled = fields
        said = Hello(int(pid), int(uid), int(child), int(capabilities, 16), filtered == b"1", python.decode())
        wanted = self._settings
        for what, is_, should_be in (
            ("process id", said.pid, wanted.expect_pid),
            ("user", said.uid, wanted.expect_uid),
            ("user for commands", said.child_uid, wanted.child_uid or said.uid),
        ):
            if should_be is not None and is_ != should_be:
                raise SandboxError(
                    f"the sandbox's {what} is {is_}, not {should_be}: it is not isolated as asked"
                )
        self.hello = said
        learn(wanted.kind, frames.unpack(compiled))

    async def _listen(self) -> None:
        """Pass each answer to its waiter; when the agent is gone, tell every waiter why."""
        reader, longest = self._channel.reader, LARGEST_PACK + (1 << 20) + 4 * self._settings.limits.output
        why = "the agent inside has ended"
        try:
            while True:
                head = await reader.readexactly(20)
                size = int.from_bytes(head[:4], "big")
                if size > longest:
                    raise ValueError("its answer is too long")
                request, *fields = self._wire.answer(head[4:], await reader.readexactly(size))
                if fields[:1] == [b"more"]:
                    if request in self._patience:
                        self._patience[request].more(float(fields[1]))
                    continue
                waiting = self._waiting.pop(request, None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(fields)
        except (asyncio.IncompleteReadError, OSError):
            self._filled = self._out_of_memory()  # before the cgroup is removed
        except asyncio.CancelledError:
            await self._channel.kill()  # the loop ends, and nobody has closed it
            self._channel.writer.close()
            raise
        except (ValueError, IndexError) as error:
            why = f"the agent inside cannot be trusted: {error}"
        self._break(why)
        await self._channel.kill()

    def _out_of_memory(self) -> bool:
        """Whether the kernel has killed for memory since the command began."""
        return self._channel.cgroups.oom_kills() > self._kills

    def _break(self, why: str) -> None:
        self._broken = self._broken or why
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(SandboxError(self._with_reason(self._broken)))

    def _with_reason(self, what: str) -> str:
        reason = self._channel.diagnose().strip()
        return f"sandbox {self.tier}: {what}" + (f"\n{reason[-2000:]}" if reason else "")

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # a closed pipe: the listener says why
            self._channel.writer.write(data)

    async def _ask(
        self, kind: bytes, *fields: bytes, limit_s: float, fatal: bool = False, lift_cpu_limit: bool = False
    ) -> list[bytes]:
        """One request and its answer. Raises SandboxError if the agent is gone, TimeoutError if it is stuck.

        `fatal`: a stuck agent is a SandboxError too. `lift_cpu_limit`: let the sandbox run without its CPU
        limit when the answer is late. If it is cancelled half-way, the sandbox is given up: nobody would wait
        for the command.
        """
        if self._broken:
            raise SandboxError(self._with_reason(self._broken))
        self._requests += 1
        name = b"%d" % self._requests
        frame = self._wire.request(name, kind, *fields)
        answer: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        self._waiting[name] = answer
        channel = self._channel
        channel.cgroups.make_room()
        self._write(frame)
        try:
            lift = channel.cgroups.lift_cpu_limit if lift_cpu_limit else None
            waiting = Patience(limit_s, limit_s * MOST_TIMES, lift, lambda: stood(channel.pid))
            async with waiting as self._patience[name]:
                return await answer
        except TimeoutError:
            if fatal:
                await self._give_up("the agent inside does not answer")
                raise SandboxError(self._with_reason(self._broken)) from None
            raise
        except asyncio.CancelledError:
            if not answer.done() or answer.cancelled():
                await self._give_up("a command was cancelled")
            raise
        finally:
            self._waiting.pop(name, None)
            self._patience.pop(name, None)

    def _checked(self, answer: list[bytes], wanted: bytes, path: str = "") -> list[bytes]:
        word, *fields = answer
        if word == wanted:
            return fields
        words = b" ".join(fields).decode("utf-8", "replace")
        if word == b"refused":
            # Files that earlier code left there are in the way
            raise ModelFault(f"cannot read {path}: {words}" if path else f"cannot write {words}")
        raise SandboxError(f"sandbox {self.tier}: {words}")

    async def _unreadable(self, error: Exception) -> SandboxError:
        await self._give_up(f"the agent's answer makes no sense: {error}")
        return SandboxError(self._with_reason(self._broken))

    async def _give_up(self, why: str) -> None:
        self._break(why)
        await self.close()

    async def _close(self) -> None:
        await self._channel.kill()
        self._break("it is closed")
        with contextlib.suppress(OSError, RuntimeError):
            self._channel.writer.close()
        if self._listener is not None and self._listener is not asyncio.current_task():
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)


class AgentTerminal:
    """A `records.Terminal`."""

    def __init__(self, sandbox: AgentSandbox, name: bytes) -> None:
        self._sandbox, self._name, self._ended = sandbox, name, False

    async def send(self, data: bytes) -> None:
        if data and not self._ended:
            await self._sandbox._ask(b"type", self._name, data, limit_s=ANSWER_S, fatal=True)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        time_limit_s = _limited(time_limit_s)
        fields = (self._name, marker, str(time_limit_s).encode())
        try:
            answer = await self._sandbox._ask(b"read", *fields, limit_s=time_limit_s)
        except TimeoutError:
            await self._sandbox._give_up("a terminal did not answer in time")
            return TerminalOutput(b"", timed_out=True)
        why, data, waited = self._sandbox._checked(answer, b"read")
        self._ended = why == b"ended"
        return TerminalOutput(data, why == b"matched", self._ended, why == b"timed_out", float(waited))

    async def close(self) -> None:
        self._ended = True
        with contextlib.suppress(SandboxError):
            await self._sandbox._ask(b"end", self._name, limit_s=ANSWER_S, fatal=True)


def _limited(seconds: float) -> float:
    """A time limit that clocks can count. Raises NodeError for an impossible one."""
    if not seconds >= 0:
        raise NodeError(f"a time limit of {seconds!r} seconds; it must be 0 or more")
    return min(float(seconds), LONGEST_S)


def _result(fields: list[bytes], time_limit_s: float, oom: bool) -> ExecResult:
    code, timed_out, truncated, out_of_memory, seconds, waited, cpu, rss, _, stdout, stderr = fields
    return ExecResult(
        stdout=stdout,
        stderr=stderr,
        returncode=int(code) if code else None,
        timed_out=timed_out == b"1",
        truncated=truncated == b"1",
        out_of_memory=oom or out_of_memory == b"1",
        seconds=float(seconds),
        waited_seconds=float(waited),
        cpu_seconds=float(cpu),
        max_rss=int(rss),
        time_limit_s=time_limit_s,
    )
