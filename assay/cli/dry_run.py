"""--dry-run: what a run would ask and cost, without asking it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Sequence

from assay.records import LLM, Cell, Table
from assay.report.terminal import Format, show_tables
from assay.report.wording import count, money
from assay.results.trial_index import TrialIndex
from assay.running.estimate import Estimate, Estimator
from assay.running.forecast import NOT_ALIKE, basis, lines
from assay.running.plan import is_done_by_other, run_again
from assay.running.resumed_run import runs_to_resume
from assay.running.roles import judge_names
from assay.running.session import Session
from assay.running.since_then import of_earlier_versions

CACHE_TIME_LIMIT_S = 60.0  # for looking calls up, before a run that will follow
SILENT_S = 2.0  # after which that is said


def show_estimates(session: Session, format: Format) -> None:
    """The estimates as a table, with a budget in words too."""
    config, say = session.config, session.message

    async def look() -> list[Estimate]:
        async with session:
            cache = session.cache / "replies.sqlite" if session.cache else None
            estimator = Estimator(session.source, session.results, cache, CACHE_TIME_LIMIT_S)
            found, problems = list[Estimate](), list[str]()
            recorded = {model: session.source.identity(model)[0] for model in session.models}
            resumed = runs_to_resume(session, recorded, problems) if session.request.resume else {}
            for problem in problems:
                say(problem)
            for model in session.models:
                names = {
                    LLM: model,
                    **judge_names(model, session.source.traits(model), config, session.request.judges),
                }
                done, anew = _done(model, session, resumed[model][1].done if resumed else TrialIndex())
                plan = session.plan(model, done)
                if done and (kept := session.plan(model).size() - plan.size()):
                    say(f"{model}: {count(kept, 'trial')} done already")
                old = sum(is_done_by_other(trial, done) for trial in session.plan(model)) if done else 0
                for text in of_earlier_versions(old, anew, session.request.skip_existing):
                    say(text)
                estimate = asyncio.ensure_future(estimator.estimate(model, plan, names))
                if not (await asyncio.wait([estimate], timeout=SILENT_S))[0]:
                    say(f"{model}: looking calls up in the cache, for {CACHE_TIME_LIMIT_S:g} s at most")
                found.append(await estimate)
            return found

    with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
        found = asyncio.run(look())
    note = (
        "Calls are a minimum. Tokens and cost are of what is not in the cache, judges included, from earlier "
        "trials; low and high from the cheapest and the dearest of each test; -: unknown."
    )
    if any(each.hidden for each in found):
        note += " First calls that depend on a sandbox cannot be looked up and count as to be paid."
    partial = any(each.unlike and each.tokens for each in found)
    if partial:
        note += f" ≥: at least, since the tests not estimated are {NOT_ALIKE}."
    if any(each.batch_cost is not None for each in found):
        note += " By batch: with --batch."
    note += _several(found) if session.request.times is None else ""
    columns = (
        *("model", "trials", "calls", "first calls cached", "tokens", "cost (USD)", "low", "high"),
        *("by batch (USD)", "estimated from"),
        *["tests not estimated"] * partial,
    )
    rows = tuple((*_row(each), *[each.unlike] * partial) for each in found)
    show_tables([Table("What this would run", columns, rows, note)], format=format)
    if config.max_cost is not None or config.max_tokens is not None:
        for line in lines(found, config.max_cost, config.max_tokens, config.batch):
            say(line)


def _done(model: str, session: Session, done: TrialIndex) -> tuple[TrialIndex, int]:
    """The trials that --resume or --skip-existing leaves out, and the number of those that run again because
    their tests changed. `done`: of the run that is resumed."""
    asked, problems = session.request, list[str]()
    if not (asked.resume or asked.skip_existing):
        return done, 0
    if asked.skip_existing:
        name, parameters = session.source.identity(model)
        session.results.verdicts(name, session.selected.conditions, parameters, problems, done)
    for problem in problems:
        session.message(problem)
    _, anew = run_again(session.plan(model), done)
    return done, len(anew)


def _several(estimates: Sequence[Estimate]) -> str:
    """Why there are more trials than tests, though --times was not given; '' if there are not."""
    many = [(each.replays, *its) for each in estimates for its in each.epochs.items() if its[1] > 1]
    said = [f"up to {n} of {suite}, as the suite says" for replays, suite, n in many if not replays]
    said += ["by the oracle or the saboteur one for each reference"] * any(its[0] for its in many)
    return (
        f" Trials of a test: {'; '.join(dict.fromkeys(said))} (--times sets another number)." if said else ""
    )


def _row(one: Estimate) -> tuple[str | int | Cell | None, ...]:
    cost = None if one.judged else one.cost
    dollars = (None,) * 3 if cost is None else (cost.expected, cost.low, cost.high)
    batch = None if one.judged or one.batch_cost is None else one.batch_cost.expected
    tokens = None if one.tokens is None or one.judged else round(one.tokens.expected)
    least = "≥ " if one.unlike else ""
    return (
        one.model,
        one.trials,
        one.calls,
        None if one.free or not one.asking else f"{one.cached} of {one.looked_at + one.hidden}",
        None if tokens is None else Cell(tokens, f"{least}{tokens:,}"),
        *(None if value is None else Cell(value, f"{least}{money(value)}") for value in (*dollars, batch)),
        basis(one).removeprefix("by ") or None,
    )
