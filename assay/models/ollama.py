"""Ollama's own API: local models, their list and their sizes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from assay.errors import ConfigError, ProviderError, Refused
from assay.models.failures import StatusError, count
from assay.models.http_provider import HTTPProvider
from assay.models.ollama_chat import ChatLines, chat_turns, read_chat, words
from assay.models.openai_chat import chat_tools
from assay.models.pictures import shown_by_tools, without_pictures
from assay.models.provider import Call, ModelInfo, ProviderSettings, form_of
from assay.records import Completion, Schema

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
STREAM_ABOVE = 1_024  # max_tokens; a longer reply may take longer than one may wait for it in silence
REPLY_TOKENS = 8_192  # room for the reply where max_tokens does not say


class OllamaProvider(HTTPProvider):
    path, models_path = "/api/chat", "/api/tags"
    absent = "is `ollama serve` running?"
    takes_pictures = takes_tools = True

    def __init__(self, settings: ProviderSettings) -> None:
        settings.only()
        base_url = settings.base_url if "://" in settings.base_url else f"http://{settings.base_url}"
        base_url = base_url.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")  # what OLLAMA_HOST may say
        super().__init__(dataclasses.replace(settings, base_url=base_url))
        self._infos: dict[str, ModelInfo] = {}  # what the server says of a model
        self._sizes: dict[str, int] = {}  # what was asked for last; another size loads the model anew

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.settings.key}"} if self.settings.key else {}

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = {name: parameters[name] for name in TOP_LEVEL if name in parameters}
        if "thinking_budget" in parameters:
            raise ConfigError(
                f"ollama/{model} does not take thinking_budget; use think: true or false in hparams"
            )
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

    def body(self, call: Call) -> dict[str, Any]:
        body = {"model": call.model, "messages": chat_turns(call.messages), "stream": False, **call.wire}
        if call.tools:
            body["tools"] = chat_tools(call.tools)
        if call.json:
            body["format"] = form_of(call.json) if isinstance(call.json, Schema) else "json"
        return body

    async def attempt(self, call: Call) -> Completion:
        if shown_by_tools(call.messages) and (await self._info(call.model)).sees is False:
            call = dataclasses.replace(call, messages=without_pictures(call.messages))  # it would not say so
        body = self.body(call)
        if _elsewhere(call.model):
            return read_chat(call, await self._reply(call, body), free=False)
        body = {**UNCUT, **body, "options": await self._with_room(call)}
        size = body["options"]["num_ctx"]
        try:
            reply = await self._reply(call, body)
        except StatusError as error:
            if not TOO_LONG.search(error.message):
                raise
            most = (await self._info(call.model)).context_length or 0
            if "num_ctx" in call.wire.get("options", {}) or most <= size:
                raise Refused(f"ollama/{call.model}: {error.message}", too_long=True) from None
            self._sizes[call.model] = body["options"]["num_ctx"] = size = most
            reply = await self._reply(call, body)
        if count(reply.get("prompt_eval_count")) >= size and not body["truncate"]:
            raise Refused(  # by an older server
                f"ollama/{call.model}: the prompt filled the whole context of {size:,} tokens (num_ctx), so "
                "the server may have cut it silently",
                too_long=True,
            )
        return read_chat(call, reply, free=True)

    async def _reply(self, call: Call, body: Mapping[str, Any]) -> dict[str, Any]:
        """The whole reply, which comes as a stream where it may be long: a model of one's own is slow."""
        room = body.get("options", {}).get("num_predict")
        short = isinstance(room, int) and 0 < room <= STREAM_ABOVE
        if short if self.settings.stream is None else not self.settings.stream:
            return await self.post(body)
        lines = ChatLines()
        try:
            await self.stream(call, {**body, "stream": True}, lines)
        except StatusError as error:
            raise self._told(error, call.model) from None
        return lines.reply()

    async def post(self, body: Mapping[str, Any], path: str = "") -> dict[str, Any]:
        try:
            return await super().post(body, path)
        except StatusError as error:
            raise self._told(error, body["model"]) from None

    def _told(self, error: StatusError, model: str) -> StatusError:
        if error.status == 404:
            error.message += f" (try `ollama pull {model}`)"
        return error

    async def _with_room(self, call: Call) -> dict[str, Any]:
        """The call's options with a context that the prompt and the reply fit into: as large as was asked for
        by hand, else a power of two, at most what the model has. Raises Refused where the prompt cannot fit:
        the server would cut it without a word."""
        options = dict(call.wire.get("options", {}))
        characters = sum(map(len, words(call)))
        pictures = PICTURE_TOKENS * sum(len(m.images) for m in call.messages)
        least = round(characters / CHARACTERS) + pictures
        given = options.get("num_ctx")
        if given is not None:
            if least > given:
                self._refuse(call.model, least, f"num_ctx in hparams is {given}: raise it, or leave it out")
            return options
        most = (await self._info(call.model)).context_length
        if most is not None and least > most:
            self._refuse(call.model, least, f"the model's context is {most}")
        room = options.get("num_predict")
        reply = room if isinstance(room, int) and room > 0 else REPLY_TOKENS
        thought = sum(_at_most(m.reasoning) for m in call.messages)
        wanted = sum(map(_at_most, words(call))) + thought + pictures + reply
        size = max(self._sizes.get(call.model, 0), 1 << (wanted - 1).bit_length())
        size = min(size, most) if most is not None else size
        self._sizes[call.model] = size
        return {**options, "num_ctx": size}

    def _refuse(self, model: str, tokens: int, why: str) -> None:
        raise Refused(
            f"ollama/{model}: the prompt has about {tokens:,} tokens, and {why}; the server would cut it "
            "silently",
            too_long=True,
        )

    async def _info(self, model: str) -> ModelInfo:
        """What its server says of a model, if it says anything."""
        if model not in self._infos:
            try:
                self._infos[model] = await self.describe(model)
            except ProviderError:  # of an old server; if something is wrong the call itself will tell
                return ModelInfo(model)
        return self._infos[model]

    def models_in(self, reply: Any) -> list[ModelInfo]:
        """Those that are installed, with size and quantisation. Those that embed answer nothing."""
        rows = [(row, row.get("details") or {}) for row in reply["models"]]
        return [
            _info(row["name"], details, size=row.get("size"))
            for row, details in rows
            if "bert" not in str(details.get("family"))
        ]

    async def describe(self, model: str) -> ModelInfo:
        """One model's parameter size, quantisation and context length, and whether it sees pictures."""
        with self.explains(model):
            found = await self.post({"model": model}, "/api/show")
        facts = (found.get("model_info") or {}).items()
        lengths = [value for name, value in facts if name.endswith(".context_length")]
        context = count(lengths[0]) if lengths else 0
        known = found.get("capabilities")
        sees = "vision" in known if isinstance(known, list) else None
        return dataclasses.replace(
            _info(model, found.get("details") or {}, context=context or None), sees=sees
        )


def _at_most(text: str) -> int:
    """About how many tokens a text has at most.

    >>> _at_most("a" * 100), _at_most("0123456789" * 10), _at_most("\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 100)
    (40, 100, 150)
    """
    data = text.encode("utf-8", "surrogatepass")
    plain = len(text.encode("ascii", "ignore"))
    digits = sum(map(text.count, "0123456789"))
    return round((plain - digits) / FEWEST_CHARACTERS + digits + (len(data) - plain) / BYTES)


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
