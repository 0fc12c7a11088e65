"""What a run may be watched by: told of each trial, each call of a model and each command in a sandbox.

The engine knows these protocols only; assay/plugins/otel makes OpenTelemetry spans of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from assay.records import Completion, ExecResult, JsonMode, Message, TrialKey, TrialRecord

# Called inside the block with what came out; a block that is left by an exception was a failure.
Answered = Callable[[Completion], None]
Ran = Callable[[ExecResult], None]


class TrialWatch(Protocol):
    """Watches one trial. Its methods must neither raise nor wait."""

    def chat(
        self, model: Any, role: str, messages: Sequence[Message], json: JsonMode
    ) -> AbstractContextManager[Answered]:
        """Around one call of `model` (a records.Model) in a role: llm, eval_llm, vision_eval_llm."""

    def command(self, argv: Sequence[str], tier: str) -> AbstractContextManager[Ran]:
        """Around one command in the trial's sandbox."""

    def end(self, record: TrialRecord | None) -> None:
        """The trial is over; None if it was cancelled or the budget ended it."""


class Observer(Protocol):
    def trial(self, key: TrialKey, model: str) -> TrialWatch: ...


def _nothing(outcome: object) -> None: ...


class Silent:
    """Watches nothing, as both protocols."""

    def trial(self, key: TrialKey, model: str) -> Silent:
        return self

    def chat(
        self, model: Any, role: str, messages: Sequence[Message], json: JsonMode
    ) -> AbstractContextManager[Answered]:
        return contextlib.nullcontext(_nothing)

    def command(self, argv: Sequence[str], tier: str) -> AbstractContextManager[Ran]:
        return contextlib.nullcontext(_nothing)

    def end(self, record: TrialRecord | None) -> None: ...


SILENT = Silent()
