"""The attributes of spans: named by OpenTelemetry's conventions for generative AI, or assay.*"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Completion, JsonMode, Message, Outcome, TrialRecord, Usage
from assay.results.serialize import clean

CONTENT_CHARS = 100_000  # of one message
# Providers that have another name in the conventions.
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
    """Provider and model of a model object, whose name is provider/model or bare.

    >>> from types import SimpleNamespace as Named
    >>> provider_and_model(Named(name="gemini/flash-9")), provider_and_model(Named(name="oracle"))
    (('gcp.gemini', 'flash-9'), ('oracle', 'oracle'))
    """
    provider, slash, name = model.name.partition("+")[0].partition("/")
    if not slash:
        provider, name = getattr(model, "provider", "") or model.name, model.name
    name = getattr(model, "called", "") or name  # without the parameters in its name
    return PROVIDERS.get(provider, provider), name


def of_request(model: Any, role: str, *, json: JsonMode) -> Attributes:
    """Attributes known before the call."""
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


def of_usage(usage: Usage) -> Attributes:
    """Token counts; those of a kind only if there are any."""
    found: Attributes = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
    }
    kinds = {
        "cache_read.input_tokens": usage.cached_tokens,
        "cache_creation.input_tokens": usage.cache_write_tokens,
        "reasoning.output_tokens": usage.reasoning_tokens,
    }
    return found | {f"gen_ai.usage.{kind}": tokens for kind, tokens in kinds.items() if tokens}


def of_completion(completion: Completion) -> Attributes:
    """Attributes known after the call."""
    found: Attributes = {
        **of_usage(completion.usage),
        "assay.cached": completion.cached,
        "assay.attempts": completion.attempts,
    }
    if completion.model:
        found["gen_ai.response.model"] = completion.model
    if completion.finish_reason:
        found["gen_ai.response.finish_reasons"] = [completion.finish_reason]
    if completion.cost is not None:
        found["assay.cost"] = completion.cost
    return found


def _parts(message: Message) -> list[dict[str, str]]:
    said = clean(message.content, CONTENT_CHARS)
    if message.role == "tool":
        return [{"type": "tool_call_response", "id": message.call_id, "response": said}]
    pictures = [{"type": "text", "content": f"[picture of {len(image)} bytes]"} for image in message.images]
    text = [{"type": "text", "content": said}] if said or not message.calls else []
    calls = [
        {
            "type": "tool_call",
            "id": call.id,
            "name": clean(call.name, CONTENT_CHARS),
            "arguments": clean(call.arguments, CONTENT_CHARS),
        }
        for call in message.calls
    ]
    return [*pictures, *text, *calls]


def of_input(messages: Sequence[Message]) -> Attributes:
    """The messages sent; only if content was asked for."""
    said = [{"role": message.role, "parts": _parts(message)} for message in messages]
    return {"gen_ai.input.messages": json.dumps(said, ensure_ascii=False)}


def of_output(completion: Completion) -> Attributes:
    parts = _parts(completion.turn)
    said = {"role": "assistant", "parts": parts, "finish_reason": completion.finish_reason or "stop"}
    return {"gen_ai.output.messages": json.dumps([said], ensure_ascii=False)}


def of_record(record: TrialRecord) -> Attributes:
    """The end of a trial, without any text of a model."""
    found: Attributes = {f"assay.{name}": getattr(record, name) for name in FACTS}
    found |= {
        "assay.outcome": record.outcome.value,
        "assay.tags": list(record.tags),
        **of_usage(record.usage),
    }
    if record.cost is not None:
        found["assay.cost"] = record.cost
    return found


def of_evaluation(record: TrialRecord) -> Attributes:
    """The event gen_ai.evaluation.result. It leaves out the verdict's text, which may quote the model."""
    found: Attributes = {
        "gen_ai.evaluation.name": record.test,
        "gen_ai.evaluation.score.label": record.outcome.value,
    }
    value = float(record.outcome is Outcome.PASS) if record.score is None else record.score
    if record.outcome in (Outcome.PASS, Outcome.FAIL) and math.isfinite(value):
        found["gen_ai.evaluation.score.value"] = value
    return found


def error_type(record: TrialRecord) -> str:
    """The class of the error that broke a trial: "Refused: 401 ..." is a Refused."""
    kind, colon, _ = record.error.partition(":")
    return kind if colon and kind.isidentifier() else "_OTHER"
