"""What spans say: in the names of OpenTelemetry's conventions for generative AI, or under assay.*"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Completion, JsonMode, Message, Outcome, TrialRecord
from assay.results.serialize import clean

CONTENT_CHARS = 100_000  # of one message
# Providers that the conventions call otherwise than we do.
PROVIDERS = {
    "azure": "azure.ai.openai", "bedrock": "aws.bedrock", "gemini": "gcp.gemini", "mistral": "mistral_ai",
    "vertex_ai": "gcp.vertex_ai", "vertexai": "gcp.vertex_ai", "xai": "x_ai",
}  # fmt: skip
REQUEST = ("temperature", "top_p", "top_k", "max_tokens", "seed", "frequency_penalty", "presence_penalty")
FACTS = (
    "calls", "cached_calls", "attempts", "model_seconds", "sandbox_seconds", "queue_seconds",
    "waited_seconds", "sandbox", "commit", "fingerprint",
)  # fmt: skip
Attributes = dict[str, Any]


def provider_and_model(model: Any) -> tuple[str, str]:
    """Of a model object, whose name is provider/model, or bare.

    >>> from types import SimpleNamespace as Named
    >>> provider_and_model(Named(name="gemini/flash-9")), provider_and_model(Named(name="oracle"))
    (('gcp.gemini', 'flash-9'), ('oracle', 'oracle'))
    """
    provider, slash, name = model.name.partition("+")[0].partition("/")
    if not slash:
        provider, name = getattr(model, "provider", "") or model.name, model.name
    name = getattr(model, "called", "") or name  # without parameters that its name may hold
    return PROVIDERS.get(provider, provider), name


def of_request(model: Any, role: str, *, json: JsonMode) -> Attributes:
    """Known before the call."""
    provider, name = provider_and_model(model)
    parameters: Mapping[str, Any] = getattr(model, "parameters", {}) or {}
    found: Attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": name,
        "gen_ai.output.type": "json" if json else "text",
        "assay.role": role,
    }
    for parameter in REQUEST:
        value = parameters.get(parameter)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            found[f"gen_ai.request.{parameter}"] = value
    return found


def of_completion(completion: Completion) -> Attributes:
    """Known after the call."""
    usage = completion.usage
    found: Attributes = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "assay.cached": completion.cached,
        "assay.attempts": completion.attempts,
    }
    if usage.reasoning_tokens:
        found["gen_ai.usage.reasoning.output_tokens"] = usage.reasoning_tokens
    if completion.model:
        found["gen_ai.response.model"] = completion.model
    if completion.finish_reason:
        found["gen_ai.response.finish_reasons"] = [completion.finish_reason]
    if completion.cost is not None:
        found["assay.cost"] = completion.cost
    return found


def _parts(message: Message) -> list[dict[str, str]]:
    pictures = [{"type": "text", "content": f"[picture of {len(image)} bytes]"} for image in message.images]
    return [*pictures, {"type": "text", "content": clean(message.content, CONTENT_CHARS)}]


def of_input(messages: Sequence[Message]) -> Attributes:
    """The messages sent; only for those who asked for content."""
    said = [{"role": message.role, "parts": _parts(message)} for message in messages]
    return {"gen_ai.input.messages": json.dumps(said, ensure_ascii=False)}


def of_output(completion: Completion) -> Attributes:
    parts = [{"type": "text", "content": clean(completion.text, CONTENT_CHARS)}]
    said = {"role": "assistant", "parts": parts, "finish_reason": completion.finish_reason or "stop"}
    return {"gen_ai.output.messages": json.dumps([said], ensure_ascii=False)}


def of_record(record: TrialRecord) -> Attributes:
    """A trial's end, without a word that a model wrote."""
    found: Attributes = {f"assay.{name}": getattr(record, name) for name in FACTS}
    found |= {
        "assay.outcome": record.outcome.value,
        "assay.tags": list(record.tags),
        "gen_ai.usage.input_tokens": record.usage.input_tokens,
        "gen_ai.usage.output_tokens": record.usage.output_tokens,
    }
    if record.cost is not None:
        found["assay.cost"] = record.cost
    return found


def of_evaluation(record: TrialRecord) -> Attributes:
    """The event gen_ai.evaluation.result. The verdict's words may quote the model, so they are not in it."""
    found: Attributes = {
        "gen_ai.evaluation.name": record.test,
        "gen_ai.evaluation.score.label": record.outcome.value,
    }
    value = float(record.outcome is Outcome.PASS) if record.score is None else record.score
    if record.outcome in (Outcome.PASS, Outcome.FAIL) and math.isfinite(value):
        found["gen_ai.evaluation.score.value"] = value
    return found


def error_type(record: TrialRecord) -> str:
    """The class of what broke a trial: "Refused: 401 ..." is a Refused."""
    kind, colon, _ = record.error.partition(":")
    return kind if colon and kind.isidentifier() else "_OTHER"
