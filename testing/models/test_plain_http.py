"""Requests without an SDK, against servers that say whatever bytes a test gives them."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import ssl
import zlib
from pathlib import Path

import pytest

from assay.errors import ProviderError
from assay.models import plain_http, schemes
from assay.models.model_registry import ModelRegistry
from assay.models.plain_http import (
    ConnectError,
    ConnectTimeout,
    Disconnected,
    PlainHTTP,
    ProtocolError,
    ReadError,
    plain_address,
)
from assay.records import Message, TrialKey
from testing.model_server import ModelServer
from testing.models.asking import QUICK, llms_for

OK = b"HTTP/1.1 200 OK\r\n"
INTERIM = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\n"
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Scripted:
    """Answers each request with the next of `replies`; `pieces`: bytes at a time; `close`: after each."""

    def __init__(self, *replies: bytes, pieces: int = 0, close: bool = False) -> None:
        self.replies, self.pieces, self.close = list(replies), pieces, close
        self.connections = 0
        self.requests: list[bytes] = []
        self.writers: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while self.replies:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                reply = self.replies.pop(0)
                for at in range(0, len(reply), self.pieces or len(reply)):
                    writer.write(reply[at : at + (self.pieces or len(reply))])
                    await writer.drain()
                    if self.pieces:
                        await asyncio.sleep(0)
                if self.close:
                    break
            else:
                await reader.read()
        writer.close()


def talk(server: Scripted, times: int = 1, *, pause_s: float = 0.0, context: ssl.SSLContext | None = None):
    """The replies, and the errors that were raised."""

    async def body():
        found = []
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context)
        async with listening:
            port = listening.sockets[0].getsockname()[1]
            server_at = "https://localhost" if context else "http://127.0.0.1"
            http = PlainHTTP(f"{server_at}:{port}/v1", {"x-ours": "yes"})
            for _ in range(times):
                try:
                    found.append(await asyncio.wait_for(http.request("/chat", b'{"a": 1}'), 20))
                except plain_http.HTTPError as error:
                    found.append(error)
                await asyncio.sleep(pause_s)
            await http.close()
            for writer in server.writers:
                writer.close()
        return found

    return asyncio.run(body())


def chunked(*parts: bytes, trailer: bytes = b"") -> bytes:
    body = b"".join(b"%x;name=value\r\n%b\r\n" % (len(part), part) for part in parts)
    return OK + b"Transfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n" + trailer + b"\r\n"


def plain(body: bytes, *headers: bytes) -> bytes:
    return OK + b"".join(h + b"\r\n" for h in (*headers, b"content-length: %d" % len(body))) + b"\r\n" + body


def test_what_is_sent():
    server = Scripted(plain(b"{}"))
    talk(server)
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert head.startswith(b"POST /v1/chat HTTP/1.1\r\n") and body == b'{"a": 1}'
    assert b"x-ours: yes" in lines and b"content-type: application/json" in lines
    assert len({line.partition(b":")[0] for line in lines}) == len(lines)


WHOLE = {
    "a length": plain(b'{"text": "hi"}'),
    "no spaces, no reason": b'HTTP/1.1 200\r\nContent-Length:14\r\n\r\n{"text": "hi"}',
    "bare line ends": b'HTTP/1.1 200 OK\ncontent-length: 14\n\n{"text": "hi"}',
    "chunks": chunked(b'{"te', b'xt": "hi"', b"}"),
    "chunks and a trailer": chunked(b'{"text": "hi"}', trailer=b"x-sum: 1\r\n"),
    "interim replies": INTERIM + plain(b'{"text": "hi"}'),
    "gzip": plain(gzip.compress(b'{"text": "hi"}'), b"Content-Encoding: gzip"),
    "deflate": plain(zlib.compress(b'{"text": "hi"}'), b"content-encoding: deflate"),
    "bare deflate": plain(zlib.compress(b'{"text": "hi"}', wbits=-15), b"content-encoding: deflate"),
}  # fmt: skip


@pytest.mark.parametrize("pieces", [0, 1, 7])
@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_reply_and_the_connection_is_used_again(name, pieces):
    server = Scripted(WHOLE[name], plain(b"2"), pieces=pieces)
    first, second = talk(server, 2)
    assert (first.status, json.loads(first.content), second.content) == (200, {"text": "hi"}, b"2")
    assert server.connections == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.0 200 OK\r\n\r\nwhole",
        OK + b"connection: close\r\n\r\nwhole",
        plain(b"whole", b"Connection: close"),
        b"HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nwhole",
    ],
)
def test_a_reply_after_which_the_connection_is_not_used_again(reply):
    server = Scripted(reply, plain(b"2"), close=True)
    assert [each.content for each in talk(server, 2)] == [b"whole", b"2"]
    assert server.connections == 2


def test_a_connection_that_the_server_closed_meanwhile_costs_no_call():
    server = Scripted(*[plain(b"1")] * 3, close=True)
    assert [each.content for each in talk(server, 3, pause_s=0.05)] == [b"1"] * 3
    assert server.connections == 3


NO_HTTP = {
    "a web page": b"<html>\r\n\r\n",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "a header without a name": OK + b"content-length 5\r\n\r\nwhole",
    "two lengths": OK + b"content-length: 5\r\ncontent-length: 6\r\n\r\nwhole!",
    "a negative length": OK + b"content-length: -5\r\n\r\nwhole",
    "an endless length": OK + b"content-length: 99999999999999\r\n\r\nwhole",
    "no length": OK + b"content-length: 0x5\r\n\r\nwhole",
    "another coding": OK + b"transfer-encoding: gzip, chunked\r\n\r\nwhole",
    "another encoding": plain(b"whole", b"content-encoding: br"),
    "broken gzip": plain(b"whole", b"content-encoding: gzip"),
    "no chunk": OK + b"transfer-encoding: chunked\r\n\r\nwhole\r\n",
    "a longer chunk": OK + b"transfer-encoding: chunked\r\n\r\n3\r\nwhole\r\n0\r\n\r\n",
    "a head without an end": OK + b"x: y\r\n" * 20_000,
    "a header without an end": OK + b"x: " + b"y" * 100_000,
    "a reply and more": plain(b"whole") + b"and more",
    "other words": b"HTTP/1.1 101 Switching\r\n\r\n",
}


@pytest.mark.parametrize("name", NO_HTTP)
def test_what_is_no_reply_is_an_error_once_and_not_for_the_next_call(name):
    server = Scripted(NO_HTTP[name], plain(b"2"))
    first, second = talk(server, 2)
    assert isinstance(first, ReadError), first
    assert second.content == b"2"


def test_a_bomb_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(plain_http, "MOST_BODY", 100_000)
    bomb = plain(gzip.compress(bytes(10_000_000)), b"content-encoding: gzip")
    (found,) = talk(Scripted(bomb))
    assert isinstance(found, ProtocolError) and "more than 100,000 bytes" in str(found)


@pytest.mark.parametrize("reply", [b"H", OK, plain(b"whole")[:-1], chunked(b"whole")[:-2]])
def test_a_reply_that_breaks_off(reply):
    (found,) = talk(Scripted(reply, close=True))
    assert type(found) in (ReadError, Disconnected) and (
        "closed the connection" in str(found) or "incomplete" in str(found)
    )


def test_a_server_that_hangs_up_at_once():
    async def body():
        async def hang_up(reader, writer):
            writer.close()

        async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            http = PlainHTTP(f"http://127.0.0.1:{port}", {})
            with pytest.raises(ReadError):
                await asyncio.wait_for(http.request("/", b""), 20)
            await http.close()

    asyncio.run(body())


def test_a_cancelled_call_takes_its_connection_with_it():
    async def body(server):
        async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            http = PlainHTTP(f"http://127.0.0.1:{port}", {})
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(http.request("/", b""), 0.1)
            assert (await asyncio.wait_for(http.request("/", b""), 20)).content == b"2"
            await http.close()

    server = Scripted(plain(b"late")[:-2], plain(b"2"))
    asyncio.run(body(server))
    assert server.connections == 2


def test_nothing_is_sent_twice():
    """Also not where a connection that was used before breaks: nobody knows what the server began."""
    server = Scripted(plain(b"1"), b"", close=False)
    first, second = talk(server, 2)
    assert first.content == b"1" and isinstance(second, ReadError)
    assert (len(server.requests), server.connections) == (2, 1)


def test_a_large_body_is_sent_whole():
    async def body(server):
        async with await asyncio.start_server(server.serve, "127.0.0.1", 0) as listening:
            http = PlainHTTP(f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", {})
            await asyncio.wait_for(http.request("/", bytes(5_000_000)), 20)
            await http.close()

    server = Scripted(plain(b"1"))
    asyncio.run(body(server))
    head, _, sent = server.requests[0].partition(b"\r\n\r\n")
    assert sent == bytes(5_000_000) and b"chunked" not in head


def test_a_cookie_is_not_kept():
    server = Scripted(plain(b"1", b"set-cookie: a=b"), plain(b"2"))
    talk(server, 2)
    assert b"cookie" not in server.requests[1].lower()


@pytest.mark.parametrize("host", ["a" * 70, "a..b", "1.2", "no-such-host.invalid"])
def test_a_host_that_is_none_was_not_asked(host):
    async def body():
        http = PlainHTTP(f"http://{host}:9", {})
        try:
            await http.request("/", b"")
        finally:
            await http.close()

    with pytest.raises(ConnectError):
        asyncio.run(body())


@contextlib.asynccontextmanager
async def silent_server():
    """Takes connections, and nothing that is sent; its port."""
    over = asyncio.Event()

    async def stall(reader, writer):
        await over.wait()
        writer.close()

    async with await asyncio.start_server(stall, "127.0.0.1", 0) as listening:
        try:
            yield listening.sockets[0].getsockname()[1]
        finally:
            over.set()
            await asyncio.sleep(0.05)


def test_a_server_that_takes_a_connection_and_says_no_word_of_tls(monkeypatch):
    monkeypatch.setattr(plain_http, "CONNECT_TIME_LIMIT_S", 0.2)
    monkeypatch.setattr(schemes, "ANSWERS_WITHIN_S", 0.2)

    async def body():
        async with silent_server() as port:
            http = PlainHTTP(f"https://127.0.0.1:{port}", {})
            with pytest.raises(ConnectTimeout):
                await asyncio.wait_for(http.request("/", b""), 20)
            await http.close()

    asyncio.run(body())


def test_close_ends_connections_whose_server_takes_nothing():
    async def body():
        async with silent_server() as port:
            http = PlainHTTP(f"http://127.0.0.1:{port}", {})
            http.open()
            before = sockets()
            asked = [asyncio.create_task(http.request("/", bytes(size))) for size in (10, 30_000_000)]
            await asyncio.sleep(0.5)
            ours = sockets() - before
            assert len(ours) == 4  # both ends of each
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            await asyncio.wait_for(http.close(), 5)
            assert len(sockets() & ours) == 2  # the server's

    asyncio.run(body())


def sockets() -> set[str]:
    ends = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    return {str(each.readlink()) for each in ends if "socket:" in str(each.readlink())}


# ------------------------------------------------------------ https


def test_a_certificate_that_nobody_vouches_for_is_no_connection(certificate):
    (found,) = talk(Scripted(plain(b"1")), context=certificate[0])
    assert type(found) is ConnectError and "CERTIFICATE_VERIFY_FAILED" in str(found)


def test_https_by_a_certificate_that_is_trusted(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))
    server = Scripted(chunked(b"1"), plain(b"2"), pieces=3)
    assert [each.content for each in talk(server, 2, context=certificate[0])] == [b"1", b"2"]
    assert server.connections == 1


# ------------------------------------------------------------ what the SDK does


@pytest.mark.parametrize(
    ("url", "headers"),
    [
        ("http://host/v1?api-version=1", {}),
        ("http://bob:secret@host/v1", {}),
        ("http://höst/v1", {}),
        ("http://host/v1 ", {}),
        ("http://host:port/v1", {}),
        ("unix:///run/server", {}),
        ("http://host/v1", {"x": "two\r\nlines: 1"}),
        ("http://host/v1", {"authorization": "Bearer kéy"}),
        ("http://host/v1", {"no name": "1"}),
        ("http://host/v1", {"Transfer-Encoding": "chunked"}),
    ],
)
def test_what_is_unusual_is_not_sent_plainly(url, headers):
    assert plain_address("http://host/v1", {"x": "a b", "y": ""}) == "http://host/v1"
    assert not plain_address(url, headers)


def test_a_proxy_of_the_environment_is_left_to_the_sdk(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert not plain_address("https://api.openai.com/v1", {})


def ask(llms, **settings):
    async def body():
        async with ModelRegistry(llms, {}, cache=None, retry=QUICK, **settings) as models:
            model = models.load("my-server/m").for_trial(TrialKey("t.T"))
            return await model.complete((Message("user", "[[say hi]]"),))

    return asyncio.run(body())


def test_a_redirect_is_followed():
    with ModelServer() as there:
        target = there.url.encode() + b"/v1/chat/completions"

        async def send_on(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 307 There\r\nlocation: %b\r\ncontent-length: 0\r\n\r\n" % target)
            await writer.drain()
            writer.close()

        async def body():
            async with await asyncio.start_server(send_on, "127.0.0.1", 0) as listening:
                url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
                async with ModelRegistry(llms_for(url), {}, cache=None, retry=QUICK) as models:
                    return await models.load("my-server/m").complete((Message("user", "[[say hi]]"),))

        assert asyncio.run(body()).text == "hi"


def test_organization_and_project_go_with_the_request(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-environment")
    with ModelServer() as server:
        llms = llms_for(server.url, headers={"USER-AGENT": "mine"})
        llms["my-server"]["project"] = "proj-1"
        assert ask(llms).text == "hi"
        (asked,) = server.asked
    headers = asked.headers
    assert headers["openai-organization"] == "org-of-environment"
    assert headers["openai-project"] == "proj-1" and headers["user-agent"] == "mine"


def test_a_key_that_no_header_can_hold_is_an_error_without_the_key():
    with ModelServer() as server, pytest.raises(ProviderError) as caught:
        ask({"my-server": {"base_url": server.url + "/v1", "api_key": "kéy-very-secret"}})
    assert "very-secret" not in str(caught.value)
