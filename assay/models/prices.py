"""
What tokens cost. prices.json is our own small table, in US dollars per million tokens, with its date
and source; where it has no row, litellm's table is asked, but only once litellm is in use anyway.
scripts/renew_prices.py of the repository rewrites it.
"""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.records import Usage

TABLE = Path(__file__).with_name("prices.json")
DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
KINDS = {  # of prices -> what litellm's table calls them
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached": "cache_read_input_token_cost",
    "cache_write": "cache_creation_input_token_cost",
    "cache_write_1h": "cache_creation_input_token_cost_above_1hr",
    "reasoning": "output_cost_per_reasoning_token",
}
# What `service_tier` may say where that changes no price, and who sells "flex" at the price of a batch:
# developers.openai.com/api/docs/guides/flex-processing, and Azure's page. Groq's costs what any call does.
SAME_PRICE = (None, "auto", "default", "standard", "standard_only", "on_demand")
FLEX_IS_HALF, FLEX_IS_SAME = ("openai", "azure"), ("groq",)
LONGER = re.compile(r"input_cost_per_token(_above_(\d+)k_tokens)$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens. Reasoning tokens count as output; `reasoning`: of all output of a reply
    that has some, where that is dearer. `cached`: of input that the provider
    had read before; `cache_write`: of input that it keeps for the next time, `cache_write_1h`: for an hour;
    None: as any input. `above`: the prices of a call whose input has more tokens than that."""

    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None
    reasoning: float | None = None
    above: tuple[tuple[int, Price], ...] = ()
    batch: Price | None = None  # of calls by batch, where these are not half of all that

    def by_batch(self) -> Price:
        """The price of calls by batch: half, as both OpenAI and Anthropic say, of cached tokens too.

        >>> Price(2.0, 10.0, cached=0.2).by_batch() == Price(1.0, 5.0, cached=0.1)
        True
        """
        if self.batch is not None:
            return self.batch
        its = {name: value / 2 for name in KINDS if (value := getattr(self, name)) is not None}
        return Price(**its, above=tuple((tokens, price.by_batch()) for tokens, price in self.above))

    def of(self, usage: Usage, calls: int = 1) -> float:
        """Of one call, or a sum of `calls` that are about as long as each other.

        >>> Price(2.0, 10.0).of(Usage(1_000_000, 100_000))
        3.0
        >>> Price(2.0, 10.0, cached=0.2).of(Usage(1_000_000, 0, cached_tokens=500_000))
        1.1
        >>> Price(2.0, 10.0, above=((200_000, Price(4.0, 15.0)),)).of(Usage(1_000_000, 0))
        4.0
        """
        for tokens, price in reversed(self.above):
            if usage.input_tokens > tokens * calls:
                return price.of(usage)
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.cache_write is None else self.cache_write
        for_an_hour = written if self.cache_write_1h is None else self.cache_write_1h
        read = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens
        kept = usage.cached_tokens * cached + usage.cache_write_1h_tokens * for_an_hour
        kept += (usage.cache_write_tokens - usage.cache_write_1h_tokens) * written
        output = self.output if self.reasoning is None or not usage.reasoning_tokens else self.reasoning
        return (read * self.input + kept + usage.output_tokens * output) / 1e6


def price_in(row: Mapping[str, Any]) -> Price:
    """The price that a row says: {"input": N, "output": N, "cached": N, "above": {"200000": {...}}, ...}.
    What a price of longer input leaves out is as it is for shorter, what "batch" leaves out is half."""
    its: dict[str, Any] = {name: float(row[name]) for name in KINDS if row.get(name) is not None}
    above = {int(tokens): price_in(its | more) for tokens, more in row.get("above", {}).items()}
    found = Price(its.pop("input"), its.pop("output"), **its, above=tuple(sorted(above.items())))
    if (batch := row.get("batch")) is None:
        return found
    halves = {name: value for name, value in vars(found.by_batch()).items() if name in KINDS}
    return replace(found, batch=replace(price_in(halves | batch), above=found.by_batch().above))


@functools.cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """prices.json's rows: "provider/model" -> prices, max_output, samples, adaptive."""
    rows: dict[str, dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))["models"]
    return rows


def facts(provider: str, model: str) -> Mapping[str, Any]:
    """Our row for a model, also found by its name without a date; {} if there is none."""
    rows = table()
    name = f"{provider}/{model}"
    return rows.get(name) or rows.get(DATED.sub("", name)) or {}


def price_of(provider: str, model: str, overrides: Mapping[str, Any] = {}, prefix: str = "") -> Price | None:
    """The price; None if it is unknown. `overrides`: config.json's llms.<provider>.prices, where
    "*" stands for every other model. `prefix`: what litellm calls the provider."""
    row = overrides.get(model, overrides.get("*"))
    if row is not None:
        return price_in(row)
    its = _in_table(provider, model) or (None if prefix else _in_table(*model.partition("/")[::2]))
    return its or _of_litellm(prefix, model)


@functools.cache
def _in_table(provider: str, model: str) -> Price | None:
    row = facts(provider, model)
    return price_in(row) if row else None


def at_tier(price: Price, provider: str, tier: Any) -> Price | None:
    """The price of calls with this `service_tier`; None if it is not known.

    >>> at_tier(Price(2.0, 10.0), "openai", "flex").of(Usage(1_000_000, 0))
    1.0
    >>> at_tier(Price(2.0, 10.0), "openai", "priority")
    """
    if tier in SAME_PRICE or (tier == "flex" and provider in FLEX_IS_SAME):
        return price
    half = price.by_batch()
    return replace(half, batch=half) if tier == "flex" and provider in FLEX_IS_HALF else None


def from_litellm(row: Mapping[str, Any]) -> dict[str, Any]:
    """The prices in a row of litellm's table, as a row of ours."""
    if tiers := row.get("tiered_pricing"):  # a list, by ranges of tokens
        by_length = {int(tier["range"][0]): _prices(tier) for tier in tiers if "range" in tier}
        found: dict[str, Any] = by_length.pop(0, {})
    else:
        found, matches = _prices(row), map(LONGER.match, row)
        by_length = {1000 * int(match[2]): _prices(row, match[1]) for match in matches if match}
    longer = {str(tokens): prices for tokens, prices in by_length.items()}
    return found | {"above": longer} if longer else found


def _prices(row: Mapping[str, Any], suffix: str = "") -> dict[str, float]:
    given = {kind: row.get(name + suffix) for kind, name in KINDS.items()}
    its = {kind: round(price * 1e6, 6) for kind, price in given.items() if price is not None}
    for kind in ("cache_write", "cache_write_1h"):
        if its.get(kind) == 0:  # a write for nothing costs no more than input does
            del its[kind]
    if its.get("reasoning", 0) <= its.get("output", 0):
        its.pop("reasoning", None)
    return its


def _of_litellm(prefix: str, model: str) -> Price | None:
    litellm = sys.modules.get("litellm")
    if litellm is None:
        return None
    if not prefix:  # the model's name has it
        prefix, _, model = model.rpartition("/")
    for name in (f"{prefix}/{model}", model):
        row = litellm.model_cost.get(name)
        # A bare name may be another provider's model at another price.
        if row and (name != model or not prefix or row.get("litellm_provider", "").startswith(prefix)):
            its = from_litellm(row)
            if {"input", "output"} <= its.keys():
                return price_in(its)
    return None
