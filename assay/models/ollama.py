"""Ollama's own API: local models, their list and their sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from assay.errors import ConfigError, ProviderError, Refused, Transient
from assay.models import sdk
from assay.models.failures import (
    Unanswered,
    Unreachable,
    count,
    error_from_status,
    message_in,
    retry_after,
    unreadable,
)
from assay.models.pictures import base64_text, media_type
from assay.models.plain_calls import written
from assay.models.plain_http import (
    ConnectError,
    ConnectTimeout,
    HTTPError,
    PlainHTTP,
    ReadError,
    Response,
    plain_address,
)
from assay.models.provider import Call, ModelInfo, ProviderSettings, by_schema, form_of
from assay.records import Completion, Schema, Usage

if TYPE_CHECKING:
    import httpx

# Ours -> theirs; these and Ollama's other ones (num_ctx, mirostat ...) go into `options`.
OPTIONS = {"max_tokens": "num_predict"}
TOP_LEVEL = ("keep_alive", "think", "options", "truncate", "shift")

# The server silently cuts what does not fit into the context that it is told to have (num_ctx), 4,096 tokens
# by itself. A token has about 4 characters of English; code has fewer, and of a number each digit may be one.
# Other scripts have one for about two bytes. Where that is too few the server is to say so: newer ones, told
# not to cut, refuse, and then all that the model has is asked for; of older ones the count of tokens tells.
CHARACTERS, FEWEST_CHARACTERS, BYTES = 4.0, 2.5, 2.0
UNCUT = {"truncate": False, "shift": False}
TOO_LONG = re.compile(r"context (?:length|size|window)", re.IGNORECASE)
PICTURE_TOKENS = 1_500
REPLY_TOKENS = 8_192  # room for the reply where max_tokens does not say


class OllamaProvider:
    def __init__(self, settings: ProviderSettings) -> None:
        settings.only()
        self.settings = settings
        base_url = settings.base_url if "://" in settings.base_url else f"http://{settings.base_url}"
        its = {"authorization": f"Bearer {settings.key}"} if settings.key else {}
        self.headers = {"user-agent": "assay", **its, **settings.headers}
        self._without_schema: set[str] = set()  # models, of a server from before it
        self._contexts: dict[str, int | None] = {}  # what the server says that a model can have
        self._sizes: dict[str, int] = {}  # what was asked for last; another size loads the model anew
        self.base_url = base_url.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")  # what OLLAMA_HOST may say

    @cached_property
    def plain(self) -> PlainHTTP | None:
        """Requests by aiohttp; None where only httpx knows the way, e.g. through a proxy."""
        address = plain_address(self.base_url, self.headers)
        return PlainHTTP(address, self.headers) if address is not None else None

    @cached_property
    def client(self) -> httpx.AsyncClient:
        sdk.load("httpx")
        import httpx

        from assay.models.connections import separate_connections

        return httpx.AsyncClient(
            base_url=self.base_url,
            headers=self.headers,
            timeout=httpx.Timeout(None, connect=20.0),  # ProviderClient watches the clock
            transport=separate_connections(),
        )

    def open(self) -> None:
        if self.plain is None:
            _ = self.client
        else:
            self.plain.open()

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {name: parameters[name] for name in TOP_LEVEL if name in parameters}
        if "thinking_budget" in parameters:
            raise ConfigError(f"ollama/{model} has no thinking_budget; use hparams think: true or false")
        if "reasoning_effort" in parameters:
            body["think"] = parameters["reasoning_effort"]  # "low", "medium", "high"
        options = dict(body.pop("options", {}))
        for name, value in parameters.items():
            if name not in (*TOP_LEVEL, "reasoning_effort"):
                options[OPTIONS.get(name, name)] = value
        size = options.get("num_ctx")
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
            raise ConfigError(f"parameter num_ctx must be a whole number of tokens, not {size!r}")
        return {**body, "options": options}

    async def ask(self, call: Call) -> Completion:
        return await by_schema(call, self._ask, self._without_schema)

    async def _ask(self, call: Call) -> Completion:
        messages: list[dict[str, Any]] = []
        for m in call.messages:
            turn: dict[str, Any] = {"role": m.role, "content": m.content}
            if m.images:
                turn["images"] = [base64_text(image) for image in m.images if media_type(image)]
            messages.append(turn)
        body = {"model": call.model, "messages": messages, "stream": False, **call.wire}
        if call.json:
            body["format"] = form_of(call.json) if isinstance(call.json, Schema) else "json"
        if _elsewhere(call.model):
            return self._read(call.model, await self._post("/api/chat", call.model, body))
        body = {**UNCUT, **body, "options": await self._with_room(call)}
        try:
            reply = await self._post("/api/chat", call.model, body)
        except ProviderError as error:
            if not TOO_LONG.search(str(error)):
                raise
            most = await self._context(call.model) or 0
            if "num_ctx" in call.wire.get("options", {}) or most <= body["options"]["num_ctx"]:
                raise Refused(str(error)) from None
            self._sizes[call.model] = body["options"]["num_ctx"] = most
            reply = await self._post("/api/chat", call.model, body)
        self._uncut(call.model, reply, body)
        return self._read(call.model, reply)

    @staticmethod
    def _uncut(model: str, reply: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        """Raises Refused if the prompt filled the whole context: an older server has cut it."""
        size, read = body["options"]["num_ctx"], count(reply.get("prompt_eval_count"))
        if read >= size and not body["truncate"]:
            raise Refused(
                f"ollama/{model}: the prompt filled the whole context of {size:,} tokens (num_ctx), so the "
                "server may have cut it without a word"
            )

    async def _with_room(self, call: Call) -> dict[str, Any]:
        """The call's options with a context that the prompt and the reply fit into: as large as was asked for
        by hand, else a power of two, at most what the model has. Raises Refused where the prompt cannot fit:
        the server would cut it without a word."""
        options = dict(call.wire.get("options", {}))
        characters = sum(len(m.content) for m in call.messages)
        pictures = PICTURE_TOKENS * sum(len(m.images) for m in call.messages)
        least = round(characters / CHARACTERS) + pictures
        given = options.get("num_ctx")
        if given is not None:
            if least > given:
                self._refuse(call.model, least, f"num_ctx in hparams is {given}: raise it, or leave it out")
            return options
        most = await self._context(call.model)
        if most is not None and least > most:
            self._refuse(call.model, least, f"the model's context is {most}")
        room = options.get("num_predict")
        reply = room if isinstance(room, int) and room > 0 else REPLY_TOKENS
        wanted = sum(_at_most(m.content) for m in call.messages) + pictures + reply
        size = max(self._sizes.get(call.model, 0), 1 << (wanted - 1).bit_length())
        size = min(size, most) if most is not None else size
        self._sizes[call.model] = size
        return {**options, "num_ctx": size}

    def _refuse(self, model: str, tokens: int, why: str) -> None:
        raise Refused(
            f"ollama/{model}: the prompt has about {tokens:,} tokens, and {why}; the server would cut it "
            "without a word"
        )

    async def _context(self, model: str) -> int | None:
        """How many tokens a model's context can have; None if its server does not say."""
        if model not in self._contexts:
            try:
                self._contexts[model] = (await self.describe(model)).context_length
            except (
                Refused,
                ProviderError,
            ):  # of an old server; if something is wrong the call itself will tell
                return None
        return self._contexts[model]

    async def _post(self, path: str, model: str, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            response = await (
                self._post_by_httpx(path, body)
                if self.plain is None
                else self.plain.post(path, written(body))
            )
        except ConnectTimeout as error:
            failure: Transient = Unreachable(f"ollama/{model}: ConnectTimeout: {error} at {self.base_url}")
        except ConnectError:
            failure = Unreachable(f"ollama/{model}: {self._nobody()}")
        except HTTPError as error:
            failure = Unanswered(f"ollama/{model}: {type(error).__name__}: {error} at {self.base_url}")
        else:
            return self._object(model, response)
        raise failure

    async def _post_by_httpx(self, path: str, body: Mapping[str, Any]) -> Response:
        """Raises HTTPError, as plain requests do."""
        client = self.client
        import httpx

        try:
            response = await client.post(
                path, content=written(body), headers={"content-type": "application/json"}
            )
            return Response(response.status_code, response.headers, response.content)
        except httpx.ConnectTimeout as error:
            failure: HTTPError = ConnectTimeout(str(error))
        except httpx.ConnectError as error:
            failure = ConnectError(str(error))
        except httpx.HTTPError as error:
            failure = ReadError(f"{type(error).__name__}: {error}")
        raise failure

    def _nobody(self) -> str:
        return f"nothing answers at {self.base_url}; is `ollama serve` running?"

    def _object(self, model: str, response: Response) -> dict[str, Any]:
        good = response.status < 300
        try:
            found = json.loads(response.content)
        except ValueError as error:
            if good:
                raise unreadable(self.settings, model, f"{type(error).__name__}: {error}") from None
            found = response.content.decode("utf-8", "replace")[:300]
        if good and isinstance(found, dict) and not found.get("error"):
            return found
        message, code = message_in(found, _phrase(response.status))
        if response.status == 404:
            message += f" (try `ollama pull {model}`)"
        if good:
            raise Transient(f"ollama/{model}: {message}", retry_after(response.headers))
        raise error_from_status(self.settings, model, response.status, message, code, response.headers)

    def _read(self, model: str, reply: Mapping[str, Any]) -> Completion:
        message = reply.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("content"), str):
            raise unreadable(self.settings, model, "no message in it")
        calls_a_tool = message.get("tool_calls") and not message["content"]
        return Completion(
            message["content"],
            Usage(count(reply.get("prompt_eval_count")), count(reply.get("eval_count"))),
            cost=None if _elsewhere(model) else 0.0,
            finish_reason="tool_calls" if calls_a_tool else str(reply.get("done_reason") or ""),
            model=str(reply.get("model") or ""),
        )

    async def available(self) -> list[ModelInfo]:
        """The models that are installed, with size and quantisation."""
        client = self.client
        import httpx

        try:
            response = await client.get("/api/tags", timeout=20.0)
            rows = response.raise_for_status().json()["models"]
            return [  # but for those that embed, and answer nothing
                _info(row["name"], row.get("details") or {}, size=row.get("size"))
                for row in rows
                if "bert" not in str((row.get("details") or {}).get("family"))
            ]
        except httpx.ConnectError:
            failure = self._nobody()
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            failure = f"{type(error).__name__}: {error}"
        raise ProviderError(f"ollama lists no models: {failure}")

    async def describe(self, model: str) -> ModelInfo:
        """One model's parameter size, quantisation and context length."""
        found = await self._post("/api/show", model, {"model": model})
        lengths = [
            value
            for name, value in (found.get("model_info") or {}).items()
            if name.endswith(".context_length")
        ]
        context = count(lengths[0]) if lengths else 0
        return _info(model, found.get("details") or {}, context=context or None)

    async def close(self) -> None:
        if plain := vars(self).get("plain"):
            await plain.close()
        if "client" in vars(self):
            await self.client.aclose()


def _at_most(text: str) -> int:
    """About how many tokens a text has at most.

    >>> _at_most("a" * 100), _at_most("0123456789" * 10), _at_most("\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 100)
    (40, 100, 150)
    """
    data = text.encode("utf-8", "surrogatepass")
    plain = len(text.encode("ascii", "ignore"))
    digits = sum(map(text.count, "0123456789"))
    return round((plain - digits) / FEWEST_CHARACTERS + digits + (len(data) - plain) / BYTES)


def _phrase(status: int) -> str:
    """What HTTP calls a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"status {status}"


def _elsewhere(model: str) -> bool:
    """Whether it runs, and is paid for, in a cloud."""
    return model.endswith(("-cloud", ":cloud"))


def _info(
    name: str, details: Mapping[str, Any], size: int | None = None, context: int | None = None
) -> ModelInfo:
    parameters, quantization = details.get("parameter_size"), details.get("quantization_level")
    return ModelInfo(name, str(parameters or ""), str(quantization or ""), context, size)


def connect(settings: ProviderSettings) -> OllamaProvider:
    return OllamaProvider(settings)
