"""A run: every model's trials side by side, saved as they end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from assay.errors import AssayError, ConfigError, RunEnds, StoreError
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Cause, Outcome, TrialKey, TrialRecord
from assay.results import run_notes
from assay.results.conditions import kind_of
from assay.results.same_choice import renew
from assay.results.sandbox_contents import SandboxContents
from assay.results.serialize import plain
from assay.results.spending import Spent
from assay.results.store import Earlier, Store, broken_trials, load_records, read_file
from assay.running.engines import Engine
from assay.running.plan import NO_REFERENCES, is_done_by_other, run_again
from assay.running.resumed_run import chosen_by, runs_to_resume
from assay.running.roles import NO_JUDGE, Roles, roles_asked
from assay.running.session import Session
from assay.running.trial import Planned, run_plan

SYNC_EVERY_S = 1.0
MOST_MISTAKES = 100  # distinct errors in tests that a run tells at once


class Display(Protocol):
    """Shows the progress (assay.report.progress.Progress is one)."""

    def done(self, record: TrialRecord) -> None: ...

    def running(self, count: int) -> None: ...

    def message(self, text: str) -> None: ...


class Watch(Protocol):
    """Is told which trials are under way (assay.report.live.watch.LivePage is one)."""

    def trial(self, trial: Planned, model: str) -> contextlib.AbstractContextManager[None]: ...


@dataclass
class ModelRun:
    """One model's share of a run."""

    model: str
    roles: Roles
    store: Store
    plan: Iterable[Planned]  # the trials to run; may be iterated again
    earlier: Earlier
    left: int  # trials to run
    kept: int  # trials that exist already
    outdated: int  # of these, by an earlier version of their test
    anew: int = 0  # of those to run, made before by an earlier version of their test
    spent: Spent = field(default_factory=Spent)  # by earlier commands that ran this run
    others: Sequence[TrialKey] = ()  # of those to run, made before of tests that asked something else
    resumed: bool = False  # its file is that of an earlier command
    trials: int = 0  # that its file will have
    chosen: str = ""  # a hash of what chooses its tests
    which: run_notes.Trials = field(default_factory=dict)  # of these, those that were asked for
    asked: bytearray = field(default_factory=bytearray)  # the ids of all trials, also of those left out
    finish: Callable[[TrialRecord], TrialRecord] = lambda record: record  # adds what the engine does not know


@dataclass
class RunResult:
    """The result of a run. `failure`: what stopped it (budget, disk). `count`: counts its results, including
    those of earlier runs in the same files. `unproved`: by model, tests without a reply for it. `paid`: US
    dollars, None if a price is unknown."""

    count: Callable[[TrialRecord], None] | None = None
    files: list[Path] = field(default_factory=list)
    failure: AssayError | None = None
    problems: list[str] = field(default_factory=list)
    unproved: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    paid: float | None = 0.0
    steps: tuple[int, int] | None = None  # commands run in sandboxes, and answered from the cache


def prepare(session: Session, result: RunResult) -> list[ModelRun]:
    """Load every model and open every run's file before anything is spent. Raises ConfigError."""
    asked, results = session.request, session.results
    _check_batch(session)
    # first, because a wrong key must leave no empty run
    loaded = [(model, session.roles(model)) for model in session.models]
    runs: list[ModelRun] = []
    chosen = chosen_by(session)
    names = {model: its.llm.name for model, its in loaded}
    found = runs_to_resume(session, names, result.problems) if asked.resume else {}

    try:
        for model, its in loaded:
            name = its.llm.name  # the name in records; a model given as a file names itself
            run, earlier = found.get(model, (asked.runid, Earlier()))
            if asked.resume and run is not None:
                store = results.open_existing(session.commit, name, run)
                _check_conditions(session, model, run, earlier)
                _check_asking(session, its, run, earlier, store.path)
            else:
                run, store = None, results.open_new(session.commit, name, run)
            result.files.append(store.path)
            had = len(earlier.done) + len(earlier.broken)
            if asked.skip_existing:
                parameters, conditions = getattr(its.llm, "parameters", {}), session.selected.conditions
                results.verdicts(name, conditions, parameters, result.problems, earlier.done)
            others, anew = run_again(session.plan(model), earlier.done)
            _count_done(store.path, earlier, session, result)
            left = kept = outdated = broke = 0
            which: run_notes.Trials = {}
            asked_for = bytearray()
            for trial in session.plan(model):
                old = earlier.done.get(trial.key)
                asked_for += run_notes.id_of(trial.key)
                if old is None or not asked.skip_existing:  # else its verdict may be in another file
                    note_trial(trial, which)
                left += old is None
                broke += old is None and trial.key in earlier.broken
                kept += old is not None
                outdated += is_done_by_other(trial, earlier.done)
            plan, resumed = session.plan(model, earlier.done), run is not None
            there = broke + len(anew) + len(others) if resumed else 0  # lines of what is run again
            runs.append(
                ModelRun(
                    model, its, store, plan, earlier, left, kept, outdated, len(anew),
                    spent=store.spending().total(), others=others, resumed=resumed,
                    trials=had + left - there, chosen=chosen, which=which, asked=asked_for,
                )
            )  # fmt: skip
            if asked.skip_existing and not runs[-1].left and not store.path.stat().st_size:
                old = ""
                if outdated:
                    again = "to run these again, name the test and leave out --skip-existing"
                    old = f", {outdated} of them on an earlier version of the test: {again}"
                session.message(f"{name}: nothing left to run, all {kept} trials were done before{old}")
                run_notes.end(store.path, 0, chosen, asked_for)
                _forget(runs.pop(), result)
            elif run is None and not (left or kept):  # its tests could not be made
                session.message(f"{name}: nothing to run")
                _forget(runs.pop(), result)
    except BaseException:
        for each in runs:
            each.store.close()
        raise
    return runs


def note_trial(trial: Planned, which: run_notes.Trials) -> None:
    sample = trial.sample
    tests = run_notes.Tests(sample.suite, sample.source, kind_of(sample))
    which.setdefault(tests, bytearray()).extend(run_notes.noted(trial.key, sample.fingerprint))


def _forget(run: ModelRun, result: RunResult) -> None:
    """Delete the empty file of a run that has no trial."""
    run.store.close()
    result.files.remove(run.store.path)
    run.store.path.unlink()


def _check_batch(session: Session) -> None:
    """Raise ConfigError for a test that cannot be run by batch."""
    if not session.config.batch:
        return
    from assay.language.bridge.agent_command import AgentCommand

    for sample in session.selected():
        if any(isinstance(node, AgentCommand) for node in sample.test.walk()):
            raise ConfigError(
                f"--batch: {sample.id} runs an agent program, which would give up waiting for a reply; leave "
                "it out, or --batch"
            )


def _count_done(path: Path, earlier: Earlier, session: Session, result: RunResult) -> None:
    """Count and note the verdicts that a run's file already has."""

    def counts(record: TrialRecord) -> bool:
        return record.key in earlier.done and session.wants(record)

    if earlier.parameters:  # it has verdicts
        for record in load_records([path], keep=counts, light=True).records:
            earlier.note(record)
            if result.count is not None:
                result.count(record)


def _check_conditions(session: Session, model: str, run: str, earlier: Earlier) -> None:
    """Check that a resumed run has its original conditions. Raises ConfigError naming what differs."""
    for suite, then in earlier.conditions.items():
        now = session.selected.conditions.get(suite, then)
        if now.keys() != then.keys():
            had, has = (", ".join(each) or "none" for each in (then, now))
            raise ConfigError(
                f"run {run} of {model} was made when suite {suite} had the conditions {had}, and now it has "
                f"{has}: declare the same ones, or start a new run (without --resume)"
            )
        if now != then:
            other = [name for name in {**then, **now} if then.get(name) != now.get(name)]
            said = ", ".join(f"{_flag(name)} {_shown(then.get(name))}" for name in other)
            asked = ", ".join(f"{_flag(name)} {_shown(now.get(name))}" for name in other)
            raise ConfigError(
                f"run {run} of {model} was made with {said}, but this command has {asked}: give the same, "
                "or start a new run (without --resume)"
            )


def _check_asking(session: Session, its: Roles, run: str, earlier: Earlier, path: Path) -> None:
    """Check that a resumed run has its original parameters and, for tests that ask judges, its judges;
    otherwise its rate would mix two. Raises ConfigError."""
    differ: list[tuple[str, str]] = []
    now = plain(getattr(its.llm, "parameters", {}))
    for then in earlier.parameters:
        names = [name for name in {**then, **now} if then.get(name) != now.get(name)]
        differ += ((f"{name} {_shown(then.get(name))}", f"{name} {_shown(now.get(name))}") for name in names)
    judges = {EVAL_LLM: its.eval_llm.name, VISION_EVAL_LLM: its.vision_eval_llm.name}

    def others(then: Mapping[str, str]) -> dict[str, str]:
        return {role: was for role, was in then.items() if was not in (judges.get(role, was), NO_JUDGE)}

    changed: dict[tuple[str, str], dict[str, str]] = {}  # (suite, test) -> its judges then
    for record in read_file(path, [], light=True) if any(map(others, earlier.judges)) else ():
        if record.key in earlier.done and (then := others(record.judges)):
            changed[record.suite, record.test] = then
    for sample in session.selected() if changed else ():
        then = changed.get((sample.suite, sample.id), {})
        for role in sorted(then.keys() & roles_asked(sample)):
            differ.append((f"the judge {then[role]}", f"the judge {judges[role]}"))
    if differ:
        before, after = (", ".join(dict.fromkeys(texts)) for texts in zip(*differ, strict=True))
        raise ConfigError(
            f"run {run} of {its.llm.name} was made with {before}, but this command has {after}: give the "
            "same, or start a new run (without --resume)"
        )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _shown(value: Any) -> str:
    return "not given" if value is None else str(value)


async def run_trials(
    session: Session,
    runs: Sequence[ModelRun],
    display: Display,
    result: RunResult,
    watch: Watch | None = None,
) -> None:
    """Run every trial that is left. Trials that ended are on disk even if this is cancelled."""
    running = 0

    def on_running(change: int) -> None:
        nonlocal running
        running += change
        if session.source.waves is not None:
            session.source.waves.busy += change
        display.running(running)

    first = runs[0].store.path.stem
    engine = await session.open_engine(f"{session.commit}-{first}", sum(each.left for each in runs))
    options = session.trial_options
    async with contextlib.AsyncExitStack() as stack:
        for each in runs:
            stack.enter_context(each.store)
        await stack.enter_async_context(_synced([each.store for each in runs], session, result))
        contents = SandboxContents([each.store.path for each in runs])
        stack.callback(contents.stop)
        try:
            async with asyncio.TaskGroup() as group:
                for each in runs:
                    work = _run_model(each, session, engine, display, on_running, result, watch, contents)
                    group.create_task(work)
            await contents.finish()
        except BaseExceptionGroup as errors:
            ours = errors.subgroup(AssayError)
            error: BaseException = ours if ours is not None else errors
            while isinstance(error, BaseExceptionGroup):
                error = error.exceptions[0]
            if not isinstance(error, AssayError):
                raise error from None
            result.failure = error
        finally:
            if (memo := options.memo) is not None:
                result.steps = memo.ran, memo.remembered
            if result.count is not None:
                for each in runs:  # trials whose next try did not come
                    for record in broken_trials(each.store.path, each.earlier.broken):
                        if session.wants(record):
                            result.count(record)


async def _run_model(
    run: ModelRun,
    session: Session,
    engine: Engine,
    display: Display,
    on_running: Callable[[int], None],
    result: RunResult,
    watch: Watch | None,
    contents: SandboxContents,
) -> None:
    its = run.roles
    journal, spending = run.store.journal(), run.store.spending()
    journal.forget_all(run.earlier.done)

    async def one(trial: Planned) -> TrialRecord:
        with watch.trial(trial, its.llm.name) if watch else contextlib.nullcontext():
            return await session.trial(
                trial, run.model, its, journal=journal, spending=spending, note=contents.note
            )

    told: set[str] = set()
    scrub = session.results.scrub

    def on_record(record: TrialRecord) -> None:
        record = run.finish(record)
        run.store.append(record)
        if record.outcome is not Outcome.ERROR:  # after an ERROR the next try continues from there
            journal.forget(record.key)
        run.earlier.broken.discard(record.key)
        if result.count is not None:
            result.count(replace(record, error=scrub(record.error)) if record.error else record)
        if record.error.startswith(NO_REFERENCES):
            result.unproved.setdefault(record.model, set()).add((record.suite, record.test))
        mistake = record.outcome is Outcome.ERROR and record.cause == Cause.GRADER
        if mistake and record.why not in told and len(told) < MOST_MISTAKES:
            told.add(record.why)  # at once, because every further trial of the test is lost until it is fixed
            display.message(scrub(f"error in {record.test}: {record.why.removeprefix('GraderError: ')}"))
        display.done(record)

    run_notes.begin(run.store.path, run.trials, run.chosen, run.which, part=run.resumed)
    if run.chosen:
        renew(run.store.path, run.chosen, run.which, run.asked)
    stopped = await run_plan(
        session.order(run.plan, its),
        one,
        workers=lambda: max(1, min(engine.workers(run.roles.llm), run.left)),
        on_record=on_record,
        on_running=on_running,
    )
    if isinstance(stopped, RunEnds):
        result.failure = stopped
    else:
        run_notes.end(run.store.path, run.trials, run.chosen, run.asked)


@contextlib.asynccontextmanager
async def _synced(stores: Sequence[Store], session: Session, result: RunResult) -> AsyncIterator[None]:
    """Flush the stores to the disk once a second, in a thread, since a disk may be slow. A failure is told at
    once and becomes the run's, which continues, because the data may have been written."""
    stop = asyncio.Event()

    async def keep() -> None:
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SYNC_EVERY_S):
                    await stop.wait()
            for store in stores:
                try:
                    await asyncio.to_thread(store.sync)
                except StoreError as error:
                    if result.failure is None:
                        session.message(str(error))
                        result.failure = error

    task = asyncio.create_task(keep())
    try:
        yield
    finally:
        stop.set()
        await asyncio.shield(task)  # the files must not be closed under a running sync
