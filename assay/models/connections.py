"""HTTP for many calls at once, for the SDKs that are built on httpx.

httpcore's pool walks over all its connections, several times and nested, whenever a request begins or
ends. With 50 in flight that is 4 ms of CPU a call, four times what the rest of the SDK takes. Here each
connection is a pool of its own, so that its lists have one entry; how many calls are in flight at once
is bounded elsewhere (gate.py).
"""

from __future__ import annotations

import ssl
import urllib.request
from collections.abc import AsyncIterator, Callable

import httpx


class _Body(httpx.AsyncByteStream):
    """A response's body that tells when it is done with."""

    def __init__(self, stream: httpx.AsyncByteStream, done: Callable[[], None]) -> None:
        self._stream = stream
        self._done: Callable[[], None] | None = done

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            if self._done:  # may be closed twice; the connection is given back once
                self._done()
                self._done = None


class SeparateConnections(httpx.AsyncBaseTransport):
    """A transport that keeps as many connections as calls were ever in flight, newest used first."""

    def __init__(self) -> None:
        # By whether certificates are checked: a connection made for http must never serve https.
        self._free: dict[bool, list[httpx.AsyncHTTPTransport]] = {True: [], False: []}
        self._all: list[httpx.AsyncHTTPTransport] = []
        self._certificates: ssl.SSLContext | None = None

    def _take(self, secure: bool) -> httpx.AsyncHTTPTransport:
        if self._free[secure]:
            return self._free[secure].pop()
        if secure and self._certificates is None:
            self._certificates = httpx.create_ssl_context()  # reads all root certificates: once, not for each
        one = httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30.0)
        checked = self._certificates if secure and self._certificates else False
        connection = httpx.AsyncHTTPTransport(verify=checked, limits=one)
        self._all.append(connection)
        return connection

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        secure = request.url.scheme == "https"
        connection = self._take(secure)
        try:
            response = await connection.handle_async_request(request)
        except BaseException:  # cancelled too: httpcore has closed what was open, the pool can go on
            self._free[secure].append(connection)
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Body(response.stream, lambda: self._free[secure].append(connection))
        return response

    async def aclose(self) -> None:
        for connection in self._all:
            await connection.aclose()


def separate_connections() -> SeparateConnections | None:
    """What an httpx client takes as `transport`; None (its own) where a proxy is set in the environment."""
    return None if urllib.request.getproxies() else SeparateConnections()
