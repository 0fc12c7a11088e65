"""Trials end in the right outcome whatever happens, and many run side by side in little memory."""

import asyncio
import contextlib
import time
import tracemalloc
from dataclasses import dataclass

import numpy
import pytest

from assay.errors import BudgetExceeded, MissingRequirement, NodeError, SandboxError, Transient
from assay.language.dsl import Branch, Node, Reason
from assay.records import Block, Completion, ExecResult, Outcome, Score, TrialRecord, Usage
from assay.running.memo import Memo
from assay.running.meter import Meter, Turn
from assay.running.trial import Planned, TrialOptions, run_plan, run_trial
from assay.sandboxes.backends import registry
from assay.suites.suite import Sample
from evaluator import LLMRun, PyFunc, SubstringEvaluator
from testing.harness.standins import ScriptedModel, ScriptedPool

ASK = "q" >> LLMRun()


@dataclass(frozen=True)
class Does(Node):
    """A step made of a function of (value, ctx): what it returns is yielded, what it raises is raised."""

    fn: object

    async def run(self, value, ctx):
        result = self.fn(value, ctx)
        if hasattr(result, "__await__"):
            result = await result
        yield Branch(result, Reason(self, Block("text", body="did")))


@dataclass(frozen=True)
class SaysFirst(Node):
    """A step that tells what it does, and does not end."""

    async def run(self, value, ctx):
        with ctx.attempting(self, Block("text", body="first")):
            await asyncio.sleep(60)
        yield Branch(True, Reason(self))


@dataclass(frozen=True)
class Readings(Node):
    values: tuple
    __module__ = "assay.testing"  # one of a user's own that yields nothing is an error, but in the old style

    async def run(self, value, ctx):
        for each in self.values:
            yield Branch(each, Reason(self, Block("text", body=f"reading {each}")))


@dataclass(frozen=True)
class InSandbox(Node):
    argv: tuple = ("true",)

    async def run(self, value, ctx):
        sandbox = await ctx.open_sandbox()
        result = await sandbox.run(self.argv)
        yield Branch(result.output, Reason(self, Block("text", body=result.output)))


def trial(test, *replies, pool=None, model=None, epoch=1, options=None, **facts):
    sample = Sample("t.TestT", test, source="tests/t.py", **facts)
    judge = ScriptedModel(name="judge")
    run = run_trial(
        sample,
        model or ScriptedModel(*replies),
        judge,
        judge,
        pool or ScriptedPool(),
        epoch=epoch,
        options=options,
    )
    return asyncio.run(run)


def text_of(block):
    return "\n".join([f"{block.title}: {block.body}", *(text_of(child) for child in block.children)])


def test_pass_and_what_it_used():
    record = trial(ASK >> LLMRun() >> SubstringEvaluator("yes"), "one", "yes", tags=("x",), description="d")
    assert record.outcome is Outcome.PASS and record.error == ""
    assert (record.test, record.model, record.epoch, record.source) == ("t.TestT", "m", 1, "tests/t.py")
    assert record.usage == Usage(20, 10, 2) and record.cost == 0.5
    assert (record.calls, record.cached_calls, record.attempts) == (2, 0, 2)
    assert record.model_seconds == 1.0 and record.sandbox == "" and record.limits == ""
    assert record.judges == {"eval_llm": "judge", "vision_eval_llm": "judge"}
    assert record.extra == {"answered_by": {"m": "m-2026"}}
    assert record.started_at.startswith("20") and record.versions["python"]


def test_cached_calls_cost_no_attempts():
    cached = Completion("yes", Usage(1, 1), cost=0.25, attempts=0, cached=True)
    record = trial(ASK >> SubstringEvaluator("yes"), cached)
    assert (record.calls, record.cached_calls, record.attempts, record.model_seconds) == (1, 1, 0, 0.0)


def test_an_unknown_price_makes_the_cost_unknown():
    record = trial(ASK >> LLMRun() >> SubstringEvaluator("x"), Completion("a", cost=None), "b")
    assert record.cost is None and record.calls == 2


def test_fail_shows_every_branch():
    record = trial("q" >> Readings(("a", "b", "c")) >> SubstringEvaluator("x"))
    assert record.outcome is Outcome.FAIL
    assert all(f"reading {each}" in text_of(record.reason) for each in "abc")


def test_later_branches_are_not_run_once_one_passed():
    seen = []
    record = trial(
        "q" >> Readings(("a", "b", "c")) >> Does(lambda value, ctx: seen.append(value) or value == "b")
    )
    assert record.outcome is Outcome.PASS and seen == ["a", "b"]
    assert "reading a" not in text_of(record.reason)


def test_thousands_of_readings_are_bounded():
    record = trial("q" >> Readings(tuple(range(5000))) >> Does(lambda value, ctx: False))
    assert record.outcome is Outcome.FAIL and len(record.reason.children) < 30
    assert "4980 more readings failed" in text_of(record.reason)


def test_no_branch_at_all_is_a_fail():
    record = trial("q" >> Readings(()))
    assert record.outcome is Outcome.FAIL and "no output" in text_of(record.reason)


@pytest.mark.parametrize(
    "error", [Transient("429"), SandboxError("gone"), NodeError("no such file"), SandboxError("x")]
)
def test_what_broke_is_an_error_with_the_steps_before(error):
    def breaks(value, ctx):
        raise error

    record = trial(ASK >> Does(breaks), "the reply")
    assert record.outcome is Outcome.ERROR
    assert record.error == f"{type(error).__name__}: {error}"
    assert "the reply" in text_of(record.reason) and str(error) in text_of(record.reason)


def test_a_provider_failure_is_not_a_wrong_answer():
    record = trial(ASK >> SubstringEvaluator("x"), Transient("429 after 5 attempts"))
    assert record.outcome is Outcome.ERROR and record.calls == 0


def _exits(value, ctx):
    raise SystemExit(3)


def _cancels(value, ctx):
    raise asyncio.CancelledError


def _groups_exits(value, ctx):
    raise BaseExceptionGroup("several", [ValueError("x"), SystemExit(3)])


def _groups(value, ctx):
    raise ExceptionGroup("several", [ValueError("x"), ExceptionGroup("more", [Transient("deep 503")])])


@pytest.mark.parametrize(
    ("fn", "said"),
    [
        (lambda value, ctx: 1 / 0, "ZeroDivisionError"),
        (_exits, "SystemExit"),
        (_cancels, "CancelledError"),
        (_groups, "Transient: deep 503"),
        (_groups_exits, "SystemExit"),
        (lambda value, ctx: [][0], "IndexError"),
    ],
)
def test_a_bug_in_a_test_is_an_error_with_its_traceback(fn, said):
    record = trial(ASK >> Does(fn))
    assert record.outcome is Outcome.ERROR and said in record.error


@pytest.mark.parametrize("output", [3, 0, {"ok": False}, [], "no", b"", 1.0])
def test_what_is_no_verdict_at_the_end_is_an_error_of_its_author(output):
    step = Does(lambda value, ctx: output)
    record = trial(ASK >> step)
    assert record.outcome is Outcome.ERROR
    assert (
        f"Does.run yields {output!r} at the end of a test, which is not a verdict: yield True" in record.error
    )
    assert (
        trial(ASK >> Does(lambda value, ctx: output) >> Does(lambda value, ctx: True)).outcome is Outcome.PASS
    )


def test_a_reason_that_cannot_be_explained_costs_nothing():
    class Odd(Node):
        def __init__(self):
            pass

        @classmethod
        def explain(cls, children):
            raise KeyError("explain")

        async def run(self, value, ctx):
            yield Branch(True, Reason(self, ()))

    record = trial(Odd())
    assert record.outcome is Outcome.PASS and "could not be explained" in text_of(record.reason)


def test_a_missing_requirement_is_skipped_before_any_call():
    model = ScriptedModel()
    record = trial(ASK, model=model, pool=ScriptedPool(lacks=["clojure"]), requires=("clojure", "gcc"))
    assert record.outcome is Outcome.SKIPPED and record.error.startswith("sandbox scripted lacks clojure;")
    assert model.asked == []


@pytest.mark.parametrize(
    ("tier", "command"),
    [("bubblewrap+host", "doctor --sandbox bubblewrap"), ("podman.pocket", "doctor --sandbox podman.pocket")],
)
def test_the_command_named_to_a_skipped_trial_shows_its_sandbox(monkeypatch, tier, command):
    monkeypatch.setattr(registry, "usable", lambda group: ["podman.pocket"])
    pool = ScriptedPool(lacks=["gcc"])
    pool.tier = tier
    record = trial(ASK, pool=pool, requires=("gcc",))
    assert record.error == f"sandbox {tier} lacks gcc; the command {command} says what to do"


def test_a_requirement_found_missing_on_the_way_is_skipped():
    def lacks(value, ctx):
        raise MissingRequirement(("chromium",), "scripted")

    assert trial(ASK >> Does(lacks)).outcome is Outcome.SKIPPED


def test_needs_of_nodes_count():
    @dataclass(frozen=True)
    class NeedsRust(Does):
        needs = ("rustc",)

    record = trial(ASK >> (NeedsRust(None) | NeedsRust(None)), pool=ScriptedPool(lacks=["rustc"]))
    assert record.outcome is Outcome.SKIPPED


def test_a_score_is_kept():
    record = trial("q" >> Does(lambda value, ctx: Score(0.75, True, {"speed": 2.0})))
    assert record.outcome is Outcome.PASS and record.score == 0.75 and record.metrics == {"speed": 2.0}
    record = trial("q" >> Does(lambda value, ctx: Score(None, True, {"speed": 2.0})))
    assert (record.outcome, record.score, record.metrics) == (Outcome.PASS, None, {"speed": 2.0})
    record = trial("q" >> Readings((Score(None, False), Score(0.2, False), Score(None, False))))
    assert record.score == 0.2
    record = trial("q" >> Readings((Score(0.2, False), Score(0.4, False), Score(0.1, False))))
    assert record.outcome is Outcome.FAIL and record.score == 0.4


def test_the_sandbox_is_opened_once_when_used_and_always_closed():
    pool = ScriptedPool()
    record = trial(ASK >> InSandbox() >> InSandbox() >> SubstringEvaluator("out"), pool=pool)
    assert record.outcome is Outcome.PASS and record.sandbox == "scripted" and record.limits == "tiny"
    (box,) = pool.opened
    assert box.closed == 1 and len(box.ran) == 2
    trial(ASK >> SubstringEvaluator("x"), pool=pool)
    assert len(pool.opened) == 1, "a test that runs nothing opens nothing"
    pool = ScriptedPool(answer=lambda argv, files: SandboxError("the agent died"))
    assert trial(ASK >> InSandbox(), pool=pool).outcome is Outcome.ERROR
    assert pool.opened[0].closed == 1


def test_no_sandbox_to_be_had_is_an_error():
    pool = ScriptedPool(failure=SandboxError("install podman"))
    record = trial(ASK >> InSandbox(), pool=pool)
    assert record.outcome is Outcome.ERROR and "install podman" in record.error


def test_a_trial_that_takes_too_long_is_an_error():
    record = trial(
        ASK >> InSandbox() >> Does(lambda value, ctx: asyncio.sleep(60)),
        options=TrialOptions(time_limit_s=0.2),
    )
    assert record.outcome is Outcome.ERROR
    assert record.error == (
        "the trial took longer than 0.2 s (--trial-time-limit, or trial_time_limit_s); it was in Does"
    )
    assert "out" in text_of(record.reason)


@pytest.mark.parametrize("step", [PyFunc(lambda text: time.sleep(0.2)), SaysFirst(), ~SaysFirst()])
def test_a_time_limit_of_a_sample_is_named_and_so_is_the_step_in_which_it_was_up(step):
    record = trial(ASK >> step, time_limit_s=0.05, options=TrialOptions(time_limit_s=9))
    name = "PyFunc" if isinstance(step, PyFunc) else "SaysFirst"
    limit = f"the trial took longer than 0.05 s (time_limit_s of its Sample); it was in {name}"
    assert (record.error, record.cause, record.why) == (limit, "timed out", limit)
    told = [block.title for block in record.reason.children]
    assert told.count(name) == 1 and "the trial's time was up in this step" in text_of(record.reason)
    assert ("first" in text_of(record.reason)) is (name == "SaysFirst")


def test_a_time_out_of_the_test_itself_is_told_apart():
    def late(value, ctx):
        raise TimeoutError("mine")

    record = trial(ASK >> Does(late))
    assert record.outcome is Outcome.ERROR and "mine" in record.error and "longer than" not in record.error


def test_a_failing_function_of_the_author_is_a_fail():
    record = trial(ASK >> PyFunc(lambda text: 1 / 0))
    assert record.outcome is Outcome.FAIL


def test_cancelling_leaves_no_record_and_no_sandbox():
    pool = ScriptedPool()

    async def check():
        task = asyncio.create_task(
            run_trial(
                Sample("t", ASK >> InSandbox() >> Does(lambda value, ctx: asyncio.sleep(60))),
                *[ScriptedModel()] * 3,
                pool,
            )
        )
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(check())
    assert pool.opened[0].closed == 1


def test_the_budget_is_no_outcome():
    with pytest.raises(BudgetExceeded):
        trial(ASK, BudgetExceeded("spent"))


def test_each_trial_has_its_own_key():
    model = ScriptedModel()
    trial(ASK, model=model, epoch=3)
    assert {(key.test, key.epoch, key.source) for key in model.trials} == {("t.TestT", 3, "tests/t.py")}


# ---------------------------------------------------------------- many trials


def plan_of(count, test=ASK):
    return (Planned(Sample(f"t.{i}", test), 1) for i in range(count))


def record_of(planned):
    return TrialRecord(planned.sample.id, "m", planned.epoch, Outcome.PASS)


def test_trials_run_side_by_side_and_no_more_than_asked():
    now = most = 0
    done = []

    async def one(planned):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return record_of(planned)

    asyncio.run(run_plan(plan_of(200), one, workers=7, on_record=done.append))
    assert most == 7 and len({record.test for record in done}) == 200


def test_a_plan_is_pulled_as_workers_become_free():
    pulled = finished = 0
    behind = []

    def plan():
        nonlocal pulled
        for each in plan_of(1000):
            pulled += 1
            behind.append(pulled - finished)
            yield each

    async def one(planned):
        nonlocal finished
        await asyncio.sleep(0)
        finished += 1
        return record_of(planned)

    asyncio.run(run_plan(plan(), one, workers=5, on_record=lambda record: None))
    assert finished == 1000 and max(behind) <= 5


@pytest.mark.slow(6)
def test_memory_does_not_grow_with_the_number_of_trials():
    def peak(count):
        async def one(planned):
            return await run_trial(planned.sample, *[ScriptedModel("x" * 10_000)] * 3, None)

        tracemalloc.start()
        asyncio.run(run_plan(plan_of(count), one, workers=10, on_record=lambda record: None))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(100)
    small, large = peak(200), peak(2000)
    assert large < small * 1.5 + 100_000, (small, large)


def test_the_budget_lets_running_trials_end_and_starts_no_more():
    started, done = [], []

    async def one(planned):
        started.append(planned.sample.id)
        if planned.sample.id == "t.4":
            raise BudgetExceeded("spent")
        await asyncio.sleep(0.02)
        return record_of(planned)

    stopped = asyncio.run(run_plan(plan_of(100), one, workers=5, on_record=done.append))
    assert isinstance(stopped, BudgetExceeded)
    assert len(started) == 5 and len(done) == 4


def test_a_store_that_fails_stops_everything():
    from assay.errors import StoreError

    cancelled = []

    async def one(planned):
        if planned.sample.id == "t.0":
            return record_of(planned)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(planned.sample.id)
            raise

    def full(record):
        raise StoreError("disk full")

    with pytest.raises(StoreError, match="disk full"):
        asyncio.run(run_plan(plan_of(100), one, workers=3, on_record=full))
    assert sorted(cancelled) == ["t.1", "t.2"]


def test_running_is_counted():
    counts = []

    async def one(planned):
        await asyncio.sleep(0)
        return record_of(planned)

    asyncio.run(run_plan(plan_of(10), one, workers=3, on_record=lambda r: None, on_running=counts.append))
    assert sum(counts) == 0 and counts.count(1) == 10


def test_a_result_with_nothing_is_data():
    pool = ScriptedPool(
        answer=lambda argv, files: ExecResult(b"", b"", None, timed_out=True, time_limit_s=2.0)
    )
    record = trial(ASK >> InSandbox() >> SubstringEvaluator("out"), pool=pool)
    assert record.outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (Score(0.5, True, None), "Score.metrics must be a mapping"),
        (Score(0.5, True, ["acc"]), "Score.metrics must be a mapping"),
        (Score(0.5, True, {}, None), "Score.extra must be a mapping"),
        (Score("0.5", True), "Score.value must be a number or None, not '0.5'"),
        (Score(True, True), "Score.value must be a number"),
    ],
)
def test_a_score_that_no_record_can_hold_is_that_trials_error(score, said):
    record = trial("q" >> Does(lambda value, ctx: score))
    assert record.outcome is Outcome.ERROR and said in record.error


@pytest.mark.parametrize("kind", ["float32", "float64", "int64"])
def test_a_number_of_another_library_is_a_score(kind):
    value = getattr(numpy, kind)(1)
    record = trial("q" >> Does(lambda _, ctx: Score(value, True)))
    assert record.outcome is Outcome.PASS and record.score == 1.0 and type(record.score) is float


class Mute(Exception):
    def __str__(self):
        return self.missing


def test_an_error_that_cannot_say_what_it_is():
    def raises(value, ctx):
        raise Mute

    record = trial("q" >> Does(raises))
    assert record.outcome is Outcome.ERROR and "Mute" in record.error


def test_two_steps_that_open_the_sandbox_at_once_get_the_same_one():
    async def both(value, ctx):
        one, other = await asyncio.gather(ctx.open_sandbox(), ctx.open_sandbox())
        return "same" if one is other else "two"

    pool = ScriptedPool()
    assert trial("q" >> Does(both) >> SubstringEvaluator("same"), pool=pool).outcome is Outcome.PASS
    assert [each.closed for each in pool.opened] == [1]


class BusyPool(ScriptedPool):
    """One whose sandboxes come late, and whose commands wait for their turn."""

    async def acquire(self):
        await asyncio.sleep(0.05)
        return await super().acquire()


@pytest.mark.parametrize("memo", [False, True])
def test_the_time_in_the_queue_is_no_time_in_the_sandbox(memo, tmp_path):
    pool = BusyPool(answer=lambda argv, files: ExecResult(b"out", b"", 0, queued_seconds=7.5))
    options = TrialOptions(memo=Memo(tmp_path / "steps.sqlite")) if memo else None
    record = trial(ASK >> InSandbox() >> SubstringEvaluator("out"), pool=pool, options=options)
    assert record.queue_seconds >= 7.55 and record.sandbox_seconds < 0.05


@pytest.mark.parametrize("memo", [False, True])
def test_the_first_trial_s_wait_until_there_is_a_pool_is_time_in_the_queue(memo, tmp_path):
    class LatePool(ScriptedPool):
        async def missing(self, requirements):
            await asyncio.sleep(0.05)
            return await super().missing(requirements)

    options = TrialOptions(memo=Memo(tmp_path / "steps.sqlite")) if memo else None
    record = trial(
        ASK >> InSandbox() >> SubstringEvaluator("out"), pool=LatePool(), options=options, requires=("cc",)
    )
    assert record.queue_seconds >= 0.05 * (1 + memo) and record.working_seconds < 0.05


def test_what_programs_waited_for_a_core_is_recorded():
    def answer(argv, files):
        time.sleep(0.02)
        return ExecResult(b"out", b"", 0, seconds=0.02, waited_seconds=0.01)

    record = trial(ASK >> InSandbox() >> SubstringEvaluator("out"), pool=ScriptedPool(answer=answer))
    assert record.waited_seconds == 0.01


def test_a_plain_pass_does_not_keep_the_score_of_a_reading_that_failed():
    record = trial("q" >> Readings((Score(0.3, False, {"points": 3.0}), True)))
    assert (record.outcome, record.metrics) == (Outcome.PASS, {}) and record.score != 0.3


@pytest.mark.parametrize(("limited", "said"), [(True, "tiny"), (False, "tiny, memory watched, not bounded")])
def test_limits_that_no_kernel_holds_are_named_in_the_record(limited, said):
    pool = ScriptedPool()
    pool.limited = limited
    assert trial(ASK >> InSandbox() >> SubstringEvaluator("out"), pool=pool).limits == said


def test_a_gate_can_be_passed_again_and_waiting_at_it_is_time_in_the_queue():
    @contextlib.asynccontextmanager
    async def gate():
        await asyncio.sleep(0.02)
        yield

    async def main():
        meter = Meter()
        turn = Turn(gate, meter)
        for _ in range(2):
            async with turn:
                pass
        return meter.queue_seconds

    assert asyncio.run(main()) >= 0.04
