"""Polite requests to the problems' site: one at a time, with a pause between them, tried again if need be."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

from assay.errors import AssayError, ConfigError

TRIES = 5
LONGEST_WAIT_S = 120.0
LARGEST = 16 << 20  # bytes of one answer
AGENT = "assay-euler (fetches statements for one user, once)"
PASSING = (408, 425, 429, 500, 502, 503, 504)


class SiteError(AssayError):
    """The site did not give what was asked for, and will not at another try."""


class Site:
    """A context manager. `delay_s`: seconds between the starts of two requests."""

    def __init__(self, url: str, *, delay_s: float, say: Callable[[str], None]) -> None:
        if not url.startswith(("http://", "https://")):
            raise ConfigError(f"--fetch-euler-url {url!r}: must begin with http:// or https://")
        self.base = url.rstrip("/") + "/"
        self.delay_s, self.say = delay_s, say
        self.requests = 0
        self._last = float("-inf")
        self._client: Any = None

    def __enter__(self) -> Site:
        import httpx

        self._client = httpx.Client(headers={"user-agent": AGENT}, timeout=30.0, follow_redirects=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def get(self, path: str, *, elsewhere: bool = False) -> bytes:
        """The body at `path`, relative to the site's address. Raises SiteError, naming address and cause.
        `elsewhere`: it may be an address of another site; what a page names may not."""
        import httpx

        url = urljoin(self.base, path)
        if not elsewhere and not url.startswith(self.base):
            raise SiteError(f"{url}: leads to another site")
        wait, why = self.delay_s, ""
        for attempt in range(1, TRIES + 1):
            self._pause()
            try:
                response = self._client.get(url)
            except httpx.HTTPError as error:
                why = f"{type(error).__name__}: {error}"
                after = None
            else:
                if (
                    response.is_success
                    and response.url.path.rpartition("/")[2] != urlsplit(url).path.rpartition("/")[2]
                ):
                    raise SiteError(f"{url}: leads to {response.url}, another page")
                if response.is_success:
                    return self._body(url, response.content)
                why = f"{response.status_code} {response.reason_phrase}"
                if response.status_code not in PASSING:
                    break
                after = _seconds(response.headers.get("retry-after", ""))
            if attempt < TRIES:
                wait = min(LONGEST_WAIT_S, max(2 * wait, 0.1) if after is None else after)
                self.say(f"{url}: {why}; trying again in {wait:.3g} s")
                time.sleep(wait)
        raise SiteError(f"{url}: {why}")

    def _body(self, url: str, body: bytes) -> bytes:
        if len(body) > LARGEST:
            raise SiteError(f"{url}: {len(body)} bytes are more than a problem needs")
        return body

    def _pause(self) -> None:
        time.sleep(max(0.0, self._last + self.delay_s - time.monotonic()))
        self._last = time.monotonic()
        self.requests += 1


def _seconds(text: str) -> float | None:
    return float(text) if text.isdecimal() else None
