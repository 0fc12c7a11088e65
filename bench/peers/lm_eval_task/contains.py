"""How lm-eval judges the races' questions: by the substring, as every contender does."""

from __future__ import annotations

from typing import Any


def contains(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    return {"contains": float(doc["answer"] in results[0])}
