"""What is long, or may take long, is read in a process that can be killed."""

import asyncio
import os
import re

import pytest

from assay.errors import ModelFault
from assay.language import apart as module
from assay.language.apart import LONGEST, SHORT, apart, may_be_slow, read
from assay.records import Cause, Outcome
from evaluator import ExtractCode, LLMRun, RegexEvaluator, SubstringEvaluator
from testing.language.pipeline import trial

SLOW = ("(a+)+$", "a" * 40 + "b")  # a day


def test_a_short_text_is_read_in_place_and_a_long_one_elsewhere():
    async def both():
        return await read(process_of, ""), await read(process_of, "a" * (SHORT + 1))

    short, long = asyncio.run(both())
    assert short == os.getpid() != long


def process_of(text):
    return os.getpid()


def test_the_others_go_on_and_the_reader_is_killed_at_its_limit():
    async def work():
        search = asyncio.ensure_future(apart(re.search, *SLOW, limit_s=0.5))
        turns = 0
        while not search.done():
            await asyncio.sleep(0.001)
            turns += 1
        return turns, search.exception()

    turns, fault = asyncio.run(work())
    assert turns > 20
    assert isinstance(fault, ModelFault) and fault.cause == Cause.TIMED_OUT


def test_a_call_that_is_cancelled_leaves_no_process():
    async def work():
        search = asyncio.ensure_future(apart(re.search, *SLOW))
        while not (workers := [call.worker for call in calls if call.worker]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
        process = workers[0].process
        while process.poll() is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return search.cancelled(), process.returncode

    calls = []

    class Seen(module._Call):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            calls.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_Call", Seen)
        assert asyncio.run(work()) == (True, -9)


@pytest.mark.parametrize(
    ("reader", "argument", "why"),
    [
        (os._exit, 1, "killed"),
        (bytes, 3 << 30, "MemoryError"),
        (len, "a" * (LONGEST + 1), "too many"),
    ],
)
def test_what_cannot_be_read_is_the_models_fault(reader, argument, why):
    with pytest.raises(ModelFault, match=why):
        asyncio.run((read if reader is len else apart)(reader, argument))


def test_a_readers_own_error_comes_back():
    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(apart(int, "x"))


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(a)\1*", "(?P<x>a)(?P=x)", "(a|aa){2,}$", "a*a*a*b"])
def test_what_may_take_long_is_known(pattern):
    assert may_be_slow(pattern, 200)
    assert not may_be_slow("forty-two", 10_000) and not may_be_slow(r"^\s*total: 42", 500)


def test_a_pattern_that_would_take_a_day_is_a_fail(monkeypatch):
    monkeypatch.setattr(module, "LIMIT_S", 0.5)
    monkeypatch.setattr(module.apart, "__kwdefaults__", {"limit_s": 0.5})
    record = trial("?" >> LLMRun() >> RegexEvaluator(SLOW[0]), SLOW[1])
    assert (record.outcome, record.cause) == (Outcome.FAIL, Cause.TIMED_OUT) and "/(a+)+$/" in record.why
    assert trial("?" >> LLMRun() >> ~RegexEvaluator(SLOW[0]), SLOW[1]).outcome is Outcome.FAIL


def test_long_replies_are_read_as_short_ones_are():
    code = "x = 1\n" * SHORT
    record = trial("?" >> LLMRun() >> ExtractCode() >> SubstringEvaluator(code), f"Here:\n```py\n{code}```")
    assert record.outcome is Outcome.PASS
