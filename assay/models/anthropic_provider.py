"""Anthropic's messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.models import prices
from assay.models.anthropic_messages import (
    Block,
    blocks_in,
    goes_on,
    keeps,
    mark,
    read_message,
    tool_form,
    turns,
    usage_in,
)
from assay.models.anthropic_stream import MessageStream
from assay.models.failures import StatusError
from assay.models.http_provider import SDKProvider, answer_in
from assay.models.provider import JSON_ORDER, Call, ProviderSettings, form_of
from assay.records import Completion, Schema, Usage

if TYPE_CHECKING:
    from assay.models.batches import BatchAPI

REPLY_TOKENS = 64_000  # max_tokens must be given; for a model that is not in our table
BUDGET_TOKENS = 8_192  # for `think: true` without a budget
# Beyond it the SDK and the API want the reply as a stream: a silent connection would not last so long.
STREAM_ABOVE = 21_333
PAUSES = 10  # of one turn, each after as many calls of the API's own tools as it makes at once
TOO_MANY = re.compile(
    r"max_tokens: \d+ > (\d+)"
)  # "..., which is the maximum allowed number of output tokens"


class AnthropicProvider(SDKProvider):
    sdk, client_class, error_class = "anthropic", "AsyncAnthropic", "AnthropicError"
    custom_headers = "ANTHROPIC_CUSTOM_HEADERS"
    takes_pictures = takes_tools = True
    path, models_path = "/v1/messages", "/v1/models?limit=1000"

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        settings.only("prompt_caching")
        self._keeps = keeps(settings)
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
                # newer models would keep their thoughts to themselves
                body["thinking"] = {"type": "adaptive", "display": "summarized"}
            else:
                body["thinking"] = {"type": "enabled", "budget_tokens": budget or BUDGET_TOKENS}
            for name in ("temperature", "top_k"):
                body.pop(name, None)  # not accepted together with thinking
        # what the model can give: a reply that is cut off by a lower limit of ours is not its failure
        body.setdefault("max_tokens", facts.get("max_output") or REPLY_TOKENS)
        return body

    def body(self, call: Call) -> dict[str, Any]:
        system = [m.content for m in call.messages if m.role == "system"]
        body = {"model": call.model, "messages": turns(call.messages, self._form(call)), **call.wire}
        if call.tools:
            body["tools"] = [*body.get("tools", ()), *map(tool_form, call.tools)]
        if isinstance(call.json, Schema):
            form = {"type": "json_schema", "schema": form_of(call.json)}
            body["output_config"] = {**body.get("output_config", {}), "format": form}
        elif call.json:
            system.append(JSON_ORDER)  # there is no JSON mode
        if system:
            body["system"] = "\n\n".join(system)
        if call.model in self._limits and body["max_tokens"] == REPLY_TOKENS:
            body["max_tokens"] = self._limits[call.model]
        if self._keeps and goes_on(call):
            mark(body)
        return body

    def _form(self, call: Call) -> str:
        return f"anthropic/{call.model}"

    async def attempt(self, call: Call) -> Completion:
        body = self.body(call)
        try:
            return await self._reply(call, body)
        except StatusError as error:
            limit = TOO_MANY.search(error.message)
            if limit is None or body["max_tokens"] != REPLY_TOKENS:
                raise
            self._limits[call.model] = int(limit[1])
        return await self._reply(call, self.body(call))

    async def _reply(self, call: Call, body: dict[str, Any]) -> Completion:
        """The whole turn: one that the API has paused, between tools of its own, goes on where it is handed
        back."""
        asked, blocks, usage = body["messages"], list[Block](), Usage()
        for _ in range(PAUSES):
            reply = await self._message(call, body)
            blocks += blocks_in(reply)
            usage += usage_in(reply)
            if reply.get("stop_reason") != "pause_turn":
                break
            body = {**body, "messages": [*asked, {"role": "assistant", "content": blocks}]}
            if isinstance(container := reply.get("container"), dict):
                body["container"] = container.get("id")
        return read_message(reply, blocks, usage, self._form(call), tools=bool(call.tools))

    async def _message(self, call: Call, body: dict[str, Any]) -> dict[str, Any]:
        if call.by_batch is not None:
            return answer_in(await call.by_batch(self.path, body))
        streams = self.settings.stream
        if body["max_tokens"] <= STREAM_ABOVE if streams is None else not streams:
            return await self.post(body)
        stream = MessageStream()
        await self.stream(call, {**body, "stream": True}, stream)
        return answer_in(stream.message())


def connect(settings: ProviderSettings) -> AnthropicProvider:
    return AnthropicProvider(settings)


def batches(provider: AnthropicProvider) -> BatchAPI:
    from assay.models.anthropic_batches import AnthropicBatches

    return AnthropicBatches(provider)
