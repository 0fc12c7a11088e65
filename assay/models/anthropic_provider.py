"""
Anthropic's messages.

They go by aiohttp (plain_http.py), as chat completions do, and importing the SDK takes longer than a short
run. What is unusual about the way there is left to it, and so is the list of models.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.errors import ProviderError
from assay.models import prices, sdk
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import count, disconnected, error_from_status, message_in, unreadable
from assay.models.pictures import base64_text, media_type
from assay.models.plain_calls import Elsewhere, StatusError, exchange, parsed
from assay.models.plain_http import PlainHTTP, plain_address
from assay.models.provider import JSON_ORDER, Call, ModelInfo, ProviderSettings, by_schema, form_of
from assay.records import Completion, Message, Schema, Usage

if TYPE_CHECKING:
    import anthropic

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


class AnthropicProvider:
    def __init__(self, settings: ProviderSettings) -> None:
        settings.only()
        self.settings = settings
        self._without_schema: set[str] = set()  # models from before it
        self._limits: dict[str, int] = {}  # of models that the table does not know, once the server said it
        self._elsewhere = False  # a redirect was seen

    @cached_property
    def plain(self) -> PlainHTTP | None:
        """Requests without the SDK; None where they need it."""
        if os.environ.get("ANTHROPIC_CUSTOM_HEADERS"):  # which it knows how to read
            return None
        headers = {
            "User-Agent": "assay",
            "X-Api-Key": self.settings.key,
            "anthropic-version": "2023-06-01",
            **self.settings.headers,
        }
        address = plain_address(self.settings.base_url, headers)
        return PlainHTTP(address, headers) if address is not None else None

    @cached_property
    def client(self) -> anthropic.AsyncAnthropic:
        """Connected at the first call: until then every reply may come from the cache."""
        sdk.load("anthropic")
        import anthropic
        import httpx

        from assay.models.connections import separate_connections

        settings = self.settings
        return anthropic.AsyncAnthropic(
            api_key=settings.key,
            base_url=settings.base_url,
            default_headers=dict(settings.headers),
            max_retries=0,  # ProviderClient retries
            timeout=None,  # ProviderClient watches the clock
            http_client=anthropic.DefaultAsyncHttpxClient(
                timeout=httpx.Timeout(None, connect=20.0), transport=separate_connections()
            ),
        )

    def open(self) -> None:
        if self.plain is None:
            _ = self.client
        else:
            self.plain.open()

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

    async def ask(self, call: Call) -> Completion:
        return await by_schema(call, self._ask, self._without_schema)

    async def _ask(self, call: Call) -> Completion:
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
            return read_message(self.settings, model, await self._reply(model, body))
        except StatusError as error:
            refused = error
        if (limit := TOO_MANY.search(refused.message)) and body["max_tokens"] == REPLY_TOKENS:
            self._limits[model] = int(limit[1])
            return await self._ask(call)
        status = refused.status
        if status == 200:  # an error in the middle of a stream
            status = ERROR_STATUS.get(refused.code, 500)
        raise error_from_status(self.settings, model, status, refused.message, refused.code, refused.headers)

    async def _reply(self, model: str, body: dict[str, Any]) -> Any:
        """The message's JSON. Raises StatusError."""
        if self.plain is not None and not self._elsewhere:
            try:
                return await self._plain_reply(self.plain, model, body)
            except Elsewhere:
                self._elsewhere = True
        return await self._reply_by_sdk(model, body)

    async def _plain_reply(self, plain: PlainHTTP, model: str, body: dict[str, Any]) -> Any:
        path = "/v1/messages"
        if body["max_tokens"] <= STREAM_ABOVE:
            return parsed(self.settings, model, await exchange(plain, self.settings, model, path, body))
        stream = MessageStream()
        try:
            await exchange(plain, self.settings, model, path, {**body, "stream": True}, stream.feed)
            return stream.message()
        except ValueError as error:
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

    async def _reply_by_sdk(self, model: str, body: dict[str, Any]) -> Any:
        client = self.client
        import anthropic
        import httpx

        failure: Exception
        try:
            if body["max_tokens"] > STREAM_ABOVE:
                return await self._streamed(body)
            response = await client.post("/v1/messages", cast_to=httpx.Response, body=body)
            return json.loads(response.content)
        except anthropic.APIStatusError as error:
            message, code = message_in(error.body, error.message)
            failure = StatusError(error.status_code, message, code, error.response.headers)
        except (anthropic.APIConnectionError, httpx.HTTPError) as error:
            failure = disconnected(self.settings, model, error)
        except anthropic.AnthropicError as error:
            failure = ProviderError(f"{self.settings.provider}/{model}: {error}")
        except ValueError as error:  # broken JSON, or bytes that are no text
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

    async def _streamed(self, body: Mapping[str, Any]) -> Any:
        """The message that a stream of events amounts to. ValueError if it ends before the message does."""
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
        if plain := vars(self).get("plain"):
            await plain.close()
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
