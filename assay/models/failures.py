"""From an HTTP status or a broken reply to our errors: what may be tried again, and what to fix."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from typing import Any

from assay.errors import ProviderError, Refused, Transient
from assay.models.provider import ProviderSettings

WORTH_RETRYING = frozenset({408, 409, 425, 429})
RATE_LIMITS = frozenset({429, 529})  # 529: Anthropic's "overloaded"
GAVE_UP_WAITING = frozenset({504, 524})  # a gateway did; the server behind it may go on, and charge


MOST_TOKENS = 10**12  # of one call; a server that claims more is not believed


# How servers call what says of which form a reply should be; a few say no more than that something is wrong.
_FORM = re.compile(
    r"json|schema|grammar|structured|response[ _-]?format|output[ _-]?(?:config|format)"
    r"|^\s*(?:bad request|unprocessable (?:entity|content)|invalid request|error code: \d+)?[\s.!]*$",
    re.IGNORECASE,
)
_OTHERWISE = frozenset({401, 402, 403})  # the key, the account


class RateLimited(Transient):
    """The provider asked for fewer requests."""


class Unanswered(Transient):
    """The request went out and no whole reply came back: it may have to be paid for."""


class Unreachable(Transient):
    """Nothing listens there, or the way there is closed: the request was not even sent."""


def count(value: Any) -> int:
    """A number of tokens as a server says it; 0 for what cannot be one.

    >>> count(7), count(-1), count(True), count(10**400), count("7"), count(None)
    (7, 0, 0, 0, 0, 0)
    """
    return value if type(value) is int and 0 < value <= MOST_TOKENS else 0


def dollars(value: Any) -> float | None:
    """A cost as a server says it; None for what cannot be one.

    >>> dollars(0.25), dollars(-5), dollars(float("nan")), dollars(10**400), dollars("1")
    (0.25, None, None, None, None)
    """
    if type(value) not in (int, float) or not 0 <= value <= 1e6:
        return None
    return float(value)


def retry_after(headers: Mapping[str, str], now: datetime.datetime | None = None) -> float | None:
    """Seconds that a reply's headers ask to wait; None when they ask nothing sensible.

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
    settings: ProviderSettings,
    model: str,
    status: int,
    message: str,
    code: str = "",
    headers: Mapping[str, str] = {},
) -> ProviderError:
    """The error for a reply with `status`. `code`: the provider's own word for it, if any."""
    what = f"{settings.provider}/{model}: HTTP {status}: {message}"
    if code == "insufficient_quota":
        return Refused(f"{what}. The account has no credit left; add some, then go on with --resume")
    if status in RATE_LIMITS:
        return RateLimited(what, retry_after(headers))
    if status in GAVE_UP_WAITING:
        return Unanswered(what, retry_after(headers))
    if status in WORTH_RETRYING or status >= 500:
        return Transient(what, retry_after(headers))
    form = status not in _OTHERWISE and _FORM.search(message) is not None
    return Refused(f"{what}. {hint(settings, status)}", form=form)


def hint(settings: ProviderSettings, status: int) -> str:
    section = f"llms.{settings.provider}"
    if status == 401:
        what = "The key was not accepted" if settings.key else "It wants a key, and none is set"
        return f"{what}: {settings.key_hint or f'set {section}.api_key in config.json'}"
    if status == 403:
        return (
            f"This key may not use this model; check the account's rights, or {settings.key_hint or section}"
        )
    if status == 404:
        where = settings.base_url or "the provider"
        return f"There is no such model at {where}; check its name and {section}.base_url in config.json"
    return "The request itself was not accepted; check the model's name and hparams in config.json"


def unreadable(settings: ProviderSettings, model: str, why: str) -> Transient:
    """A reply with status 200 that holds no answer."""
    return Unanswered(f"{settings.provider}/{model}: unreadable reply: {why}")


def message_in(body: Any, fallback: str) -> tuple[str, str]:
    """(message, code) of an error body in any of the usual shapes."""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        message, code = error.get("message") or error.get("detail"), error.get("code") or error.get("type")
        return str(message or fallback)[:1000], str(code or "")
    return (str(error) if error else fallback)[:1000], ""


def disconnected(settings: ProviderSettings, model: str, error: BaseException) -> Transient:
    """No reply, or half of one. SDKs keep the telling error as the cause of theirs."""
    cause = error.__cause__ or error
    kind: type[Transient] = Unreachable if never_sent(cause) else Unanswered
    why = f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
    refused = "; is the server running there?" if "connect" in type(cause).__name__.lower() else ""
    return kind(f"{settings.provider}/{model}: {why} at {settings.base_url}{refused}")


def never_sent(error: BaseException | None) -> bool:
    """Whether a chain of causes begins with a connection that was not made."""
    for _ in range(10):
        if error is None:
            return False
        if type(error).__name__ in ("ConnectError", "ConnectTimeout", "ClientConnectorError"):
            return True
        if isinstance(error, ConnectionRefusedError):
            return True
        error = error.__cause__ or error.__context__
    return False
