"""Run trials: bounded, cancellable, and never blaming the model for our failures."""

from __future__ import annotations

import asyncio
import contextlib
import numbers
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Protocol

from assay.errors import (
    AssayError,
    MissingRequirement,
    ModelFault,
    NodeError,
    NoText,
    RunEnds,
    SandboxUnavailable,
)
from assay.extensions import versions_of
from assay.language.dsl import Context, Node, NoOutput, PairNode, Reason, ThenNode, as_blocks
from assay.language.outputs import score_of
from assay.language.own_nodes import no_text, no_verdict
from assay.mistakes import must_be_raised
from assay.records import (
    EVAL_LLM,
    LLM,
    VISION_EVAL_LLM,
    Block,
    Cause,
    Limits,
    Model,
    Outcome,
    Reply,
    Sandbox,
    Score,
    TrialKey,
    TrialRecord,
    traits_of,
)
from assay.results.causes import Found, last_words, of_error, of_failure, of_pass
from assay.results.conditions import SELF_JUDGED
from assay.results.journal import Journal
from assay.results.scores import USUAL, Scale, share
from assay.results.spending import Spending
from assay.running.memo import Memo, MemoSandbox, first_link, link_of_trial
from assay.running.meter import Meter, MeteredModel, TrialSandbox, Turn, WaitsForBatch
from assay.running.observe import SILENT, Observer, TrialWatch
from assay.running.roles import Waves
from assay.running.trial_journal import TrialJournal
from assay.sandboxes.backends.registry import flag_of
from assay.suites.diagnostics import told
from assay.suites.fingerprint import judging_code
from assay.suites.listing import PLUGINS
from assay.suites.sample import Sample
from assay.suites.tree_warnings import ends
from assay.trial_clock import TrialClock

TRIAL_TIME_LIMIT_S = 3600.0
SHOWN_BRANCHES = 20  # at most, for a failed test with many readings
UNBOUNDED = ", memory watched, not bounded"  # after the name of limits


class SandboxPool(Protocol):
    """What a trial needs from a pool of sandboxes (assay.sandboxes.pool.Pool is one)."""

    @property
    def tier(self) -> str: ...

    @property
    def identity(self) -> str: ...

    @property
    def limits(self) -> Limits: ...

    @property
    def browser(self) -> contextlib.AbstractAsyncContextManager[Any]: ...

    async def acquire(self) -> Sandbox: ...

    async def acquire_beside(self) -> Sandbox: ...

    async def missing(self, requirements: Sequence[str]) -> tuple[str, ...]: ...


@cache
def versions() -> Mapping[str, str]:
    """The versions of Assay and Python, for the record."""
    from assay import __version__

    return {
        "assay": __version__,
        "assay code": judging_code(),
        "python": ".".join(map(str, sys.version_info[:3])),
    }


@dataclass(frozen=True)
class TrialOptions:
    """What a run's trials share besides models and sandboxes. `suites`: a hash of the files of each suite
    that has its own folder. `waves`: in which models are asked, if by batch. `providers`: the packages that
    models are asked by, with their versions. `heard`: told of each reply, by which model it is."""

    commit: str = ""
    time_limit_s: float = TRIAL_TIME_LIMIT_S
    memo: Memo | None = None
    reuse_steps: bool = False  # use cached steps even in tests that are not deterministic
    versions: Mapping[str, str] = field(default_factory=versions)
    observer: Observer = SILENT
    suites: Mapping[str, str] = field(default_factory=dict)
    waves: Waves | None = None
    providers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    heard: Callable[[str], None] = lambda model: None

    def versions_for(self, suite: str, model: str, tier: str = "") -> Mapping[str, str]:
        """The versions for the records of a suite's trials of a model, in a sandbox if there is a `tier`."""
        packages = {**versions_of(PLUGINS, suite), **self.providers.get(model, {})}
        if tier:
            packages |= versions_of("assay.sandboxes", tier.partition("+")[0])
        files = {"suite files": code} if (code := self.suites.get(suite)) else {}
        return {**self.versions, **files, **packages} if files or packages else self.versions


@dataclass
class _Verdict:
    """The verdict of a trial, built up while it runs. `scale`: of its scores, if its suite declares one."""

    scale: Scale | None = None
    outcome: Outcome = Outcome.FAIL
    error: str = ""
    reasons: list[Any] = field(default_factory=list)
    branches: int = 0
    score: Score | None = None
    last: tuple[Any, Any] = (None, None)  # the last reading's output and reason
    cause: Found | None = None  # of the error

    def take(self, output: Any, reason: Any) -> bool:
        """Note one branch; True if the test has passed."""
        self.branches += 1
        self.last = output, reason
        found = score_of(output)
        score = _checked(found, self.scale) if found is not None else None
        passed = bool(output)
        best = self.score
        if score is not None and (best is None or passed or (score.value or 0.0) > (best.value or 0.0)):
            self.score = score
        elif passed and score is None:
            self.score = None  # the score belongs to an earlier reading, which failed
        if passed:
            self.outcome, self.reasons = Outcome.PASS, [reason]
        elif len(self.reasons) < SHOWN_BRANCHES:
            self.reasons.append(reason)
        return passed

    def fault(self, error: ModelFault, trail: Sequence[Reason]) -> None:
        """Note a branch that failed because of what the model wrote or its program left behind."""
        said = Block("verdict", "", str(error), passed=False, cause=error.cause)
        self.take(NoOutput(str(error), error.cause), Reason(ThenNode, (*trail, said)))

    def broke(self, outcome: Outcome, error: str, trail: Sequence[Reason], cause: Found) -> None:
        self.outcome, self.error, self.score, self.cause = outcome, error, None, cause
        self.reasons = list(trail)

    def found(self, replies: Sequence[Reply]) -> Found:
        """The cause and the sentence with the deciding fact; of a PASS only that its program crashed."""
        if self.cause is not None:
            return self.cause
        output, reason = self.last
        try:
            if self.outcome is Outcome.PASS:
                return of_pass(reason)
            return of_failure([reason] if self.branches else [], output, replies, self.branches)
        except Exception:  # noqa: BLE001 - the author's blocks may hold anything; that must not cost the trial
            wrong = "" if self.outcome is Outcome.PASS else Cause.WRONG
            return Found(wrong, "the test's explanation could not be read")

    def value(self) -> float | None:
        """The score as a plain float. In a suite whose tests all score, a PASS without a score gets the best
        one and a FAIL the worst."""
        if self.score is not None and self.score.value is not None:
            return self.score.value
        if self.scale is None or self.outcome not in (Outcome.PASS, Outcome.FAIL):
            return None
        return float(self.outcome is Outcome.PASS)

    def block(self) -> Block | None:
        """The explanation: of the branch that passed, of all that failed, or of the steps before an error."""
        if self.error:
            label = "skipped" if self.outcome is Outcome.SKIPPED else "error"
            return Block("group", "", children=(*_explained(self.reasons), Block("text", label, self.error)))
        if not self.reasons:
            return Block("verdict", "", "the pipeline produced no output", passed=False)
        if self.branches == 1 or self.outcome is Outcome.PASS:
            return _explained(self.reasons)[0]
        tried = [
            Block("group", f"reading {number}", children=(block,))
            for number, block in enumerate(_explained(self.reasons), 1)
        ]
        if self.branches > len(tried):
            tried.append(Block("text", body=f"{self.branches - len(tried)} more readings failed as well"))
        return Block("group", f"none of {self.branches} readings passed", children=tuple(tried))


def _checked(score: Score, scale: Scale | None) -> Score:
    """The score as records keep it, from 0 to 1. Raises TypeError or GraderError, like the test's own code,
    for a score that no record can hold."""
    value = score.value
    if value is not None and (isinstance(value, bool) or not isinstance(value, numbers.Real)):
        raise TypeError(f"Score.value must be a number or None, not {value!r:.100}")
    for name in ("metrics", "extra"):
        if not isinstance(its := getattr(score, name), Mapping):
            raise TypeError(f"Score.{name} must be a mapping, e.g. {{}}, not {its!r:.100}")
    if value is None:
        return score
    return replace(score, value=share(float(value), None if score.share else scale))


def _explained(reasons: Iterable[Any]) -> list[Block]:
    """A Block for each reason. An author's explain() may raise; that must not cost the trial."""
    blocks = []
    for reason in reasons:
        try:
            (block,) = as_blocks(reason)
        except Exception:  # noqa: BLE001 - the author's code
            block = Block("text", "this step could not be explained", traceback.format_exc())
        blocks.append(block)
    return blocks


def _ended_in(error: BaseException, ctx: Context) -> str:
    """In which step the time was up, which is marked there, too; '' if in none."""
    within = error.__cause__  # the cancellation, with its way through the steps
    frames = traceback.walk_tb(within.__traceback__ if within else None)
    steps = [step for frame, _ in frames if isinstance(step := frame.f_locals.get("self"), Node)]
    if not steps or isinstance(steps[-1], PairNode):
        return ""
    step = steps[-1]
    name = step.shown_as or type(step).__name__
    has_told = ctx.trail and ctx.trail[-1].node is step  # what it was doing
    before = ctx.trail.pop().children if has_told else ()
    said = Block("verdict", name, "the trial's time was up in this step", passed=False)
    ctx.trail.append(Reason(step, (before, said)))
    return f"; it was in {name}"


def _cause(error: BaseException) -> BaseException:
    """The first of our errors in an exception group, else the exception itself."""
    if isinstance(error, BaseExceptionGroup):
        ours, _ = error.split((AssayError, asyncio.CancelledError))
        while ours is not None:
            first = ours.exceptions[0]
            if not isinstance(first, BaseExceptionGroup):
                return first
            ours = first
    return error


async def run_trial(
    sample: Sample,
    llm: Model,
    eval_llm: Model,
    vision_eval_llm: Model,
    pool: SandboxPool | None,
    *,
    epoch: int = 1,
    options: TrialOptions | None = None,
    journal: Journal | None = None,
    spending: Spending | None = None,
) -> TrialRecord:
    """One try of one test; it passes at the first truthy branch.

    Every failure becomes an ERROR record with the steps done so far; a requirement that the sandbox lacks
    becomes SKIPPED before any model is asked. Raises only RunEnds and CancelledError, and then has no result.
    `pool` may be None for a test that uses no sandbox. `journal`: for parts of a trial, so that another
    process can continue it if this one is killed. `spending`: for paid calls.
    """
    options = options or TrialOptions()
    key = Planned(sample, epoch).key
    watch, record = options.observer.trial(key, llm.name), None
    try:
        judges = {EVAL_LLM: eval_llm, VISION_EVAL_LLM: vision_eval_llm}
        record = await _tried(sample, key, llm, judges, pool, options, watch, journal, spending)
        return record
    finally:
        watch.end(record)


async def _tried(
    sample: Sample,
    key: TrialKey,
    llm: Model,
    judges: Mapping[str, Model],
    pool: SandboxPool | None,
    options: TrialOptions,
    watch: TrialWatch,
    journal: Journal | None,
    spending: Spending | None,
) -> TrialRecord:
    facts, expression = facts_of(sample), sample.expression  # before its functions change what they use
    meter, verdict = Meter(), _Verdict(sample.scores)
    meter.heard = options.heard
    meter.batches = WaitsForBatch(options.waves) if options.waves else None
    begin, started_at = time.monotonic(), datetime.now(UTC).isoformat(timespec="milliseconds")
    opener = partial(_opener, sample, pool, options, llm.name, key.epoch, meter)
    box = TrialSandbox(opener(), meter, watch, opener(beside=True))

    def metered(model: Model, role: str) -> MeteredModel:
        return MeteredModel(model.for_trial(key), meter, role, watch, spending)

    under_test = metered(llm, LLM)
    ctx = Context(
        under_test,
        metered(judges[EVAL_LLM], EVAL_LLM),
        metered(judges[VISION_EVAL_LLM], VISION_EVAL_LLM),
        box.open,
        browser=Turn(lambda: pool.browser, meter) if pool is not None else contextlib.nullcontext(),
        trial=key,
        fresh_sandbox=box.fresh,
        beside=box.beside,
        used_sandbox=box.used,
        untouched=box.untouched,
        renew_sandbox=box.renew,
        snapshot=box.snapshot,
        rewinds=any(getattr(node, "hands_over", False) for node in sample.nodes),
        saved_work=under_test.saved_work,
        scores=sample.scores or USUAL,
    )
    if journal is not None:
        ctx.journal = TrialJournal(journal, key, meter)
    time_limit_s = sample.time_limit_s or options.time_limit_s
    clock = TrialClock(time_limit_s)
    try:
        async with clock:
            await _run(sample, ctx, pool, meter, verdict)
    except BaseException as raised:  # noqa: BLE001 - the one place where a trial's failure ends
        error = _cause(raised)
        error = no_text(error, ctx) if isinstance(error, NoText) else error
        if isinstance(error, RunEnds) or must_be_raised(error):
            raise error from None
        if clock.expired() and isinstance(error, TimeoutError):
            its = "time_limit_s of its Sample"
            by = its if sample.time_limit_s else "--trial-time-limit, or trial_time_limit_s"
            limit = f"the trial took longer than {time_limit_s:g} s ({by}){_ended_in(error, ctx)}"
            verdict.broke(Outcome.ERROR, limit, ctx.trail, Found(Cause.TIMED_OUT, limit))
        elif isinstance(error, ModelFault):
            verdict.fault(error, ctx.trail)
        elif isinstance(error, MissingRequirement):
            verdict.broke(Outcome.SKIPPED, str(error), ctx.trail, Found("", last_words(str(error))))
        else:
            ours = isinstance(error, AssayError)
            said = f"{type(error).__name__}: {error}" if ours else told(error, sample.source)
            verdict.broke(Outcome.ERROR, said, ctx.trail, of_error(error, said))
    finally:
        meter.queue_seconds += clock.held
        await box.end()
    used_sandbox = bool(box.tier) and pool is not None
    found = verdict.found(meter.replies)
    return TrialRecord(
        **facts,
        expression=expression,
        model=llm.name,
        epoch=key.epoch,
        outcome=verdict.outcome,
        score=verdict.value(),
        metrics=dict(verdict.score.metrics) if verdict.score is not None else {},
        error=verdict.error,
        reason=verdict.block(),
        usage=meter.usage,
        cost=meter.cost,
        calls=meter.calls,
        cached_calls=meter.cached_calls,
        attempts=meter.attempts,
        seconds=round(time.monotonic() - begin, 4),  # rounded as stored
        model_seconds=round(meter.model_seconds, 4),
        sandbox_seconds=round(meter.sandbox_seconds, 4),
        queue_seconds=round(meter.queue_seconds, 4),
        waited_seconds=round(meter.waited_seconds, 4),
        sandbox=box.tier,
        limits=_limits_words(pool) if used_sandbox and pool is not None else "",
        started_at=started_at,
        commit=options.commit,
        versions=options.versions_for(sample.suite, llm.name, box.tier),
        judges={role: judge.name for role, judge in judges.items()},
        parameters=dict(getattr(llm, "parameters", {})),
        about={**getattr(llm, "about", {}), **({SELF_JUDGED: True} if traits_of(llm).self_judged else {})},
        extra={
            **sample.extra,
            **(verdict.score.extra if verdict.score is not None else {}),
            **({"answered_by": meter.answered_by} if meter.answered_by else {}),
            **({"by_batch": meter.by_batch} if meter.by_batch else {}),
            **({"node": node} if used_sandbox and (node := getattr(pool, "node", "")) else {}),
        },
        replies=tuple(meter.replies),
        cause=found.cause,
        why=found.why,
    )


def facts_of(sample: Sample) -> dict[str, Any]:
    """The facts of a test that each of its records has."""
    names = ("suite", "description", "tags", "source", "conditions")
    return {
        "test": sample.id,
        "fingerprint": sample.version,
        **{name: getattr(sample, name) for name in names},
    }


def _limits_words(pool: SandboxPool) -> str:
    """The limits' profile, and whether the kernel enforces them (yes, if the pool does not say)."""
    return pool.limits.profile + ("" if getattr(pool, "limited", True) else UNBOUNDED)


def _opener(
    sample: Sample,
    pool: SandboxPool | None,
    options: TrialOptions,
    model: str,
    epoch: int,
    meter: Meter,
    *,
    beside: bool = False,
) -> Callable[[], Awaitable[Sandbox]]:
    """A function that opens the trial's sandboxes. `beside`: further ones next to its own, whose results
    depend only on their files and commands."""
    opened = 0

    async def acquire() -> Sandbox:
        nonlocal opened
        if pool is None:
            raise SandboxUnavailable(f"{sample.id} needs a sandbox, and this run has none")
        lend = partial(meter.queueing, pool.acquire_beside if beside else pool.acquire)
        if options.memo is None:
            return await lend()
        await meter.queueing(partial(pool.missing, ()))  # a lazy pool knows its tier after this
        first = where = first_link(pool.tier, pool.identity, pool.limits)
        opened += 1
        if not sample.deterministic:  # a cached step then holds only for that sandbox of that trial
            which = "beside" if beside else opened
            first = link_of_trial(first, model, sample.suite, sample.id, epoch, which)
        if not getattr(pool, "isolated", False):
            where = b""  # a program is not isolated and could have written anything: keep nothing
        known = sample.deterministic or options.reuse_steps
        return MemoSandbox(options.memo, lend, pool.tier, first, known=known, where=where)

    return acquire


async def _run(
    sample: Sample, ctx: Context, pool: SandboxPool | None, meter: Meter, verdict: _Verdict
) -> None:
    if sample.needs and pool is not None:
        missing = await meter.queueing(partial(pool.missing, sample.needs))  # the first opens the pool
        if missing:
            raise MissingRequirement(missing, pool.tier, flag_of(pool.tier))
    async with aclosing(sample.test.run("", ctx)) as branches:
        async for output, reason in branches:
            if wrong := no_verdict(output, ends(sample.test)):
                ctx.trail.append(reason)
                raise NodeError(wrong)
            if verdict.take(output, reason):
                return


@dataclass(frozen=True, slots=True)
class Planned:
    """A trial to be run."""

    sample: Sample
    epoch: int

    @property
    def key(self) -> TrialKey:
        return TrialKey(self.sample.id, self.epoch, self.sample.suite, self.sample.source)


async def run_plan(
    plan: Iterable[Planned],
    run_one: Callable[[Planned], Awaitable[TrialRecord]],
    *,
    workers: int | Callable[[], int],
    on_record: Callable[[TrialRecord], None],
    on_running: Callable[[int], None] = lambda change: None,
) -> RunEnds | None:
    """Run a plan with `workers` trials at once, pulling from it only as they become free, so that memory does
    not grow with its length. A function for `workers` is called again after each trial: the number may grow,
    as machines join; if it shrinks, trials under way continue. `on_record` gets each result as it ends.

    Returns RunEnds if the budget ended the run: no further trial was begun, and those under way have ended by
    themselves. An exception of `on_record` stops everything and is raised.
    """
    trials = iter(plan)
    stopped: list[RunEnds] = []
    wanted = workers if callable(workers) else lambda: workers
    working = 0

    def hire(group: asyncio.TaskGroup) -> None:
        nonlocal working
        while working < wanted():
            working += 1
            group.create_task(work(group))

    async def work(group: asyncio.TaskGroup) -> None:
        for trial in trials:
            on_running(1)
            try:
                record = await run_one(trial)
            except RunEnds as error:
                stopped.append(error)
            else:
                on_record(record)
            finally:
                on_running(-1)
            if stopped:
                return
            hire(group)
            await asyncio.sleep(0)  # so that trials that never wait do not keep others from starting

    try:
        async with asyncio.TaskGroup() as group:
            hire(group)
    except BaseExceptionGroup as errors:
        raise _cause(errors) if isinstance(_cause(errors), AssayError) else errors.exceptions[0] from None
    return stopped[0] if stopped else None
