"""Providers that are asked by JSON over HTTP.

Requests go by aiohttp (plain_http.py), which costs a quarter of what an SDK's client does, and importing an
SDK takes longer than a short run. What is unusual about the way there, a proxy or a redirect, is left to the
SDK, or to httpx where there is none. Either way bodies are built and read here: that is where servers differ.
"""

from __future__ import annotations

import importlib
import json
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from assay.errors import ConfigError, ProviderError
from assay.models import sdk
from assay.models.error_bodies import PAGE, READ, page_text, shortened
from assay.models.failures import StatusError, Unreadable, WebPage, is_lost, message_in, written_in
from assay.models.plain_http import (
    CONNECT_TIME_LIMIT_S,
    JSON,
    KEPT_S,
    HTTPError,
    PlainHTTP,
    Response,
    plain_address,
)
from assay.models.provider import Call, ModelInfo, ProviderSettings
from assay.models.wire_provider import WireProvider

if TYPE_CHECKING:
    import httpx


SHOWN = 60  # characters of a reply that cannot be read


@dataclass(frozen=True)
class Upload(Mapping[str, Any]):
    """A body that is a file, with the fields of a form beside it."""

    name: str
    content: bytes
    fields: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def form(self) -> tuple[bytes, str]:
        """As multipart/form-data: content and type."""
        edge = secrets.token_hex(16)
        part = f'--{edge}\r\ncontent-disposition: form-data; name="{{}}"{{}}\r\n\r\n'
        said = "".join(part.format(name, "") + value + "\r\n" for name, value in self.fields.items())
        said += part.format("file", f'; filename="{self.name}"\r\ncontent-type: application/octet-stream')
        content = b"".join((said.encode(), self.content, f"\r\n--{edge}--\r\n".encode()))
        return content, f"multipart/form-data; boundary={edge}"


Body = Mapping[str, Any] | bytes  # an object; as JSON, written already; or an Upload


class Parts(Protocol):
    """What a stream is read by."""

    def feed(self, part: bytes) -> None: ...


class HTTPProvider(WireProvider):
    """`path`, `models_path`: where calls go, and where models are listed."""

    path: ClassVar[str]
    models_path: ClassVar[str]
    _redirected = False  # a redirect was seen

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        if not settings.base_url:
            raise ConfigError(
                f"{settings.provider} has no address: set llms.{settings.provider}.base_url in config.json "
                "(a package sets base_url in its ROW)"
            )

    def headers(self) -> dict[str, str]:
        """Of every request, beyond those of config.json."""
        return {}

    def all_headers(self) -> dict[str, str]:
        given = {"User-Agent": "assay", **self.headers(), **self.settings.headers}
        return {name.lower(): value for name, value in given.items()}

    @cached_property
    def plain(self) -> PlainHTTP | None:
        """Requests by aiohttp; None where only the other client knows the way, e.g. through a proxy."""
        address = plain_address(self.settings.base_url, headers := self.all_headers())
        return PlainHTTP(address, headers) if address else None

    @cached_property
    def client(self) -> Any:
        """The other client, made when it is needed."""
        sdk.load("httpx")
        import httpx

        base_url, headers = self.settings.base_url, self.all_headers()
        return httpx.AsyncClient(base_url=base_url, headers=headers, follow_redirects=True, **httpx_options())

    async def by_client(self, path: str, body: Body | None, streams: bool = False) -> httpx.Response:
        """A reply by the other client, whatever its status, not yet read if it `streams`. Raises
        httpx.HTTPError, or HTTPError."""
        if body is None:
            return await self.client.get(path)  # type: ignore[no-any-return]
        content, form = sent(body)
        request = self.client.build_request("POST", path, content=content, headers={"content-type": form})
        return await self.client.send(request, stream=streams)  # type: ignore[no-any-return]

    def open(self) -> None:
        if self.plain is None:
            _ = self.client
        else:
            self.plain.open()

    async def post(self, body: Mapping[str, Any], path: str = "") -> dict[str, Any]:
        """The JSON of the reply to `body`, an object without an error. Raises StatusError, Unreadable, or
        HTTPError where no whole reply came."""
        return answer_in(parsed(await self.send(path or self.path, body)))

    async def stream(self, call: Call, body: Mapping[str, Any], events: Parts, path: str = "") -> None:
        """The reply to `body`, which asks for a stream, into `events`. Raises as `post` does."""

        def take(part: bytes) -> None:
            call.heard()
            events.feed(part)

        await self.send(path or self.path, body, take)

    async def send(
        self,
        path: str,
        body: Body | None,
        take: Callable[[bytes], None] | None = None,
        *,
        most: int = 0,
    ) -> bytes:
        """The content of a reply; where `take` gets it in parts as they come, nothing."""
        response: Response | None = None
        if self.plain is not None and not self._redirected:
            content, form = (None, JSON) if body is None else sent(body)
            response = await self.plain.request(path, content, take, form=form, most=most)
            self._redirected = 300 <= response.status < 400 and "location" in response.headers
        if response is None or self._redirected:
            response = await self._by_client(path, body, take)
        if response.status < 300:
            return response.content
        raise StatusError.of(response.status, response.content, response.headers)

    async def _by_client(
        self, path: str, body: Body | None, take: Callable[[bytes], None] | None
    ) -> Response:
        _ = self.client
        import httpx

        response: httpx.Response | None = None
        try:
            response = await self.by_client(path, body, streams=take is not None)
            if take is None or response.status_code >= 300:
                content = await response.aread()
                return Response(response.status_code, response.headers, content)
            async for part in response.aiter_bytes():
                take(part)
            return Response(response.status_code, response.headers, b"")
        except httpx.HTTPError as error:
            if not (is_lost(error) or isinstance(error, httpx.DecodingError)):
                raise  # what further attempts would meet, too
            raise HTTPError from (error.__cause__ or error)
        finally:
            if response is not None:
                await response.aclose()

    def models_in(self, reply: Any) -> list[ModelInfo]:
        """The models that a list holds."""
        return [ModelInfo(row["id"]) for row in reply["data"]]

    async def available(self) -> list[ModelInfo]:
        """The models that the server offers, or that this key may use."""
        with self.explains(""):
            try:
                return self.models_in(parsed(await self.send(self.models_path, None)))
            except (KeyError, TypeError) as error:
                raise Unreadable(f"no list of models ({type(error).__name__}: {error})") from None

    async def close(self) -> None:
        if plain := vars(self).get("plain"):
            await plain.close()
        if client := vars(self).get("client"):
            await (getattr(client, "aclose", None) or client.close)()


class SDKProvider(HTTPProvider):
    """`sdk`: its module, with `client_class` and `error_class`. `custom_headers`: the environment variable
    that only it can read."""

    sdk: ClassVar[str]
    client_class: ClassVar[str]
    error_class: ClassVar[str]
    custom_headers: ClassVar[str]

    def client_options(self) -> dict[str, Any]:
        """Of the SDK's client, beyond what all have."""
        return {"api_key": self.settings.key}

    @cached_property
    def plain(self) -> PlainHTTP | None:
        return None if os.environ.get(self.custom_headers) else super().plain

    @cached_property
    def client(self) -> Any:
        sdk.load(self.sdk)
        module = importlib.import_module(self.sdk)
        return getattr(module, self.client_class)(
            **self.client_options(),
            base_url=self.settings.base_url,
            default_headers=dict(self.settings.headers),
            max_retries=0,  # ProviderClient retries
            timeout=None,  # ProviderClient watches the clock
            http_client=module.DefaultAsyncHttpxClient(**httpx_options()),
        )

    async def by_client(self, path: str, body: Body | None, streams: bool = False) -> httpx.Response:
        import httpx

        module = importlib.import_module(self.sdk)
        more: dict[str, Any] = {} if body is None else {"body": body}
        if isinstance(body, bytes):
            more = {"body": json.loads(body)}
        if isinstance(body, Upload):
            more = {
                "body": dict(body),
                "files": [("file", (body.name, body.content))],
                "options": {"headers": {"Content-Type": "multipart/form-data"}},  # as the SDK has it
            }
        ask = self.client.get if body is None else self.client.post
        if streams:  # the SDK's own word for a reply that it leaves to be read
            more["options"] = {"headers": {"X-Stainless-Raw-Response": "stream"}}
        try:
            return await ask(path, cast_to=httpx.Response, **more)  # type: ignore[no-any-return]
        except module.APIStatusError as error:
            return error.response  # type: ignore[no-any-return]
        except module.APIConnectionError as error:
            its = error.__cause__ or error
            if isinstance(its, httpx.HTTPError):
                raise its from its.__cause__
            raise HTTPError from its
        except getattr(module, self.error_class) as error:
            raise ProviderError(f"{self.settings.provider}: {error}") from None


def httpx_options() -> dict[str, Any]:
    """ProviderClient watches the clock, and gate.py how many calls are in flight."""
    import httpx

    limits = httpx.Limits(keepalive_expiry=KEPT_S)
    return {"timeout": httpx.Timeout(None, connect=CONNECT_TIME_LIMIT_S), "limits": limits}


# json.dumps would make an encoder at each call
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def written(body: Mapping[str, Any]) -> bytes:
    """As JSON. What cannot be UTF-8, half of a surrogate pair, is escaped."""
    try:
        return _json(body).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")


def sent(body: Body) -> tuple[bytes, str]:
    """A body as it is sent, and its type."""
    if isinstance(body, bytes):
        return body, JSON
    return body.form() if isinstance(body, Upload) else (written(body), JSON)


def parsed(content: bytes | bytearray) -> Any:
    """A reply's JSON. Raises Unreadable where it is none, or no text at all."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        text = content[:READ].decode("utf-8", "replace").strip()
        if PAGE.match(text):
            raise WebPage(page_text(text)) from None
        why = f"not JSON ({error})" if isinstance(error, ValueError) else "nested too deeply"
        raise Unreadable(f"{why}: {shortened(text)[:SHOWN]!r}" if text else "empty") from None


def answer_in(reply: Any) -> dict[str, Any]:
    """A reply that is an object and no error. Raises Unreadable, or StatusError for an error that came with
    status 200."""
    if not isinstance(reply, dict):
        raise Unreadable("no JSON object")
    if reply.get("error") or reply.get("object") == "error":
        raise StatusError(200, *message_in(reply, "unknown error"), written=written_in(reply))
    return reply
