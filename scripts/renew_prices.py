"""Rewrites assay/models/prices.json from the table of the litellm that is installed."""

from __future__ import annotations

import datetime
import importlib.metadata
import importlib.util
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from assay.extras import install
from assay.models.prices import DATED, TABLE, from_litellm

WANTED = {"openai": re.compile(r"(gpt-\d|o\d|chatgpt)"), "anthropic": re.compile(r"claude-")}
UNWANTED = re.compile(r"audio|search|realtime|cyber|preview|instruct|transcribe|codex|1106")


def rewrite(source: Mapping[str, Mapping[str, Any]], version: str, date: str) -> str:
    """prices.json's text out of litellm's table."""
    rows: dict[str, dict[str, Any]] = {}
    for name, row in source.items():
        provider = str(row.get("litellm_provider"))
        if provider not in WANTED or row.get("mode") != "chat" or DATED.search(name):
            continue
        if not WANTED[provider].match(name) or UNWANTED.search(name) or not row.get("output_cost_per_token"):
            continue
        found: dict[str, Any] = {
            **from_litellm(row),
            "max_output": row.get("max_output_tokens"),
        }
        if row.get("supports_sampling_params") is False:
            found["samples"] = False
        if row.get("supports_adaptive_thinking"):
            found["adaptive"] = True
        rows[f"{provider}/{name}"] = found
    head = {
        "source": f"providers' public price pages, as shipped in litellm {version}'s model_prices map",
        "date": date,
        "unit": "US dollars per million tokens",
    }
    lines = [f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items())]
    front = json.dumps(head, indent=2)[:-2]
    return front + ',\n  "models": {\n' + ",\n".join(lines) + "\n  }\n}\n"


def main() -> None:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        sys.exit(f"litellm is not installed: {install('litellm')}")
    shipped = Path(spec.origin).with_name("model_prices_and_context_window_backup.json")
    source = json.loads(shipped.read_text(encoding="utf-8"))
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    TABLE.write_text(rewrite(source, importlib.metadata.version("litellm"), today), encoding="utf-8")


if __name__ == "__main__":
    main()
