"""
OpenAI and every server that speaks its chat completions (OpenRouter, LM Studio, vLLM, one's own). Bodies are
built and read here, because that is where servers differ.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from assay.errors import ConfigError
from assay.models.failures import StatusError, Unreadable, count, dollars, message_in
from assay.models.http_provider import SDKProvider
from assay.models.parameters import FIXED_SAMPLING
from assay.models.pictures import data_url
from assay.models.provider import JSON_ORDER, Call, ProviderSettings, form_of
from assay.records import Completion, Message, Schema, Usage


class OpenAIProvider(SDKProvider):
    """`dialect`: openai, openrouter or compatible, where they name a thing differently."""

    sdk, client_class, error_class = "openai", "AsyncOpenAI", "OpenAIError"
    custom_headers = "OPENAI_CUSTOM_HEADERS"
    path, models_path = "/chat/completions", "/models"

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        settings.only("dialect", "json_mode", "organization", "project")
        self.dialect = settings.options.get("dialect", "compatible")
        self.json_mode = settings.options.get("json_mode", "json_schema")
        if self.json_mode not in ("json_schema", "json_object", "prompt"):
            raise ConfigError(
                f'llms.{settings.provider}.json_mode must be "json_schema", "json_object" or "prompt"'
            )

    def headers(self) -> dict[str, str]:
        options = self.settings.options
        of_sdk = {
            "OpenAI-Organization": options.get("organization") or os.environ.get("OPENAI_ORG_ID"),
            "OpenAI-Project": options.get("project") or os.environ.get("OPENAI_PROJECT_ID"),
        }
        return {
            "Authorization": f"Bearer {self.settings.key or 'none'}",
            **{name: str(value) for name, value in of_sdk.items() if value},
        }

    def client_options(self) -> dict[str, Any]:
        more = {name: self.settings.options.get(name) for name in ("organization", "project")}
        return {"api_key": self.settings.key or "none", **more}

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body = dict(parameters)
        think, budget = body.pop("think", None), body.pop("thinking_budget", None)
        if self.dialect == "openai":
            if think is not None or budget is not None:
                raise ConfigError(
                    f"{self.settings.naming(model)} does not take think or thinking_budget; "
                    'use reasoning_effort in hparams, e.g. "low"'
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

    def body(self, call: Call) -> dict[str, Any]:
        body = {"model": call.model, "messages": chat_messages(call.messages), **call.wire}
        if call.json:
            if isinstance(call.json, Schema) and self.json_mode == "json_schema":
                body["response_format"] = response_format(call.json)
            elif self.json_mode != "prompt":
                body["response_format"] = {"type": "json_object"}
            if self.json_mode == "prompt" or not any("json" in m.content.lower() for m in call.messages):
                # OpenAI refuses JSON mode unless the word stands somewhere.
                body["messages"].insert(0, {"role": "system", "content": JSON_ORDER})
        return body

    async def attempt(self, call: Call) -> Completion:
        try:
            return read_completion(await self.post(self.body(call)))
        except StatusError as error:
            if error.code != "content_filter":
                raise
            # This is how Azure says that the model's answer was withheld.
            return Completion(error.message, finish_reason="content_filter")


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


def read_completion(reply: Mapping[str, Any]) -> Completion:
    """A chat completion's JSON as our record. A refusal or a filtered text is an answer; a reply
    without a choice or a message is none. Raises Unreadable, or StatusError where the upstream failed."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise Unreadable("no choice in it")
    finish = str(choice.get("finish_reason") or "")
    finish = FINISHES.get(finish.lower(), finish)
    if choice.get("error") or finish.lower() in BROKEN_OFF:
        # OpenRouter: the upstream broke in the middle; what there is of a text is no answer
        why = f"the upstream failed ({finish})" if finish else "the upstream failed"
        if choice.get("error"):
            why, _ = message_in(choice, why)
        raise StatusError(500, f"error in the reply: {why}")
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Unreadable("no message in its choice")
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
