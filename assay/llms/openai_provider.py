"""
OpenAI and every server that speaks its chat completions (OpenRouter, LM Studio, vLLM, one's own).

Requests go through the official SDK's client (its connections, authentication, errors); bodies are
built and read here, because that is where servers differ, and because it halves the CPU of a call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError, ProviderError, Transient
from assay.llms import sdk
from assay.llms.failures import count, disconnected, dollars, message_in, of_status, unreadable
from assay.llms.parameters import FIXED_SAMPLING
from assay.llms.pictures import data_url
from assay.llms.provider import JSON_ORDER, Call, ModelInfo, Settings
from assay.records import Completion, Message, Usage

if TYPE_CHECKING:
    import openai


class OpenAIProvider:
    """`dialect`: openai, openrouter or compatible, where they name a thing differently."""

    def __init__(self, settings: Settings) -> None:
        settings.only("dialect", "json_mode", "organization", "project")
        self.settings = settings
        self.dialect = settings.options.get("dialect", "compatible")
        self.json_mode = settings.options.get("json_mode", "json_object")
        if self.json_mode not in ("json_object", "prompt"):
            raise ConfigError(f'llms.{settings.provider}.json_mode must be "json_object" or "prompt"')

    @cached_property
    def client(self) -> openai.AsyncOpenAI:
        """Connected at the first call: until then every reply may come from the cache."""
        sdk.load("openai")
        import httpx
        import openai

        from assay.llms.connections import separate_connections

        settings = self.settings
        return openai.AsyncOpenAI(
            api_key=settings.key or "none",
            base_url=settings.base_url,
            organization=settings.options.get("organization"),
            project=settings.options.get("project"),
            default_headers=dict(settings.headers),
            max_retries=0,  # Line retries
            timeout=None,  # Line watches the clock
            http_client=openai.DefaultAsyncHttpxClient(
                timeout=httpx.Timeout(None, connect=20.0), transport=separate_connections()
            ),
        )

    def open(self) -> None:
        _ = self.client

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
        client = self.client
        import httpx
        import openai

        body = {"model": call.model, "messages": chat_messages(call.messages), **call.wire}
        if call.json:
            if self.json_mode == "json_object":
                body["response_format"] = {"type": "json_object"}
            if self.json_mode == "prompt" or not any("json" in m.content.lower() for m in call.messages):
                # OpenAI refuses JSON mode unless the word stands somewhere.
                body["messages"].insert(0, {"role": "system", "content": JSON_ORDER})
        model = call.model
        try:
            response = await client.post("/chat/completions", cast_to=httpx.Response, body=body)
            return read_completion(self.settings, model, json.loads(response.content))
        except openai.APIStatusError as error:
            message, code = message_in(error.body, error.message)
            if code == "content_filter":  # how Azure says that the model's answer was withheld
                return Completion(message, finish_reason="content_filter")
            failure = of_status(
                self.settings, model, error.status_code, message, code, error.response.headers
            )
        except openai.APIConnectionError as error:
            failure = disconnected(self.settings, model, error)
        except openai.OpenAIError as error:
            failure = ProviderError(f"{self.settings.provider}/{model}: {error}")
        except ValueError as error:  # broken JSON, or bytes that are no text
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

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
        if "client" in vars(self):
            await self.client.close()


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


def read_completion(settings: Settings, model: str, reply: Any) -> Completion:
    """A chat completion's JSON as our record. A refusal or a filtered text is an answer; a reply
    without a choice or a message is none (Transient)."""
    if not isinstance(reply, dict):
        raise unreadable(settings, model, "no JSON object")
    if reply.get("error"):  # OpenRouter: status 200, and the upstream's error inside
        why, code = message_in(reply, "unknown error")
        raise of_status(settings, model, int(code) if code.isdigit() else 500, why, code)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise unreadable(settings, model, "no choice in it")
    if choice.get("error") or choice.get("finish_reason") == "error":
        # OpenRouter: the upstream broke in the middle; what there is of a text is no answer
        why, _ = message_in(choice, "the upstream broke off")
        raise Transient(f"{settings.provider}/{model}: error in the reply: {why}")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise unreadable(settings, model, "no message in its choice")
    said, finish = _text(message.get("content")), str(choice.get("finish_reason") or "")
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


def connect(settings: Settings) -> OpenAIProvider:
    return OpenAIProvider(settings)
