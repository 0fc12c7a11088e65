"""Run a trial again if its node was lost, with the replies that it had received: no call is paid twice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from assay.dialogue import given
from assay.records import Completion, JsonMode, Message, Model, Tool, TrialKey, TrialRecord, with_parameters
from assay.running.trial import SandboxPool

MOST_TRIES = 3  # of one trial, which may itself crash its machines


class MortalPool(SandboxPool, Protocol):
    """A pool for one try of one trial, whose machines may be lost. `lost`: one was, with a sandbox of this
    try."""

    @property
    def lost(self) -> bool: ...


Pool = TypeVar("Pool", bound=MortalPool)


class RememberingModel:
    """A model for all tries of one trial. The n-th time that a try asks the same, it gets the n-th reply of
    an earlier try; `again` begins the next try."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._bound: Model | None = None
        self._replies: dict[Any, list[Completion]] = defaultdict(list)
        self._asked: Counter[Any] = Counter()
        self._others: dict[str, RememberingModel] = {}  # by a step's parameters

    def again(self) -> None:
        self._asked.clear()
        for other in self._others.values():
            other.again()

    @property
    def name(self) -> str:
        return self._model.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)  # `parameters` and `about`, if the model has them

    def for_trial(self, trial: TrialKey) -> RememberingModel:
        # The same for every try, because the oracle counts its replies.
        self._bound = self._bound or self._model.for_trial(trial)
        return self

    def with_parameters(self, parameters: Mapping[str, Any]) -> Model:
        """The model with these parameters, the same for every try, since it keeps its replies."""
        key = repr(sorted(parameters.items()))
        if key not in self._others:
            model = with_parameters(self._bound or self._model, parameters)
            self._others[key] = RememberingModel(model)
        return self._others[key]

    async def complete(
        self, messages: Sequence[Message], *, json: JsonMode = False, tools: Sequence[Tool] = ()
    ) -> Completion:
        what = (tuple(messages), json, tuple(tools))
        number = self._asked[what]
        self._asked[what] += 1
        if number < len(self._replies[what]):
            return self._replies[what][number]
        completion = await (self._bound or self._model).complete(messages, json=json, **given(tools))
        self._replies[what].append(completion)
        return completion


async def run_until_kept(
    run: Callable[[Sequence[Model], Pool], Awaitable[TrialRecord]],
    models: Sequence[Model],
    pool: Callable[[], Pool],
) -> TrialRecord:
    """The record of the first try that lost no machine, or of the last one. `run` makes one try, `pool` its
    source of sandboxes."""
    remembering = [RememberingModel(model) for model in models]
    for number in range(1, MOST_TRIES + 1):
        its = pool()
        record = await run(remembering, its)
        if not its.lost or number == MOST_TRIES:
            break
        for model in remembering:
            model.again()
    return record
