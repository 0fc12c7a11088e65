"""Run the trials of a session and report progress to the user."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TextIO, cast

from assay.git import NO_COMMIT
from assay.home import docs_page
from assay.records import EVAL_LLM, LLM, VISION_EVAL_LLM, traits_of
from assay.report.progress import Progress
from assay.report.wording import count, money
from assay.results.spending import Spent
from assay.running.misspelt import meant, sections_meant
from assay.running.roles import Roles, judge_names
from assay.running.run import ModelRun, RunResult, Watch, prepare, run_trials
from assay.running.session import Session
from assay.running.since_then import of_earlier_versions, renamed, warning
from assay.suites.flags import flags_of

Watching = Callable[[Session, Sequence[ModelRun]], contextlib.AbstractAsyncContextManager[Watch | None]]


@contextlib.asynccontextmanager
async def nobody(session: Session, runs: Sequence[ModelRun]) -> AsyncIterator[None]:
    """Watch nothing."""
    yield None


async def execute(
    session: Session,
    result: RunResult,
    *,
    watching: Watching = nobody,
    note: Callable[[Sequence[ModelRun]], None] = lambda runs: None,
) -> None:
    """Run the tests that the session selected. `note` gets the runs before any model is asked. Raises
    ConfigError and SandboxUnavailable before anything is spent; a later failure is in `result`."""
    session.check_code(session.selected)
    if session.request.engine == "local":
        await session.check_sandbox(session.selected())
    say = session.message
    async with session:
        runs = prepare(session, result)
        note(runs)
        _announce(session, runs)
        if not runs:
            return
        await _forecast(session, runs)
        source, config = session.source, session.config
        await source.learn([each.model for each in runs if each.left])
        talks = any(source.traits(model).interactive for model in session.models)
        with Progress(
            sum(each.left for each in runs),
            spent=lambda: source.spent,
            unread=lambda: source.unread,
            waiting=lambda: source.waiting,
            retrying=lambda: source.retrying,
            batches=source.waves.words if source.waves else None,
            max_cost=config.max_cost,
            max_tokens=config.max_tokens,
            cached=True,
            file=cast(TextIO, _NoTerminal()) if talks else None,
        ) as display:
            session.message = display.message
            try:
                async with watching(session, runs) as watch:
                    await run_trials(session, runs, display, result, watch)
            finally:
                session.message = say
                _, result.paid = source.spent
    for each in runs:
        if each.spent.calls:
            say(f"{each.model}: {_money(each.store.spending().total())} spent on this run in total")


async def _forecast(session: Session, runs: Sequence[ModelRun]) -> None:
    """Say what will be asked and paid, from the cache and earlier runs. Nothing for the oracle."""
    paid = [each for each in runs if each.left and not traits_of(each.roles.llm).free]
    if not paid:
        return
    from assay.running.estimate import Estimator
    from assay.running.forecast import lines

    cache = session.cache / "replies.sqlite" if session.cache else None
    estimator = Estimator(session.source, session.results, cache)
    found = []
    for each in paid:
        judges = judge_names(each.model, traits_of(each.roles.llm), session.config, session.request.judges)
        # of a judge that no test asks nothing need be known, not even whether there is one
        asks = judges.keys() if session.selected.suites else session.needed.keys() | session.needed_by_rows
        judges = {role: judge if role in asks else "" for role, judge in judges.items()}
        name = each.roles.llm.name
        found.append(await estimator.estimate(name, each.plan, {LLM: each.model, **judges}))
    config = session.config
    for line in lines(found, config.max_cost, config.max_tokens, config.batch):
        session.message(line)


class _NoTerminal(io.TextIOBase):
    """stderr without its terminal: a live display would overwrite what a person is typing."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _announce(session: Session, runs: Sequence[ModelRun]) -> None:
    asked, say, recorded = session.request, session.message, session.results.models()
    told: set[str] = set()
    running = [name for each in runs for name in (each.roles.llm.name, *_judges(session, each.roles))]
    for name, other in sections_meant(session.config.hparams.get("models", {}), running, recorded).items():
        say(
            f"warning: no model is named {name}, so its parameters in hparams.models are not sent. "
            f"Is {other} meant?"
        )
    for each in runs:
        kept = f", {each.kept} done before" if each.kept else ""
        before = f", {_money(each.spent)} spent on it before" if each.spent.calls else ""
        left = f"{each.left} trial{'s'[: each.left != 1]} to run"
        if traits_of(each.roles.llm).self_judged and asked.times is None:
            left += " (one for each reference)"
        say(f"{each.model}: {left}{kept}{before} -> {each.store.path}")
        if other := meant(each.roles.llm.name, recorded):
            say(
                f"{each.model} has no saved results yet, but {other} has. Each name is a model of its own in "
                f"all tables; if this one is misspelt, stop (Ctrl-C) and delete {each.store.path.parent}"
            )
        for name in _judges(session, each.roles):
            known = recorded | session.results.judges() if name not in (*told, *recorded) else set()
            told.add(name)
            if other := meant(name, known):
                say(
                    f"{name} as a judge has no saved results yet, but {other} has. If it is misspelt, stop "
                    "(Ctrl-C): its verdicts would count"
                )
        for text in of_earlier_versions(each.outdated, each.anew, asked.skip_existing):
            say(text)
        if each.others:
            say(
                f"{count(len(each.others), 'trial')} done before of tests that ask or check something else "
                f"now, such as {each.others[0].test}, will be run again"
                + _may_be_conditions(session, each.others[0].suite)
            )
        resumes = each.resumed and each.left
        if resumes and (again := renamed(session.selected(), each.plan, each.store.path)):
            say(again)
        name = each.roles.llm.name
        if each.kept and (told_of := warning(session, name, each.earlier, each.left)):
            say(told_of)
        if begun := each.store.journal().begun() if asked.resume else 0:
            say(f"{each.model}: resuming unfinished trials: {begun}")
        elif asked.resume and each.resumed and not (each.kept or each.earlier.tried):
            say(f"{each.model}: no trial had finished; all {each.left} run")
        elif asked.resume and not each.resumed and any(other.resumed for other in runs):  # or it was told
            elsewhere = session.results.commits(each.roles.llm.name) - {session.commit}
            seen = f" (there are runs at {', '.join(sorted(elsewhere)[:5])})" if elsewhere else ""
            at = f" at commit {session.commit}" if session.commit != NO_COMMIT else ""
            say(f"{each.model}: nothing to resume{at}{seen}; a new run begins")


def _may_be_conditions(session: Session, name: str) -> str:
    """What to do about given flags of a suite that may change its tests without being conditions; ''."""
    if (suite := session.selected.suites.get(name)) is None:
        return ""
    usual = flags_of(suite, session.config.suites.get(name, {})).defaults
    given = {**usual, **session.request.selection.flags}
    free = [each for each in usual if each not in suite.conditions and given[each] != usual[each]]
    named = " or ".join(f"--{each.replace('_', '-')}" for each in free)
    its = f"if {named} changes its tests, name it in the suite's conditions ({docs_page('suites')})"
    return f"; {its}" if free else ""


def _judges(session: Session, roles: Roles) -> list[str]:
    """The judges that are certain to be asked, or were chosen for this run."""
    if traits_of(roles.llm).self_judged:
        return []
    chosen = {role for role, name in session.request.judges.items() if name}
    its = {EVAL_LLM: roles.eval_llm, VISION_EVAL_LLM: roles.vision_eval_llm}
    wanted = chosen | session.needed.keys() | session.needed_by_rows
    return [judge.name for role, judge in its.items() if role in wanted]


def _money(spent: Spent) -> str:
    """'$0.31', or the known part of it, or the tokens if no price is known."""
    tokens = count(spent.usage.input_tokens + spent.usage.output_tokens, "token")
    if spent.unknown == spent.calls:
        return tokens
    return f"{'at least ' if spent.unknown else ''}{money(spent.cost)} ({tokens})"
