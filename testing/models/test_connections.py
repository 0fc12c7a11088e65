"""The SDKs' own clients, which send what plain HTTP cannot: many calls at once, broken ones among them."""

from __future__ import annotations

import asyncio

import pytest

from assay.errors import ProviderError
from assay.models.model_registry import ModelRegistry
from assay.models.retry import Retry
from assay.records import Message
from testing.model_server import ModelServer
from testing.models.asking import NAMES, llms_for

SDKS = ["openai", "anthropic", "ollama"]


@pytest.fixture(autouse=True)
def by_sdk(monkeypatch):
    """They alone know for whom there is no proxy."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def models(server, **settings):
    options = {"cache": None, "retry": Retry(attempts=1), "max_connections": 20, **settings}
    return ModelRegistry(llms_for(server.url), {"max_tokens": 100}, **options)


def ask(registry, sdk, text):
    return registry.load(NAMES[sdk]).complete((Message("user", text),))


@pytest.mark.slow(4)
@pytest.mark.parametrize("sdk", SDKS)
def test_calls_in_flight_have_connections_of_their_own_and_these_are_used_again(sdk):
    opened = []

    async def body() -> None:
        async with models(server) as registry:
            await ask(registry, sdk, "first")  # Ollama's server is asked about its model too
            for batch in range(2):
                await asyncio.gather(*(ask(registry, sdk, f"{batch}/{i}") for i in range(20)))
                opened.append(server.desk.connections)

    with ModelServer(latency=0.5) as server:
        asyncio.run(body())
    assert server.desk.in_flight_max > 15
    assert opened[0] == opened[1] <= 20


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("order", ["reset", "truncated", "reset-body"])
def test_a_broken_connection_is_an_error_once_and_not_for_the_next_call(sdk, order):
    async def body() -> None:
        async with models(server) as registry:
            await ask(registry, sdk, "first")
            with pytest.raises(ProviderError):
                await ask(registry, sdk, f"[[{order}]]")
            assert (await ask(registry, sdk, "after")).text

    with ModelServer() as server:
        asyncio.run(body())


@pytest.mark.parametrize("sdk", SDKS)
def test_a_cancelled_call_leaves_the_connections_usable(sdk):
    async def body() -> None:
        async with models(server) as registry:
            await ask(registry, sdk, "first")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await ask(registry, sdk, "cancelled")
            assert (await ask(registry, sdk, "after")).text

    with ModelServer(latency=0.3) as server:
        asyncio.run(body())
