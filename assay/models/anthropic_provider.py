"""Anthropic's messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.models import prices
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import StatusError, Unreadable, count
from assay.models.http_provider import SDKProvider, answer_in
from assay.models.pictures import base64_text, media_type
from assay.models.provider import JSON_ORDER, Call, ProviderSettings, form_of
from assay.records import Completion, Message, Schema, Usage

REPLY_TOKENS = 64_000  # max_tokens must be given; for a model that is not in our table
BUDGET_TOKENS = 8_192  # for `think: true` without a budget
# Beyond it the SDK and the API want the reply as a stream: a silent connection would not last so long.
STREAM_ABOVE = 21_333
TOO_MANY = re.compile(
    r"max_tokens: \d+ > (\d+)"
)  # "..., which is the maximum allowed number of output tokens"


class AnthropicProvider(SDKProvider):
    sdk, client_class, error_class = "anthropic", "AsyncAnthropic", "AnthropicError"
    custom_headers = "ANTHROPIC_CUSTOM_HEADERS"
    path, models_path = "/v1/messages", "/v1/models?limit=1000"

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        settings.only()
        self._limits: dict[str, int] = {}  # of models that the table does not know, once the server said it

    def headers(self) -> dict[str, str]:
        return {"X-Api-Key": self.settings.key, "anthropic-version": "2023-06-01"}

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body = dict(parameters)
        facts = prices.facts("anthropic", model)
        body.pop("seed", None)  # there is none, and its absence changes nothing else
        if "stop" in body:
            stop = body.pop("stop")
            body["stop_sequences"] = [stop] if isinstance(stop, str) else stop
        if "reasoning_effort" in body:
            body["output_config"] = {"effort": body.pop("reasoning_effort"), **body.get("output_config", {})}
        think, budget = body.pop("think", None), body.pop("thinking_budget", None)
        if think is False:
            body["thinking"] = {"type": "disabled"}
        elif think or budget is not None:
            if facts.get("adaptive") and budget is None:
                body["thinking"] = {"type": "adaptive"}
            else:
                body["thinking"] = {"type": "enabled", "budget_tokens": budget or BUDGET_TOKENS}
            for name in ("temperature", "top_k"):
                body.pop(name, None)  # not accepted together with thinking
        # what the model can give: a reply that is cut off by a lower limit of ours is not its failure
        body.setdefault("max_tokens", facts.get("max_output") or REPLY_TOKENS)
        return body

    def body(self, call: Call) -> dict[str, Any]:
        system = [m.content for m in call.messages if m.role == "system"]
        body = {"model": call.model, "messages": turns(call.messages), **call.wire}
        if isinstance(call.json, Schema):
            form = {"type": "json_schema", "schema": form_of(call.json)}
            body["output_config"] = {**body.get("output_config", {}), "format": form}
        elif call.json:
            system.append(JSON_ORDER)  # there is no JSON mode
        if system:
            body["system"] = "\n\n".join(system)
        if call.model in self._limits and body["max_tokens"] == REPLY_TOKENS:
            body["max_tokens"] = self._limits[call.model]
        return body

    async def attempt(self, call: Call) -> Completion:
        body = self.body(call)
        try:
            return await self._message(body)
        except StatusError as error:
            limit = TOO_MANY.search(error.message)
            if limit is None or body["max_tokens"] != REPLY_TOKENS:
                raise
            self._limits[call.model] = int(limit[1])
        return await self._message(self.body(call))

    async def _message(self, body: dict[str, Any]) -> Completion:
        if body["max_tokens"] <= STREAM_ABOVE:
            return read_message(await self.post(body))
        stream = MessageStream()
        await self.send(self.path, {**body, "stream": True}, stream.feed)
        return read_message(answer_in(stream.message()))


def turns(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """User and assistant turns; images as base64 blocks before the text. Empty text is not accepted."""
    return [
        {
            "role": m.role,
            "content": [*map(_image, m.images), {"type": "text", "text": m.content or "(empty)"}],
        }
        for m in messages
        if m.role != "system"
    ]


def _image(image: bytes) -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type(image), "data": base64_text(image)}
    return {"type": "image", "source": source}


STOPS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length", "tool_use": "tool_calls"}


def read_message(reply: Mapping[str, Any]) -> Completion:
    """A message's JSON as our record; a refusal is an answer. Thinking is left out of the text. Raises
    Unreadable."""
    content, stop = reply.get("content"), str(reply.get("stop_reason") or "")
    # a turn that ends with no content is an answer: an empty one
    if not isinstance(content, list) or (not content and not stop):
        raise Unreadable("no content in it")
    parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
    text = "".join(str(part.get("text") or "") for part in parts)
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("output_tokens_details")
    thought = count(details.get("thinking_tokens")) if isinstance(details, dict) else 0
    used_in = sum(
        count(usage.get(name))
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    finish = STOPS.get(stop, stop)
    return Completion(
        text,
        Usage(used_in, count(usage.get("output_tokens")), thought),
        finish_reason="stop" if finish == "tool_calls" and text else finish,
        model=str(reply.get("model") or ""),
    )


def connect(settings: ProviderSettings) -> AnthropicProvider:
    return AnthropicProvider(settings)
