"""HTTP/1.1 with nothing between a request and its socket, for the thousands of equal calls of a run.

Importing an SDK takes longer than a short run, and each of its calls several times what the network costs.
What makes a request unusual (a proxy, a redirect, a header that is no plain ASCII) is not done here:
`plain_address` says so beforehand, and the SDK, which knows of such things, does it.
"""

from __future__ import annotations

import asyncio
import os
import re
import select
import ssl
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

CONNECT_TIME_LIMIT_S = 20.0
KEPT_S = 30.0  # an idle connection; many servers close theirs soon after
MOST_HEAD = 100 * 1024
MOST_LINE = 8 * 1024  # of a chunked body's own lines
MOST_BODY = 256 * 1024 * 1024

HEAD_END = re.compile(rb"\r?\n\r?\n")
STATUS = re.compile(rb"HTTP/1\.([01]) (\d{3})(?: |$)")
HEADER = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\x00\r\n]*)")
SIZE = re.compile(rb"([0-9a-fA-F]{1,15})[ \t]*(?:;.*)?", re.DOTALL)
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
    """Nobody took the connection in time."""


class ReadError(HTTPError):
    """The connection was lost before the reply was whole."""


class ProtocolError(ReadError):
    """What came back is no HTTP, or too much of it."""


@dataclass(frozen=True, slots=True)
class Response:
    """A whole reply. `headers`: by name in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go. `path`: what theirs begin with, without a slash at its end."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def proxies_set() -> bool:
    """Whether this machine is told to use a proxy, for whatever."""
    if sys.platform in ("darwin", "win32"):  # whose system settings count too
        import urllib.request

        return bool(urllib.request.getproxies())
    return any(value and name.lower().endswith("_proxy") for name, value in os.environ.items())


def plain_address(url: str, headers: Mapping[str, str]) -> Address | None:
    """The address of a server that plain requests with these headers can be sent to; None where that takes
    more than is done here.

    >>> plain_address("http://[::1]:8000/v1/", {"authorization": "Bearer none"}).authority
    '[::1]:8000'
    >>> plain_address("http://bob:secret@host/v1", {}), plain_address("http://host/v1?x=1", {})
    (None, None)
    """
    for name, value in headers.items():
        if not NAME.fullmatch(name) or not VALUE.fullmatch(value) or name.lower() in OURS:
            return None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    path = parts.path.removesuffix("/")
    usual = parts.scheme in ("http", "https") and HOST.fullmatch(host) and PATH.fullmatch(path)
    if (
        proxies_set()
        or not usual
        or "@" in parts.netloc
        or parts.query
        or parts.fragment
        or url != url.strip()
    ):
        return None
    secure = parts.scheme == "https"
    return Address(secure, host, (443 if secure else 80) if port is None else port, path)


def certificates() -> ssl.SSLContext:
    """Whom to trust: SSL_CERT_FILE or SSL_CERT_DIR, else the list that comes with the SDKs."""
    if file := os.environ.get("SSL_CERT_FILE"):
        return ssl.create_default_context(cafile=file)
    if folder := os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context(capath=folder)
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


class _Connection(asyncio.Protocol):
    """One connection: a request, its reply, the next request."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.reusable = True
        self.idle_since = 0.0
        self.lost = loop.create_future()
        self.transport: asyncio.Transport
        self._reply: asyncio.Future[Response] | None = None
        self._begin()

    def _begin(self) -> None:
        self._buffer = bytearray()
        self._at = 0  # what was read of the buffer
        self._searched = 0  # of the buffer, for the head's end
        self._status = 0  # 0: the head is still to come
        self._headers: dict[str, str] = {}
        self._length: int | None = None  # None: until the connection's end, -1: in chunks
        self._chunks: list[bytes] | None = None
        self._trailers = False

    async def exchange(self, request: bytes) -> Response:
        """Raises ReadError, after which the connection is of no more use; so it is if this is cancelled."""
        self._begin()
        if self.transport.is_closing():
            raise ReadError("the server closed the connection before it was asked")
        reply: asyncio.Future[Response] = self.loop.create_future()
        self._reply = reply
        self.transport.write(request)
        try:
            return await reply
        except BaseException:
            self.drop()
            if reply.done() and not reply.cancelled():
                reply.exception()  # seen, also where a cancellation came first
            raise
        finally:
            self._reply = None

    def drop(self) -> None:
        self.reusable = False
        self.transport.abort()

    @property
    def silent(self) -> bool:
        """Whether nothing came since the last reply: an end that the event loop has not seen yet is too late
        for one more request."""
        if not self.reusable or self.transport.is_closing():
            return False
        poll = select.poll()
        poll.register(self.transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    # ------------------------------------------------------------ what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self._reply is None or self._reply.done():  # nobody asked
            self.drop()
            return
        self._buffer += data
        try:
            self._read()
        except ProtocolError as error:
            self._fail(error)

    def eof_received(self) -> None:
        self.reusable = False
        if self._reply is not None and not self._reply.done() and self._status and self._length is None:
            self._end(bytes(self._buffer[self._at :]))

    def connection_lost(self, exc: Exception | None) -> None:
        self.reusable = False
        begun = self._status or self._buffer
        where = "in the middle of its reply" if begun else "without a reply"
        why = f" ({type(exc).__name__})" if exc else ""
        self._fail(ReadError(f"the server closed the connection {where}{why}"))
        if not self.lost.done():
            self.lost.set_result(None)

    def _fail(self, error: ReadError) -> None:
        self.reusable = False
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(error)

    # ------------------------------------------------------------ the reply

    def _read(self) -> None:
        while not self._status:
            if not self._read_head():
                return
        if len(self._buffer) > MOST_BODY + MOST_HEAD:
            raise ProtocolError(f"a reply of more than {MOST_BODY:,} bytes")
        if self._length == -1:
            self._read_chunks()
        elif self._length is not None and len(self._buffer) - self._at >= self._length:
            end = self._at + self._length
            if len(self._buffer) > end:  # more than a reply is no reply that is understood
                self.reusable = False
            self._end(bytes(self._buffer[self._at : end]))

    def _read_head(self) -> bool:
        """Whether there was one. That of an interim reply (1xx) is skipped."""
        end = HEAD_END.search(self._buffer, max(self._at, self._searched))
        if (len(self._buffer) if end is None else end.start()) > MOST_HEAD:
            raise ProtocolError("a reply's head without an end")
        if end is None:
            self._searched = len(self._buffer) - 3  # the rest may be the beginning of an end
            return False
        head = bytes(self._buffer[self._at : end.start()])
        lines = [line.removesuffix(b"\r") for line in head.split(b"\n")]
        self._at = end.end()
        first = STATUS.match(lines[0])
        if first is None:
            raise ProtocolError(f"no HTTP reply: {lines[0][:60]!r}")
        status = int(first[2])
        headers: dict[str, str] = {}
        for line in lines[1:]:
            header = HEADER.fullmatch(line)
            if header is None:
                raise ProtocolError(f"no HTTP header: {line[:60]!r}")
            name, value = header[1].decode("ascii").lower(), header[2].decode("latin-1").strip(" \t")
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if 100 <= status < 200 and status != 101:
            return True
        if status < 200:
            raise ProtocolError(f"status {status}")
        self._status, self._headers = status, headers
        kept = {word.strip() for word in headers.get("connection", "").lower().split(",")}
        if "close" in kept or (first[1] == b"0" and "keep-alive" not in kept):
            self.reusable = False
        self._length = self._length_said(status, headers)
        return True

    def _length_said(self, status: int, headers: Mapping[str, str]) -> int | None:
        if status in (204, 304):
            return 0
        coding = headers.get("transfer-encoding", "").strip().lower()
        if coding and coding != "chunked":
            raise ProtocolError(f"transfer encoding {coding[:60]!r}")
        if coding:
            self.reusable = self.reusable and "content-length" not in headers
            self._chunks = []
            return -1
        said = {each.strip() for each in headers.get("content-length", "").split(",")} - {""}
        if not said:
            self.reusable = False
            return None
        length = said.pop()
        if said or not (length.isascii() and length.isdigit()) or len(length) > 15:
            raise ProtocolError(f"content length {headers['content-length'][:60]!r}")
        if int(length) > MOST_BODY:
            raise ProtocolError(f"a reply of {int(length):,} bytes")
        return int(length)

    def _read_chunks(self) -> None:
        assert self._chunks is not None
        while True:
            end = self._buffer.find(b"\n", self._at, self._at + MOST_LINE)
            if end < 0:
                if len(self._buffer) - self._at >= MOST_LINE:
                    raise ProtocolError("a chunk's size without an end")
                return
            line = bytes(self._buffer[self._at : end]).removesuffix(b"\r")
            if self._trailers:
                self._at = end + 1
                if not line:
                    self.reusable = self.reusable and self._at == len(self._buffer)
                    self._end(b"".join(self._chunks))
                    return
                continue
            said = SIZE.fullmatch(line)
            if said is None:
                raise ProtocolError(f"no chunk's size: {line[:60]!r}")
            size = int(said[1], 16)
            if size > MOST_BODY:
                raise ProtocolError(f"a chunk of {size:,} bytes")
            if not size:
                self._at, self._trailers = end + 1, True
                continue
            after = end + 1 + size
            if len(self._buffer) < after + 2:
                return
            if self._buffer[after : after + 2] == b"\r\n":
                behind = after + 2
            elif self._buffer[after : after + 1] == b"\n":
                behind = after + 1
            else:
                raise ProtocolError("a chunk that is longer than it says")
            self._chunks.append(bytes(self._buffer[end + 1 : after]))
            self._at = behind

    def _end(self, content: bytes) -> None:
        if self.transport.get_write_buffer_size():  # it answered before it had the whole request
            self.reusable = False
        content = _unpacked(content, self._headers.get("content-encoding", ""))
        assert self._reply is not None
        self._reply.set_result(Response(self._status, self._headers, content))


def _unpacked(content: bytes, coding: str) -> bytes:
    """Raises ProtocolError for what was not asked for, is broken, or is a bomb."""
    coding = coding.strip().lower()
    if coding in ("", "identity") or not content:
        return content
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise ProtocolError(f"content encoding {coding[:60]!r}")
    # what is called deflate is meant to have zlib's header, and does not everywhere
    bare = coding == "deflate" and not (
        content[0] & 0x0F == 8 and int.from_bytes(content[:2], "big") % 31 == 0
    )
    unpack = zlib.decompressobj(-15 if bare else 47)
    try:
        found = unpack.decompress(content, MOST_BODY + 1)
    except zlib.error as error:
        raise ProtocolError(f"content encoding {coding}: {error}") from None
    if len(found) > MOST_BODY:
        raise ProtocolError(f"a reply of more than {MOST_BODY:,} bytes")
    if not unpack.eof:
        raise ProtocolError(f"content encoding {coding}: cut off")
    return found


class PlainHTTP:
    """Requests to one address: as many connections as are in flight at once, newest used first."""

    def __init__(self, address: Address, headers: Mapping[str, str]) -> None:
        self.address = address
        lines = {
            "host": address.authority,
            "accept": "application/json",
            "content-type": "application/json",
            "accept-encoding": "gzip, deflate",
            "connection": "keep-alive",
            **{name.lower(): value for name, value in headers.items()},
        }
        self._head = "".join(f"{name}: {value}\r\n" for name, value in lines.items()).encode("ascii")
        self._free: list[_Connection] = []
        self._all: set[_Connection] = set()
        self._certificates: ssl.SSLContext | None = None

    async def post(self, path: str, body: bytes) -> Response:
        """The reply to a JSON body, whatever its status. Raises HTTPError. Nothing is sent twice."""
        connection = self._take() or await self._connect()
        request = b"POST %b%b HTTP/1.1\r\n%bcontent-length: %d\r\n\r\n" % (
            self.address.path.encode("ascii"),
            path.encode("ascii"),
            self._head,
            len(body),
        )
        try:
            return await connection.exchange(request + body)
        finally:
            if connection.reusable:
                connection.idle_since = connection.loop.time()
                self._free.append(connection)
            else:
                connection.drop()

    def _take(self) -> _Connection | None:
        while self._free:
            connection = self._free.pop()
            if connection.silent and connection.loop.time() - connection.idle_since < KEPT_S:
                return connection
            connection.drop()
        return None

    async def _connect(self) -> _Connection:
        if self.address.secure and self._certificates is None:
            self._certificates = certificates()  # reads all root certificates: once, not for each
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(CONNECT_TIME_LIMIT_S):
                _, connection = await loop.create_connection(
                    lambda: _Connection(loop),
                    self.address.host,
                    self.address.port,
                    ssl=self._certificates,
                    happy_eyeballs_delay=0.25,
                )
        except TimeoutError:
            raise ConnectTimeout(f"no connection within {CONNECT_TIME_LIMIT_S:g} s") from None
        except (OSError, UnicodeError) as error:  # of TLS too: a certificate that is not trusted
            raise ConnectError(str(error)) from error
        self._all.add(connection)
        connection.lost.add_done_callback(lambda _: self._all.discard(connection))
        return connection

    async def close(self) -> None:
        """Close every connection, and see it closed."""
        for connection in (every := list(self._all)):
            connection.drop()
        await asyncio.gather(*(connection.lost for connection in every))
        self._free.clear()
