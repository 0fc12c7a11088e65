"""Costs are those of a bill that is computed by hand, with the figures of each provider's price page."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assay.dialogue import tokens_in
from assay.models import prices
from assay.models.ledger import Ledger
from assay.models.model_registry import ModelRegistry
from assay.models.prices import Price
from assay.models.provider_client import believed
from assay.records import Completion, Message, Tool, ToolCall, Usage
from testing.model_server import ModelServer
from testing.model_wire import Reply
from testing.models.asking import ask, llms_for

ROOT = Path(__file__).resolve().parents[2]
EXACT = 0.01  # of the bill

# Usage, and its bill. Prices a million tokens, as the pages had them in November 2026:
BILLS = [
    # https://platform.claude.com/docs/en/about-claude/pricing
    # Claude Sonnet 4.6: input $3, 5m cache writes $3.75, 1h cache writes $6, cache hits $0.30, output $15
    ("anthropic", "claude-sonnet-4-6", Usage(10_000, 2_000), 0.03 + 0.03),
    ("anthropic", "claude-sonnet-4-6", Usage(110_000, 0, 0, 90_000, 15_000), 0.015 + 0.027 + 0.05625),
    ("anthropic", "claude-sonnet-4-6", Usage(100_000, 0, 0, 0, 100_000, 40_000), 0.225 + 0.24),
    # Claude Opus 4.5: $5, $6.25, $10, $0.50, $25; Haiku 4.5: $1, $1.25, $2, $0.10, $5
    ("anthropic", "claude-opus-4-5-20251101", Usage(21_000, 500, 0, 20_000, 1_000), 0.01 + 0.00625 + 0.0125),
    ("anthropic", "claude-haiku-4-5", Usage(50_000, 10_000, 4_000, 0, 50_000), 0.0625 + 0.05),
    # Claude Fable 5.1, whose cache hits are cheaper than a tenth: $10, $12.50, $20, $0.25, $50
    ("anthropic", "claude-fable-5-1", Usage(101_000, 1_000, 0, 100_000), 0.01 + 0.025 + 0.05),
    # Claude Sonnet 4.5, as Sonnet 4.6; of its writes 10,000 tokens are kept for an hour
    ("anthropic", "claude-sonnet-4-5-20250929", Usage(70_000, 1_000, 600, 20_000, 30_000, 10_000),
     0.06 + 0.006 + 0.075 + 0.06 + 0.015),
    # https://developers.openai.com/api/docs/pricing
    # o3: $2, $0.50, $8; o4-mini: $1.10, $0.275, $4.40; gpt-4o-mini: $0.15, $0.075, $0.60; gpt-5-mini: $0.25,
    # $0.025, $2: reasoning is output
    ("openai", "o3", Usage(10_000, 6_000, 5_500, 8_000), 0.004 + 0.004 + 0.048),
    ("openai", "o4-mini-2025-04-16", Usage(10_000, 6_000, 5_500, 8_000), 0.0022 + 0.0022 + 0.0264),
    ("openai", "gpt-4o-mini-2024-07-18", Usage(100_000, 10_000, 0, 40_000), 0.009 + 0.003 + 0.006),
    ("openai", "gpt-5-mini", Usage(100_000, 10_000, 9_000, 40_000), 0.015 + 0.001 + 0.02),
    # gpt-4o: input $2.50, cached input $1.25, output $10; gpt-4.1: $2, $0.50, $8; gpt-5: $1.25, $0.125, $10
    ("openai", "gpt-4o", Usage(3_000, 1_000, 0, 2_048), 0.00238 + 0.00256 + 0.01),
    ("openai", "gpt-4.1", Usage(20_000, 1_000, 0, 10_000), 0.02 + 0.005 + 0.008),
    ("openai", "gpt-5", Usage(20_000, 5_000, 4_000, 16_000), 0.005 + 0.002 + 0.05),
    # gpt-5.4: $2.50, $0.25, $15; the whole of a prompt above 272K tokens twice, and its output 1.5 times that
    ("openai", "gpt-5.4", Usage(272_000, 1_000, 0, 200_000), 0.18 + 0.05 + 0.015),
    ("openai", "gpt-5.4", Usage(300_000, 1_000, 0, 200_000), 0.5 + 0.1 + 0.0225),
]  # fmt: skip


@pytest.mark.parametrize(("provider", "model", "usage", "bill"), BILLS)
def test_a_cost_is_that_of_the_bill(provider, model, usage, bill):
    price = prices.price_of(provider, model)
    assert price is not None and price.of(usage) == pytest.approx(bill, rel=EXACT)


# Prices of providers that litellm reaches, by its table:
# https://ai.google.dev/gemini-api/docs/pricing: Gemini 2.5 Pro, prompts up to 200k tokens: input $1.25,
# cached $0.125, output $10; longer ones: $2.50, $0.25, $15; Gemini 2.5 Flash: $0.30, $0.03, $2.50
# https://aws.amazon.com/bedrock/pricing: Claude Sonnet 4.5: $3, write $3.75, read $0.30, $15; long context:
# $6, $7.50, $0.60, $22.50
# https://mistral.ai/pricing: Mistral Large 3: $0.50, $1.50
# https://ai.google.dev/gemini-api/docs/pricing: Gemini 2.5 Flash-Lite: $0.10, $0.01, $0.40
# https://api-docs.deepseek.com/quick_start/pricing: both models: $0.28, hits $0.028, $0.42
# https://groq.com/pricing: GPT OSS 120B: $0.15, cached $0.075, $0.60
# https://www.alibabacloud.com/help/en/model-studio/models: Qwen3-Max: up to 32K $1.20, $6; up to 128K $2.40,
# $12; up to 252K $3, $15; Qwen-Plus: up to 256K $0.40, $1.20, thinking $4; longer ones: $1.20, $3.60, $12
OTHERS = """
from assay.models import prices
from assay.models.litellm_provider import load_litellm
from assay.records import Usage

load_litellm()
CLAUDE = "anthropic.claude-sonnet-4-5-20250929-v1:0"
for provider, model, usage, bill in (
    ("gemini", "gemini-2.5-pro", Usage(200_000, 1_000, 0, 100_000), 0.125 + 0.0125 + 0.01),
    ("gemini", "gemini-2.5-pro", Usage(200_001, 1_000, 0, 100_000), 0.25 + 0.025 + 0.015),
    ("gemini", "gemini-2.5-flash", Usage(1_000_000, 1_000, 0, 500_000), 0.15 + 0.015 + 0.0025),
    ("gemini", "gemini-2.5-flash-lite", Usage(1_000_000, 10_000, 0, 500_000), 0.05 + 0.005 + 0.004),
    ("deepseek", "deepseek-chat", Usage(100_000, 10_000, 0, 60_000), 0.0112 + 0.00168 + 0.0042),
    ("deepseek", "deepseek-reasoner", Usage(100_000, 10_000, 9_000, 60_000), 0.0112 + 0.00168 + 0.0042),
    ("litellm", "anthropic/claude-sonnet-4-6", Usage(110_000, 0, 0, 90_000, 15_000), 0.015 + 0.027 + 0.05625),
    ("bedrock", CLAUDE, Usage(150_000, 1_000, 0, 100_000, 40_000), 0.03 + 0.03 + 0.15 + 0.015),
    ("bedrock", CLAUDE, Usage(250_000, 1_000, 0, 100_000, 140_000), 0.06 + 0.06 + 1.05 + 0.0225),
    ("mistral", "mistral-large-2512", Usage(10_000, 10_000), 0.005 + 0.015),
    ("groq", "openai/gpt-oss-120b", Usage(20_000, 10_000, 9_000, 10_000), 0.0015 + 0.00075 + 0.006),
    ("dashscope", "qwen3-max", Usage(32_000, 1_000), 0.0384 + 0.006),
    ("dashscope", "qwen3-max", Usage(100_000, 1_000), 0.24 + 0.012),
    ("dashscope", "qwen3-max", Usage(200_000, 1_000), 0.6 + 0.015),
    ("dashscope", "qwen-plus-latest", Usage(10_000, 2_000), 0.004 + 0.0024),
    ("dashscope", "qwen-plus-latest", Usage(10_000, 2_000, 1_500), 0.004 + 0.008),
    ("dashscope", "qwen-plus-latest", Usage(300_000, 2_000, 1_500), 0.36 + 0.024),
):
    price = prices.price_of(provider, model, prefix=provider.replace("litellm", ""))
    assert price is not None and abs(price.of(usage) - bill) < 0.01 * bill, (model, price)
"""


@pytest.mark.slow(7)
def test_a_cost_by_litellms_table_is_that_of_the_bill():
    subprocess.run([sys.executable, "-c", OTHERS], cwd=ROOT, check=True, timeout=120)


# What each API says of a call, and its bill by the pages above
ON_THE_WIRE = [
    (
        "openai/gpt-5",
        {
            "prompt_tokens": 20_000,
            "completion_tokens": 5000,
            "total_tokens": 25_000,
            "prompt_tokens_details": {"cached_tokens": 16_000, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 4000},
        },
        0.005 + 0.002 + 0.05,
    ),
    (
        # gpt-5.6: $4, cached $0.40, $20, and since it cache writes, $5; above 272K tokens twice that
        "openai/gpt-5.6",
        {
            "prompt_tokens": 300_000,
            "completion_tokens": 1000,
            "prompt_tokens_details": {"cached_tokens": 200_000, "cache_write_tokens": 90_000},
        },
        0.08 + 0.16 + 0.9 + 0.03,
    ),
    (
        "anthropic/claude-sonnet-4-6",
        {
            "input_tokens": 5000,
            "cache_read_input_tokens": 90_000,
            "cache_creation_input_tokens": 15_000,
            "cache_creation": {"ephemeral_5m_input_tokens": 15_000, "ephemeral_1h_input_tokens": 0},
            "output_tokens": 1000,
        },
        0.015 + 0.027 + 0.05625 + 0.015,
    ),
    ("mistral/mistral-large-2512", {"prompt_tokens": 10_000, "completion_tokens": 10_000}, 0.005 + 0.015),
    (
        "groq/openai/gpt-oss-120b",
        {
            "prompt_tokens": 20_000,
            "completion_tokens": 10_000,
            "total_tokens": 30_000,
            "prompt_tokens_details": {"cached_tokens": 10_000},
        },
        0.0015 + 0.00075 + 0.006,
    ),
]


@pytest.mark.slow(1)
@pytest.mark.parametrize(("name", "usage", "bill"), ON_THE_WIRE)
def test_a_call_costs_what_the_bill_says(name, usage, bill):
    with ModelServer(reply=lambda asked: Reply("x", extra={"usage": usage})) as server:
        llms = {**llms_for(server.url), "groq": {"api_key": "some-long-key", "base_url": server.url + "/v1"}}
        reply = ask(server, name, llms=llms, hparams={"max_tokens": 1000})
        assert reply.cost == pytest.approx(bill, rel=EXACT)


@pytest.mark.slow(1)
@pytest.mark.parametrize(
    ("read", "cached", "bill"),
    [(200_000, 100_000, 0.125 + 0.0125 + 0.01), (250_000, 100_000, 0.375 + 0.025 + 0.015)],
)
def test_a_call_of_gemini_costs_what_the_bill_says(read, cached, bill):
    """Its thoughts are counted beside its answer, and cost the same."""
    usage = {
        "promptTokenCount": read,
        "cachedContentTokenCount": cached,
        "candidatesTokenCount": 400,
        "thoughtsTokenCount": 600,
        "totalTokenCount": read + 1000,
    }
    content = {"role": "model", "parts": [{"text": "four"}]}
    said = {"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": usage}

    class Gemini(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["content-length"]))
            body = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Gemini) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}"
        try:
            llms = {"gemini": {"api_key": "some-long-key", "base_url": url}}
            reply = ask(None, "gemini/gemini-2.5-pro", llms=llms)
        finally:
            server.shutdown()
    assert reply.usage == Usage(read, 1000, 600, cached)
    assert reply.cost == pytest.approx(bill, rel=EXACT)


def test_all_of_our_models_that_can_be_cached_have_a_price_for_it():
    for name, row in prices.table().items():
        price = prices.price_in(row)
        assert name.startswith("openai/") or price.input < (price.cache_write or 0), name
        assert price.cached is None or price.cached < price.input, name
        for _, longer in price.above:
            assert (longer.cached is None) == (price.cached is None), name
            assert longer.input > price.input and longer.output >= price.output, name


def test_prices_of_config_say_what_cached_input_costs():
    mine = {"m": {"input": 10, "output": 0, "cached": 1, "cache_write": 12, "above": {"1000": {"input": 20}}}}
    price = prices.price_of("my-server", "m", mine)
    assert price is not None
    assert price.of(Usage(1000, 0, 0, 500, 100)) == pytest.approx((400 * 10 + 500 + 100 * 12) / 1e6)
    assert price.of(Usage(1001, 0)) == pytest.approx(1001 * 20 / 1e6)
    plain = prices.price_of("my-server", "m", {"m": {"input": 10, "output": 0}})
    assert plain == Price(10, 0) and plain.of(Usage(1000, 0, 0, 500, 100)) == pytest.approx(0.01)


def test_a_service_tier_has_its_own_price_or_none():
    """https://developers.openai.com/api/docs/guides/flex-processing: as a batch. gpt-4.1: $2, $8."""
    usage = Usage(100_000, 10_000)

    def cost(provider, tier, row=None):
        llms = {provider: {"api_key": "k"} | ({"prices": row} if row else {})}
        registry = ModelRegistry(llms, {"service_tier": tier} if tier else {}, cache=None)
        return registry.price(f"{provider}/gpt-4.1", usage), registry.batch_price(
            f"{provider}/gpt-4.1", usage
        )

    assert cost("openai", None) == cost("openai", "auto") == (pytest.approx(0.28), pytest.approx(0.14))
    assert cost("openai", "flex") == (pytest.approx(0.14), pytest.approx(0.14))
    assert cost("openai", "priority") == (None, None)
    mine = {"gpt-4.1": {"input": 3.5, "output": 14}}
    assert cost("openai", "priority", mine)[0] == pytest.approx(0.49)


def test_what_is_set_aside_for_a_call_is_no_less_than_it_can_cost():
    """The provider may keep all of the prompt, and a long prompt has a price of its own."""
    price = prices.price_of("anthropic", "claude-haiku-5-5")

    async def go():
        ledger = Ledger(max_cost=1.0)
        for prompt in (50_000, 100_001):
            ticket = await ledger.enter("m", prompt, price.of)
            output = ledger.expected(ticket)[0] - prompt
            kept = Usage(prompt, output, cache_write_tokens=prompt)
            assert ledger.expected(ticket)[1] == price.of(kept) > price.of(Usage(prompt, output))
            ledger.left(ticket)

    asyncio.run(go())


def test_a_sum_of_short_calls_has_no_price_of_a_long_one():
    price = Price(1.0, 10.0, above=((1000, Price(2.0, 20.0)), (5000, Price(3.0, 30.0))))
    bills = [price.of(Usage(tokens, 0)) * 1e6 for tokens in (1000, 1001, 5001)]
    assert bills == pytest.approx([1000, 2002, 15_003])
    assert price.of(Usage(6000, 100), 6) == pytest.approx(7000 / 1e6)
    assert price.of(Usage(6001, 100), 6) == pytest.approx(14_002 / 1e6)


def test_more_cached_tokens_than_were_read_are_not_believed():
    """Else a server could make its replies cost less than nothing, and a budget endless."""
    claimed = Completion("x", Usage(100, 5, 0, 10**9, 10**9, 10**9))
    assert believed(claimed).usage == Usage(100, 5, 0, 100, 0, 0)
    claimed = Completion("x", Usage(100, 5, 0, 40, 80, 70))
    assert believed(claimed).usage == Usage(100, 5, 0, 40, 60, 60)


def test_tools_and_reasoning_are_part_of_what_is_set_aside():
    tools = (Tool("shell", "x" * 400, "{" + " " * 398 + "}"),)
    calls = (ToolCall("c1", "shell", "y" * 395),)
    dialogue = (
        Message("user", "z" * 400),
        Message("assistant", "", calls=calls, reasoning="w" * 400),
    )
    assert tokens_in(dialogue[:1]) == 100
    assert tokens_in(dialogue) == 300
    assert tokens_in(dialogue, tools) == 501
    hidden = (*dialogue, Message("assistant", "", native="s" * 4000))
    assert tokens_in(hidden) == 1300
