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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.records import Usage

TABLE = Path(__file__).with_name("prices.json")
DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens. Reasoning tokens count as output."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """
        >>> Price(2.0, 10.0).of(Usage(1_000_000, 100_000))
        3.0
        """
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1e6


@functools.cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """prices.json's rows: "provider/model" -> input, output, max_output, samples, adaptive."""
    rows: dict[str, dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))["models"]
    return rows


def facts(provider: str, model: str) -> Mapping[str, Any]:
    """Our row for a model, also by its name without a date; {} when there is none."""
    rows = table()
    name = f"{provider}/{model}"
    return rows.get(name) or rows.get(DATED.sub("", name)) or {}


def price_of(provider: str, model: str, overrides: Mapping[str, Any] = {}, prefix: str = "") -> Price | None:
    """The price, None where none is known. `overrides`: config.json's llms.<provider>.prices, where
    "*" stands for every other model. `prefix`: what litellm calls the provider."""
    row = overrides.get(model, overrides.get("*"))
    if row is not None:
        try:
            return Price(float(row["input"]), float(row["output"]))
        except (KeyError, TypeError, ValueError):
            raise ConfigError(
                f"llms.{provider}.prices in config.json: {model!r} needs "
                '{"input": N, "output": N} in US dollars per million tokens'
            ) from None
    row = facts(provider, model)
    if row:
        return Price(row["input"], row["output"])
    return _of_litellm(prefix, model)


def _of_litellm(prefix: str, model: str) -> Price | None:
    litellm = sys.modules.get("litellm")
    if litellm is None:
        return None
    for name in (f"{prefix}/{model}", model):
        row = litellm.model_cost.get(name)
        # A bare name may be another provider's model at another price.
        if row and (name != model or not prefix or row.get("litellm_provider", "").startswith(prefix)):
            per_input, per_output = row.get("input_cost_per_token"), row.get("output_cost_per_token")
            if per_input is not None and per_output is not None:
                return Price(per_input * 1e6, per_output * 1e6)
    return None
