"""How long a call may take: whole, or as a stream that goes on."""

from __future__ import annotations

import time

import pytest

from assay.errors import ConfigError, ProviderError
from assay.models.provider import native_turn, own_turn
from assay.models.retry import Retry
from assay.records import Message
from testing.model_server import ModelServer
from testing.models.asking import ask, llms_for

STREAMED, ONCE = "anthropic/claude-opus-4-5", Retry(attempts=1)


@pytest.fixture(params=["plain", "sdk"])
def way(request, monkeypatch):
    """By plain HTTP, or by the SDK, which alone knows for whom there is no proxy."""
    if request.param == "sdk":
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def asked(server, order, **llms):
    return ask(server, STREAMED, f"[[{order}]]", llms=llms_for(server.url, **llms), retry=ONCE)


def test_a_stream_may_take_longer_than_timeout_s_if_it_goes_on(server, way):
    ask(server, STREAMED, "warm")
    reply = asked(server, "drip s=0.2", timeout_s=1)
    assert reply.text.startswith("Answer ") and reply.seconds > 1.5


def test_but_no_longer_than_total_timeout_s(server, way):
    ask(server, STREAMED, "warm")
    with pytest.raises(ProviderError, match=r"did not end within 1 s \(total_timeout_s\)"):
        asked(server, "drip s=0.3", timeout_s=0.8, total_timeout_s=1)


def test_a_stream_that_falls_silent_is_given_up(server, way):
    began = time.monotonic()
    with pytest.raises(ProviderError, match=r"silent for 0.5 s \(timeout_s\)"):
        asked(server, "stall", timeout_s=0.5)
    assert time.monotonic() - began < 3


def test_what_is_not_streamed_has_timeout_s_for_the_whole(server, way):
    with pytest.raises(ProviderError, match=r"no complete reply within 0.8 s \(timeout_s\)"):
        asked(server, "drip s=0.2", timeout_s=0.8, stream=False)
    assert "stream" not in server.bodies()[0]


@pytest.mark.parametrize("wrong", [{"stream": "yes"}, {"total_timeout_s": 0}, {"timeout_s": True}])
def test_a_wrong_setting_is_an_error(wrong):
    (name,) = wrong
    with ModelServer() as server, pytest.raises(ConfigError, match=name):
        ask(server, STREAMED, llms=llms_for(server.url, **wrong))


def test_a_turn_goes_back_to_its_provider_alone():
    turn = Message("assistant", "", native=native_turn("openai/m", [{"type": "reasoning"}]))
    assert own_turn(turn, "openai/m") == [{"type": "reasoning"}]
    assert own_turn(turn, "openai/other") is None
    for native in ("", "[]", "{", "7"):
        assert own_turn(Message("assistant", "", native=native), "openai/m") is None
