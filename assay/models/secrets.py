"""Keys: where they are found, and how they are kept out of everything that is printed or stored."""

from __future__ import annotations

import base64
import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

from assay.errors import ConfigError

LINE = re.compile(r"\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$")


def read_dotenv(path: Path) -> dict[str, str]:
    """NAME=value lines of a .env file; {} when there is none. Quotes, `export` and comments as in a shell."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {path}: {type(error).__name__}; fix or remove it") from None
    found = {}
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            found[match[1]] = _unquote(match[2])
    return found


def _unquote(value: str) -> str:
    for sign in "'\"":
        if value.startswith(sign) and (end := value.find(sign, 1)) > 0:
            return value[1:end]
    return re.split(r"\s+#|^#", value)[0].rstrip()


class Environment:
    """The process's environment variables, then those of .env. Nothing is put into os.environ."""

    def __init__(self, dotenv: Path | None) -> None:
        self._dotenv_path = dotenv
        self._dotenv: dict[str, str] | None = None

    def get(self, name: str) -> str:
        if name and os.environ.get(name):
            return os.environ[name]
        if self._dotenv is None:
            self._dotenv = read_dotenv(self._dotenv_path) if self._dotenv_path else {}
        return self._dotenv.get(name, "")


def passwords_in(url: str) -> list[str]:
    """The password of http://user:password@host, as it stands there and as it is meant.

    >>> passwords_in("http://bob:a%20secret@host/v1"), passwords_in("http://host/v1")
    (['a%20secret', 'a secret'], [])
    """
    found = re.match(r"[a-z][a-z0-9+.-]*://[^/?#\s:@]*:([^/?#\s]+)@", url, re.IGNORECASE)
    return [found[1], unquote(found[1])] if found else []


PATTERNS = (
    re.compile(r"(?i)((?<=[a-z0-9+.-])://[^/?#\s:@]*+:)(?!\[key\])[^/?#\s@]++(?=@)"),
    re.compile(r"(?i)(\b(?:bearer|basic)\s++)(?!\[key\])[^\s\"',;)\]}]{4,}"),
    re.compile(r"(?i)((?:x-api-key|api[-_]?key|authorization|x-goog-api-key)[\"']?\s*[:=]\s*[\"']?)(?!bearer\s|basic\s|\[key\])[^\s\"',;&)\]}]{4,}"),
    re.compile(r"(?i)([?&](?:key|token|sig|signature)=)(?!\[key\])[^\s\"'&]{4,}"),
    re.compile(r"()\b(?:sk|pk|gsk|xai|hf|rk)[-_][A-Za-z0-9_*.-]{8,}"),
    re.compile(r"()\bAIza[A-Za-z0-9_-]{10,}"),
)  # fmt: skip
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SECRET_NAMES = re.compile(r"(?i)key|secret|token|password|credential|auth")


def _forms(value: str) -> set[str]:
    """A key as it stands in text, JSON, an address, Python's repr, and base64."""
    plain = value.encode("utf-8", errors="replace")
    return {
        value,
        json.dumps(value)[1:-1],
        quote(value, safe=""),
        quote(value),
        quote_plus(value),
        repr(value)[1:-1],
        base64.b64encode(plain).decode().rstrip("="),
    }


def _hidden(found: re.Match[str]) -> str:
    """What stands in a secret's place. A full stop behind it is its sentence's."""
    return f"{found[1]}[key]{'.' * found[0].endswith('.')}"


class Scrubber:
    """Takes keys out of text: the values it was told, and whatever looks like one."""

    def __init__(self) -> None:
        self._values: tuple[str, ...] = ()

    def learn(self, values: Iterable[str]) -> None:
        """Never let these through again. Values under 6 characters, e.g. "none", are no secrets."""
        told = {value.strip() for value in values if len(value.strip()) >= 6}
        more = {*self._values, *(form for value in told for form in _forms(value))}
        self._values = tuple(sorted(more, key=len, reverse=True))

    def learn_settings(self, settings: Mapping[str, object]) -> None:
        """Learn the strings under names such as api_key, aws_secret_access_key, Authorization."""
        for name, value in settings.items():
            if isinstance(value, Mapping):
                self.learn_settings(value)
            elif isinstance(value, str) and SECRET_NAMES.search(name):
                self.learn([value, value.removeprefix("Bearer ")])
            elif isinstance(value, str):
                self.learn(passwords_in(value))

    def values_out(self, text: str) -> str:
        """`text` without the values it was told; for what must stay as it is otherwise."""
        for value in self._values:
            if value in text:
                text = text.replace(value, "[key]")
        return text

    def __call__(self, text: str) -> str:
        """`text` without keys and without bytes that steer a terminal.

        >>> Scrubber()("Authorization: Bearer abcdef123")
        'Authorization: Bearer [key]'
        """
        for value in self._values:
            text = text.replace(value, "[key]")
        for pattern in PATTERNS:
            text = pattern.sub(_hidden, text)
        return UNPRINTABLE.sub("?", text)

    def __repr__(self) -> str:
        return f"Scrubber({len(self._values)} values)"


class _LogFilter(logging.Filter):
    def __init__(self, scrub: Scrubber) -> None:
        super().__init__()
        self.scrub = scrub

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            text = record.getMessage()
        except (TypeError, ValueError):
            text = str(record.msg)
        record.msg, record.args = self.scrub(text), ()
        if record.exc_info:
            record.msg += f" ({self.scrub(repr(record.exc_info[1]))})"
            record.exc_info = record.exc_text = None
        return True


CHATTY = (
    *("openai", "openai._base_client", "anthropic", "anthropic._base_client", "httpx"),
    *("httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy"),
    *("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"),
)
_guards: list[_LogFilter] = []


def guard_logs(scrub: Scrubber) -> None:
    """Scrub what the SDKs log, should a user turn their logs on."""
    if not _guards:
        _guards.append(_LogFilter(scrub))
        for name in CHATTY:
            logging.getLogger(name).addFilter(_guards[0])
    _guards[0].scrub = scrub
