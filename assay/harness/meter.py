"""What one trial used: its models and its sandbox, wrapped so that every call is counted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.harness.observe import SILENT, TrialWatch
from assay.harness.replies import question_hash
from assay.harness.spending import Spending
from assay.records import (
    LLM,
    Completion,
    ExecResult,
    Message,
    Model,
    Reply,
    Sandbox,
    Terminal,
    TerminalOutput,
    TrialKey,
    Usage,
)


@dataclass
class Meter:
    """Sums over one trial. `cost` becomes None for good once a call's price is unknown."""

    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    calls: int = 0
    cached_calls: int = 0
    attempts: int = 0
    model_seconds: float = 0.0
    sandbox_seconds: float = 0.0
    answered_by: dict[str, str] = field(default_factory=dict)  # model -> what its server says it ran
    replies: list[Reply] = field(default_factory=list)

    def add(self, name: str, completion: Completion) -> None:
        self.calls += 1
        self.usage += completion.usage
        if completion.cached:
            self.cached_calls += 1
        else:
            self.attempts += completion.attempts
            self.model_seconds += completion.seconds
        if self.cost is not None:
            self.cost = None if completion.cost is None else self.cost + completion.cost
        if completion.model and completion.model != name:
            self.answered_by[name] = completion.model

    def spent(self) -> dict[str, Any]:
        """All sums, as JSON has them."""
        return asdict(self)

    def resume(self, spent: Mapping[str, Any]) -> None:
        """Begin with what an earlier process spent on the trial. TypeError for what `spent` never gave."""
        replies = [Reply(**{**each, "usage": Usage(**each["usage"])}) for each in spent.get("replies", ())]
        given = {**spent, "usage": Usage(**spent["usage"]), "replies": replies}
        for name, value in given.items():
            if name not in self.__dataclass_fields__:
                raise TypeError(f"no sum is called {name}")
            setattr(self, name, value)


class MeteredModel:
    """A model bound to one trial and its role there, counting into the trial's meter."""

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

    def for_trial(self, trial: TrialKey) -> MeteredModel:
        return MeteredModel(
            self._model.for_trial(trial), self._meter, self._role, self._watch, self._spending
        )

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        with self._watch.chat(self._model, self._role, messages, json) as answered:
            completion = await self._model.complete(messages, json=json)
            answered(completion)
        if self._spending is not None:
            self._spending.add(self._model.name, completion)
        self._meter.add(self._model.name, completion)
        asked = question_hash(messages, json)
        self._meter.replies.append(
            Reply(
                self._role,
                asked,
                completion.text,
                completion.usage,
                completion.cost,
                completion.finish_reason,
            )
        )
        return completion


class MeteredTerminal:
    def __init__(self, terminal: Terminal, meter: Meter) -> None:
        self._terminal = terminal
        self._meter = meter

    async def send(self, data: bytes) -> None:
        await self._terminal.send(data)

    async def read_until(self, marker: bytes, *, time_limit_s: float = 20.0) -> TerminalOutput:
        begin = time.monotonic()
        try:
            return await self._terminal.read_until(marker, time_limit_s=time_limit_s)
        finally:
            self._meter.sandbox_seconds += time.monotonic() - begin

    async def close(self) -> None:
        await self._terminal.close()


class MeteredSandbox:
    """A sandbox whose time counts into a trial's meter."""

    def __init__(self, sandbox: Sandbox, meter: Meter, watch: TrialWatch = SILENT) -> None:
        self._sandbox = sandbox
        self._meter = meter
        self._watch = watch

    @property
    def tier(self) -> str:
        return self._sandbox.tier

    async def run(
        self,
        argv: Sequence[str],
        *,
        files: Mapping[str, bytes] = {},
        stdin: bytes = b"",
        time_limit_s: float = 20.0,
        env: Mapping[str, str] = {},
    ) -> ExecResult:
        begin = time.monotonic()
        try:
            with self._watch.command(argv, self.tier) as ran:
                result = await self._sandbox.run(
                    argv, files=files, stdin=stdin, time_limit_s=time_limit_s, env=env
                )
                ran(result)
            return result
        finally:
            self._meter.sandbox_seconds += time.monotonic() - begin

    async def start(
        self, argv: Sequence[str], *, files: Mapping[str, bytes] = {}, env: Mapping[str, str] = {}
    ) -> Terminal:
        begin = time.monotonic()
        try:
            return MeteredTerminal(await self._sandbox.start(argv, files=files, env=env), self._meter)
        finally:
            self._meter.sandbox_seconds += time.monotonic() - begin

    async def read_file(self, path: str, *, max_bytes: int = 16 << 20) -> bytes:
        begin = time.monotonic()
        try:
            return await self._sandbox.read_file(path, max_bytes=max_bytes)
        finally:
            self._meter.sandbox_seconds += time.monotonic() - begin

    async def close(self) -> None:
        await self._sandbox.close()


class TrialSandbox:
    """The one sandbox of a trial: opened by the first `open()`, shared by the rest, closed by `close()`."""

    def __init__(
        self, acquire: Callable[[], Awaitable[Sandbox]], meter: Meter, watch: TrialWatch = SILENT
    ) -> None:
        self._acquire = acquire
        self._meter = meter
        self._watch = watch
        self._sandbox: Sandbox | None = None
        self._opening = asyncio.Lock()  # a node may ask for it twice at once
        self.tier = ""  # of the sandbox, once it was used

    async def open(self) -> Sandbox:
        async with self._opening:
            if self._sandbox is None:
                self._sandbox = MeteredSandbox(await self._acquire(), self._meter, self._watch)
                self.tier = self._sandbox.tier
            return self._sandbox

    async def fresh(self) -> Sandbox:
        """Throw the sandbox away, with everything in it, and open another."""
        await self.close()
        return await self.open()

    async def close(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            await sandbox.close()
