"""One question by plain HTTP: its reply, or what the failure of it means."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from assay.models.failures import disconnected, message_in, unreadable
from assay.models.plain_http import HTTPError, PlainHTTP, Response
from assay.models.provider import ProviderSettings


class Elsewhere(Exception):
    """The server sends us to another address, which is left to the SDK."""


class StatusError(Exception):
    """A reply that refuses the request. `code`: the provider's own word for it, if any."""

    def __init__(self, status: int, message: str, code: str, headers: Mapping[str, str]) -> None:
        super().__init__(status, message)
        self.status, self.message, self.code, self.headers = status, message, code, headers


async def exchange(
    http: PlainHTTP,
    settings: ProviderSettings,
    model: str,
    path: str,
    body: Mapping[str, Any],
    take: Callable[[bytes], None] | None = None,
) -> bytes:
    """The body of the reply, or, where `take` gets it in parts as they come, nothing. Raises StatusError,
    Elsewhere, or Transient where no whole reply came."""
    try:
        response = await http.post(path, written(body), take)
    except HTTPError as error:
        failure = disconnected(settings, model, error)
    else:
        if response.status < 300:
            return response.content
        if response.status < 400 and "location" in response.headers:
            raise Elsewhere
        raise refusal(response)
    raise failure


def refusal(response: Response) -> StatusError:
    """What a reply says that is none: an object of the usual shapes, or some text."""
    said: Any = response.content.decode("utf-8", "replace").strip()
    with contextlib.suppress(ValueError, RecursionError):
        said = json.loads(said)
    fallback = said if isinstance(said, str) and said else f"Error code: {response.status}"
    message, code = message_in(said, fallback)
    return StatusError(response.status, message, code, response.headers)


def parsed(settings: ProviderSettings, model: str, content: bytes) -> Any:
    """A reply's JSON. Raises Transient where it is none, or no text at all."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        failure = unreadable(settings, model, f"{type(error).__name__}: {error}")
    raise failure


def written(body: Mapping[str, Any]) -> bytes:
    """As JSON. What cannot be UTF-8, half of a surrogate pair, is escaped."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode("ascii")
