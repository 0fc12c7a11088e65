"""The oracle replays a test's right references, the saboteur its wrong ones: tests that prove the tests."""

from __future__ import annotations

import dataclasses
import inspect
import json
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import ProviderError, TestFileError
from assay.models.references import Hook, Variant, line_in, path_for, variants_for
from assay.records import Completion, JsonMode, Message, Model, Tool, Traits, TrialKey
from assay.turns import SHELL, Script, reply_of

NAMES = {"oracle": True, "saboteur": False}


@dataclass
class Performance:
    """One trial's replies, shared by all its roles: which have been given, and to whom it was dealt."""

    trial: TrialKey
    roles: set[str] = field(default_factory=set)
    variant: Variant | None = None
    given: int = 0


class Stage:
    """All performances of the oracle, or of the saboteur, in one run.

    Roles of one trial share a performance. A role that is dealt the same trial a second time starts
    a new one: the trial is being run again.
    """

    def __init__(self, right: bool, root: Path, hook: Hook | None = None) -> None:
        self.right, self.root, self.hook = right, root, hook
        self._latest: weakref.WeakValueDictionary[TrialKey, Performance] = weakref.WeakValueDictionary()

    @property
    def name(self) -> str:
        return "oracle" if self.right else "saboteur"

    def variants(self, trial: TrialKey) -> Sequence[Variant]:
        return variants_for(trial, self.right, self.root, self.hook)

    def join(self, trial: TrialKey, role: str) -> Performance:
        running = self._latest.get(trial)
        if running is None or role in running.roles:
            running = self._latest[trial] = Performance(trial)
        running.roles.add(role)
        return running

    def reply(
        self, performance: Performance, messages: tuple[Message, ...], tools: Sequence[Tool] = ()
    ) -> Completion:
        """The next reply. Raises ProviderError if there is none; TestFileError when a reference breaks, or a
        right one calls a tool that there is not."""
        trial = performance.trial
        table = "RIGHT" if self.right else "WRONG"
        if performance.variant is None:
            variants = self.variants(trial)
            if not variants:
                test = trial.test.rpartition(".")[2]
                raise ProviderError(
                    f'the {self.name} has no reply; add {table}["{test}"] to {self._where(trial)}'
                )
            performance.variant = variants[(trial.epoch - 1) % len(variants)]
        variant = performance.variant
        performance.given += 1
        if callable(variant):
            said = self._call(variant, messages, table, trial)
        else:
            turns = list(_turns(variant, tools))
            if performance.given > len(turns):
                only = "1 reply" if len(turns) == 1 else f"{len(turns)} replies"
                raise ProviderError(
                    f"{trial.test} made call {performance.given}, but its variant in {table} "
                    f"has only {only}; add the missing ones to {self._where(trial)}"
                )
            said = turns[performance.given - 1]
        reply = reply_of(said, len(messages))
        assert reply is not None
        known = [tool.name for tool in tools]
        if self.right and (unknown := [call.name for call in reply.calls if call.name not in known]):
            raise TestFileError(
                f"{self._where(trial)}: {table}: {trial.test} has no tool {unknown[0]!r}; it has "
                f"{', '.join(known) or 'none'}"
            )
        return reply

    def _where(self, trial: TrialKey) -> Path | str:
        return path_for(trial, self.root) or f"the references of {trial.test}"

    def _call(self, variant: Variant, messages: tuple[Message, ...], table: str, trial: TrialKey) -> object:
        assert callable(variant)
        code = inspect.unwrap(variant).__code__ if inspect.isfunction(variant) else None
        where = code.co_filename if code else trial.test
        try:
            reply = variant(messages)
        except Exception as error:  # the reference is the author's own code and may raise anything
            line = line_in(Path(where), error)
            raise TestFileError(f"{where}:{line}: {table}: {type(error).__name__}: {error}") from error
        if reply_of(reply, 0) is None:
            line = code.co_firstlineno if code else 1
            raise TestFileError(
                f"{where}:{line}: {table}: the function must return a string, a Call or a Turn, "
                f"not {type(reply).__name__}"
            )
        return reply


def _turns(variant: Any, tools: Sequence[Tool]) -> Iterator[object]:
    """A variant's turns in order; a Script is given to the argument that the shell cannot do without."""
    shell = next((tool for tool in tools if tool.name == SHELL), None)
    required = json.loads(shell.parameters).get("required") if shell is not None else None
    for turn in variant if isinstance(variant, (list, tuple)) else (variant,):
        if isinstance(turn, Script):
            yield from turn.turns(required[0] if required else "command")
        else:
            yield turn


@dataclass(frozen=True)
class OracleModel:
    """The oracle or the saboteur in one role; bound to a trial once `for_trial` was called."""

    stage: Stage
    role: str
    performance: Performance | None = None
    traits = Traits(free=True, replays=True, self_judged=True)

    @property
    def name(self) -> str:
        return self.stage.name

    def variants(self, trial: TrialKey) -> int:
        """The number of references of a test."""
        return len(self.stage.variants(trial))

    def for_trial(self, trial: TrialKey) -> Model:
        return OracleModel(self.stage, self.role, self.stage.join(trial, self.role))

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        if self.performance is None:
            raise ProviderError(f"the {self.name} answers only inside a trial; call for_trial first")
        reply = self.stage.reply(self.performance, tuple(messages), tools)
        return dataclasses.replace(reply, cost=0.0, model=self.name)
