"""How calls wait: backoff, Retry-After, and the limit that follows the provider's 429s."""

from __future__ import annotations

import asyncio
import datetime
import time

import pytest

from assay.errors import ProviderError
from assay.models.failures import StatusError, error_from_status, retry_after
from assay.models.gate import Gate
from assay.models.model_registry import ModelRegistry
from assay.models.provider import ProviderSettings
from assay.models.provider_client import clean
from assay.models.retry import Retry
from assay.records import Message
from testing.misbehaviour import Order
from testing.model_server import ModelServer
from testing.models.asking import QUICK, ask, llms_for


def test_full_jitter_between_nothing_and_a_doubling_bound():
    retry = Retry(base_delay_s=1.0, max_delay_s=5.0)
    for attempt, bound in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (9, 5.0)):
        waits = [retry.delay_s(attempt, None) for _ in range(300)]
        assert 0 <= min(waits) < 0.2 * bound
        assert 0.8 * bound < max(waits) <= bound
    assert 7.0 <= retry.delay_s(1, 7.0) <= 8.0  # what the server asked comes on top


def test_what_headers_ask():
    now = datetime.datetime(2025, 3, 1, 12, 0, 0, tzinfo=datetime.UTC)
    assert retry_after({"retry-after": "3"}) == 3.0
    assert retry_after({"retry-after": "0.5"}) == 0.5
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}) == 1.5
    assert retry_after({"retry-after": "Sat, 01 Mar 2025 12:00:30 GMT"}, now) == 30.0
    assert retry_after({"retry-after": "Sat, 01 Mar 2025 11:00:00 GMT"}, now) == 0.0  # past: at once
    for nonsense in ("soon", "-5", "nan", "inf", ""):
        assert retry_after({"retry-after": nonsense}) is None
    assert retry_after({}) is None


def test_a_wait_beyond_the_bound_is_not_begun(server):
    began = time.monotonic()
    with pytest.raises(ProviderError, match="asks to wait 3600 s"):
        ask(server, "openai/m", "[[429 retry-after=3600]]")
    assert time.monotonic() - began < 5
    assert server.stats()["requests"] == 1


def test_what_is_imported_before_the_first_call_is_no_time_of_the_model(server, monkeypatch):
    monkeypatch.setattr("assay.models.sdk.load", lambda name: time.sleep(0.1))
    reply = ask(server, "openai/m")
    assert reply.queued_seconds >= 0.1


def many(server, prompts, **settings):
    async def run():
        options = {"cache": None, "retry": QUICK, **settings}
        async with ModelRegistry(llms_for(server.url), {}, **options) as models:
            model = models.load("openai/m")
            calls = [model.complete((Message("user", prompt),)) for prompt in prompts]
            return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(run())


def test_no_more_calls_at_once_than_allowed():
    with ModelServer(latency=0.05) as server:
        replies = many(server, [f"q{i}" for i in range(40)], max_connections=7)
        assert len({reply.text for reply in replies}) == 40
        assert server.stats()["in_flight_max"] == 7


def test_a_rate_limit_of_the_server_is_found_without_losing_a_call():
    """A server that takes four at a time answers 429 to the rest: every call gets through, and after
    the first burst there are far fewer refusals than a fixed limit of 32 would cause."""
    with ModelServer() as server:
        desk = server.desk

        def order_for(asked):
            return Order("429") if desk.in_flight > 4 else Order("slow", options={"s": "0.02"})

        desk.order_for = order_for
        retry = Retry(attempts=12, base_delay_s=0.02, max_delay_s=0.5)
        replies = many(server, [f"q{i}" for i in range(150)], max_connections=32, retry=retry)
        assert [reply for reply in replies if isinstance(reply, BaseException)] == []
        refused = server.stats()["statuses"].get("429", 0)
        assert 0 < refused < 150


def test_those_who_wait_do_not_run_into_the_same_429_one_by_one():
    with ModelServer(latency=0.01) as server:
        closed_until = time.monotonic() + 1.0
        server.desk.order_for = lambda asked: (
            Order("429", options={"retry-after": "1"}) if time.monotonic() < closed_until else Order("ok")
        )
        replies = many(server, [f"q{i}" for i in range(100)], max_connections=8)
        assert [reply for reply in replies if isinstance(reply, BaseException)] == []
        assert server.stats()["statuses"] == {"429": 8, "200": 100}  # only those that were in flight


def run_gate(body):
    async def run():
        return await asyncio.wait_for(body(), 10)

    return asyncio.run(run())


def test_a_burst_of_429s_halves_the_limit_once():
    async def body():
        gate = Gate(32)
        entered = [await gate.enter() for _ in range(32)]
        for each in entered:
            gate.rate_limited(each)
            gate.leave()
        assert 16 <= gate.limit < 16.5 and gate.share > 0.95
        late = await gate.enter()
        gate.rate_limited(late)
        gate.leave()
        assert 8 <= gate.limit < 8.5
        for _ in range(10):
            each = await gate.enter()
            gate.rate_limited(each)
            gate.leave()
        assert gate.limit == 1  # never none at all

    run_gate(body)


def test_a_refusal_now_and_then_costs_few_places_and_keeps_nobody_waiting():
    """One call of ten, whatever the load. If all waited for each, a few calls a second would be made."""

    async def body():
        gate = Gate(32)
        limits = []
        for number in range(1000):
            entered = await asyncio.wait_for(gate.enter(), 1)
            if number % 10 == 9:
                gate.rate_limited(entered, 0.01)
            else:
                gate.succeeded()
            gate.leave()
            limits.append(gate.limit)
        assert min(limits) > 16 and gate.share < 0.3

    run_gate(body)


def test_a_provider_that_refuses_everything_is_asked_a_few_times_only():
    async def body():
        gate = Gate(4)
        asked = 0

        async def call():
            nonlocal asked
            entered = await gate.enter()
            asked += 1
            await asyncio.sleep(0)
            gate.rate_limited(entered, 3600.0)
            gate.leave()

        tasks = [asyncio.create_task(call()) for _ in range(100)]
        await asyncio.sleep(0.2)
        assert asked == 4, "those that were let through before the first answer"
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run_gate(body)


def test_the_limit_creeps_back_up():
    async def body():
        gate = Gate(8)
        entered = await gate.enter()
        for _ in range(30):
            gate.rate_limited(entered)
        gate.leave()
        assert 4 <= gate.limit < 4.2
        replies = 0
        while gate.limit < 8:
            gate.succeeded()
            replies += 1
        assert 15 < replies < 40
        for _ in range(100):
            gate.succeeded()
        assert gate.limit == 8 and gate.share < 0.001

    run_gate(body)


def test_places_are_given_in_order_and_survive_cancellation():
    async def body():
        gate = Gate(1)
        await gate.enter()
        order = []

        async def wait(name):
            await gate.enter()
            order.append(name)
            gate.leave()

        tasks = [asyncio.create_task(wait(name)) for name in "abcd"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        gate.leave()  # gives the place to a ...
        tasks[0].cancel()  # ... who is cancelled before noticing
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == ["c", "d"]
        assert gate.in_flight == 0

    run_gate(body)


def test_a_closed_gate_opens_by_itself_and_never_sooner():
    async def body():
        gate = Gate(4)
        entered = await gate.enter()
        for _ in range(8):
            gate.rate_limited(entered)  # most calls fare like this
        began = time.monotonic()
        gate.rate_limited(entered, 0.2)
        gate.rate_limited(entered, 0.1)  # a shorter wait does not shorten the longer one
        gate.leave()
        await gate.enter()
        assert 0.2 <= time.monotonic() - began < 2
        assert gate.in_flight == 1
        gate.leave()
        await gate.enter()
        assert gate.in_flight == 1

    run_gate(body)


def test_a_cancelled_call_gives_its_place_back(server):
    async def run():
        async with ModelRegistry(
            llms_for(server.url), {}, cache=None, max_connections=1, retry=QUICK
        ) as models:
            model = models.load("openai/m")
            stuck = asyncio.create_task(model.complete((Message("user", "[[slow s=30]]"),)))
            await asyncio.sleep(0.2)
            assert models._clients["openai"].gate.in_flight == 1
            stuck.cancel()
            await asyncio.gather(stuck, return_exceptions=True)
            assert models._clients["openai"].gate.in_flight == 0
            return await asyncio.wait_for(model.complete((Message("user", "[[say next]]"),)), 10)

    assert asyncio.run(run()).text == "next"


@pytest.mark.parametrize(
    ("status", "message", "too_long"),
    [
        (400, "This model's maximum context length is 128000 tokens.", True),
        (400, "Your input exceeds the context window of this model.", True),
        (400, "prompt is too long: 203912 tokens > 200000 maximum", True),
        (400, "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000", True),
        (400, "the request exceeds the available context size, try increasing it", True),
        (400, "The input token count (1300000) exceeds the maximum number of tokens allowed", True),
        (400, "This model's maximum prompt length is 131072 but the request contains 140000", True),
        (413, "Request Entity Too Large", True),
        (400, "max_tokens is too large: 99999", False),
        (429, "too many tokens per minute", False),
        (401, "no key", False),
    ],
)
def test_a_dialogue_that_is_too_long_is_told_apart(status, message, too_long):
    failure = error_from_status(ProviderSettings("openai"), "m", StatusError(status, message))
    assert getattr(failure, "too_long", False) is too_long
    assert getattr(clean(failure, "m"), "too_long", False) is too_long
