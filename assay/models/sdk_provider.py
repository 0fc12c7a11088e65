"""What providers with an SDK of their own have in common.

Requests go by aiohttp (plain_http.py), which costs a quarter of what an SDK's client does, and importing an
SDK takes longer than a short run. What is unusual about the way there, a proxy or a redirect, is left to the
SDK, and so is the list of models.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from assay.errors import ProviderError
from assay.models import sdk
from assay.models.failures import disconnected, message_in, unreadable
from assay.models.plain_calls import Elsewhere, StatusError, exchange, parsed
from assay.models.plain_http import PlainHTTP, plain_address
from assay.models.provider import Call, ModelInfo, ProviderSettings, by_schema
from assay.records import Completion


class SDKProvider:
    """`sdk`: its module, with `client_class`, `error_class` and `custom_headers`, the environment variable
    that only it can read. `path`, `models_path`: where calls go, and where models are listed."""

    sdk: ClassVar[str]
    client_class: ClassVar[str]
    error_class: ClassVar[str]
    custom_headers: ClassVar[str]
    path: ClassVar[str]
    models_path: ClassVar[str]

    def __init__(self, settings: ProviderSettings) -> None:
        self.settings = settings
        self._without_schema: set[str] = set()  # models from before it
        self._elsewhere = False  # a redirect was seen

    def headers(self) -> dict[str, str]:
        """Of requests without the SDK."""
        raise NotImplementedError

    def client_options(self) -> dict[str, Any]:
        """Of the SDK's client, beyond what both have."""
        return {"api_key": self.settings.key}

    async def ask_once(self, call: Call) -> Completion:
        """One attempt, with the form of the reply that the call asks for."""
        raise NotImplementedError

    @cached_property
    def plain(self) -> PlainHTTP | None:
        """Requests without the SDK; None where they need it."""
        if os.environ.get(self.custom_headers):
            return None
        headers = {"User-Agent": "assay", **self.headers(), **self.settings.headers}
        address = plain_address(self.settings.base_url, headers)
        return PlainHTTP(address, headers) if address is not None else None

    @cached_property
    def client(self) -> Any:
        """Connected at the first call: until then every reply may come from the cache."""
        sdk.load(self.sdk)
        import httpx

        from assay.models.connections import separate_connections

        module = importlib.import_module(self.sdk)
        return getattr(module, self.client_class)(
            **self.client_options(),
            base_url=self.settings.base_url,
            default_headers=dict(self.settings.headers),
            max_retries=0,  # ProviderClient retries
            timeout=None,  # ProviderClient watches the clock
            http_client=module.DefaultAsyncHttpxClient(
                timeout=httpx.Timeout(None, connect=20.0), transport=separate_connections()
            ),
        )

    def open(self) -> None:
        if self.plain is None:
            _ = self.client
        else:
            self.plain.open()

    async def ask(self, call: Call) -> Completion:
        return await by_schema(call, self.ask_once, self._without_schema)

    async def reply(self, model: str, body: dict[str, Any]) -> Any:
        """The JSON of the reply to `body`. Raises StatusError, Transient or ProviderError."""
        if self.plain is not None and not self._elsewhere:
            try:
                return await self.plain_reply(self.plain, model, body)
            except Elsewhere:
                self._elsewhere = True
        return await self._reply_by_sdk(model, body)

    async def plain_reply(self, plain: PlainHTTP, model: str, body: dict[str, Any]) -> Any:
        """By aiohttp. Raises Elsewhere where that cannot be done."""
        return parsed(self.settings, model, await exchange(plain, self.settings, model, self.path, body))

    async def sdk_reply(self, body: Mapping[str, Any]) -> Any:
        """By the SDK, whose errors are let through. Raises ValueError for a reply that is no JSON."""
        import httpx

        response = await self.client.post(self.path, cast_to=httpx.Response, body=body)
        return json.loads(response.content)

    async def _reply_by_sdk(self, model: str, body: Mapping[str, Any]) -> Any:
        _ = self.client
        import httpx

        module = importlib.import_module(self.sdk)
        failure: Exception
        try:
            return await self.sdk_reply(body)
        except module.APIStatusError as error:
            message, code = message_in(error.body, error.message)
            failure = StatusError(error.status_code, message, code, error.response.headers)
        except (module.APIConnectionError, httpx.HTTPError) as error:
            failure = disconnected(self.settings, model, error)
        except getattr(module, self.error_class) as error:
            failure = ProviderError(f"{self.settings.provider}/{model}: {error}")
        except ValueError as error:  # broken JSON, or bytes that are no text
            failure = unreadable(self.settings, model, f"{type(error).__name__}: {error}")
        raise failure

    async def available(self) -> list[ModelInfo]:
        """The models that the server offers, or that this key may use."""
        client = self.client
        import httpx

        errors = getattr(importlib.import_module(self.sdk), self.error_class)
        try:
            response = await client.get(self.models_path, cast_to=httpx.Response)
            return [ModelInfo(row["id"]) for row in response.json()["data"]]
        except (errors, ValueError, KeyError, TypeError) as error:
            failure = ProviderError(f"{self.settings.provider} lists no models: {error}")
        raise failure

    async def close(self) -> None:
        if plain := vars(self).get("plain"):
            await plain.close()
        if "client" in vars(self):
            await self.client.close()
