"""http:// and https:// taken for each other, and certificates that are not trusted, end a run at once."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import NobodyThere, Refused
from assay.models import plain_http
from assay.models.failures import StatusError, error_from_status
from assay.models.model_registry import ModelRegistry
from assay.models.provider import ProviderSettings
from assay.models.retry import Retry
from assay.records import Message
from testing.models.asking import QUICK

OK = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
WAYS = pytest.mark.parametrize("by_sdk", [False, pytest.param(True, marks=pytest.mark.slow(1))])


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


async def answer(reader, writer):
    await reader.read(4096)
    writer.write(OK)
    writer.close()


async def wait_for_http(reader, writer):
    """A server that is silent until a whole request came, which a greeting of TLS never is."""
    try:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
    finally:
        writer.close()


def said(scheme, serve=answer, *, context=None, by_sdk=False, calls=1):
    """What calls to a server end in, and how often it was connected to."""
    connections = 0

    async def counted(reader, writer):
        nonlocal connections
        connections += 1
        await serve(reader, writer)

    async def body():
        async with await asyncio.start_server(counted, "127.0.0.1", 0, ssl=context) as listening:
            port = listening.sockets[0].getsockname()[1]
            llms = {"mine": {"base_url": f"{scheme}://127.0.0.1:{port}/v1", "api_key": "k"}}
            async with ModelRegistry(llms, {}, cache=None, retry=QUICK) as models:
                model = models.load("mine/m")
                if by_sdk:
                    vars(model._client.provider)["plain"] = None
                asked = [model.complete((Message("user", "2+2?"),)) for _ in range(calls)]
                ends = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 20)
        assert {type(each) for each in ends} == {NobodyThere}
        return str(ends[0]).replace(str(port), "PORT")

    return asyncio.run(body()), connections


@WAYS
def test_https_where_the_server_speaks_http(by_sdk):
    text, connections = said("https", by_sdk=by_sdk)
    assert text == (
        "mine/m: https://127.0.0.1:PORT answers without TLS: write http:// in base_url. "
        "The run ends; continue it with --resume"
    )
    assert connections == 1, "it is not tried again"


def test_https_where_a_server_of_http_waits_for_more(monkeypatch):
    monkeypatch.setattr(plain_http, "CONNECT_TIME_LIMIT_S", 0.2)
    text, connections = said("https", wait_for_http)
    assert "answers without TLS: write http:// in base_url" in text and connections == 2


def test_http_where_the_server_speaks_tls(certificate):
    text, _ = said("http", context=certificate[0], calls=3)
    assert "mine/m: http://127.0.0.1:PORT answers only with TLS: write https:// in base_url" in text


@pytest.mark.parametrize(
    "reply",
    ["The plain HTTP request was sent to HTTPS port", "Client sent an HTTP request to an HTTPS server."],
)
def test_http_where_the_server_says_that_it_speaks_tls(reply):
    settings = ProviderSettings("mine", base_url="http://host:1/v1")
    error = error_from_status(settings, "m", StatusError.of(400, reply.encode(), {}))
    assert isinstance(error, Refused) and error.always
    assert str(error).endswith("http://host:1 answers only with TLS: write https:// in base_url")


@WAYS
def test_a_certificate_of_an_unknown_issuer(certificate, by_sdk):
    text, _ = said("https", context=certificate[0], by_sdk=by_sdk)
    assert "the certificate of https://127.0.0.1:PORT is not trusted here (self-signed certificate)" in text
    assert "set the environment variable SSL_CERT_FILE" in text


@WAYS
def test_a_certificate_for_another_host(certificate, by_sdk, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))
    text, _ = said("https", context=certificate[0], by_sdk=by_sdk)
    assert "the certificate of https://127.0.0.1:PORT is for another host" in text


def test_a_name_that_no_host_has_is_named_and_tried_again(monkeypatch):
    llms = {"mine": {"base_url": "http://no-such-host.invalid/v1", "api_key": "k"}}

    async def body():
        monkeypatch.setattr(Retry, "delay_s", lambda *_: 0.1)
        async with ModelRegistry(llms, {}, cache=None, retry=QUICK) as models:
            asked = asyncio.ensure_future(models.load("mine/m").complete((Message("user", "2+2?"),)))
            seen = []
            while not asked.done():
                seen += models.retrying
                await asyncio.sleep(0.005)
            assert models.retrying == []
            return asked.exception(), seen

    error, seen = asyncio.run(body())
    assert "mine/m: no host is called no-such-host.invalid (" in str(error)
    assert seen[0].startswith("1 call waits to be made again: mine/m: no host is called no-such-host.invalid")
