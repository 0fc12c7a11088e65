"""A trial whose machine went is begun anew, with the replies that it had."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from assay.errors import NodeLost, Transient
from assay.language.dsl import Node
from assay.records import Completion, ExecResult, Limits, Message, Outcome, Usage
from assay.results.journal import Journal
from assay.running.trial import run_trial
from assay.running.trial_retry import MOST_TRIES, run_until_kept
from assay.suites.suite import Sample
from evaluator import LLMRun, PythonRun, SubstringEvaluator


@dataclass
class Counting:
    """A model that says what it is asked, and which question of how many this was."""

    name: str = "m"
    asked: list = field(default_factory=list)
    parameters: dict = field(default_factory=lambda: {"temperature": 0.5})

    def for_trial(self, trial):
        return self

    async def complete(self, messages, *, json=False):
        self.asked.append(messages[-1].content)
        if "broken" in messages[-1].content and len(self.asked) == 1:
            raise Transient("try again")
        return Completion(f"print('{messages[-1].content} {len(self.asked)}')", Usage(3, 5), cost=0.25)


class MortalBox:
    tier = "elsewhere"

    def __init__(self, pool):
        self.pool = pool

    async def run(self, argv, **_):
        if self.pool.dies:
            self.pool.lost = True
            raise NodeLost("node n is gone")
        return ExecResult(b"fine", b"", 0)

    async def close(self):
        self.pool.closed += 1


class MortalPool:
    tier = identity = "elsewhere"
    limits = Limits()
    browser = None

    def __init__(self, dies):
        self.dies, self.lost, self.closed, self.node = dies, False, 0, f"node-{dies}"

    async def acquire(self):
        return MortalBox(self)

    acquire_beside = acquire

    async def missing(self, requirements):
        return ()


def run(test, deaths, model=None, journal=None):
    """(record, model, pools) of a trial whose first `deaths` machines go."""
    model, pools = model or Counting(), []

    def pool():
        pools.append(MortalPool(len(pools) < deaths))
        return pools[-1]

    async def once(models, its):
        return await run_trial(Sample("t.T", test), *models, its, journal=journal)

    return asyncio.run(run_until_kept(once, [model, Counting("judge"), Counting("v")], pool)), model, pools


TEST = "a" >> LLMRun() >> "b" >> LLMRun() >> PythonRun() >> SubstringEvaluator("fine")


def test_replies_are_kept_and_counted_once():
    record, model, pools = run("a" >> LLMRun() >> LLMRun() >> PythonRun() >> SubstringEvaluator("fine"), 1)
    assert record.outcome is Outcome.PASS and len(pools) == 2
    assert len(model.asked) == 2, "nobody is asked twice"
    assert record.calls == 2 and record.usage == Usage(6, 10) and record.cost == 0.5
    assert [pool.closed for pool in pools] == [1, 1]
    assert record.extra["node"] == "node-False" and record.parameters == {"temperature": 0.5}


def test_without_a_loss_it_is_run_once():
    record, model, pools = run("a" >> LLMRun() >> PythonRun() >> SubstringEvaluator("no"), 0)
    assert record.outcome is Outcome.FAIL and len(pools) == len(model.asked) == 1


def test_a_trial_that_machines_die_of_is_an_error_in_the_end():
    record, model, pools = run("a" >> LLMRun() >> PythonRun() >> SubstringEvaluator("fine"), 99)
    assert record.outcome is Outcome.ERROR and "NodeLost: node n is gone" in record.error
    assert len(pools) == MOST_TRIES and len(model.asked) == 1


@dataclass(frozen=True)
class AskTwice(Node):
    """Asks the same question twice, as best-of-n does."""

    async def run(self, value, ctx):
        said = [(await ctx.llm.complete([Message("user", "same")])).text for _ in range(2)]
        await (await ctx.open_sandbox()).run(["true"])
        yield said, None


def test_the_same_question_twice_has_two_answers():
    seen = []

    @dataclass(frozen=True)
    class Look(Node):
        async def run(self, value, ctx):
            seen.append(value)
            yield True, None

    record, model, _ = run(AskTwice() >> Look(), 2)
    assert record.outcome is Outcome.PASS and seen == [["print('same 1')", "print('same 2')"]]
    assert len(model.asked) == 2


def test_an_error_is_not_remembered():
    model = Counting()

    async def both():
        from assay.running.trial_retry import RememberingModel

        remembering = RememberingModel(model)
        with pytest.raises(Transient):
            await remembering.complete([Message("user", "broken")])
        remembering.again()
        return await remembering.complete([Message("user", "broken")])

    assert asyncio.run(both()).text == "print('broken 2')"


@dataclass(frozen=True)
class InParts(Node):
    """A long trial: asks in each of three parts, and keeps each in the journal."""

    async def run(self, value, ctx):
        done = ctx.journal.recall("v1")
        for part in range(len(done), 3):
            reply = (await ctx.llm.complete([Message("user", f"part {part}")])).text
            if part == 2:
                await (await ctx.open_sandbox()).run(["true"])
            done.append(reply)
            ctx.journal.keep(reply)
        yield len(done) == 3, None


def test_a_long_trial_goes_on_at_its_last_part(tmp_path):
    record, model, pools = run(InParts(), 1, journal=Journal(tmp_path / "j"))
    assert record.outcome is Outcome.PASS and len(pools) == 2
    assert model.asked == ["part 0", "part 1", "part 2"] and record.calls == 3 and record.cost == 0.75


@dataclass(frozen=True)
class Player:
    """Gives its replies in order to whoever it is bound to, as the oracle does."""

    name: str = "oracle"
    given: list | None = None

    def for_trial(self, trial):
        return Player(given=[])

    async def complete(self, messages, *, json=False):
        self.given.append(messages)
        return Completion(("print('first')", "second")[len(self.given) - 1])


def test_the_oracle_goes_on_with_its_next_reply():
    test = "a" >> LLMRun() >> PythonRun() >> LLMRun() >> SubstringEvaluator("second")
    record, _, pools = run(test, 1, model=Player())
    assert len(pools) == 2 and record.outcome is Outcome.PASS, record.reason
