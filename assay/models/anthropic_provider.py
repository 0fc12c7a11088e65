"""Anthropic's messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.models import prices
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import count, error_from_status, message_in, unreadable
from assay.models.pictures import base64_text, media_type
from assay.models.plain_calls import StatusError, exchange
from assay.models.plain_http import PlainHTTP
from assay.models.provider import JSON_ORDER, Call, ProviderSettings, form_of
from assay.models.sdk_provider import SDKProvider
from assay.records import Completion, Message, Schema, Usage

REPLY_TOKENS = 64_000  # max_tokens must be given; for a model that is not in our table
BUDGET_TOKENS = 8_192  # for `think: true` without a budget
# Beyond it the SDK and the API want the reply as a stream: a silent connection would not last so long.
STREAM_ABOVE = 21_333
TOO_MANY = re.compile(
    r"max_tokens: \d+ > (\d+)"
)  # "..., which is the maximum allowed number of output tokens"
ERROR_STATUS = {
    "invalid_request_error": 400, "authentication_error": 401, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
    "overloaded_error": 529,
}  # fmt: skip


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

    async def ask_once(self, call: Call) -> Completion:
        system = [m.content for m in call.messages if m.role == "system"]
        body = {"model": call.model, "messages": turns(call.messages), **call.wire}
        if isinstance(call.json, Schema):
            form = {"type": "json_schema", "schema": form_of(call.json)}
            body["output_config"] = {**body.get("output_config", {}), "format": form}
        elif call.json:
            system.append(JSON_ORDER)  # there is no JSON mode
        if system:
            body["system"] = "\n\n".join(system)
        model = call.model
        if model in self._limits and body["max_tokens"] == REPLY_TOKENS:
            body["max_tokens"] = self._limits[model]
        try:
            return read_message(self.settings, model, await self.reply(model, body))
        except StatusError as error:
            refused = error
        if (limit := TOO_MANY.search(refused.message)) and body["max_tokens"] == REPLY_TOKENS:
            self._limits[model] = int(limit[1])
            return await self.ask_once(call)
        status = refused.status
        if status == 200:  # an error in the middle of a stream
            status = ERROR_STATUS.get(refused.code, 500)
        raise error_from_status(self.settings, model, status, refused.message, refused.code, refused.headers)

    async def plain_reply(self, plain: PlainHTTP, model: str, body: dict[str, Any]) -> Any:
        if body["max_tokens"] <= STREAM_ABOVE:
            return await super().plain_reply(plain, model, body)
        stream = MessageStream()
        try:
            streamed = {**body, "stream": True}
            await exchange(plain, self.settings, model, self.path, streamed, stream.feed)
            return stream.message()
        except ValueError as error:
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

    async def sdk_reply(self, body: Mapping[str, Any]) -> Any:
        """The message, out of a stream of events where it may be long. ValueError if that ends before it."""
        if body["max_tokens"] <= STREAM_ABOVE:
            return await super().sdk_reply(body)
        rest = dict(body)
        model, messages, limit = (rest.pop(name) for name in ("model", "messages", "max_tokens"))
        stream = self.client.messages.stream(
            model=model, messages=messages, max_tokens=limit, extra_body=rest or None
        )
        try:
            async with stream as events:
                message = await events.get_final_message()
        except (AssertionError, RuntimeError, AttributeError, TypeError) as error:
            raise ValueError(f"no stream of a message ({type(error).__name__})") from None
        if message.stop_reason is None:
            raise ValueError("the stream ended before the message did")
        return message.model_dump(warnings=False)


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


def read_message(settings: ProviderSettings, model: str, reply: Any) -> Completion:
    """A message's JSON as our record; a refusal is an answer. Thinking is left out of the text."""
    if not isinstance(reply, dict):
        raise unreadable(settings, model, "no JSON object")
    if reply.get("type") == "error" or "error" in reply:
        message, code = message_in(reply, "unknown error")
        status = int(code) if code.isdigit() else ERROR_STATUS.get(code, 500)
        raise error_from_status(settings, model, status, message, code)
    content, stop = reply.get("content"), str(reply.get("stop_reason") or "")
    # a turn that ends with no content is an answer: an empty one
    if not isinstance(content, list) or (not content and not stop):
        raise unreadable(settings, model, "no content in it")
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
