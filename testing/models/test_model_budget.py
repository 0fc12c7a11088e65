"""What calls cost, and runs that may cost only so much."""

from __future__ import annotations

import asyncio
import datetime
import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import BudgetExceeded, ConfigError
from assay.models import prices
from assay.models.ledger import Ledger
from assay.models.model_registry import ModelRegistry
from assay.records import Message, Usage
from scripts import renew_prices
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import QUICK, ask, llms_for

ROOT = Path(__file__).resolve().parents[2]


def test_a_known_model_has_a_price_also_by_its_dated_name(server):
    price = prices.price_of("openai", "gpt-4o")
    assert price is not None
    assert prices.price_of("openai", "gpt-4o-2024-08-06") == price
    reply = ask(server, "openai/gpt-4o", "x" * 4000)
    usage = reply.usage
    assert reply.cost == pytest.approx(
        (usage.input_tokens * price.input + usage.output_tokens * price.output) / 1e6
    )
    assert usage.input_tokens == 1000


def test_an_unknown_price_is_unknown_never_nothing(server):
    assert prices.price_of("openai", "no-such-model") is None
    assert ask(server, "openai/no-such-model").cost is None

    async def run():
        async with ModelRegistry(llms_for(server.url), {}, cache=None, retry=QUICK) as models:
            await models.load("openai/gpt-4o").complete((Message("user", "a"),))
            known = models.spent[1]
            await models.load("openai/no-such-model").complete((Message("user", "a"),))
            return known, models.spent[1]

    known, unknown = asyncio.run(run())
    assert known > 0
    assert unknown is None


def test_a_local_model_costs_nothing(server):
    assert ask(server, "ollama/qwen3:8b").cost == 0.0
    assert ask(server, "ollama/huge:cloud").cost is None


def test_prices_in_config_come_first(server):
    llms = llms_for(
        server.url, prices={"gpt-4o": {"input": 1000.0, "output": 0}, "*": {"input": 0, "output": 2e6}}
    )
    assert ask(server, "openai/gpt-4o", "[[say four]]", llms=llms).cost == pytest.approx(3 * 1000 / 1e6)
    assert ask(server, "my-server/any", "[[say four]]", llms=llms).cost == pytest.approx(2.0)


def test_a_cost_that_the_server_tells_comes_before_all():
    extra = {"usage": {"prompt_tokens": 5, "completion_tokens": 7, "cost": 0.25}}
    with ModelServer(reply=lambda asked: Reply("x", extra=extra)) as server:
        llms = {"openrouter": {"api_key": "some-long-key", "base_url": server.url + "/v1"}}
        reply = ask(server, "openrouter/a/b", llms=llms, max_cost=1.0)
        assert (reply.cost, reply.usage) == (0.25, Usage(5, 7))
        assert server.asked[0].body["usage"] == {"include": True}


def test_reasoning_that_is_counted_beside_the_completion_is_added():
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 32,
             "completion_tokens_details": {"reasoning_tokens": 20}}  # fmt: skip
    with ModelServer(reply=lambda asked: Reply("x", extra={"usage": usage})) as server:
        assert ask(server, "my-server/m").usage == Usage(5, 27, 20)


def test_a_price_learnt_later_holds_for_cached_replies(server, tmp_path):
    path = tmp_path / "c.sqlite"
    assert ask(server, "my-server/m", "[[say four]]", cache=path).cost is None
    llms = llms_for(server.url, prices={"m": {"input": 0, "output": 2e6}})
    assert ask(server, "my-server/m", "[[say four]]", cache=path, llms=llms).cost == pytest.approx(2.0)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": "x"}, []])
def test_odd_usage_is_no_failure(usage):
    with ModelServer(reply=lambda asked: Reply("x", extra={"usage": usage})) as server:
        assert ask(server, "my-server/m").usage == Usage()


def test_our_table_is_dated_and_agrees_with_the_litellm_that_is_installed():
    table = json.loads(prices.TABLE.read_text())
    assert datetime.date.fromisoformat(table["date"])
    assert "litellm" in table["source"]
    assert len(table["models"]) >= 24
    spec = importlib.util.find_spec("litellm")
    shipped = json.loads(
        Path(spec.origin).with_name("model_prices_and_context_window_backup.json").read_text()
    )
    version = table["source"].partition("litellm ")[2].partition("'")[0]
    rewritten = json.loads(renew_prices.rewrite(shipped, version, table["date"]))
    for name in ("openai/gpt-4o", "openai/o3", "anthropic/claude-opus-4-5", "anthropic/claude-haiku-4-5"):
        ours = table["models"][name]
        assert {"input", "output", "max_output"} <= set(ours)
        theirs = rewritten["models"].get(name)  # a later litellm may have dropped an old model
        assert theirs is None or set(theirs) >= {"input", "output", "max_output"}


@pytest.mark.slow(9)
def test_litellms_table_is_asked_only_when_litellm_is_in_use():
    code = """
import sys
from assay.models import prices
assert prices.price_of("mistral", "mistral-large-latest", prefix="mistral") is None
assert "litellm" not in sys.modules
from assay.models.litellm_provider import load_litellm
load_litellm()
price = prices.price_of("mistral", "mistral-large-latest", prefix="mistral")
assert price is not None and price.input > 0, price
assert prices.price_of("mistral", "gpt-4o", prefix="mistral") is None  # another provider's price
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)


def test_a_reply_without_counts_has_no_known_cost_and_uses_up_the_budget_all_the_same():
    """What its server does not count is not free: each is taken to cost what a first reply would."""
    with ModelServer(reply=lambda asked: Reply("x", extra={"usage": None})) as server:
        assert ask(server, "openai/gpt-4o").cost is None
        replies, (_, cost) = spend(server, calls=9, at_once=1, order="", max_cost=2500.0)
    done = [reply for reply in replies if not isinstance(reply, BudgetExceeded)]
    assert cost is None and [reply.cost for reply in done] == [None] * 3


# ---------------------------------------------------------------- budgets


def spend(server, calls, at_once, order="[[say four]]", **budget):
    llms = llms_for(server.url, prices={"*": {"input": 0, "output": 1e6}})  # one dollar a token of output

    async def run():
        async with ModelRegistry(
            llms, {}, cache=None, retry=QUICK, max_connections=at_once, **budget
        ) as models:
            model = models.load("openai/m")
            jobs = [model.complete((Message("user", f"{i:02} {order}"),)) for i in range(calls)]
            replies = await asyncio.gather(*jobs, return_exceptions=True)
            return replies, models.spent

    return asyncio.run(run())


def test_a_run_stops_at_its_cost_and_calls_in_flight_end_normally(server):
    replies, (_, cost) = spend(server, calls=20, at_once=10, max_cost=5.0)
    refused = [reply for reply in replies if isinstance(reply, BudgetExceeded)]
    assert cost == len(replies) - len(refused) == 5, "what is in flight is set aside"
    assert server.stats()["requests"] == len(replies) - len(refused)
    assert "--max-cost 5 reached" in str(refused[0])
    assert "--resume" in str(refused[0])


def test_a_run_stops_at_its_tokens(server):
    replies, (usage, _) = spend(server, calls=20, at_once=1, max_tokens=21)
    done = [reply for reply in replies if not isinstance(reply, BaseException)]
    assert len(done) == 5  # five tokens each: four in, one out
    assert usage.input_tokens + usage.output_tokens == 25
    assert sum(isinstance(reply, BudgetExceeded) for reply in replies) == 15


def test_a_cost_limit_needs_a_price(server):
    with pytest.raises(
        ConfigError, match=r'--max-cost needs the price of openai/m, which is unknown.*"prices"'
    ):
        ask(server, "openai/m", max_cost=1.0)
    assert ask(server, "ollama/qwen3:8b", max_cost=1.0).cost == 0.0


def test_cached_replies_are_given_beyond_the_budget(server, tmp_path):
    path = tmp_path / "c.sqlite"
    first = ask(server, "openai/gpt-4o", cache=path)
    again = ask(server, "openai/gpt-4o", cache=path, max_cost=0.0)
    assert again.text == first.text
    with pytest.raises(BudgetExceeded):
        ask(server, "openai/gpt-4o", "new", cache=path, max_cost=0.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_run_goes_beyond_its_budget_by_one_call_however_many_are_in_flight(seed):
    """Replies of 1 to 40 words, a dollar each, 32 calls at once, of a model and its judge; without setting
    anything aside the run would go beyond its budget by up to 31 calls."""
    dice = random.Random(seed)
    lengths = {f"{i:03} go": dice.randint(1, 40) for i in range(400)}

    def reply(asked):
        count = lengths[asked.prompt]
        return Reply("a " * count, extra={"usage": {"prompt_tokens": 1, "completion_tokens": count}})

    with ModelServer(reply=reply, latency=0.005) as server:
        llms = llms_for(server.url, prices={"*": {"input": 0, "output": 1e6}})

        async def run():
            settings = {"cache": None, "retry": QUICK, "max_connections": 32, "max_cost": 1000.0}
            async with ModelRegistry(llms, {}, **settings) as models:
                asked = [models.load(("openai/m", "openai/judge")[i % 2]) for i in range(400)]
                jobs = [
                    model.complete((Message("user", prompt),))
                    for model, prompt in zip(asked, lengths, strict=True)
                ]
                await asyncio.gather(*jobs, return_exceptions=True)
                return models.spent[1]

        cost = asyncio.run(run())
        assert server.stats()["in_flight_max"] > 8, "most of the run has many calls in flight"
    assert 1000 <= cost <= 1080, cost


def test_a_ledger_adds_up_and_sets_aside():
    async def go():
        ledger = Ledger(max_cost=1.0)

        def price(usage):
            return usage.output_tokens / 100

        first = await ledger.enter("m", 10, price)
        assert ledger.expected(first) == (1010, 10.0), "the first call's length is not known"
        second = asyncio.create_task(ledger.enter("m", 10, price))
        await asyncio.sleep(0)
        assert not second.done() and len(ledger.in_flight) == 1
        ledger.paid(first, Usage(1, 20, 1), 0.25)
        ticket = await second
        assert ledger.expected(ticket) == (30, 0.2)
        tickets = [await ledger.enter("m", 10, price) for _ in range(2)]
        waits = asyncio.create_task(ledger.enter("m", 10, price))
        await asyncio.sleep(0)
        assert not waits.done()
        ledger.left(tickets[0])  # it failed: what was set aside for it is free again
        ledger.left(tickets[0])
        await waits
        refused = asyncio.create_task(ledger.enter("m", 10, price))
        cancelled = asyncio.create_task(ledger.enter("m", 10, price))
        await asyncio.sleep(0)
        cancelled.cancel()
        ledger.paid(ticket, Usage(10, 20), 0.75)
        with pytest.raises(
            BudgetExceeded, match=r"--max-cost 1 reached: \$1\.00 spent; continue with --resume"
        ) as caught:
            await refused
        assert (ledger.usage, ledger.cost, ledger.tokens) == (Usage(11, 40, 1), 1.0, 51)
        assert len(ledger.in_flight) == 2
        ledger.paid(tickets[1], Usage(), 0.26)
        assert "$1.26 spent" in str(caught.value), "what was in flight is counted, too"

    asyncio.run(go())


def test_a_long_reply_makes_the_calls_in_flight_expected_longer():
    """The first replies of many calls are the short ones; those still under way are no longer than that
    until one of them has ended."""

    async def go():
        ledger = Ledger(max_cost=100.0)
        first = await ledger.enter("m", 0, lambda usage: float(usage.output_tokens))
        ledger.paid(first, Usage(0, 1), 1.0)
        flying = [await ledger.enter("m", 0, lambda usage: float(usage.output_tokens)) for _ in range(20)]
        ledger.paid(flying.pop(), Usage(0, 39), 39.0)
        assert ledger.expected(flying[0]) == (39, 39.0)
        late = asyncio.create_task(ledger.enter("m", 0, lambda usage: float(usage.output_tokens)))
        await asyncio.sleep(0)
        assert not late.done(), "nineteen that may be as long are more than the budget"
        for each in flying:
            ledger.left(each)
        await late

    asyncio.run(go())


def test_calls_of_unknown_price_go_one_by_one_until_one_has_told_its_own():
    async def go():
        ledger = Ledger(max_cost=1.0)
        first = await ledger.enter("router/m", 10, lambda usage: None)
        second = asyncio.create_task(ledger.enter("router/m", 10, lambda usage: None))
        await asyncio.sleep(0)
        assert not second.done()
        ledger.paid(first, Usage(5, 5), 0.1)
        await second
        third = await asyncio.wait_for(ledger.enter("router/m", 10, lambda usage: None), 5)
        assert ledger.expected(third) == (15, 0.1)

    asyncio.run(go())
