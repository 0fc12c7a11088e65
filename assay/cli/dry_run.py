"""--dry-run: what a run would ask and cost, without asking it."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from assay.cli.choose import conditions_of
from assay.cli.place import Place, say
from assay.cli.samples import Chosen
from assay.config import Config
from assay.records import LLM, Table
from assay.report.wording import count
from assay.results.store import read_earlier
from assay.running.estimate import Estimate, Estimator
from assay.running.forecast import basis, lines
from assay.running.plan import make_plan, overtaken
from assay.running.roles import ModelSource, judge_names
from assay.suites.changed import head_commit

CACHE_TIME_LIMIT_S = 60.0  # of looking calls up: nobody waits for a run that will follow


def show_estimates(
    options: argparse.Namespace,
    config: Config,
    place: Place,
    models: Sequence[str],
    samples: Chosen,
    flags: dict[str, str | None],
    open_models: Callable[[Config, Path | None], AbstractAsyncContextManager[ModelSource]],
) -> None:
    """The estimates as a table, with a budget in words too. `flags`: role -> --judge or --vision-judge."""
    from assay.report.terminal import show_tables

    async def look() -> list[Estimate]:
        async with open_models(config, place.cache) as source:
            source.references = samples.references
            cache = place.cache / "replies.sqlite" if place.cache else None
            estimator = Estimator(source, place.results, cache, CACHE_TIME_LIMIT_S)
            found = []
            for model in models:
                names = {LLM: model, **judge_names(model, config, flags)}
                done = _done(model, options, place, samples, source)
                plan = make_plan(samples, model, source, options.times, done)
                if done and (kept := make_plan(samples, model, source, options.times).size() - plan.size()):
                    say(f"{model}: {count(kept, 'trial')} done before")
                found.append(await estimator.estimate(model, plan, names))
            return found

    found = asyncio.run(look())
    note = (
        "calls: at least; judges, retries and later turns come on top. First calls that need a sandbox "
        "before they can be known are not looked up. Tokens and cost: of what is not in the cache, by "
        "earlier trials of these tests, judges included; low and high by the cheapest and the dearest trial "
        "of each; - if there are none, or no price is known."
    )
    columns = ("model", "trials", "calls", "first calls cached", "tokens", "cost (USD)", "low", "high", "by")
    rows = tuple(_row(each) for each in found)
    show_tables([Table("What this would run", columns, rows, note)], format=options.format)
    if config.max_cost is not None or config.max_tokens is not None:
        for line in lines(found, config.max_cost, config.max_tokens):
            say(line)


def _done(
    model: str, options: argparse.Namespace, place: Place, samples: Chosen, source: ModelSource
) -> Collection[tuple[str, str, int]]:
    """The trials that --resume or --skip-existing leaves out."""
    if not (options.resume or options.skip_existing):
        return ()
    name, parameters = source.identity(model)
    done: dict[tuple[str, str, int], str] = {}
    problems: list[str] = []
    if options.resume:
        commit = head_commit(place.root)
        if (run := options.runid or place.results.latest(commit, name)) is not None:
            done.update(read_earlier(place.results.run_file(commit, name, run), problems).done)
    if options.skip_existing:
        conditions = {suite: conditions_of(each, options) for suite, each in samples.suites.items()}
        done.update(place.results.verdicts(name, conditions, parameters, problems))
    for problem in problems:
        say(problem)
    return done.keys() - overtaken(make_plan(samples, model, source, options.times), done)


def _row(one: Estimate) -> tuple[str | int | float | None, ...]:
    cost = None if one.judged else one.cost
    dollars = (None,) * 3 if cost is None else (cost.expected, cost.low, cost.high)
    return (
        one.model,
        one.trials,
        one.calls,
        f"{one.cached} of {one.looked_at}",
        None if one.tokens is None or one.judged else round(one.tokens.expected),
        *(None if value is None else round(value, 4) for value in dollars),
        basis(one) or None,
    )
