"""--dry-run: what a run would ask, without asking it."""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass, field
from pathlib import Path

from assay.cli.place import Place
from assay.cli.plan import Samples, make_plan, variants
from assay.cli.players import SELF_JUDGED, ModelSource, judge_names
from assay.cli.samples import Chosen
from assay.harness.config import Config
from assay.harness.engine import Planned
from assay.harness.store import Results, load_records
from assay.nodes.dsl import AndNode, Context, Node, OrNode
from assay.records import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Completion,
    Message,
    Sandbox,
    Table,
    TrialKey,
    TrialRecord,
)

FIRST_STEP_TIME_LIMIT_S = 10.0


def fewest_calls(node: Node) -> int:
    """The calls that a test makes at least: of & and | only the left side is sure to run.

    >>> from assay.nodes.models import LLMRun
    >>> fewest_calls("a" >> LLMRun() >> (LLMRun() | LLMRun()))
    2
    """
    if isinstance(calls := getattr(node, "fewest_calls", None), int):  # a suite's own node may say
        return calls
    if isinstance(node, (AndNode, OrNode)):
        return fewest_calls(node.left)
    if type(node).__name__.startswith("LLM"):
        return 1
    return sum(fewest_calls(child) for child in node._children())


class _FirstCall(BaseException):
    """Ends a trial at its first call. No Exception: no node may swallow it."""

    def __init__(self, role: str, name: str, messages: Sequence[Message], json: bool) -> None:
        super().__init__(role)
        self.role, self.name, self.messages, self.json = role, name, messages, json


class _NeedsSandbox(BaseException):
    """Ends a trial that wants a sandbox before it asks anything."""


@dataclass(frozen=True)
class _Ear:
    """A model that only listens."""

    name: str
    role: str

    def for_trial(self, trial: TrialKey) -> _Ear:
        return self

    async def complete(self, messages: Sequence[Message], *, json: bool = False) -> Completion:
        raise _FirstCall(self.role, self.name, tuple(messages), json)


async def _no_sandbox() -> Sandbox:
    raise _NeedsSandbox


async def first_call(trial: Planned, names: dict[str, str]) -> _FirstCall | None:
    """The first call of a trial, with its messages as the test makes them; None if it cannot be known
    without a sandbox, or if there is none. `names`: role -> model."""
    llm, judge, vision = (_Ear(names[role], role) for role in (LLM, EVAL_LLM, VISION_EVAL_LLM))
    sample = trial.sample
    key = TrialKey(sample.id, trial.epoch, sample.suite, sample.source)
    ctx = Context(llm, judge, vision, _no_sandbox, trial=key)
    try:
        async with asyncio.timeout(FIRST_STEP_TIME_LIMIT_S):
            async with aclosing(trial.sample.test.run("", ctx)) as branches:
                async for output, _ in branches:
                    if output:
                        break
    except _FirstCall as call:
        return call
    except (_NeedsSandbox, Exception):  # noqa: BLE001 - what breaks here is reported by the run
        return None
    return None


@dataclass
class Estimate:
    """What one model's run would do. `cost` in US dollars, from earlier records; None if unknown."""

    model: str
    trials: int = 0
    calls: int = 0  # at least
    first_calls: int = 0  # whose messages are known
    first_cached: int = 0
    cost: float | None = None
    cost_of_trials: int = 0  # trials that the cost was known for


@dataclass
class PastCosts:
    """Mean cost of earlier trials, by (test, model) and by model."""

    by_test: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    by_model: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, record: TrialRecord) -> bool:
        if record.cost is not None and record.calls:
            self.by_test[record.test, record.model].append(record.cost)
            self.by_model[record.model].append(record.cost)
        return False  # nothing needs to be kept

    def of(self, test: str, model: str) -> float | None:
        costs = self.by_test.get((test, model)) or self.by_model.get(model)
        return sum(costs) / len(costs) if costs else None


async def estimate(
    samples: Samples,
    models: Sequence[str],
    judges: dict[str, dict[str, str]],
    source: ModelSource,
    times: int | None,
    results: Results,
) -> list[Estimate]:
    """One estimate a model. `judges`: model -> role -> judge's name."""
    past = PastCosts()
    load_records(results.files(), keep=past.add, light=True)
    found = []
    for model in models:
        names = {LLM: model, **judges[model]}
        one = Estimate(model)
        costs: list[float] = []
        for trial in make_plan(samples, model, source, times):
            if not variants(source, model, trial.sample):
                continue
            one.trials += 1
            one.calls += fewest_calls(trial.sample.test)
            sample = trial.sample
            if (call := await first_call(trial, names)) is not None:
                key = TrialKey(sample.id, trial.epoch, sample.suite, sample.source)
                one.first_calls += 1
                one.first_cached += source.cached(call.name, call.messages, call.json, key, call.role)
            if (cost := past.of(sample.id, model)) is not None:
                costs.append(cost)
        if costs:
            one.cost, one.cost_of_trials = sum(costs) / len(costs) * one.trials, len(costs)
        found.append(one)
    return found


def show_estimates(
    options: argparse.Namespace,
    config: Config,
    place: Place,
    models: Sequence[str],
    samples: Chosen,
    flags: dict[str, str | None],
    open_models: Callable[[Config, Path | None], AbstractAsyncContextManager[ModelSource]],
) -> None:
    """The estimates as a table on stdout. `flags`: role -> --judge or --vision-judge."""
    from assay.report.terminal import show_tables

    async def count() -> list[Estimate]:
        async with open_models(config, place.cache) as source:
            source.references = samples.references
            judges = {model: judge_names(model, config, flags) for model in models}
            return await estimate(samples, models, judges, source, options.times, place.results)

    rows = tuple(
        (
            each.model,
            each.trials,
            each.calls,
            f"{each.first_cached} of {each.first_calls}",
            0.0 if each.model in SELF_JUDGED else None if each.cost is None else round(each.cost, 4),
        )
        for each in asyncio.run(count())
    )
    note = (
        "calls: at least; judges, retries and later turns come on top. First calls that need a sandbox "
        "before they can be known are not looked up. Cost: as if nothing were cached, "
        "from earlier trials of the same model, - if there are none."
    )
    columns = ("model", "trials", "calls", "first calls cached", "cost (USD)")
    show_tables([Table("What this would run", columns, rows, note)], format=options.format)
