"""
OpenAI and every server that speaks its chat completions (OpenRouter, LM Studio, vLLM, one's own). Bodies are
built and read here, because that is where servers differ.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError
from assay.models.anthropic_messages import KEPT, goes_on, keeps
from assay.models.failures import StatusError
from assay.models.http_provider import SDKProvider, answer_in
from assay.models.openai_chat import (
    STREAM_ABOVE,
    STREAMED,
    THINKS,
    chat_messages,
    chat_tools,
    read_completion,
    refuses_thoughts,
    response_format,
)
from assay.models.openai_responses import (
    HIDDEN,
    ONLY_THERE,
    ResponseStream,
    read_response,
    response_body,
    response_parameters,
)
from assay.models.openai_stream import ChatStream
from assay.models.parameters import FIXED_SAMPLING
from assay.models.provider import JSON_ORDER, Call, ProviderSettings
from assay.records import Completion, JsonMode, Message, Schema

if TYPE_CHECKING:
    from assay.models.batches import BatchAPI
    from assay.models.text_tools import TextTools

RESPONSES = "/responses"
# A server without streams, and OpenAI where an organization is not verified
NO_STREAM = re.compile(r"\bstream", re.IGNORECASE)


class OpenAIProvider(SDKProvider):
    """`dialect`: openai, openrouter or compatible, where they name a thing differently."""

    sdk, client_class, error_class = "openai", "AsyncOpenAI", "OpenAIError"
    custom_headers = "OPENAI_CUSTOM_HEADERS"
    takes_pictures = takes_tools = True
    path, models_path = "/chat/completions", "/models"

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        self.dialect = settings.options.get("dialect", "compatible")
        routed = ["prompt_caching"] if self.dialect == "openrouter" else []
        settings.only("dialect", "json_mode", "organization", "project", "api", "tools", *routed)
        self._keeps = self.dialect == "openrouter" and keeps(settings)
        self.api = settings.options.get("api")
        if self.api not in (None, "chat", "responses"):
            raise ConfigError(f'llms.{settings.provider}.api must be "chat" or "responses"')
        tools = settings.options.get("tools", "native")
        if tools not in ("native", "text"):
            raise ConfigError(f'llms.{settings.provider}.tools must be "native" or "text"')
        self.text_tools: TextTools | None = None
        if tools == "text":
            from assay.models.text_tools import TextTools

            self.text_tools = TextTools()
        self._responding: dict[str, bool] = {}  # model -> which API it was seen to answer by
        self._unsummed: set[str] = set()  # models that may not sum up what they thought
        self._unstreamed: set[str] = set()  # models whose servers refused to stream
        self._think: set[str] = set()  # models that were seen to
        self._slow: set[str] = set()  # models of which a reply took too long
        self._thoughtless: set[str] = set()  # models whose servers want no thoughts back
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
        if self.api == "responses" or (self.dialect == "openai" and _only_there(model)):
            response_parameters(body)  # before the first call
        return body

    def body(self, call: Call) -> dict[str, Any]:
        """Of a chat completion."""
        messages = chat_messages(self._told(call), self._form(call))
        body = {"model": call.model, "messages": messages, **call.wire}
        if call.tools:
            body["tools"] = [*body.get("tools", ()), *chat_tools(call.tools)]
        if self._keeps and call.model.startswith("anthropic/") and goes_on(call):
            body = {**KEPT, **body}  # others keep what they read without being asked to
        form = self._json(call)
        if form:
            body["response_format"] = (
                response_format(form) if isinstance(form, Schema) else {"type": "json_object"}
            )
        return body

    def response_body(self, call: Call) -> dict[str, Any]:
        body = response_body(call, self._told(call), self._form(call), self._json(call))
        if self._thinks(call):
            if call.tools:
                body["include"] = [HIDDEN, *body.get("include", ())]
            if call.model not in self._unsummed:
                body["reasoning"] = {"summary": "auto", **body.get("reasoning", {})}
        return body

    def _form(self, call: Call) -> str:
        return "" if call.model in self._thoughtless else self.settings.naming(call.model)

    def _json(self, call: Call) -> JsonMode:
        """The form to ask for: a schema, any JSON, or none."""
        if self.json_mode == "prompt":
            return False
        return call.json if self.json_mode == "json_schema" else bool(call.json)

    def _told(self, call: Call) -> Sequence[Message]:
        """The dialogue, with an order to reply in JSON where that is needed: OpenAI refuses JSON mode unless
        the word stands somewhere."""
        if not call.json:
            return call.messages
        says_so = self.json_mode != "prompt" and any("json" in m.content.lower() for m in call.messages)
        return call.messages if says_so else (Message("system", JSON_ORDER), *call.messages)

    async def attempt(self, call: Call) -> Completion:
        if self.text_tools is None:
            return await self._attempt(call)
        return self.text_tools.answered(await self._attempt(self.text_tools.asked(call)), call)

    async def _attempt(self, call: Call) -> Completion:
        responds = self._responds(call)
        try:
            found = await self._answer(call, responds)
        except asyncio.CancelledError:  # by the clock: if it is asked again, it is to be heard meanwhile
            self._slow.add(call.model)
            raise
        except StatusError as error:
            if error.code == "content_filter":
                # This is how Azure says that the model's answer was withheld.
                return Completion(error.message, cost=0.0, finish_reason="content_filter")
            if error.written and call.tools:
                from assay.models.text_tools import ill_written

                return ill_written(error.written, call)
            if self._form(call) and refuses_thoughts(error, call.messages):
                self._thoughtless.add(call.model)
                return await self._attempt(call)
            if not self._belongs_elsewhere(call, responds, error):
                if call.tools and self.dialect != "openai" and "tool" in error.message:
                    where = f"llms.{self.settings.provider}.tools"
                    error.message += f' (if the server has no tools, set {where} to "text" in config.json)'
                raise
            found = await self._answer(call, not responds)
            self._responding[call.model] = not responds
        if found.reasoning or found.usage.reasoning_tokens:
            self._think.add(call.model)
        return found

    def _responds(self, call: Call) -> bool:
        """Whether to ask by the Responses API: OpenAI's models that think use tools only there, or forget in
        between what they thought."""
        if self.api is not None:
            return bool(self.api == "responses")
        if call.model in self._responding or self.dialect != "openai":
            return self._responding.get(call.model, False)
        with_tools = bool(call.tools) or any(m.calls for m in call.messages)
        return _only_there(call.model) or (with_tools and FIXED_SAMPLING.match(call.model) is not None)

    def _belongs_elsewhere(self, call: Call, responds: bool, error: StatusError) -> bool:
        """Whether the server says that the other API is to be asked, or does not have this one."""
        if self.api is not None:
            return False
        if responds:
            return error.status in (404, 405) and not _only_there(call.model)
        return "v1/responses" in error.message

    async def _answer(self, call: Call, responds: bool) -> Completion:
        if not responds:
            reply = await self._reply(call, self.body(call), self.path, ChatStream(), STREAMED)
            return read_completion(reply, call, self._form(call))
        body = self.response_body(call)
        try:
            reply = await self._reply(call, body, RESPONSES, ResponseStream(), {"stream": True})
        except StatusError as error:
            summed = call.model not in self._unsummed and "summary" in body.get("reasoning", {})
            if error.status != 400 or not summed or "summar" not in error.message:
                raise
            self._unsummed.add(call.model)  # OpenAI, where an organization is not verified
            return await self._answer(call, responds)
        return read_response(reply, call, self._form(call))

    async def _reply(
        self,
        call: Call,
        body: Mapping[str, Any],
        path: str,
        events: ChatStream | ResponseStream,
        streamed: Mapping[str, Any],
    ) -> dict[str, Any]:
        """A reply's JSON. If it may not be streamed it comes whole, as do all of that model from then on."""
        if call.by_batch is not None:
            return answer_in(await call.by_batch(path, body))
        if not self._streams(call):
            return await self.post(body, path)
        try:
            await self.stream(call, {**body, **streamed}, events, path)
            return answer_in(events.whole())
        except StatusError as error:
            if error.status not in (400, 422) or not NO_STREAM.search(error.message):
                raise
        reply = await self.post(body, path)
        self._unstreamed.add(call.model)
        return reply

    def _streams(self, call: Call) -> bool:
        """Whether the reply may be long, or long in coming. For short ones streams cost too much."""
        if call.model in self._unstreamed or self.settings.stream is not None:
            return call.model not in self._unstreamed and bool(self.settings.stream)
        if call.model in self._slow:
            return True
        limit = call.wire.get("max_completion_tokens", call.wire.get("max_tokens"))
        return limit > STREAM_ABOVE if isinstance(limit, int) else bool(call.tools) or self._thinks(call)

    def _thinks(self, call: Call) -> bool:
        known = self.dialect == "openai" and (FIXED_SAMPLING.match(call.model) or _only_there(call.model))
        switched = (call.wire.get("chat_template_kwargs") or {}).get("enable_thinking")
        asked = not THINKS.isdisjoint(call.wire)
        return bool(known or switched or asked or call.model in self._think)


def _only_there(model: str) -> bool:
    return ONLY_THERE.match(model) is not None


def connect(settings: ProviderSettings) -> OpenAIProvider:
    return OpenAIProvider(settings)


def batches(provider: OpenAIProvider) -> BatchAPI:
    from assay.models.openai_batches import OpenAIBatches

    return OpenAIBatches(provider)
