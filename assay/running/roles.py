"""The models of a trial: the one under test and its judges."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assay.config import Config
from assay.errors import AssayError, ConfigError
from assay.records import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Completion,
    JsonMode,
    Message,
    Model,
    Tool,
    Traits,
    TrialKey,
    Usage,
    traits_of,
)
from assay.suites.sample import Sample

References = Callable[[TrialKey, bool], Sequence[Any] | Path | None]


class Waves(Protocol):
    """Calls by batch (assay.models.waves.Waves). `busy`: trials that run and do not wait for a reply."""

    busy: int

    def words(self) -> Sequence[str]: ...


class ModelSource(Protocol):
    """A source of models (assay.models.model_registry.ModelRegistry is one). `references`: a function for
    references that are in no file beside the test, called first: its answer is the replies, another file, or
    None for the file beside the test. `message`:
    shows one to the user. `waves`: of calls by batch, if that is how models are asked."""

    references: References | None
    message: Callable[[str], None]
    waves: Waves | None

    @property
    def spent(self) -> tuple[Usage, float | None]: ...

    @property
    def unread(self) -> tuple[int, float]: ...

    @property
    def not_given(self) -> Sequence[str]: ...

    @property
    def waiting(self) -> int: ...

    @property
    def retrying(self) -> Sequence[str]: ...

    def add(self, model: Model) -> str: ...

    def load(self, name: str, role: str = LLM) -> Model: ...

    async def learn(self, names: Sequence[str]) -> None: ...

    async def available(self, provider: str = "ollama") -> Sequence[Any]: ...

    def traits(self, name: str) -> Traits: ...

    def variants(self, name: str, trial: TrialKey) -> int: ...

    def identity(self, name: str) -> tuple[str, Mapping[str, Any]]: ...

    def has_answered(self, name: str, role: str) -> bool: ...

    def price(self, name: str, usage: Usage, calls: int = 1) -> float | None: ...

    def batch_price(self, name: str, usage: Usage, calls: int = 1) -> float | None: ...

    def price_hint(self, name: str) -> str: ...

    def cached(
        self,
        name: str,
        messages: Sequence[Message],
        json: JsonMode,
        trial: TrialKey,
        role: str = LLM,
        tools: Sequence[Tool] = (),
    ) -> bool: ...


class Absent:
    """A judge that could not be loaded. Only a test that asks it notices, and ends as an ERROR with the
    reason."""

    def __init__(self, name: str, why: AssayError) -> None:
        self._name = name
        self._why = why

    @property
    def name(self) -> str:
        return self._name

    def for_trial(self, trial: TrialKey) -> Absent:
        return self

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        raise type(self._why)(*self._why.args)


NO_JUDGE = "no judge"  # its name in the records


OpenModels = Callable[[Config, Path | None], contextlib.AbstractAsyncContextManager[ModelSource]]


@dataclass(frozen=True)
class Roles:
    """The models of one run."""

    llm: Model
    eval_llm: Model
    vision_eval_llm: Model


def roles_asked(sample: Sample) -> set[str]:
    """The roles of the judges that a test asks, according to its tree."""
    return {role for node in sample.nodes for role in node.asks if role in (EVAL_LLM, VISION_EVAL_LLM)}


def judge_names(
    name: str, traits: Traits, config: Config, judges: Mapping[str, str | None]
) -> dict[str, str]:
    """Role -> the judge's name for the model `name`, '' if none is chosen. `judges`: role -> its flag."""
    if traits.self_judged:
        return {EVAL_LLM: name, VISION_EVAL_LLM: name}
    judge = judges.get(EVAL_LLM) or config.judge
    return {EVAL_LLM: judge, VISION_EVAL_LLM: judges.get(VISION_EVAL_LLM) or config.vision_judge or judge}


def load_roles(
    source: ModelSource,
    name: str,
    config: Config,
    judges: Mapping[str, str | None],
    needed: Mapping[str, str],
) -> Roles:
    """The model `name` and its judges. `judges`: role -> --judge or --vision-judge. A judge that cannot be
    loaded is an error at once if a test needs it (`needed`: role -> such a test), else only when asked."""
    llm = source.load(name, LLM)
    names = judge_names(name, traits_of(llm), config, judges)
    found: dict[str, Model] = {}
    for role, flag in ((EVAL_LLM, "judge"), (VISION_EVAL_LLM, "vision_judge")):
        try:
            if not names[role]:
                option = "--" + flag.replace("_", "-")
                test = needed.get(role, "this test")
                raise ConfigError(
                    f"{test} asks a judge and none is set; give {option} provider/model, "
                    f"in Python {flag}=..., or write {flag!r} into config.json"
                )
            found[role] = source.load(names[role], role)
        except AssayError as error:
            if role in needed:  # fail now, before anything is paid for
                raise
            found[role] = Absent(names[role] or NO_JUDGE, error)
    return Roles(llm, found[EVAL_LLM], found[VISION_EVAL_LLM])
