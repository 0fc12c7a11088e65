"""Observers of a run, which are told of each trial, model call and sandbox command. Trials know only these
protocols; assay/plugins/otel makes OpenTelemetry spans of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from assay.extensions import check_call, extension
from assay.records import Completion, ExecResult, JsonMode, Message, TrialKey, TrialRecord

GROUP = "assay.observers"

# Called inside the block with the result; a block left by an exception was a failure.
Answered = Callable[[Completion], None]
Ran = Callable[[ExecResult], None]


class TrialWatch(Protocol):
    """Watch one trial. Its methods must neither raise nor block."""

    def chat(
        self, model: Any, role: str, messages: Sequence[Message], json: JsonMode
    ) -> AbstractContextManager[Answered]:
        """Surround one call of `model` (a records.Model) in a role: llm, eval_llm, vision_eval_llm."""

    def command(self, argv: Sequence[str], tier: str) -> AbstractContextManager[Ran]:
        """Surround one command in the trial's sandbox."""

    def end(self, record: TrialRecord | None) -> None:
        """The trial is over; None if it was cancelled or the budget ended it."""


class Observer(Protocol):
    def trial(self, key: TrialKey, model: str) -> TrialWatch: ...


def _nothing(outcome: object) -> None: ...


class Silent:
    """An observer that watches nothing, for both protocols."""

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


class ObserverPlugin(Protocol):
    """An instance of the class that an entry point of `assay.observers` names, made before anything is paid
    for. Its __init__(*, content) raises ConfigError if it cannot watch. `content`: it may tell prompts and
    replies."""

    def watch(
        self, facts: Mapping[str, Any], scrub: Callable[[str], str], say: Callable[[str], None]
    ) -> AbstractContextManager[Observer]:
        """Surround a run with these facts. `scrub` removes keys from a text; `say` tells the user."""


class Nobody:
    """Watch no run."""

    def watch(
        self, facts: Mapping[str, Any], scrub: Callable[[str], str], say: Callable[[str], None]
    ) -> AbstractContextManager[Observer]:
        return contextlib.nullcontext(SILENT)


def load_observer(name: str) -> Callable[..., ObserverPlugin]:
    """The class of the installed observer of this name, which is not made yet. Raises ConfigError for
    something else."""
    found: Callable[..., ObserverPlugin] = extension(GROUP, name).load(make=_watches)
    return found


def _watches(kind: Any) -> Any:
    if not callable(watch := getattr(kind, "watch", None)) or not callable(kind):
        raise TypeError(f"it must be an ObserverPlugin, a class with a method watch, not {kind!r:.60}")
    check_call(kind, "def __init__(self, *, content)", content=False)
    check_call(watch, "def watch(self, facts, scrub, say)", None, {}, str, print)
    return kind


def find_observer(name: str, *, content: bool = False) -> ObserverPlugin:
    """The installed observer of this name, '' for none. Raises ConfigError if it cannot watch."""
    if not name:
        return Nobody()
    with extension(GROUP, name).blamed():
        return load_observer(name)(content=content)
