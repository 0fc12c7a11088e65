"""Anthropic's messages, through its official SDK."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.errors import ProviderError
from assay.llms import prices, sdk
from assay.llms.failures import disconnected, message_in, of_status, unreadable
from assay.llms.pictures import base64_text, media_type
from assay.llms.provider import JSON_ORDER, Call, ModelInfo, Settings
from assay.records import Completion, Message, Usage

if TYPE_CHECKING:
    import anthropic

REPLY_TOKENS = 16_384  # max_tokens must be given; enough for any answer here, and below streaming's threshold
BUDGET_TOKENS = 8_192  # for `think: true` without a budget


class AnthropicProvider:
    def __init__(self, settings: Settings) -> None:
        settings.only()
        self.settings = settings

    @cached_property
    def client(self) -> anthropic.AsyncAnthropic:
        """Connected at the first call: until then every reply may come from the cache."""
        sdk.load("anthropic")
        import anthropic
        import httpx

        from assay.llms.connections import separate_connections

        settings = self.settings
        return anthropic.AsyncAnthropic(
            api_key=settings.key,
            base_url=settings.base_url,
            default_headers=dict(settings.headers),
            max_retries=0,  # Line retries
            timeout=None,  # Line watches the clock
            http_client=anthropic.DefaultAsyncHttpxClient(
                timeout=httpx.Timeout(None, connect=20.0), transport=separate_connections()
            ),
        )

    def open(self) -> None:
        _ = self.client

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
        limit = min(REPLY_TOKENS, facts.get("max_output") or REPLY_TOKENS)
        if think is False:
            body["thinking"] = {"type": "disabled"}
        elif think or budget is not None:
            if facts.get("adaptive") and budget is None:
                body["thinking"] = {"type": "adaptive"}
            else:
                body["thinking"] = {"type": "enabled", "budget_tokens": budget or BUDGET_TOKENS}
            limit += budget or BUDGET_TOKENS  # the budget is part of max_tokens
            for name in ("temperature", "top_k"):
                body.pop(name, None)  # not accepted together with thinking
        body.setdefault("max_tokens", limit)
        return body

    async def ask(self, call: Call) -> Completion:
        client = self.client
        import anthropic
        import httpx

        system = [m.content for m in call.messages if m.role == "system"]
        if call.json:
            system.append(JSON_ORDER)  # there is no JSON mode
        body = {"model": call.model, "messages": turns(call.messages), **call.wire}
        if system:
            body["system"] = "\n\n".join(system)
        model = call.model
        try:
            response = await client.post("/v1/messages", cast_to=httpx.Response, body=body)
            return read_message(self.settings, model, json.loads(response.content))
        except anthropic.APIStatusError as error:
            message, code = message_in(error.body, error.message)
            failure = of_status(
                self.settings, model, error.status_code, message, code, error.response.headers
            )
        except anthropic.APIConnectionError as error:
            failure = disconnected(self.settings, model, error)
        except anthropic.AnthropicError as error:
            failure = ProviderError(f"{self.settings.provider}/{model}: {error}")
        except ValueError as error:  # broken JSON, or bytes that are no text
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

    async def available(self) -> list[ModelInfo]:
        """The models that this key may use."""
        client = self.client
        import anthropic
        import httpx

        try:
            response = await client.get("/v1/models?limit=1000", cast_to=httpx.Response)
            return [ModelInfo(row["id"]) for row in response.json()["data"]]
        except (anthropic.AnthropicError, ValueError, KeyError, TypeError) as error:
            failure = ProviderError(f"{self.settings.provider} lists no models: {error}")
        raise failure

    async def close(self) -> None:
        if "client" in vars(self):
            await self.client.close()


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


STOPS = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}


def read_message(settings: Settings, model: str, reply: Any) -> Completion:
    """A message's JSON as our record; a refusal is an answer. Thinking is left out of the text."""
    if not isinstance(reply, dict):
        raise unreadable(settings, model, "no JSON object")
    if reply.get("type") == "error" or "error" in reply:
        message, code = message_in(reply, "unknown error")
        raise of_status(settings, model, int(code) if code.isdigit() else 500, message, code)
    content, stop = reply.get("content"), str(reply.get("stop_reason") or "")
    if not isinstance(content, list) or (not content and stop not in ("refusal", "max_tokens")):
        raise unreadable(settings, model, "no content in it")
    text = "".join(str(part.get("text") or "") for part in content if part.get("type") == "text")
    usage = reply.get("usage") or {}
    details = usage.get("output_tokens_details") or {}
    used_in = sum(
        usage.get(name) or 0
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    return Completion(
        text,
        Usage(used_in, usage.get("output_tokens") or 0, details.get("thinking_tokens") or 0),
        finish_reason=STOPS.get(stop, stop),
        model=str(reply.get("model") or ""),
    )


def connect(settings: Settings) -> AnthropicProvider:
    return AnthropicProvider(settings)
