"""The usage of one trial: its models and its sandbox, wrapped so that every call is counted."""

from __future__ import annotations

import asyncio
import contextlib
import time
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass, field, replace
from json import dumps
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, get_args

from assay.dialogue import PAID, Role, given
from assay.errors import SandboxError
from assay.language.inside import NOTHING
from assay.mistakes import not_wanted
from assay.records import (
    LLM,
    Completion,
    ExecResult,
    JsonMode,
    Message,
    Model,
    Reply,
    RunOptions,
    Sandbox,
    Schema,
    Terminal,
    TerminalOutput,
    Tool,
    ToolCall,
    Traits,
    TrialKey,
    Usage,
    builder,
    traits_of,
    with_parameters,
)
from assay.results.replies import question_hash
from assay.results.serialize import SURROGATES
from assay.results.spending import Spending
from assay.running.observe import SILENT, TrialWatch
from assay.running.roles import Waves
from assay.trial_clock import put_off, standing_still, stood_still

if TYPE_CHECKING:
    from assay.language.agents.handover import SavedWork

T = TypeVar("T")


@dataclass
class Meter:
    """Sums over one trial. `cost` stays None once a call's price is unknown."""

    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    calls: int = 0
    cached_calls: int = 0
    attempts: int = 0
    model_seconds: float = 0.0
    sandbox_seconds: float = 0.0  # inside its calls, without the queue
    queue_seconds: float = 0.0  # for a connection or a sandbox, and for its turn
    waited_seconds: float = 0.0  # of programs, for a core
    answered_by: dict[str, str] = field(default_factory=dict)  # model -> what its server says it ran
    by_batch: int = 0  # of the calls
    replies: list[Reply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._inside, self._entered = 0, (0.0, 0.0)  # blocks of `in_sandbox`, and when the first began
        self.batches: WaitsForBatch | None = None
        self.heard: Callable[[str], None] = lambda model: None

    def add(self, name: str, completion: Completion) -> None:
        self.heard(name)
        self.calls += 1
        self.by_batch += completion.by_batch
        self.usage += completion.usage
        self.queue_seconds += completion.queued_seconds
        if completion.cached:
            self.cached_calls += 1
        else:
            self.attempts += completion.attempts
            self.model_seconds += completion.seconds
        if self.cost is not None:
            self.cost = None if completion.cost is None else self.cost + completion.cost
        if completion.model and completion.model != name:
            self.answered_by[name] = completion.model

    async def queueing(self, wait: Callable[[], Awaitable[T]]) -> T:
        """Wait for a sandbox, or for what the run finds out about it; this counts as queue time, and in no
        time limit."""
        begin = time.monotonic()
        try:
            with standing_still():
                return await wait()
        finally:
            self.queue_seconds += time.monotonic() - begin

    @contextlib.contextmanager
    def in_sandbox(self) -> Iterator[None]:
        """Count the time of the block as sandbox time, except what is counted as queue time; of several
        blocks at the same time, once."""
        if not self._inside:
            self._entered = time.monotonic(), self.queue_seconds
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                begin, queued = self._entered
                self.sandbox_seconds += max(0.0, time.monotonic() - begin - (self.queue_seconds - queued))

    @contextlib.contextmanager
    def cut_off(self) -> Iterator[None]:
        """Around a call whose result tells how long it queued: of one that breaks, the trial's clock does."""
        before = stood_still()
        try:
            yield
        except BaseException:
            self.queue_seconds += stood_still() - before
            raise

    def spent(self, after: int = 0) -> dict[str, Any]:
        """All sums as JSON values, and the replies without the first `after`."""
        return asdict(replace(self, replies=self.replies[after:]))

    def resume(self, spent: Mapping[str, Any]) -> None:
        """Start with what an earlier process spent on the trial. Raises TypeError for invalid values."""
        replies = [_reply(each) for each in spent.get("replies", ())]
        given = {**spent, "usage": Usage(**spent["usage"]), "replies": replies}
        for name, value in given.items():
            if name not in self.__dataclass_fields__:
                raise TypeError(f"no sum is called {name}")
            setattr(self, name, value)


def _reply(kept: Mapping[str, Any]) -> Reply:
    calls = tuple(ToolCall(**call) for call in kept.get("calls", ()))
    return Reply(**{**kept, "usage": Usage(**kept["usage"]), "calls": calls})


def whole(completion: Completion) -> Completion:
    """The reply without lone surrogates, which JSON can contain but no file, program or server accepts: each
    would turn the trial into an ERROR."""
    return completion.changed(lambda text: text if text.isascii() else SURROGATES.sub("\ufffd", text))


class WaitsForBatch:
    """Calls of a trial whose models are asked by batch: its clock stands still, and the waves know that it
    waits."""

    def __init__(self, waves: Waves) -> None:
        self._waves, self._calls = waves, 0

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        self._calls += 1
        self._waves.busy -= self._calls == 1
        try:
            with standing_still():
                yield
        finally:
            self._calls -= 1
            self._waves.busy += self._calls == 0


ROLES = frozenset(get_args(Role))


class MeteredModel:
    """A model bound to one trial and its role there, counting in the trial's meter."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        role: str = LLM,
        watch: TrialWatch = SILENT,
        spending: Spending | None = None,
    ) -> None:
        self._model = model
        self._meter = meter
        self._role = role
        self._watch = watch
        self._spending = spending

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def traits(self) -> Traits:
        return traits_of(self._model)

    def for_trial(self, trial: TrialKey) -> MeteredModel:
        return MeteredModel(
            self._model.for_trial(trial), self._meter, self._role, self._watch, self._spending
        )

    def with_parameters(self, parameters: Mapping[str, Any]) -> MeteredModel:
        model = with_parameters(self._model, parameters)
        return MeteredModel(model, self._meter, self._role, self._watch, self._spending)

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        check_asked(messages, json, tools)
        with self._watch.chat(self._model, self._role, messages, json) as answered:
            batches, noting = self._meter.batches, PAID.set(self._paid)
            try:
                with self._meter.cut_off(), batches.waiting() if batches else contextlib.nullcontext():
                    completion = whole(await self._model.complete(messages, json=json, **given(tools)))
            finally:
                PAID.reset(noting)
            answered(completion)
        self._paid(completion)
        self._meter.add(self._model.name, completion)
        asked = question_hash(messages, json, tools)
        self._meter.replies.append(
            Reply(
                self._role,
                asked,
                completion.text,
                completion.usage,
                completion.cost,
                completion.finish_reason,
                completion.calls,
                completion.by_batch,
            )
        )
        return completion

    def _paid(self, completion: Completion) -> None:
        """Note the payment, once."""
        if self._spending is not None:
            self._spending.add(self._model.name, completion)

    def forget(self, messages: Sequence[Message], *, json: JsonMode = False) -> None:
        """Remove the last reply from the cache, so that the next call asks the provider."""
        if (forget := getattr(self._model, "forget", None)) is not None:
            forget(messages, json=json)

    def saved_work(self) -> SavedWork | None:
        """What the next agent of the trial handed in, if the trial is judged again."""
        its = getattr(self._model, "saved_work", None)
        found: SavedWork | None = None if its is None else its()
        return found


def check_asked(messages: Sequence[Message], json: JsonMode = False, tools: Sequence[Tool] = ()) -> None:
    """Raises TypeError for what an author's node asks and no provider could be sent."""
    if not _several(messages, Message):
        raise TypeError(
            'complete() takes a list of messages, such as [Message("user", "a question")], '
            f"not {not_wanted(messages)}"
        )
    if not _several(tools, Tool) or not isinstance(json, bool | Schema):
        raise TypeError(
            'complete() takes tools=[Tool("name", "what it does"), ...] and json=True or a Schema, '
            f"not {not_wanted(json if _several(tools, Tool) else tools)}"
        )
    for each in messages:
        if each.role not in ROLES:
            raise TypeError(
                f'the role of a Message is "system", "user" or "assistant" ("tool" answers a call), '
                f"not {each.role!r:.60}"
            )
        if not isinstance(each.content, str):
            raise TypeError(f"the content of a Message is a text, not {not_wanted(each.content)}")
        if not _several(each.images, bytes):
            raise TypeError(
                'the images of a Message are the bytes of pictures, such as (Path("red.png").read_bytes(),) '
                f'or what a step behind Image("red.png") gets, not {each.images!r:.60}'
            )
        if not _several(each.calls, ToolCall):
            raise TypeError(
                f"the calls of a Message are ToolCalls, as a reply has them, not {each.calls!r:.60}"
            )


def _check_command(argv: Sequence[str], how: str) -> None:
    """Raises TypeError for a command that is a text, whose first letter would be taken for a program."""
    if isinstance(argv, str):
        raise TypeError(
            f'{how}() takes a command as a list, such as ["sh", "-c", {dumps(argv)}], not as a text'
        )
    if not _several(argv, str):
        raise TypeError(f"{how}() takes a command as a list of texts, not {not_wanted(argv)}")


def _check_contents(how: str, files: Mapping[str, object], stdin: object = b"") -> None:
    """Raises TypeError for what a command is given that is not bytes, such as a text."""
    for name, content in (*files.items(), ("stdin", stdin)):
        if not isinstance(content, (bytes, bytearray, memoryview)):
            hint = "; write text.encode()" if isinstance(content, str) else ""
            raise TypeError(f"{how}() takes {name} as bytes, not {not_wanted(content)}{hint}")


def _several(values: object, kind: type) -> bool:
    return isinstance(values, (list, tuple)) and all(isinstance(each, kind) for each in values)


class Turn:
    """Access to something limited; waiting for it is queue time."""

    def __init__(self, gate: Callable[[], AbstractAsyncContextManager[object]], meter: Meter) -> None:
        """`gate` returns a new context manager each time."""
        self._gate, self._meter = gate, meter
        self._entered: list[AbstractAsyncContextManager[object]] = []

    async def __aenter__(self) -> None:
        entered = self._gate()
        await self._meter.queueing(entered.__aenter__)
        self._entered.append(entered)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._entered.pop().__aexit__(kind, error, trace)


class MeteredTerminal:
    def __init__(self, terminal: Terminal, meter: Meter) -> None:
        self._terminal = terminal
        self._meter = meter

    async def send(self, data: bytes) -> None:
        await self._terminal.send(data)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        with self._meter.in_sandbox():
            output = await self._terminal.read_until(marker, time_limit_s=time_limit_s)
            self._meter.waited_seconds += output.waited_seconds
            put_off(output.waited_seconds)
        return output

    async def close(self) -> None:
        await self._terminal.close()


class MeteredSandbox:
    """A sandbox whose time counts in a trial's meter."""

    def __init__(self, sandbox: Sandbox, meter: Meter, watch: TrialWatch = SILENT) -> None:
        self._sandbox = sandbox
        self._meter = meter
        self._watch = watch
        self.ran = False  # whether a command was executed in it
        self.files: bytes | None = b""  # all that is in it, packed; None once that is not known

    @property
    def tier(self) -> str:
        return self._sandbox.tier

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        _check_command(argv, "run")
        _check_contents("run", options.get("files", {}), options.get("stdin", b""))
        return await self._counted(argv, self._sandbox.run(argv, **options))

    async def build(
        self, argv: Sequence[str], *, files: Mapping[str, bytes], time_limit_s: float
    ) -> ExecResult:
        building = builder(self._sandbox)(argv, files=files, time_limit_s=time_limit_s)
        return await self._counted(argv, building)

    async def _counted(self, argv: Sequence[str], running: Awaitable[ExecResult]) -> ExecResult:
        self.ran, self.files = self.ran or tuple(argv) != NOTHING, None
        begin = time.monotonic()
        with self._meter.in_sandbox(), self._watch.command(argv, self.tier) as ran:
            with self._meter.cut_off():
                result = await running
            self._meter.queue_seconds += result.queued_seconds
            if time.monotonic() - begin >= result.waited_seconds:  # otherwise it came from the cache
                self._meter.waited_seconds += result.waited_seconds
                put_off(result.waited_seconds)
            ran(result)
        return result

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        _check_command(argv, "start")
        _check_contents("start", files)
        self.ran, self.files = True, None
        with self._meter.in_sandbox():
            return MeteredTerminal(await self._sandbox.start(argv, files=files, env=env), self._meter)

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        with self._meter.in_sandbox():
            return await self._sandbox.read_file(path, max_bytes=max_bytes)

    async def pack(self, only: Sequence[str] = ()) -> bytes:
        with self._meter.in_sandbox():
            return await self._sandbox.pack(only)

    async def unpack(self, data: bytes) -> None:
        with self._meter.in_sandbox():
            await self._sandbox.unpack(data)
        self.files = None if self.files is None else self.files + data

    async def close(self) -> None:
        await self._sandbox.close()


_closing: set[asyncio.Task[None]] = set()  # a task without a reference may vanish


@contextlib.asynccontextmanager
async def _closed_behind(sandbox: Sandbox) -> AsyncIterator[Sandbox]:
    """Close the sandbox without waiting; only the pool waits, and leaves none open."""
    try:
        yield sandbox
    finally:
        task = asyncio.create_task(_ended(sandbox))
        _closing.add(task)
        task.add_done_callback(_closing.discard)


async def _ended(sandbox: Sandbox) -> None:
    """Close it; that it failed to costs no verdict, and is told once."""
    try:
        await sandbox.close()
    except SandboxError as error:
        warnings.warn(f"{error}; it may still be open", stacklevel=2)


class TrialSandbox:
    """The one sandbox of a trial: opened by the first `open()`, shared by the rest, closed by `close()`."""

    def __init__(
        self,
        acquire: Callable[[], Awaitable[Sandbox]],
        meter: Meter,
        watch: TrialWatch = SILENT,
        acquire_beside: Callable[[], Awaitable[Sandbox]] | None = None,
    ) -> None:
        self._acquire = acquire
        self._acquire_beside = acquire_beside or acquire
        self._meter = meter
        self._watch = watch
        self._sandbox: MeteredSandbox | None = None
        self._kept = b""  # packed files for the next one
        self._opening = asyncio.Lock()  # a node may call `open` twice at once
        self.tier = ""  # of the sandbox, once used

    async def open(self) -> Sandbox:
        async with self._opening:
            if self._sandbox is None:
                self._sandbox = MeteredSandbox(await self._acquire(), self._meter, self._watch)
                self.tier = self._sandbox.tier
                kept, self._kept = self._kept, b""
                if kept:
                    await self._sandbox.unpack(kept)
            return self._sandbox

    def used(self) -> bool:
        """Whether it was opened; if not, it cannot contain anything that a model wrote."""
        return self._sandbox is not None or bool(self._kept)

    async def fresh(self) -> Sandbox:
        """Discard the sandbox with its content, and open another."""
        await self.close()
        return await self.open()

    @contextlib.asynccontextmanager
    async def beside(self) -> AsyncIterator[Sandbox]:
        """A pristine second sandbox for the length of a block."""
        sandbox = MeteredSandbox(await self._acquire_beside(), self._meter, self._watch)
        self.tier = self.tier or sandbox.tier
        async with _closed_behind(sandbox):
            yield sandbox

    def untouched(self, files: bytes) -> contextlib.AbstractAsyncContextManager[Sandbox] | None:
        """The trial's own sandbox, given up for the length of a block: later steps get another one with
        `files` (packed). None if anything was executed in it, since it is then not pristine."""
        sandbox = self._sandbox
        if sandbox is None or sandbox.ran:
            return None
        self._sandbox, self._kept = None, files
        return _closed_behind(sandbox)

    async def snapshot(self) -> bytes:
        """All files of the trial's own sandbox, packed; anew only if a program may have changed them."""
        sandbox = self._sandbox
        if sandbox is None:
            return self._kept
        if sandbox.files is None:
            sandbox.files = await sandbox.pack()
        return sandbox.files

    async def renew(self, files: bytes) -> None:
        """Discard the trial's own sandbox with everything that runs in it: later steps get a pristine one
        with `files` (packed)."""
        await self.close()
        self._kept = files

    async def close(self) -> None:
        self._kept = b""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            await sandbox.close()

    async def end(self) -> None:
        """Close it at the trial's end."""
        if self._sandbox is not None:
            await _ended(self._sandbox)
