"""
OpenAI and every server that speaks its chat completions (OpenRouter, LM Studio, vLLM, one's own).

Bodies are built and read here, because that is where servers differ. They go by aiohttp (plain_http.py),
which costs a quarter of what the official SDK's client does; what is unusual about the way there, a proxy or
a redirect, is left to the SDK, and so is the list of models.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError, ProviderError, Transient
from assay.models import sdk
from assay.models.failures import count, disconnected, dollars, error_from_status, message_in, unreadable
from assay.models.parameters import FIXED_SAMPLING
from assay.models.pictures import data_url
from assay.models.plain_calls import Elsewhere, StatusError, exchange, parsed
from assay.models.plain_http import PlainHTTP, plain_address
from assay.models.provider import JSON_ORDER, Call, ModelInfo, ProviderSettings, by_schema, form_of
from assay.records import Completion, Message, Schema, Usage

if TYPE_CHECKING:
    import openai


class OpenAIProvider:
    """`dialect`: openai, openrouter or compatible, where they name a thing differently."""

    def __init__(self, settings: ProviderSettings) -> None:
        settings.only("dialect", "json_mode", "organization", "project")
        self.settings = settings
        self.dialect = settings.options.get("dialect", "compatible")
        self.json_mode = settings.options.get("json_mode", "json_schema")
        if self.json_mode not in ("json_schema", "json_object", "prompt"):
            raise ConfigError(
                f'llms.{settings.provider}.json_mode must be "json_schema", "json_object" or "prompt"'
            )
        self._without_schema: set[str] = set()  # models
        self._elsewhere = False  # a redirect was seen

    @cached_property
    def plain(self) -> PlainHTTP | None:
        """Requests without the SDK; None where they need it."""
        if os.environ.get("OPENAI_CUSTOM_HEADERS"):  # which it knows how to read
            return None
        of_sdk = {
            "OpenAI-Organization": self.settings.options.get("organization")
            or os.environ.get("OPENAI_ORG_ID"),
            "OpenAI-Project": self.settings.options.get("project") or os.environ.get("OPENAI_PROJECT_ID"),
        }
        headers = {
            "User-Agent": "assay",
            "Authorization": f"Bearer {self.settings.key or 'none'}",
            **{name: str(value) for name, value in of_sdk.items() if value},
            **self.settings.headers,
        }
        address = plain_address(self.settings.base_url, headers)
        return PlainHTTP(address, headers) if address is not None else None

    @cached_property
    def client(self) -> openai.AsyncOpenAI:
        """Connected at the first call: until then every reply may come from the cache."""
        sdk.load("openai")
        import httpx
        import openai

        from assay.models.connections import separate_connections

        settings = self.settings
        return openai.AsyncOpenAI(
            api_key=settings.key or "none",
            base_url=settings.base_url,
            organization=settings.options.get("organization"),
            project=settings.options.get("project"),
            default_headers=dict(settings.headers),
            max_retries=0,  # ProviderClient retries
            timeout=None,  # ProviderClient watches the clock
            http_client=openai.DefaultAsyncHttpxClient(
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
        think, budget = body.pop("think", None), body.pop("thinking_budget", None)
        if self.dialect == "openai":
            if think is not None or budget is not None:
                raise ConfigError(
                    f"{self.settings.provider}/{model} has no think or thinking_budget; "
                    'use hparams reasoning_effort, e.g. "low"'
                )
            if "max_tokens" in body and FIXED_SAMPLING.match(model):
                body["max_completion_tokens"] = body.pop("max_tokens")
        elif self.dialect == "openrouter":
            reasoning: dict[str, Any] = {} if think is None else {"enabled": think}
            if budget is not None:
                reasoning["max_tokens"] = budget
            if "reasoning_effort" in body:
                reasoning["effort"] = body.pop("reasoning_effort")
            if reasoning:
                body["reasoning"] = reasoning
            body["usage"] = {"include": True}  # it then says what the call cost
        else:
            if think is not None:
                body["chat_template_kwargs"] = {"enable_thinking": think}
            if budget is not None:
                body["thinking_budget"] = budget
        return body

    async def ask(self, call: Call) -> Completion:
        return await by_schema(call, self._ask, self._without_schema)

    async def _ask(self, call: Call) -> Completion:
        body = {"model": call.model, "messages": chat_messages(call.messages), **call.wire}
        if call.json:
            if isinstance(call.json, Schema) and self.json_mode == "json_schema":
                body["response_format"] = response_format(call.json)
            elif self.json_mode != "prompt":
                body["response_format"] = {"type": "json_object"}
            if self.json_mode == "prompt" or not any("json" in m.content.lower() for m in call.messages):
                # OpenAI refuses JSON mode unless the word stands somewhere.
                body["messages"].insert(0, {"role": "system", "content": JSON_ORDER})
        if self.plain is not None and not self._elsewhere:
            try:
                content = await exchange(self.plain, self.settings, call.model, "/chat/completions", body)
            except Elsewhere:
                self._elsewhere = True
            except StatusError as error:
                return self._refused(call.model, error.status, error.message, error.code, error.headers)
            else:
                return read_completion(self.settings, call.model, parsed(self.settings, call.model, content))
        return await self._ask_by_sdk(call.model, body)

    async def _ask_by_sdk(self, model: str, body: Mapping[str, Any]) -> Completion:
        client = self.client
        import httpx
        import openai

        failure: ProviderError | None
        try:
            response = await client.post("/chat/completions", cast_to=httpx.Response, body=body)
            return read_completion(self.settings, model, json.loads(response.content))
        except openai.APIStatusError as error:
            message, code = message_in(error.body, error.message)
            status, headers = error.status_code, error.response.headers
            failure = None
        except openai.APIConnectionError as error:
            failure = disconnected(self.settings, model, error)
        except openai.OpenAIError as error:
            failure = ProviderError(f"{self.settings.provider}/{model}: {error}")
        except ValueError as error:  # broken JSON, or bytes that are no text
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        if failure is not None:
            raise failure
        return self._refused(model, status, message, code, headers)

    def _refused(
        self, model: str, status: int, message: str, code: str, headers: Mapping[str, str]
    ) -> Completion:
        """Raises what a status means, but for the one that is the model's answer."""
        if code == "content_filter":  # how Azure says that the model's answer was withheld
            return Completion(message, finish_reason="content_filter")
        raise error_from_status(self.settings, model, status, message, code, headers)

    async def available(self) -> list[ModelInfo]:
        """The models that the server offers."""
        client = self.client
        import httpx
        import openai

        try:
            response = await client.get("/models", cast_to=httpx.Response)
            return [ModelInfo(row["id"]) for row in response.json()["data"]]
        except (openai.OpenAIError, ValueError, KeyError, TypeError) as error:
            failure = ProviderError(f"{self.settings.provider} lists no models: {error}")
        raise failure

    async def close(self) -> None:
        if plain := vars(self).get("plain"):
            await plain.close()
        if "client" in vars(self):
            await self.client.close()


def response_format(schema: Schema) -> dict[str, Any]:
    """A schema as chat completions take it."""
    form = {"name": schema.name, "strict": True, "schema": form_of(schema)}
    return {"type": "json_schema", "json_schema": form}


def chat_messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Messages as chat completions take them, images as data URLs."""
    return [
        {"role": m.role, "content": m.content}
        if not m.images
        else {
            "role": m.role,
            "content": [
                *([{"type": "text", "text": m.content}] if m.content else []),
                *({"type": "image_url", "image_url": {"url": data_url(image)}} for image in m.images),
            ],
        }
        for m in messages
    ]


# How servers that speak OpenAI's API end a reply in words of their own: Gemini's, Mistral's, Zhipu's ...
_CUT = "max_tokens max_output_tokens model_length"
_KEPT_BACK = "safety recitation blocklist prohibited_content spii image_safety sensitive content_filtered"
FINISHES = {word: "length" for word in _CUT.split()} | {word: "content_filter" for word in _KEPT_BACK.split()}
BROKEN_OFF = ("error", "abort", "insufficient_system_resource", "network_error")


def read_completion(settings: ProviderSettings, model: str, reply: Any) -> Completion:
    """A chat completion's JSON as our record. A refusal or a filtered text is an answer; a reply
    without a choice or a message is none (Transient)."""
    if not isinstance(reply, dict):
        raise unreadable(settings, model, "no JSON object")
    if reply.get("error"):  # OpenRouter: status 200, and the upstream's error inside
        why, code = message_in(reply, "unknown error")
        raise error_from_status(settings, model, int(code) if code.isdigit() else 500, why, code)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise unreadable(settings, model, "no choice in it")
    finish = str(choice.get("finish_reason") or "")
    finish = FINISHES.get(finish.lower(), finish)
    if choice.get("error") or finish.lower() in BROKEN_OFF:
        # OpenRouter: the upstream broke in the middle; what there is of a text is no answer
        why = f"the upstream broke off ({finish})" if finish else "the upstream broke off"
        if choice.get("error"):
            why, _ = message_in(choice, why)
        raise Transient(f"{settings.provider}/{model}: error in the reply: {why}")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise unreadable(settings, model, "no message in its choice")
    said = _text(message.get("content"))
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal and not said:
        said, finish = refusal, "refusal"
    if message.get("tool_calls") or message.get("function_call") or finish in ("tool_calls", "function_call"):
        finish = "stop" if said else "tool_calls"
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        said,
        read_usage(usage),
        cost=dollars(usage.get("cost")),
        finish_reason=finish,
        model=str(reply.get("model") or ""),
    )


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []  # some servers answer in parts
    return "".join(str(p.get("text") or "") for p in parts if isinstance(p, dict) and p.get("type") == "text")


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Token counts of a chat completion. xAI counts reasoning beside the completion: put it in."""
    details = usage.get("completion_tokens_details")
    reasoning = count(details.get("reasoning_tokens")) if isinstance(details, dict) else 0
    used_in, used_out = count(usage.get("prompt_tokens")), count(usage.get("completion_tokens"))
    if reasoning and count(usage.get("total_tokens")) == used_in + used_out + reasoning:
        used_out += reasoning
    return Usage(used_in, used_out, reasoning)


def connect(settings: ProviderSettings) -> OpenAIProvider:
    return OpenAIProvider(settings)
