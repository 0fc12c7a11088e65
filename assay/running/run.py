"""--run-tests: every model's trials side by side, saved as they end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from assay.config import Config
from assay.errors import AssayError, ConfigError, RunEnds, StoreError
from assay.records import EVAL_LLM, VISION_EVAL_LLM, Cause, Model, Outcome, TrialKey, TrialRecord
from assay.report.aggregate import GridCounter
from assay.results.insides import Insides
from assay.results.serialize import plain
from assay.results.spending import Spent
from assay.results.store import Earlier, Results, Store, load_records, read_earlier
from assay.results.test_versions import is_other
from assay.running.engines import Engine
from assay.running.memo import Memo, open_memo
from assay.running.observe import SILENT, Observer
from assay.running.plan import NO_REFERENCES, Samples, make_plan, overtaken, variants, without_references
from assay.running.roles import NO_JUDGE, ModelSource, Roles, roles_asked
from assay.running.trial import Planned, SandboxPool, TrialOptions, run_plan, run_trial

SYNC_EVERY_S = 1.0


class Display(Protocol):
    """What shows the progress (assay.report.progress.Progress is one)."""

    def done(self, record: TrialRecord) -> None: ...

    def running(self, count: int) -> None: ...

    def message(self, text: str) -> None: ...


@dataclass(frozen=True)
class Job:
    """All that a run is told. `wanted`: whether the flags mean a test of that id and tags. `cache`: the
    folder of remembered replies and steps, None for --no-cache."""

    samples: Samples
    wanted: Callable[[str, Sequence[str]], bool]
    models: Sequence[str]
    config: Config
    results: Results
    commit: str
    cache: Path | None
    times: int | None = None
    resume: bool = False
    skip_existing: bool = False
    run: str | None = None
    resumed: Mapping[str, str] = field(default_factory=dict)  # model -> the run that --resume means
    dirty: bool = False
    conditions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # suite -> flag -> value
    suites: Mapping[str, str] = field(default_factory=dict)  # suite of its own -> hash of its files
    reuse_steps: bool = False  # remembered sandbox steps answer in all tests, not only in deterministic ones
    ray: str | None = None  # the cluster's address, '' for the one at hand; None: on this machine
    observer: Observer = SILENT


class Watch(Protocol):
    """Who is told which trials are under way (assay.cli.live.LivePage is one)."""

    def trial(self, trial: Planned, model: str) -> contextlib.AbstractContextManager[None]: ...


class Trials(Protocol):
    """What is to be run (assay.running.plan.Plan is one)."""

    def __iter__(self) -> Iterator[Planned]: ...

    def size(self) -> int: ...


@dataclass
class ModelRun:
    """One model's share of a job."""

    model: str
    players: Roles
    store: Store
    plan: Trials
    earlier: Earlier
    left: int  # trials to run
    kept: int  # trials that are there already
    outdated: int  # of these, made by an earlier version of their test
    anew: int = 0  # of those to run, made before by an earlier version of their test
    spent: Spent = field(default_factory=Spent)  # by earlier commands that ran this run
    finish: Callable[[TrialRecord], TrialRecord] = lambda record: record  # adds what the engine cannot know


@dataclass
class RunResult:
    """How a run ended. `failure`: what stopped it (budget, disk). `message`: how to tell the user
    something meanwhile. `counter`: what came out, with what the runs' files held before."""

    message: Callable[[str], None]
    counter: GridCounter = field(default_factory=GridCounter)
    files: list[Path] = field(default_factory=list)
    failure: AssayError | None = None
    problems: list[str] = field(default_factory=list)
    missing_references: int = 0
    steps: tuple[int, int] | None = None  # commands run in sandboxes, and answered from memory


def prepare(
    job: Job, source: ModelSource, players: Callable[[str], Roles], ending: RunResult
) -> list[ModelRun]:
    """Load every model and open every run's file before anything is spent. Raises ConfigError."""
    loaded = [(model, players(model)) for model in job.models]  # first: a wrong key must leave no empty run
    runs: list[ModelRun] = []

    try:
        for model, its in loaded:
            name = its.llm.name  # what records say; a model given as a file names itself
            earlier = Earlier()
            run = job.run
            if job.resume:
                run = job.run or job.resumed.get(name) or job.results.latest(job.commit, name)
            if job.resume and run is not None:
                store = job.results.open_existing(job.commit, name, run)
                earlier = read_earlier(store.path, ending.problems)
                _check_conditions(job, model, run, earlier)
                _check_asking(job, its, run, earlier)
            else:
                store = job.results.open_new(job.commit, name, run)
            ending.files.append(store.path)
            if job.skip_existing:
                its_parameters = getattr(its.llm, "parameters", {})
                saved = job.results.verdicts(name, job.conditions, its_parameters, ending.problems)
                earlier.done = {**saved, **earlier.done}
            anew = overtaken(make_plan(job.samples, model, source, job.times), earlier.done)
            for key in anew:
                del earlier.done[key]
            _count_done(store.path, earlier, job, ending)
            plan = make_plan(job.samples, model, source, job.times, earlier.done)
            kept = outdated = 0
            for trial in make_plan(job.samples, model, source, job.times) if earlier.done else ():
                old = earlier.done.get((trial.sample.suite, trial.sample.id, trial.epoch))
                kept += old is not None
                outdated += is_other(old or "", trial.sample.fingerprint)
            spent = store.spending().total()
            left = plan.size()
            runs.append(ModelRun(model, its, store, plan, earlier, left, kept, outdated, len(anew), spent))
            if job.skip_existing and not runs[-1].left and not store.path.stat().st_size:
                old = f", {outdated} of them on an earlier version of the test" if outdated else ""
                ending.message(f"{name}: nothing left to run, all {kept} trials were done before{old}")
                ending.files.remove(store.path)
                runs.pop().store.close()
                store.path.unlink()
    except BaseException:
        for each in runs:
            each.store.close()
        raise
    return runs


def _count_done(path: Path, earlier: Earlier, job: Job, ending: RunResult) -> None:
    """The verdicts that a run's file holds already are part of what comes out."""

    def counts(record: TrialRecord) -> bool:
        its = (record.suite, record.test, record.epoch)
        return its in earlier.done and job.wanted(record.test, record.tags)

    if earlier.parameters:  # it has verdicts
        for record in load_records([path], keep=counts, light=True).records:
            ending.counter.add(record)


def _check_conditions(job: Job, model: str, run: str, earlier: Earlier) -> None:
    """A run goes on under the conditions that it began under. Raises ConfigError naming what differs."""
    for suite, then in earlier.conditions.items():
        now = job.conditions.get(suite, then)
        if now != then:
            other = [name for name in {**then, **now} if then.get(name) != now.get(name)]
            said = ", ".join(f"{_flag(name)} {_shown(then.get(name))}" for name in other)
            asked = ", ".join(f"{_flag(name)} {_shown(now.get(name))}" for name in other)
            raise ConfigError(
                f"run {run} of {model} was made with {said}, and this command means {asked}: give the same, "
                "or start a new run (without --resume)"
            )


def _check_asking(job: Job, its: Roles, run: str, earlier: Earlier) -> None:
    """A run goes on with the parameters, and of tests that ask one the judges, that it began with: its rate
    would be neither's. Raises ConfigError."""
    differ: list[tuple[str, str]] = []
    now = plain(getattr(its.llm, "parameters", {}))
    for then in earlier.parameters:
        names = [name for name in {**then, **now} if then.get(name) != now.get(name)]
        differ += ((f"{name} {_shown(then.get(name))}", f"{name} {_shown(now.get(name))}") for name in names)
    judges = {EVAL_LLM: its.eval_llm.name, VISION_EVAL_LLM: its.vision_eval_llm.name}
    changed = {
        test: roles
        for test, then in earlier.judges.items()
        if (roles := {role for role, name in judges.items() if then.get(role, name) not in (name, NO_JUDGE)})
    }
    for sample in job.samples() if changed else ():
        then = earlier.judges.get((sample.suite, sample.id), {})
        for role in sorted(changed.get((sample.suite, sample.id), set()) & roles_asked(sample)):
            differ.append((f"the judge {then[role]}", f"the judge {judges[role]}"))
    if differ:
        before, after = (", ".join(dict.fromkeys(texts)) for texts in zip(*differ, strict=True))
        raise ConfigError(
            f"run {run} of {its.llm.name} was made with {before}, and this command means {after}: give the "
            "same, or start a new run (without --resume)"
        )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _shown(value: Any) -> str:
    return "not given" if value is None else str(value)


async def run_job(
    job: Job,
    runs: Sequence[ModelRun],
    source: ModelSource,
    engine: Engine,
    display: Display,
    ending: RunResult,
    watch: Watch | None = None,
) -> None:
    """Run every trial that is left. What ended is on disk also when this is cancelled."""
    running = 0

    def on_running(change: int) -> None:
        nonlocal running
        running += change
        display.running(running)

    async with contextlib.AsyncExitStack() as stack:
        for each in runs:
            stack.enter_context(each.store)
        memo = None
        if job.cache is not None:
            memo = open_memo(job.cache, display.message)
        if memo is not None:
            stack.callback(memo.close)
            stack.callback(_count_steps, memo, ending)
        await stack.enter_async_context(_synced([each.store for each in runs], ending))
        insides = Insides([each.store.path for each in runs])
        stack.callback(insides.stop)
        commit = job.commit + ("-dirty" if job.dirty else "")
        setting = TrialOptions(
            commit,
            job.config.trial_time_limit_s,
            memo,
            reuse_steps=job.reuse_steps,
            observer=job.observer,
            suites=job.suites,
        )
        try:
            async with asyncio.TaskGroup() as group:
                for each in runs:
                    work = _run_model(
                        each, job, source, engine, setting, display, on_running, ending, watch, insides
                    )
                    group.create_task(work)
            await insides.finish()
        except BaseExceptionGroup as errors:
            ours = errors.subgroup(AssayError)
            first: BaseException = ours if ours is not None else errors
            while isinstance(first, BaseExceptionGroup):
                first = first.exceptions[0]
            if not isinstance(first, AssayError):
                raise first from None
            ending.failure = first
        finally:
            for each in runs:  # whose next try did not come
                for record in each.earlier.broken.values():
                    if job.wanted(record.test, record.tags):
                        ending.counter.add(record)


async def _run_model(
    run: ModelRun,
    job: Job,
    source: ModelSource,
    engine: Engine,
    setting: TrialOptions,
    display: Display,
    on_running: Callable[[int], None],
    ending: RunResult,
    watch: Watch | None,
    insides: Insides,
) -> None:
    its = run.players
    journal, spending = run.store.journal(), run.store.spending()
    for suite, test, epoch in run.earlier.done:  # it may have been killed before it could forget them
        journal.forget(TrialKey(test, epoch, suite))

    players = (its.llm, its.eval_llm, its.vision_eval_llm)

    async def one(trial: Planned) -> TrialRecord:
        sample, epoch = trial.sample, trial.epoch
        if not variants(source, run.model, sample):
            return without_references(trial, run.model, setting.commit)

        async def once(models: Sequence[Model], pool: SandboxPool) -> TrialRecord:
            llm, judge, vision_judge = models
            record = await run_trial(
                sample,
                llm,
                judge,
                vision_judge,
                pool,
                epoch=epoch,
                setting=setting,
                journal=journal,
                spending=spending,
            )
            return insides.note(record, pool)

        return await engine.one(once, players, sample)

    async def watched(trial: Planned) -> TrialRecord:
        with watch.trial(trial, its.llm.name) if watch else contextlib.nullcontext():
            return await one(trial)

    told: set[str] = set()

    def on_record(record: TrialRecord) -> None:
        record = run.finish(record)
        run.store.append(record)
        if record.outcome is not Outcome.ERROR:  # else the next try goes on from there
            journal.forget(TrialKey(record.test, record.epoch, record.suite))
        run.earlier.broken.pop((record.suite, record.test, record.epoch), None)
        ending.counter.add(replace(record, error=job.results.scrub(record.error)) if record.error else record)
        ending.missing_references += record.error == NO_REFERENCES
        if record.outcome is Outcome.ERROR and record.cause == Cause.GRADER and record.why not in told:
            told.add(record.why)  # while it can still be mended: every further trial of the test is lost
            display.message(
                job.results.scrub(f"mistake in {record.test}: {record.why.removeprefix('GraderError: ')}")
            )
        display.done(record)

    stopped = await run_plan(
        run.plan,
        watched if watch is not None else one,
        workers=lambda: max(1, min(engine.workers(run.model), run.left)),
        on_record=on_record,
        on_running=on_running,
    )
    if isinstance(stopped, RunEnds):
        ending.failure = stopped


def _count_steps(memo: Memo, ending: RunResult) -> None:
    ran, remembered = ending.steps or (0, 0)
    ending.steps = ran + memo.ran, remembered + memo.remembered


@contextlib.asynccontextmanager
async def _synced(stores: Sequence[Store], ending: RunResult) -> AsyncIterator[None]:
    """Puts what the stores wrote onto the disk once a second, in a thread: a disk may be slow. A failure is
    told at once and is the run's, which goes on: what was written may well be there."""
    stop = asyncio.Event()

    async def keep() -> None:
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), SYNC_EVERY_S)
            for store in stores:
                try:
                    await asyncio.to_thread(store.sync)
                except StoreError as error:
                    if ending.failure is None:
                        ending.message(str(error))
                        ending.failure = error

    task = asyncio.create_task(keep())
    try:
        yield
    finally:
        stop.set()
        await asyncio.shield(task)  # the files must not be closed under a running sync
