"""A trial's time limit does not count what it waits in a queue of ours, and holds all the same."""

import asyncio
import contextvars
import time

import pytest

from assay.errors import SandboxError
from assay.language.models import LLMRun
from assay.models.cache import Cache
from assay.models.gate import Gate
from assay.models.ledger import Ledger
from assay.models.provider import Call, ProviderSettings
from assay.models.provider_client import ProviderClient
from assay.models.retry import Retry
from assay.records import Completion, Outcome, Usage
from assay.running.meter import Meter, Turn
from assay.running.trial import TrialOptions, run_trial
from assay.sandboxes.pool import PooledSandbox
from assay.suites.sample import Sample
from assay.trial_clock import TrialClock, put_off, standing_still
from evaluator import SubstringEvaluator
from testing.harness.standins import ScriptedModel, ScriptedPool, ScriptedSandbox
from testing.harness.test_engine import Does, InSandbox

LIMIT_S, LONGER_S = 0.1, 0.25


def ended(test, pool=None):
    models, options = [ScriptedModel()] * 3, TrialOptions(time_limit_s=LIMIT_S)
    sample = Sample("t.TestT", test)
    record = asyncio.run(run_trial(sample, *models, pool or ScriptedPool(), options=options))
    return record.outcome, record.error


def later(release):
    """Call `release` once the limit would be over."""
    asyncio.get_running_loop().call_later(LONGER_S, release)


async def a_connection(tmp_path):
    gate = Gate(1)
    await gate.enter()
    later(gate.leave)
    await gate.enter()


async def room_in_the_budget(tmp_path):
    ledger = Ledger(max_tokens=10_000)
    ticket = await ledger.enter("m", 9_000, lambda usage: 0.0)
    later(lambda: ledger.paid(ticket, Usage(1, 1), 0.0))
    await ledger.enter("m", 9_000, lambda usage: 0.0)


async def a_core(tmp_path):
    running = asyncio.Semaphore(0)
    later(running.release)
    await PooledSandbox(ScriptedSandbox(ScriptedPool()), running, lambda lent: None).run(["true"])


async def a_page(tmp_path):
    pages = asyncio.Semaphore(0)
    later(pages.release)
    async with Turn(lambda: pages, Meter()):
        pass


async def the_same_call_of_another_trial(tmp_path):
    async def slow():
        await asyncio.sleep(LONGER_S)
        return Completion("4")

    cache, about = Cache(tmp_path / "replies.sqlite"), ("p", "m", b"", 1)
    other = contextvars.Context().run(asyncio.ensure_future, cache.reply(b"key", about, slow))
    await asyncio.sleep(0)
    await cache.reply(b"key", about, slow)
    await other
    cache.close()


class Imports:
    def open(self):
        time.sleep(LONGER_S)

    async def ask(self, call):
        await asyncio.sleep(0.01)
        return Completion("4")


async def the_imports_of_a_provider(tmp_path):
    client = ProviderClient(ProviderSettings("p"), Imports(), Retry(), Ledger(), str)
    await client.ask(Call("m", (), {}), lambda usage: 0.0)


WAITS = [
    a_connection,
    room_in_the_budget,
    a_core,
    a_page,
    the_same_call_of_another_trial,
    the_imports_of_a_provider,
]


@pytest.mark.parametrize("wait", WAITS)
def test_it_does_not_count_the_wait_for(wait, tmp_path):
    async def waits(value, ctx):
        await wait(tmp_path)
        return True

    assert ended("q" >> Does(waits)) == (Outcome.PASS, "")


@pytest.mark.parametrize("broken", [False, True])
@pytest.mark.parametrize("asks", [False, True])
def test_the_numbers_of_an_ended_trial_fit_its_limit(asks, broken):
    """The wait of the call that was under way counts as one, for a core or for a connection."""

    class Slow(ScriptedSandbox):
        async def run(self, argv, **options):
            await works()

    class Waits(ScriptedPool):
        async def acquire(self):
            running = asyncio.Semaphore(0)
            later(running.release)
            return PooledSandbox(Slow(self), running, lambda lent: None)

    class Model(ScriptedModel):
        async def complete(self, messages, **options):
            gate = Gate(1)
            await gate.enter()
            later(gate.leave)
            await gate.enter()
            await works()

    async def works():
        if broken:
            raise SandboxError("gone")
        await asyncio.sleep(60)

    test = "q" >> (LLMRun() if asks else InSandbox()) >> SubstringEvaluator("out")
    options = TrialOptions(time_limit_s=4 * LIMIT_S)
    record = asyncio.run(run_trial(Sample("t.T", test), *[Model()] * 3, Waits(), options=options))
    assert record.outcome is Outcome.ERROR
    assert record.queue_seconds >= LONGER_S - 0.01
    assert record.sandbox_seconds <= record.seconds - record.queue_seconds + 0.001


def test_neither_it_nor_the_time_of_a_trial_counts_imports_for_another_trial():
    client = ProviderClient(ProviderSettings("p"), Imports(), Retry(), Ledger(), str)

    async def main():
        asyncio.get_running_loop().call_soon(client.open)
        test = "q" >> LLMRun() >> Does(lambda value, ctx: asyncio.to_thread(bool, value))
        options = TrialOptions(time_limit_s=LIMIT_S)
        models, sample = [ScriptedModel()] * 3, Sample("t.TestT", test)
        return await run_trial(sample, *models, ScriptedPool(), options=options)

    record = asyncio.run(main())
    assert record.outcome is Outcome.PASS and record.seconds > LONGER_S
    assert record.seconds - record.queue_seconds < LIMIT_S


class LatePool(ScriptedPool):
    async def acquire(self):
        await asyncio.sleep(LONGER_S)
        return await super().acquire()


def test_it_does_not_count_the_wait_for_a_sandbox():
    test = "q" >> LLMRun() >> InSandbox() >> SubstringEvaluator("out")
    assert ended(test, LatePool()) == (Outcome.PASS, "")


def test_it_holds_after_a_wait():
    stuck = "q" >> LLMRun() >> InSandbox() >> Does(lambda value, ctx: asyncio.sleep(60))
    outcome, error = ended(stuck, LatePool())
    assert outcome is Outcome.ERROR and "longer than 0.1 s" in error


def test_it_goes_on_after_the_last_of_several_waits_and_is_put_off_by_those_told_late():
    async def main():
        loop = asyncio.get_running_loop()
        began = loop.time()
        with pytest.raises(TimeoutError):
            async with TrialClock(LIMIT_S):
                with standing_still():
                    with standing_still():
                        await asyncio.sleep(LIMIT_S)
                    await asyncio.sleep(LIMIT_S)
                    put_off(LIMIT_S)
                put_off(LIMIT_S)
                await asyncio.sleep(60)
        with standing_still():
            put_off(1.0)  # outside a trial they do nothing
        return (loop.time() - began) / LIMIT_S

    assert 4.9 < asyncio.run(main()) < 10


def test_a_wait_that_outlasts_its_trial_changes_nothing():
    async def main():
        go_on = asyncio.Event()

        async def outlasts():
            with standing_still():
                await go_on.wait()

        async with TrialClock(60):
            left = asyncio.create_task(outlasts())
            await asyncio.sleep(0)
        go_on.set()
        await left

    asyncio.run(main())
