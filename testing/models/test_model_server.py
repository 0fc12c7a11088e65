"""The model server itself: what others rely on when they count and order."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from testing.misbehaviour import Order, in_model_name, in_prompt, parse
from testing.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]


def post(port, prompt, *, path="/v1/chat/completions", model="m", connection=None, headers={}):
    with contextlib.ExitStack() as stack:
        if connection is None:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            stack.callback(connection.close)
        body = json.dumps({"model": model, "messages": [{"role": "user", "content": prompt}]})
        connection.request("POST", path, body, headers)
        response = connection.getresponse()
        return response.status, response.read(), response


def text_of(reply):
    return json.loads(reply[1])["choices"][0]["message"]["content"]


@pytest.fixture(params=[False, True], ids=["thread", "process"])
def either(request):
    with ModelServer(process=request.param, replies={"whole": "w", "part": ["p1", "p2"]}) as server:
        yield server


def test_replies_are_deterministic_scripted_and_counted(either):
    first, again = post(either.port, "hello"), post(either.port, "hello")
    assert text_of(first) == text_of(again)
    assert text_of(post(either.port, "other")) != text_of(first)
    assert text_of(post(either.port, "whole")) == "w"
    assert [text_of(post(either.port, f"some part {i}")) for i in range(3)] == ["p1", "p2", "p2"]
    assert text_of(post(either.port, "[[say hi there]]")) == "hi there"
    stats = either.stats()
    assert (stats["requests"], stats["repeated"], stats["repeated_after_answer"]) == (8, 1, 1)
    assert stats["statuses"] == {"200": 8}
    assert stats["endpoints"] == {"/v1/chat/completions": 8}
    assert max(stats["prompts"].values()) == 2
    assert len(either.bodies()) == 8
    either.reset()
    assert either.stats()["requests"] == 0


def test_a_queue_of_orders_goes_to_the_next_requests(either):
    either.script(["503", "say queued", "429 retry-after=7"])
    assert post(either.port, "a")[0] == 503
    assert text_of(post(either.port, "a")) == "queued"
    status, _, response = post(either.port, "a")
    assert (status, response.headers["retry-after"]) == (429, "7")
    assert post(either.port, "a")[0] == 200


def test_a_callable_may_answer():
    with ModelServer(reply=lambda asked: asked.prompt.upper() if asked.model == "loud" else None) as server:
        assert text_of(post(server.port, "psst", model="loud")) == "PSST"
        assert text_of(post(server.port, "psst")).startswith("Answer")
    with pytest.raises(ValueError, match="another process"):
        ModelServer(process=True, reply=lambda asked: "x")


def test_one_connection_serves_many_requests_even_pipelined():
    with ModelServer() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for i in range(5):
            assert post(server.port, f"q{i}", connection=connection)[0] == 200
        connection.close()
        assert server.stats()["connections"] == 2  # that one, and the one that asks for the stats
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "x"}]}).encode()
        request = b"POST /v1/chat/completions HTTP/1.1\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
            raw.sendall(request * 3)
            received = b""
            while received.count(b"HTTP/1.1 200") < 3 or not received.endswith(b"}"):
                received += raw.recv(65536)


def test_in_flight_is_what_waits_for_an_answer():
    with ModelServer(latency=0.3) as server:
        threads = [threading.Thread(target=post, args=(server.port, f"q{i}")) for i in range(7)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        assert time.monotonic() - began < 2
        stats = server.stats()
        assert (stats["in_flight_max"], stats["in_flight"]) == (7, 0)


def test_a_wrong_key_is_told_so():
    with ModelServer(key="right-key") as server:
        assert post(server.port, "q", headers={"Authorization": "Bearer right-key"})[0] == 200
        assert post(server.port, "q", headers={"Authorization": "Bearer other"})[0] == 401
        assert post(server.port, "q")[0] == 401


def test_broken_transports_are_broken():
    with ModelServer() as server:
        with pytest.raises(ConnectionResetError):
            post(server.port, "[[reset]]")
        with pytest.raises(http.client.IncompleteRead):
            post(server.port, "[[truncated]]")
        with pytest.raises(ConnectionResetError):
            post(server.port, "[[reset-body]]")
        with pytest.raises(json.JSONDecodeError):
            json.loads(post(server.port, "[[half-json]]")[1])
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=0.3)
        with pytest.raises(TimeoutError):
            post(server.port, "[[stall]]", connection=connection)
        connection.close()
        assert post(server.port, "still here")[0] == 200


def test_a_share_of_429s_is_random_but_seeded():
    def statuses():
        with ModelServer(fail_rate_429=0.3, seed=5) as server:
            return [post(server.port, f"q{i}")[0] for i in range(60)]

    first = statuses()
    assert first == statuses()
    assert 5 < first.count(429) < 35


def test_malformed_requests_are_told_so():
    with ModelServer() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for body in ("not json", "{}", '{"model": "m", "messages": []}', '{"messages": 3}'):
            connection.request("POST", "/v1/chat/completions", body)
            response = connection.getresponse()
            assert (response.status, "malformed" in response.read().decode()) == (400, True)
        connection.request("GET", "/nowhere")
        response = connection.getresponse()
        assert response.status == 404
        response.read()
        connection.close()


def test_the_command_prints_its_port(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"replies": {"ping": "pong"}, "queue": ["500"]}))
    command = [sys.executable, "-m", "testing.model_server", "--port", "0", "--script", str(script)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as child:
        try:
            port = json.loads(child.stdout.readline())["port"]
            assert post(port, "ping")[0] == 500
            assert text_of(post(port, "ping")) == "pong"
        finally:
            child.kill()


def test_orders_are_read_strictly_but_prompts_may_hold_brackets():
    assert parse("429 x2 retry-after=date+1") == Order("429", 2, {"retry-after": "date+1"})
    assert in_model_name("bad-503-x1") == Order("503", 1)
    assert in_model_name("good") is None
    assert in_prompt("if [[ -f x ]]; then") is None
    assert in_prompt("[[made up order]]") is None
    with pytest.raises(ValueError, match="unknown order"):
        parse("explode")
    with pytest.raises(ValueError, match="unknown word"):
        parse("429 twice")
