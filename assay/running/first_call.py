"""The first call of a trial, found by running its steps up to it: no model, no sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, NoReturn, Unpack

from assay.errors import MissingRequirement
from assay.language.dsl import Context, Node
from assay.language.pictures import decoder, sent_as_it_is
from assay.mistakes import Passing, must_be_raised
from assay.records import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Completion,
    ExecResult,
    JsonMode,
    Message,
    RunOptions,
    Tool,
    TrialKey,
)
from assay.running.meter import check_asked
from assay.running.trial import Planned
from assay.suites.unasked import asks_nobody

FIRST_STEP_TIME_LIMIT_S = 10.0


class _FirstCall(Passing):
    """End a trial at its first call."""

    def __init__(
        self, role: str, name: str, messages: Sequence[Message], json: JsonMode, tools: Sequence[Tool]
    ) -> None:
        super().__init__(role)
        self.role, self.name, self.messages, self.json, self.tools = role, name, messages, json, tools


class _Unknown(Passing):
    """End a trial of which only a run can tell whether it asks, such as one that wants a sandbox first."""


@dataclass(frozen=True)
class _Listener:
    """A model that notes the first call and ends the trial."""

    name: str
    role: str

    def for_trial(self, trial: TrialKey) -> _Listener:
        return self

    def with_parameters(self, parameters: Mapping[str, Any]) -> _Listener:
        raise _Unknown  # the cache is searched with the run's parameters

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        check_asked(messages, json, tools)
        raise _FirstCall(self.role, self.name, tuple(messages), json, tuple(tools))


class _OnlyLooks:
    """A sandbox that is asked for nothing but whether a picture can be sent, and needs no decoder to say
    that it can."""

    async def run(self, argv: Sequence[str], **options: Unpack[RunOptions]) -> ExecResult:
        picture = options.get("stdin", b"")
        if list(argv) == decoder() and sent_as_it_is(picture):
            return ExecResult(b'{"as_is": true}\n', b"", 0)
        raise _Unknown

    def __getattr__(self, name: str) -> NoReturn:
        raise _Unknown


async def _no_sandbox() -> Any:
    return _OnlyLooks()


def _leaves(group: BaseExceptionGroup[_FirstCall]) -> Iterator[_FirstCall]:
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield each


async def first_call(
    trial: Planned, names: Mapping[str, str], time_limit_s: float = FIRST_STEP_TIME_LIMIT_S
) -> _FirstCall | None:
    """The first call of a trial, with its messages; None if it makes none, or if it cannot be known without a
    sandbox, within the time limit, or without an old-style step, whose thread nobody could stop. `names`:
    role -> model."""
    try:
        return await _first_call(trial, names, time_limit_s)
    except (MissingRequirement, _Unknown):
        return None


async def may_ask(trial: Planned, names: Mapping[str, str]) -> bool | None:
    """Whether a trial may ask a model; None if it seems to ask nobody and will be SKIPPED, such as one
    without its data."""
    if any(node.asks for node in trial.sample.nodes):
        return True
    try:
        return await _first_call(trial, names, FIRST_STEP_TIME_LIMIT_S) is not None
    except MissingRequirement:
        return None
    except _Unknown:
        return not asks_nobody(trial.sample.test)


async def _first_call(trial: Planned, names: Mapping[str, str], time_limit_s: float) -> _FirstCall | None:
    """The first call of a trial, None if it makes none. Raises MissingRequirement or _Unknown."""
    if any(type(node).run is Node.run for node in trial.sample.nodes):
        raise _Unknown
    llm, judge, vision = (_Listener(names[role], role) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM))
    ctx = Context(llm, judge, vision, _no_sandbox, trial=trial.key)
    try:
        async with asyncio.timeout(time_limit_s):
            async with aclosing(trial.sample.test.run("", ctx)) as branches:
                async for output, _ in branches:
                    if output:
                        break
    except _FirstCall as call:
        return call
    except BaseExceptionGroup as group:  # from a step that makes several calls at once
        calls, others = group.subgroup(_FirstCall), group.split(Passing)[1]
        if others is not None and must_be_raised(others):
            raise
        if calls is None:
            raise _Unknown from None
        return next(_leaves(calls))
    except MissingRequirement:
        raise
    except BaseException as error:  # what breaks here is reported by the run
        if must_be_raised(error):
            raise
        raise _Unknown from None
    return None
