"""The providers that litellm knows and that have no file of their own here."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.errors import ConfigError, ProviderError, Refused
from assay.extras import need
from assay.models import sdk
from assay.models.anthropic_messages import goes_on, keeps
from assay.models.failures import StatusError, Unanswered, Unreadable, message_in, unreachable, written_in
from assay.models.http_provider import answer_in
from assay.models.litellm_sends import Sends
from assay.models.openai_chat import (
    BROKEN_OFF,
    STREAM_ABOVE,
    STREAMED,
    THINKS,
    chat_messages,
    chat_tools,
    read_completion,
    refuses_thoughts,
    response_format,
)
from assay.models.provider import JSON_ORDER, Call, ProviderSettings
from assay.models.schemes import misaddressed
from assay.models.wire_provider import WireProvider
from assay.records import Completion, Schema

# How litellm's transports report a missing connection, which litellm turns into an HTTP 500
NO_WAY = re.compile(r"Cannot connect to host|All connection attempts failed")
# Names that litellm translates, or knows that it cannot; any other it sends as it is
OPENAI_PARAMETERS = frozenset((
    "temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "stop", "n", "logit_bias",
    "logprobs", "top_logprobs", "frequency_penalty", "presence_penalty", "reasoning_effort", "thinking",
    "verbosity", "service_tier", "parallel_tool_calls", "response_format", "user",
))  # fmt: skip
# litellm's names of those of whose streams it says whether they ended; of others it invents an end
STREAMS = frozenset((
    "anthropic", "azure", "azure_ai", "bedrock", "cerebras", "dashscope", "deepseek", "fireworks_ai", "groq",
    "huggingface", "mistral", "moonshot", "nvidia_nim", "openai", "together_ai", "xai",
))  # fmt: skip
REASONING = ("groq", "cerebras")  # which want `reasoning` back; litellm calls all `reasoning_content`
# what litellm reads of what it adds to a turn
FIELDS = ("thought_signatures", "compaction_blocks", "web_search_results", "tool_results")
WRITTEN = re.compile(r"Exception - (\{.*failed_generation.*\})", re.DOTALL)


@functools.cache
def load_litellm() -> Any:
    """The litellm module, imported quietly and prevented from sending requests of its own."""
    # Prices and limits as shipped: no look-up on the network at import.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what litellm's own imports deprecate is not the user's affair
        sdk.load("litellm")
        import litellm
        from litellm.llms.custom_httpx import http_handler

        litellm.ModelResponse()  # its pydantic classes are completed, and complain, at first use
        litellm.ModelResponseStream(choices=[litellm.types.utils.StreamingChoices()])
    # The same complaint comes later, with each provider's own classes; and its log writes to stderr,
    # into the middle of our progress display.
    warnings.filterwarnings(
        "ignore", message=r"Items? .* on TypedDict class .*ReadOnly", category=UserWarning
    )
    if "LITELLM_LOG" not in os.environ:
        logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    litellm.suppress_debug_info = True  # it prints advice to stdout otherwise
    litellm.telemetry = False
    litellm.drop_params = False  # what it left out would stand in the records as sent; see `_check`
    _send_once(http_handler)
    _tell_what_broke_off(litellm)
    return litellm


def _send_once(http_handler: ModuleType) -> None:
    """litellm sends a request a second time, unasked, when its connection is lost; no setting of it
    prevents that, so the method that does it is replaced."""
    import httpx

    async def lost(*_: Any, **__: Any) -> None:
        why = sys.exc_info()[1]  # the error that it is called to handle
        if isinstance(why, httpx.ConnectError) and NO_WAY.search(str(why)):
            raise why
        raise httpx.ReadError("the connection was lost before a reply came")

    http_handler.AsyncHTTPHandler.single_connection_post_request = lost


def _tell_what_broke_off(litellm: Any) -> None:
    """litellm calls an end that it does not know a regular one: also that of a reply whose upstream failed in
    the middle. What maps the words is replaced, wherever it was imported by name."""
    from litellm.litellm_core_utils import core_helpers, streaming_handler
    from litellm.types import utils

    known = core_helpers.map_finish_reason

    def mapped(finish_reason: str) -> str:
        if str(finish_reason).lower() in BROKEN_OFF:
            raise BrokenOff(f"the upstream failed ({finish_reason})")
        found: str = known(finish_reason)
        return found

    for module in (core_helpers, streaming_handler, utils):
        module.map_finish_reason = mapped  # type: ignore[attr-defined, unused-ignore]


class BrokenOff(Exception):
    """A reply is the half of one."""

    status_code = 500


class _Watched:
    """A stream as it comes, and whether one of its parts said how the reply ends. litellm takes the end of a
    stream for the end of its reply."""

    def __init__(self, parts: Any) -> None:
        self._parts = parts
        self.ended = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parts, name)

    def __aiter__(self) -> _Watched:
        self._parts = aiter(self._parts)
        return self

    async def __anext__(self) -> Any:
        part = await anext(self._parts)
        for choice in getattr(part, "choices", None) or ():
            self.ended |= bool(getattr(choice, "finish_reason", None))
        if isinstance(part, dict):  # of other APIs than OpenAI's; the mark of the end alone has no text
            self.ended |= bool(part.get("text") or part.get("tool_use"))
        return part


class LiteLLMProvider(WireProvider):
    takes_pictures = takes_tools = True

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        options = dict(settings.options)
        self.prefix = options.pop("prefix", "")
        self._keeps = keeps(settings)
        options.pop("prompt_caching", None)
        self.common: dict[str, Any] = options  # e.g. api_version, vertex_project, aws_region_name
        if settings.key:
            self.common["api_key"] = settings.key
        if settings.base_url:
            self.common["api_base"] = settings.base_url
        if settings.headers:
            self.common["extra_headers"] = dict(settings.headers)
        self._with_tools: set[str] = set()  # models that litellm sends tools to
        self._slow: set[str] = set()  # models of which a reply took too long
        self._thoughtless: set[str] = set()  # models whose servers want no thoughts back

    def open(self) -> None:
        load_litellm()

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body = dict(parameters)
        think, budget = body.pop("think", None), body.pop("thinking_budget", None)
        if think is False:
            sends, _ = self._known(model)
            way = None if sends is None else sends.off({n: body[n] for n in body if n in OPENAI_PARAMETERS})
            body["thinking"] = way or {"type": "disabled"}
        elif budget is not None:
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        elif think:
            body.setdefault("reasoning_effort", "medium")
        if body:
            self._check(model, parameters, body)
        if "max_tokens" not in body and "claude" in model.lower() and (most := self._most(model)):
            body["max_tokens"] = most  # which litellm sets to 4,096 where nobody says
        return body

    def _name(self, model: str) -> str:
        return f"{self.prefix}/{model}" if self.prefix else model

    def _check(self, model: str, parameters: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        """Raises ConfigError for a parameter that litellm would not send to this model."""
        sends, known = self._known(model)
        if sends is None or known is None:
            return
        its = self.settings.naming(model)
        for name in body:
            if name in OPENAI_PARAMETERS and name not in known:
                said = name if name in parameters else "think"
                if name == "thinking" != said and parameters.get("think") is not False:
                    said = "thinking_budget"
                raise _cannot(its, said, f"{its} takes no {said}, so it cannot be sent")
        asked = {name: value for name, value in body.items() if name in OPENAI_PARAMETERS}
        for name, value in asked.items():
            if name in parameters and name != "response_format" and not sends.value(name, asked):
                raise _cannot(its, name, f"litellm does not send {name} {value!r} to {its}")
        if parameters.get("think") is False:
            if sends.off({name: value for name, value in asked.items() if name != "thinking"}) is None:
                raise _cannot(its, "think", f"litellm cannot tell {its} not to think")
        elif parameters.get("thinking_budget") is not None:
            if not sends.budget(asked):
                raise _cannot(its, "thinking_budget", f"litellm does not send a thinking_budget to {its}")
        elif parameters.get("think") and "reasoning_effort" not in parameters and not sends.thinking(asked):
            raise _cannot(its, "think", f"litellm cannot tell {its} to think")

    def _known(self, model: str) -> tuple[Sends | None, frozenset[str] | None]:
        """What litellm sends to a model, and the parameters that it can send; None if it does not know."""
        litellm, full = load_litellm(), self._name(model)
        try:
            name, provider, _, _ = litellm.get_llm_provider(model=full)
            found = litellm.get_supported_openai_params(model=full, custom_llm_provider=provider)
        except Exception:  # noqa: BLE001 - of a name that it cannot place; the call will say what is wrong
            return None, None
        return Sends(provider, name), None if found is None else frozenset(found)

    def _most(self, model: str) -> int | None:
        """The most tokens of a reply by the model, according to litellm's table."""
        costs = load_litellm().model_cost
        names = (self._name(model), model, model.rpartition("/")[2])
        row: Mapping[str, Any] = next((costs[name] for name in names if name in costs), {})
        most = row.get("max_output_tokens")
        return most if isinstance(most, int) and most > 0 else None

    def _takes_schemas(self, model: str) -> bool:
        try:
            return bool(load_litellm().supports_response_schema(model=self._name(model)))
        except Exception:  # noqa: BLE001 - of a name that it cannot place
            return False

    async def attempt(self, call: Call) -> Completion:
        try:
            return await self._attempt(call)
        except asyncio.CancelledError:  # by the clock: if it is asked again, it is to be heard meanwhile
            self._slow.add(call.model)
            raise
        except StatusError as error:
            if error.written and call.tools:
                from assay.models.text_tools import ill_written

                return ill_written(error.written, call)
            if call.model in self._thoughtless or not refuses_thoughts(error, call.messages):
                raise
        self._thoughtless.add(call.model)
        return await self._attempt(call)

    async def _attempt(self, call: Call) -> Completion:
        litellm, name = load_litellm(), self._name(call.model)
        body: dict[str, Any] = {**self.common, **call.wire}
        form = "" if call.model in self._thoughtless else f"litellm {name}"
        messages = [_back(turn, name) for turn in chat_messages(call.messages, form)]
        if call.tools:
            body["tools"] = [*body.get("tools", ()), *chat_tools(call.tools)]
            self._check_tools(call.model, body["tools"])
            body |= _without_mcp(litellm)
        if call.json:
            _, known = self._known(call.model)
            if isinstance(call.json, Schema) and self._takes_schemas(call.model):
                body["response_format"] = response_format(call.json)
            elif known is None or "response_format" in known:
                body["response_format"] = {"type": "json_object"}
            else:
                messages.insert(0, {"role": "system", "content": JSON_ORDER})
        if self._keeps and "claude" in call.model.lower() and goes_on(call):
            body.setdefault("cache_control_injection_points", _kept(messages))
        if self._streams(call, name):
            body |= STREAMED
        try:
            reply = await litellm.acompletion(
                model=name,
                messages=messages,
                max_retries=0,  # ProviderClient retries
                num_retries=0,
                timeout=self.settings.timeout_s,
                **body,
            )
            if "stream" in body:
                reply = await self._whole(reply, call)
        except Unreadable:
            raise
        except litellm.exceptions.ContentPolicyViolationError as error:
            return Completion(_plain(error), cost=0.0, finish_reason="content_filter")
        except Exception as error:  # noqa: BLE001 - litellm lets through whatever its providers raise
            raise self._failure(call.model, error) from None
        return read_completion(answer_in(reply.model_dump(exclude_none=True)), call, form)

    def _streams(self, call: Call, name: str) -> bool:
        """Whether the reply may be long, or long in coming, and the end of a stream can be seen."""
        if name.partition("/")[0] not in STREAMS or self.settings.stream is not None:
            return name.partition("/")[0] in STREAMS and bool(self.settings.stream)
        limit = call.wire.get("max_completion_tokens", call.wire.get("max_tokens"))
        if isinstance(limit, int):
            return limit > STREAM_ABOVE or call.model in self._slow
        return bool(call.tools) or call.model in self._slow or not THINKS.isdisjoint(call.wire)

    async def _whole(self, stream: Any, call: Call) -> Any:
        """A streamed reply. Raises Unreadable where it ended early, of which litellm makes a whole one."""
        chunks = []
        watched = stream.completion_stream = _Watched(stream.completion_stream)
        async for chunk in stream:
            call.heard()
            chunks.append(chunk)
        if not chunks or not watched.ended or stream.received_finish_reason is None:
            raise Unreadable("the stream ended before the reply did")
        return load_litellm().stream_chunk_builder(chunks)

    def _check_tools(self, model: str, tools: list[dict[str, Any]]) -> None:
        """Raises Refused for a model to which litellm sends none."""
        if model in self._with_tools:
            return
        sends, known = self._known(model)
        cannot = known is not None and "tools" not in known
        if sends is not None and not cannot:
            sent = sends.made({"tools": tools})
            cannot = sent is not None and sent == sends.made({})
        if cannot:
            its = self.settings.naming(model)
            raise Refused(f"litellm does not send tools to {its}; test it without them, or another model")
        self._with_tools.add(model)

    def _failure(self, model: str, error: Exception) -> Exception:
        kinds = load_litellm().exceptions
        error = getattr(error, "original_exception", None) or error  # of a stream
        message, its = _plain(error), self.settings.naming(model)
        status = getattr(error, "status_code", None)
        if isinstance(error, kinds.JSONSchemaValidationError | ValueError) and status is None:
            return Unreadable(f"{type(error).__name__}: {message}")
        if NO_WAY.search(message) or misaddressed(message, self.settings.base_url):
            return unreachable(self.settings, model, message, self.absent)
        if isinstance(error, kinds.Timeout | kinds.APIConnectionError):
            return Unanswered(f"{its}: {message}")
        if not isinstance(status, int):
            return ProviderError(f"{its}: {type(error).__name__}: {message}")
        response = getattr(error, "response", None)
        headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
        _, code = message_in(getattr(error, "body", None), "")
        return StatusError(status, message, code, headers, _written(str(error)))

    async def close(self) -> None:
        if load_litellm.cache_info().currsize:
            closing = getattr(load_litellm(), "close_litellm_async_clients", None)  # older versions lack it
            if closing is not None:
                await closing()


def _kept(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Where litellm asks the servers of Claude to keep what they read: after the system prompt and the last
    two user turns, as anthropic_messages.mark does."""
    next_roles = [*(message["role"] for message in messages[1:]), "assistant"]
    ends = [at for at, role in enumerate(next_roles) if role == "assistant"]
    points = [{"location": "message", "index": at} for at in ends[-2:]]
    return [{"location": "message", "role": "system"}, *points]


def _back(turn: dict[str, Any], name: str) -> dict[str, Any]:
    """A turn without what litellm would hand on to servers that do not know it, thoughts where they want
    them."""
    if fields := turn.pop("provider_specific_fields", None):
        told = {each: fields[each] for each in FIELDS if fields.get(each)}
        turn |= {"provider_specific_fields": told} if told else {}
    if name.startswith(REASONING) and "reasoning_content" in turn:
        turn["reasoning"] = turn.pop("reasoning_content")
    return turn


def _written(error: str) -> str:
    """What the model wrote, in litellm's account of Groq's error."""
    if (found := WRITTEN.search(error)) is None:
        return ""
    try:
        return written_in(json.JSONDecoder().raw_decode(found[1])[0])
    except (ValueError, RecursionError):
        return ""


def _without_mcp(litellm: Any) -> dict[str, Any]:
    """Newer versions look among a call's tools for MCP servers, for which they need the package mcp; this
    is how they tell themselves not to."""
    handler = Path(litellm.__file__).parent / "responses" / "mcp" / "chat_completions_handler.py"
    return {"_skip_mcp_handler": True} if handler.is_file() else {}


def _cannot(its: str, name: str, why: str) -> ConfigError:
    """`why` a parameter cannot be sent to a model, and how to leave it out."""
    return ConfigError(
        f'{why}. To ask it without, write "hparams": {{"models": {{"{its}": {{"{name}": null}}}}}} '
        "into config.json"
    )


def _plain(error: Exception) -> str:
    """litellm puts `litellm.SomeError: SomeError: ` before what the provider said, and
    tracebacks of its own behind."""
    message = str(getattr(error, "message", "") or error)
    return message.removeprefix("litellm.").partition("\nTraceback")[0][:1000]


def connect(settings: ProviderSettings) -> LiteLLMProvider:
    need("litellm", f"provider {settings.provider}")
    return LiteLLMProvider(settings)
