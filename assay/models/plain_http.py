"""Requests by aiohttp, without an SDK, for the thousands of equal calls of a run.

Importing an SDK takes longer than a short run, and each of its calls several times what the network costs.
What makes a request unusual (a proxy, a redirect, a header that is no plain ASCII) is not done here:
`plain_address` says so beforehand, and the SDK, which knows of such things, does it. aiohttp's own way to a
proxy (`trust_env`) knows neither ALL_PROXY nor SOCKS, asks two threads for each request, and refuses to send
a key to a server that ~/.netrc names.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import re
import socket
import ssl
import sys
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assay.models import sdk
from assay.models.schemes import speaks_the_other, wants_tls, without_tls

if TYPE_CHECKING:
    import aiohttp

JSON = "application/json"
CONNECT_TIME_LIMIT_S = 20.0
KEPT_S = 30.0  # how long an idle connection is kept; many servers close theirs soon after
MOST_HEADER = 32 * 1024  # of each; aiohttp takes 128 of them
MOST_BODY = 256 * 1024 * 1024
WRITTEN_AT_ONCE = 1024 * 1024  # a larger body goes in parts, so that others have their turn

HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9a-fA-F:.]+")
PATH = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*")
NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(r"(?:[!-~](?:[ \t!-~]*[!-~])?)?")
OURS = {
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "te",
    "transfer-encoding",
    "upgrade",
}


class HTTPError(Exception):
    """A request that got no whole reply."""


class ConnectError(HTTPError):
    """There was no connection: the request was not sent."""


class ConnectTimeout(ConnectError):
    """No connection was accepted in time."""


class WrongScheme(ConnectError):
    """The server speaks the other of http and https. Its text says so."""


class ReadError(HTTPError):
    """The connection was lost before the reply was whole."""


class Disconnected(ReadError):
    """The connection was closed before a word of the reply came."""


class ProtocolError(ReadError):
    """The reply is not HTTP, or too long."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole reply. `headers`: by name in any case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


def proxies_set() -> bool:
    """Whether this machine is configured to use a proxy for anything."""
    if sys.platform in ("darwin", "win32"):  # whose system settings count too
        import urllib.request

        return bool(urllib.request.getproxies())
    return any(value and name.lower().endswith("_proxy") for name, value in os.environ.items())


def plain_address(url: str, headers: Mapping[str, str]) -> str:
    """The address of a server that plain requests with these headers can be sent to, without a slash at its
    end; '' where that takes more than is done here.

    >>> plain_address("http://[::1]:8000/v1/", {"authorization": "Bearer none"})
    'http://[::1]:8000/v1'
    >>> plain_address("http://bob:secret@host/v1", {}), plain_address("http://host/v1?x=1", {})
    ('', '')
    """
    for name, value in headers.items():
        if not NAME.fullmatch(name) or not VALUE.fullmatch(value) or name.lower() in OURS:
            return ""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return ""
    usual = parts.scheme in ("http", "https") and HOST.fullmatch(host) and PATH.fullmatch(parts.path)
    unusual = "@" in parts.netloc or parts.query or parts.fragment or url.split() != [url]
    return url.removesuffix("/") if usual and not unusual and not proxies_set() else ""


def certificates() -> ssl.SSLContext:
    """The certificates to trust: SSL_CERT_FILE or SSL_CERT_DIR, else the list that comes with the SDKs."""
    if file := os.environ.get("SSL_CERT_FILE"):
        return ssl.create_default_context(cafile=file)
    if folder := os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context(capath=folder)
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


class PlainHTTP:
    """Requests below one address: as many connections as are in flight at once. `headers`: small letters."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        self.address = address
        self._headers = {
            "accept": JSON,
            "accept-encoding": "gzip, deflate",
            **headers,
            "content-type": JSON,
        }
        self._session: aiohttp.ClientSession | None = None  # belongs to the event loop of the first request
        self._scheme_known = False  # whether the address has the right one, as far as it can be told
        self._wrong_scheme = ""  # what is said then
        self._learning = asyncio.Lock()
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def open(self) -> None:
        """Import what is needed to send requests."""
        sdk.load("aiohttp")

    async def request(
        self,
        path: str,
        body: bytes | None,
        take: Callable[[bytes], None] | None = None,
        *,
        form: str = JSON,
        most: int = 0,
    ) -> Response:
        """The reply to a body of the type `form`, or to none (GET), whatever its status. Raises HTTPError.
        Nothing is sent twice: aiohttp repeats no POST, and follows no redirect here. `take` gets the body of
        a success in parts, as they come, and what it raises ends the reply. `most`: bytes of the reply, if
        not MOST_BODY."""
        import aiohttp

        if self._session is None:
            self._session = self._opened()
        data = body if body is None or len(body) <= WRITTEN_AT_ONCE else io.BytesIO(body)
        method = "GET" if body is None else "POST"
        failure: HTTPError
        try:
            url = self.address + path
            its = None if form == JSON else {"content-type": form}
            async with self._session.request(
                method, url, data=data, allow_redirects=False, headers=its
            ) as response:
                self._scheme_known = True
                content = await _content(response, take if response.status < 300 else None, most or MOST_BODY)
                return Response(response.status, response.headers, content)
        except aiohttp.ConnectionTimeoutError:
            failure = ConnectTimeout(f"no connection within {CONNECT_TIME_LIMIT_S:g} s")
        except (aiohttp.ClientConnectorError, aiohttp.InvalidURL, UnicodeError) as error:
            failure = ConnectError(str(error.__cause__ or error))  # of TLS too: whom nobody vouches for
        except aiohttp.ClientResponseError as error:
            failure = ProtocolError(f"not an HTTP reply: {_line(error.message)}")
        except aiohttp.ServerDisconnectedError:  # its text has the headers that came
            failure = Disconnected("the server closed the connection without a reply")
        except aiohttp.ClientPayloadError as error:
            why = getattr(error.__cause__, "message", error)
            failure = ReadError(f"the reply is incomplete: {_line(why)}")
        except (aiohttp.ClientError, OSError) as error:
            failure = ReadError(f"the connection was lost ({type(error).__name__})")
        raise await self._told(failure)  # without aiohttp's error, which holds the request and its key

    async def _told(self, failure: HTTPError) -> HTTPError:
        """The failure, or where the server was silent that it speaks the other of http and https: asked once,
        and never of one that has answered."""
        secure = self.address.lower().startswith("https:")
        if not isinstance(failure, ConnectTimeout if secure else Disconnected):
            return failure
        async with self._learning:
            if not self._scheme_known and await speaks_the_other(self.address):
                self._wrong_scheme = without_tls(self.address) if secure else wants_tls(self.address)
            self._scheme_known = True
        return WrongScheme(self._wrong_scheme) if self._wrong_scheme else failure

    def _opened(self) -> aiohttp.ClientSession:
        import aiohttp

        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0,  # gate.py has ours
                keepalive_timeout=KEPT_S,
                socket_factory=self._socket,
                ssl=certificates() if self.address.lower().startswith("https:") else True,
            ),
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(connect=CONNECT_TIME_LIMIT_S),
            max_field_size=MOST_HEADER,
        )

    def _socket(self, address: aiohttp.AddrInfoType) -> socket.socket:
        made = socket.socket(*address[:3])
        self._sockets.add(made)
        return made

    async def close(self) -> None:
        """Close every connection, and wait until it is closed."""
        if self._session is None:
            return
        await self._session.close()
        # What was given up while its request was being written waits for a server that may take no more.
        for _ in range(100):  # turns of the event loop; a few are enough
            waiting = [each for each in self._sockets if each.fileno() >= 0]
            if not waiting:
                return
            for each in waiting:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            await asyncio.sleep(0)


def _line(text: object) -> str:
    """aiohttp points at the mistake with more lines."""
    return " ".join(str(text).split())[:200]


async def _content(
    response: aiohttp.ClientResponse, take: Callable[[bytes], None] | None, most: int
) -> bytes:
    """The body, unpacked as it comes, so that a bomb is left where it is. Raises ProtocolError."""
    if response.status < 200:
        response.close()
        raise ProtocolError(f"status {response.status}")
    parts: list[bytes] = []
    take = take or parts.append
    size, said = 0, response.content_length or 0
    while max(size, said) <= most:
        part = await response.content.readany()
        if not part:
            return b"".join(parts)
        size += len(part)
        try:
            take(part)
        except BaseException:
            response.close()
            raise
    response.close()
    raise ProtocolError(f"a reply of more than {most:,} bytes")
