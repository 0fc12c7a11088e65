"""The transport that gives each call in flight a connection of its own."""

from __future__ import annotations

import asyncio
import ssl

import httpx
import pytest

from assay.models.connections import SeparateConnections, separate_connections
from testing.model_server import ModelServer


def ask(client: httpx.AsyncClient, url: str, text: str, **more: object):
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    return client.post(f"{url}/v1/chat/completions", json=body, **more)


def test_calls_in_flight_have_connections_of_their_own_and_these_are_used_again():
    async def body() -> dict:
        async with httpx.AsyncClient(transport=SeparateConnections()) as client:
            for batch in range(3):
                answers = await asyncio.gather(*(ask(client, server.url, f"{batch}/{i}") for i in range(20)))
                assert [answer.status_code for answer in answers] == [200] * 20
        return server.stats()

    with ModelServer(latency=0.05) as server:
        stats = asyncio.run(body())
    assert stats["in_flight_max"] == 20
    assert server.desk.connections <= 21  # 20, and the one that asked for the counts


@pytest.mark.parametrize("order", ["reset", "truncated", "reset-body"])
def test_a_broken_connection_is_an_error_once_and_not_for_the_next_call(order):
    async def body() -> None:
        async with httpx.AsyncClient(transport=SeparateConnections()) as client:
            await ask(client, server.url, "first")
            server.script([order])
            with pytest.raises(httpx.TransportError):
                await ask(client, server.url, "broken")
            assert (await ask(client, server.url, "after")).status_code == 200

    with ModelServer() as server:
        asyncio.run(body())


def test_a_cancelled_and_a_timed_out_call_leave_the_connection_usable():
    async def body() -> None:
        async with httpx.AsyncClient(transport=SeparateConnections()) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await ask(client, server.url, "cancelled")
            with pytest.raises(httpx.ReadTimeout):
                await ask(client, server.url, "late", timeout=0.05)
            assert (await ask(client, server.url, "after", timeout=5)).status_code == 200

    with ModelServer(latency=0.3) as server:
        asyncio.run(body())


def test_a_connection_made_without_certificates_never_serves_https():
    transport = SeparateConnections()
    plain = transport._take(secure=False)
    transport._free[False].append(plain)
    secure = transport._take(secure=True)
    assert secure is not plain
    context = secure._pool._ssl_context
    assert context.verify_mode == ssl.CERT_REQUIRED and context.check_hostname


def test_a_proxy_of_the_environment_is_left_to_the_sdk(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert separate_connections() is not None
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    assert separate_connections() is None
