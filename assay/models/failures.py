"""Turn an HTTP status or a broken reply into our errors: which may be retried, and what to fix."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from assay.errors import NobodyThere, ProviderError, Refused, Transient
from assay.models.error_bodies import body_text, page_text, words_in
from assay.models.plain_http import WrongScheme
from assay.models.provider import ProviderSettings
from assay.models.schemes import WANTS_TLS, misaddressed, wants_tls

WORTH_RETRYING = frozenset({408, 409, 425, 429})
RATE_LIMITS = frozenset({429, 529})  # 529: Anthropic's "overloaded"
NEVER_SENT = frozenset(  # errors of ours, httpx, requests, aiohttp and Python: no connection
    {"ConnectError", "ConnectTimeout", "ClientConnectorError", "ConnectionRefusedError"}
)
LOST = frozenset(  # classes of errors that mean a lost connection, by package; their subclasses, too
    {
        *(
            ("httpx", name)
            for name in ("NetworkError", "TimeoutException", "RemoteProtocolError", "ProxyError")
        ),
        *(("aiohttp", name) for name in ("ClientConnectionError", "ClientPayloadError")),
        *(("requests", name) for name in ("ConnectionError", "Timeout", "ChunkedEncodingError")),
        *(("openai", "APIConnectionError"), ("anthropic", "APIConnectionError")),
        ("builtins", "ConnectionError"),
    }
)
GAVE_UP_WAITING = frozenset({504, 524})  # a gateway gave up; the server behind it may continue, and charge
# Of an error that comes with status 200, by the word for it; one without a word is the server's own
STATUS_OF = {
    "invalid_request_error": 400, "authentication_error": 401, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "overloaded_error": 529,
    "rate_limit_exceeded": 429, "billing_error": 402, "invalid_prompt": 400, "context_length_exceeded": 400,
}  # fmt: skip

MOST_TOKENS = 10**12  # of one call; a server that claims more is not believed


# Servers' words for the parameters that request a form of reply; a few servers say only that something is
# wrong.
_FORM = re.compile(
    r"json|schema|grammar|structured|response[ _-]?format|output[ _-]?(?:config|format)"
    r"|^\s*(?:bad request|unprocessable (?:entity|content)|invalid request|error code: \d+(?:: [\[{].*)?)?"
    r"[\s.!]*$",
    re.IGNORECASE,
)
# ... and for a dialogue of more tokens than the model can read
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size|limit)|(?:prompt|input) is too long|maximum prompt length"
    r"|token count .{0,40}exceeds|too many tokens",
    re.IGNORECASE,
)
# The system's words for a connection that is refused, and for a name without an address
_REFUSED = re.compile(r"Errno (?:111|61|10061)\]|Connection refused|All connection attempts failed")
_NO_NAME = re.compile(r"Errno -[235]\]|Name or service not known|nodename nor servname|getaddrinfo failed")
ABSENT = "is the server running there?"
ENDS = "The run ends; continue it with --resume"
_OTHERWISE = frozenset({401, 402, 403})  # the key, the account
_ALWAYS = frozenset({401, 402, 404})  # and the model's name; a 403 may be about one prompt


class RateLimited(Transient):
    """The provider asked for fewer requests."""


class Unanswered(Transient):
    """The request was sent and no complete reply came back: it may have to be paid for."""


class Misread(Unanswered):
    """In a whole reply, a package's provider did not find what its code looks for: perhaps a mistake in the
    code, with which every further reply would be paid for in vain."""


class Unreachable(Transient):
    """Nothing listens at the address, or it cannot be reached: the request was not even sent."""


class StatusError(Exception):
    """A reply that refuses the request. `code`: the provider's own word for the error, if any; it determines
    the status of an error that came with 200. `written`: by the model, where that is what is refused."""

    def __init__(
        self, status: int, message: str, code: str = "", headers: Mapping[str, str] = {}, written: str = ""
    ) -> None:
        super().__init__(status, message)
        if status == 200:
            status = int(code) if code.isdecimal() else STATUS_OF.get(code, 500)
        self.status, self.message, self.code, self.headers = status, message, code, headers
        self.written = written

    @classmethod
    def of(cls, status: int, content: bytes, headers: Mapping[str, str]) -> StatusError:
        """Read a refusal: JSON, a page, or some text."""
        said: Any = content.decode("utf-8", "replace").strip()
        unknown = f"Error code: {status}"
        try:
            said = json.loads(said)
        except (ValueError, RecursionError):
            said = page_text(said)
        else:
            unknown += f": {text}" if (text := body_text(said)) else ""
        return cls(status, *message_in(said, unknown), headers, written_in(said))


class Unreadable(ValueError):
    """A reply with status 200 that holds no answer. Its text says why."""


class WebPage(Unreadable):
    """A page for people with status 200, as at an address that is no API's. Its text is the page's."""


def count(value: Any) -> int:
    """A number of tokens reported by a server; 0 for an impossible one.

    >>> count(7), count(-1), count(True), count(10**400), count("7"), count(None)
    (7, 0, 0, 0, 0, 0)
    """
    return value if type(value) is int and 0 < value <= MOST_TOKENS else 0


def dollars(value: Any) -> float | None:
    """A cost reported by a server; None for an impossible one.

    >>> dollars(0.25), dollars(-5), dollars(float("nan")), dollars(10**400), dollars("1")
    (0.25, None, None, None, None)
    """
    if type(value) not in (int, float) or not 0 <= value <= 1e6:
        return None
    return float(value)


def retry_after(headers: Mapping[str, str], now: datetime.datetime | None = None) -> float | None:
    """Seconds that a reply's headers ask to wait; None if they ask for nothing sensible.

    >>> retry_after({"retry-after": "2"}), retry_after({"retry-after-ms": "250"}), retry_after({})
    (2.0, 0.25, None)
    """
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name)
        if said is None:
            continue
        try:
            seconds = float(said) * scale
        except ValueError:
            import email.utils

            try:
                when = email.utils.parsedate_to_datetime(said)
            except ValueError:
                continue
            when = when if when.tzinfo else when.replace(tzinfo=datetime.UTC)
            seconds = (when - (now or datetime.datetime.now(datetime.UTC))).total_seconds()
            seconds = max(seconds, 0.0)
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def error_from_status(
    settings: ProviderSettings, model: str, refused: StatusError, path: str = ""
) -> ProviderError:
    """The error that a refusal means for the run. `path`: what the class of a package's provider adds to its
    base_url, which may be as wrong."""
    status, code = refused.status, refused.code
    said = f"{settings.naming(model)}: HTTP {status}: {refused.message}"
    what = ended(said)
    if code == "insufficient_quota":
        credit = "The account is out of credit; add some, then continue with --resume"
        return Refused(f"{what} {credit}", always=True)
    wait_s = retry_after(refused.headers)
    if status in RATE_LIMITS:
        return RateLimited(said, wait_s)
    if status in GAVE_UP_WAITING:
        return Unanswered(said, wait_s)
    if status in WORTH_RETRYING or status >= 500:
        return Transient(said, wait_s)
    form = status not in _OTHERWISE and _FORM.search(refused.message) is not None
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(f"{code} {refused.message}")):
        return Refused(f"{what} It is more than the model can read", form=form, too_long=True)
    if status == 400 and settings.base_url.startswith("http:") and WANTS_TLS.search(refused.message):
        return Refused(f"{what} {wants_tls(settings.base_url)}", always=True)
    return Refused(
        f"{what} {hint(settings, status, path)}",
        form=form,
        content=status in (400, 422),
        always=status in _ALWAYS,
    )


def error_from_page(settings: ProviderSettings, model: str, page: WebPage) -> Refused:
    """The error that a web page in place of a first reply means for the run."""
    where = f"{settings.base_url} answers with a web page" if settings.base_url else "a web page came"
    check = f"Check llms.{settings.provider}.base_url in config.json; for OpenAI's API it often ends in /v1"
    return Refused(f"{settings.naming(model)}: {ended(f'{where}: {page}')} {check}", always=True)


def ended(text: str) -> str:
    """The text with a full stop, unless it ends a sentence already, as some servers' messages do.

    >>> ended("HTTP 401: no such key."), ended("HTTP 401")
    ('HTTP 401: no such key.', 'HTTP 401.')
    """
    return text if text.endswith((".", "?", "!")) else f"{text}."


def hint(settings: ProviderSettings, status: int, path: str = "") -> str:
    section = f"llms.{settings.provider}"
    if status == 401:
        what = "The key was rejected" if settings.key else "It requires a key, and none is set"
        return f"{what}: {settings.key_hint or f'set {section}.api_key in config.json'}"
    if status == 403:
        account = "This key is not allowed to use the model; check the account's permissions"
        return f"{account}, or {settings.key_hint or section}"
    if status == 404:
        where = settings.base_url or "the provider"
        if path:
            where = f"{where.rstrip('/')}/{path.lstrip('/')}"
            named = f"{section}.base_url and the model's name"
            return f"Nothing was found at {where}; check the provider's path, {named}"
        return f"The model was not found at {where}; check its name and {section}.base_url in config.json"
    return "The request was rejected; check the model's name and hparams in config.json"


def message_in(body: Any, fallback: str) -> tuple[str, str]:
    """(message, code) of an error body. `fallback`: the message of a body that has none."""
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    error = body.get("error") or body if isinstance(body, dict) else body
    code = error.get("code") or error.get("type") if isinstance(error, dict) else ""
    return words_in(error) or words_in(body) or fallback, str(code or "")[:100]


def written_in(body: Any) -> str:
    """What the model wrote instead of a call of a tool, in the body of Groq's error about it."""
    error = body.get("error") if isinstance(body, dict) else None
    written = error.get("failed_generation") if isinstance(error, dict) else None
    return written if isinstance(written, str) else ""


def is_lost(error: BaseException) -> bool:
    """Whether an error of a library, which need not be installed, means that a connection was lost.

    >>> is_lost(ConnectionResetError()), is_lost(FileNotFoundError())
    (True, False)
    """
    return any((each.__module__.partition(".")[0], each.__name__) in LOST for each in type(error).__mro__)


def disconnected(settings: ProviderSettings, model: str, error: BaseException, absent: str) -> ProviderError:
    """The error for a missing or partial reply. SDKs keep the informative error as the cause of theirs.
    `absent`: what to check if nothing listens."""
    cause = error.__cause__ or error
    name, where, its = type(cause).__name__, settings.base_url, settings.naming(model)
    if isinstance(cause, WrongScheme):
        return NobodyThere(f"{its}: {cause}. {ENDS}")
    if name in NEVER_SENT:
        return unreachable(settings, model, f"{name}: {cause}".removesuffix(": "), absent)
    return Unanswered(f"{its}: {name}: {cause}".removesuffix(": ") + (f" at {where}" if where else ""))


def unreachable(settings: ProviderSettings, model: str, said: str, absent: str) -> ProviderError:
    """The error for a request that could not be sent. `said`: by the library that tried."""
    its, where = settings.naming(model), settings.base_url or "its provider's address"
    if wrong := misaddressed(said, where):
        return NobodyThere(f"{its}: {wrong}. {ENDS}")
    host = urlsplit(where).hostname
    if host and _NO_NAME.search(said):
        return Unreachable(f"{its}: no host is called {host} ({said}); check base_url, {where}")
    nobody = f"nothing listens at {where} ({said})" if _REFUSED.search(said) else f"{said} at {where}"
    return Unreachable(f"{its}: {nobody}; {absent}")
