"""Every provider that litellm knows and that has no file of its own here."""

from __future__ import annotations

import functools
import logging
import os
import warnings
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from assay.errors import ConfigError, ProviderError, Transient
from assay.llms import sdk
from assay.llms.failures import message_in, of_status, unreadable
from assay.llms.openai_provider import chat_messages, read_completion
from assay.llms.provider import Call, Settings
from assay.records import Completion


@functools.cache
def load_litellm() -> Any:
    """The litellm module, imported quietly and kept from asking the network or the server unbidden."""
    # Prices and limits as shipped: no look-up on the network at import.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what litellm's own imports deprecate is not the user's affair
        sdk.load("litellm")
        import litellm
        from litellm.llms.custom_httpx import http_handler

        litellm.ModelResponse()  # its pydantic classes are completed, and complain, at first use
    # The same complaint comes later, with each provider's own classes; and its log writes to stderr,
    # into the middle of our progress display.
    warnings.filterwarnings(
        "ignore", message=r"Items? .* on TypedDict class .*ReadOnly", category=UserWarning
    )
    if "LITELLM_LOG" not in os.environ:
        logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    litellm.suppress_debug_info = True  # it prints advice to stdout otherwise
    litellm.telemetry = False
    litellm.drop_params = True  # a parameter that this provider has not is left out
    _send_once(http_handler)
    return litellm


def _send_once(http_handler: ModuleType) -> None:
    """litellm sends a request a second time, unasked, when its connection is lost; no setting of it
    prevents that, so the method that does it is replaced."""
    import httpx

    async def lost(*_: Any, **__: Any) -> None:
        raise httpx.ReadError("the connection was lost before a reply came")

    http_handler.AsyncHTTPHandler.single_connection_post_request = lost


class LiteLLMProvider:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        options = dict(settings.options)
        self.prefix = options.pop("prefix", "")
        self.common: dict[str, Any] = options  # e.g. api_version, vertex_project, aws_region_name
        if settings.key:
            self.common["api_key"] = settings.key
        if settings.base_url:
            self.common["api_base"] = settings.base_url
        if settings.headers:
            self.common["extra_headers"] = dict(settings.headers)

    def open(self) -> None:
        load_litellm()

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body = dict(parameters)
        think, budget = body.pop("think", None), body.pop("thinking_budget", None)
        if think is False:
            body["thinking"] = {"type": "disabled"}
        elif budget is not None:
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        elif think:
            body.setdefault("reasoning_effort", "medium")
        for name in ("model", "messages", "stream"):
            if name in body:
                raise ConfigError(f"hparams may not set {name}")
        return body

    async def ask(self, call: Call) -> Completion:
        litellm = load_litellm()
        body: dict[str, Any] = {**self.common, **call.wire}
        if call.json:
            body["response_format"] = {"type": "json_object"}
        name = f"{self.prefix}/{call.model}" if self.prefix else call.model
        failure: Exception
        try:
            reply = await litellm.acompletion(
                model=name,
                messages=chat_messages(call.messages),
                max_retries=0,  # Line retries
                num_retries=0,
                timeout=self.settings.timeout_s,
                **body,
            )
            return read_completion(self.settings, call.model, reply.model_dump())
        except (ConfigError, ProviderError):
            raise
        except Exception as error:  # noqa: BLE001 - litellm lets through whatever its providers raise
            failure = self._failure(call.model, error)
        if isinstance(failure, _Filtered):
            return Completion(str(failure), finish_reason="content_filter")
        raise failure

    def _failure(self, model: str, error: Exception) -> Exception:
        litellm = load_litellm()
        message = _plain(str(getattr(error, "message", "") or error))
        if isinstance(error, litellm.exceptions.ContentPolicyViolationError):
            return _Filtered(message)
        if isinstance(error, litellm.exceptions.JSONSchemaValidationError | ValueError) and not hasattr(
            error, "status_code"
        ):
            return unreadable(self.settings, model, f"{type(error).__name__}: {message}")
        if isinstance(error, litellm.exceptions.Timeout | litellm.exceptions.APIConnectionError):
            return Transient(f"{self.settings.provider}/{model}: {message}")
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            return ProviderError(f"{self.settings.provider}/{model}: {type(error).__name__}: {message}")
        response = getattr(error, "response", None)
        headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
        _, code = message_in(getattr(error, "body", None), "")
        return of_status(self.settings, model, status, message, code, headers)

    async def close(self) -> None:
        if load_litellm.cache_info().currsize:
            closing = getattr(load_litellm(), "close_litellm_async_clients", None)  # older versions lack it
            if closing is not None:
                await closing()


class _Filtered(Exception):
    """The provider withheld the model's answer; its text says so."""


def _plain(message: str) -> str:
    """litellm puts `litellm.SomeError: SomeError: ` before what the provider said, and
    tracebacks of its own behind."""
    return message.removeprefix("litellm.").partition("\nTraceback")[0][:1000]


def connect(settings: Settings) -> LiteLLMProvider:
    return LiteLLMProvider(settings)
