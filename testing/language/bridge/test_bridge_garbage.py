"""What is no request: it is answered or dropped, by the relay or the host, and does no harm."""

import asyncio
import json

import pytest

from assay.language.bridge import server
from assay.language.bridge.asked import NoMoreCalls
from assay.records import Completion
from testing.language.bridge.on_a_pty import bridged

CHAT = b"/v1/chat/completions"
QUESTION = json.dumps({"messages": [{"role": "user", "content": "hi"}]}).encode()


def post(headers, body=b""):
    return b"POST %s HTTP/1.1\r\n%s\r\n\r\n%s" % (CHAT, headers, body)


WHOLE = post(b"content-length: %d" % len(QUESTION), QUESTION)

# Name -> (what is sent, the status of the answer; None if the connection is closed without one).
GARBAGE = {
    "noise": (bytes(range(1, 256)) * 40 + b"\r\n\r\n", None),
    "no end of the first line": (b"G" * 200_000, 414),
    "no such version": (b"GET / HTTP/9.9\r\n\r\n", None),
    "an endless header": (b"GET / HTTP/1.1\r\nx: " + b"y" * 200_000, 431),
    "endless headers": (b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 2000, 431),
    "another method": (b"DELETE /v1/models HTTP/1.1\r\n\r\n", 501),
    "a path that is not there": (b"GET /etc/passwd HTTP/1.1\r\n\r\n", 404),
    "the right path, read": (b"GET %s HTTP/1.1\r\n\r\n" % CHAT, 404),
    "a huge length": (post(b"content-length: 99999999999999", QUESTION), 400),
    "a negative length": (post(b"content-length: -1", QUESTION), 400),
    "a length that is none": (post(b"content-length: many", QUESTION), 400),
    "a length of many digits": (post(b"content-length: " + b"9" * 5000, QUESTION), 400),
    "a negative chunk": (post(b"transfer-encoding: chunked", b"-1\r\n" + QUESTION), 400),
    "a huge chunk": (post(b"transfer-encoding: chunked", b"FFFFFFFFFF\r\n" + QUESTION), 400),
    "a chunk that is none": (post(b"transfer-encoding: chunked", b"what?\r\n"), 400),
    "half a body that is JSON itself": (post(b"content-length: 5000", QUESTION), 400),
    "nothing": (b"", None),
}


async def told(address, data):
    """The status of the answer to raw bytes, after which the client sends no more; None for no
    answer, or one of a time before there was a status."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
    try:
        writer.write(data)
        writer.write_eof()
        line = (await asyncio.wait_for(reader.readline(), 60)).split()
    except OSError:
        return None
    finally:
        writer.close()
    return int(line[1]) if line and line[0].startswith(b"HTTP/") else None


def asking(ask, answer=None):
    calls = []

    async def reply(asked):
        calls.append(asked)
        return Completion("hello")

    async def work():
        async with bridged(answer or reply) as (address, bridge, _):
            return await ask(address, bridge)

    return asyncio.run(work()), calls


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_answered_or_dropped_and_the_next_request_is_served(name):
    data, status = GARBAGE[name]

    async def ask(address, bridge):
        return await told(address, data), await told(address, WHOLE), bridge.failure

    (found, next_one, failure), calls = asking(ask)
    # a client that sends on while it is refused may find the connection closed before it reads why
    assert found == status or (found is None and len(data) > 100_000)
    assert (next_one, failure, len(calls)) == (200, None, 1), "the model was asked for what was no request"


@pytest.mark.slow(3)
def test_clients_that_say_nothing_hold_nobody_up_and_are_bounded():
    async def ask(address, bridge):
        port = int(address.rpartition(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(100)]
        first = await told(address, WHOLE)
        tasks = [asyncio.create_task(asyncio.open_connection("127.0.0.1", port)) for _ in range(1000)]
        await asyncio.sleep(0.5)
        for each in tasks:
            each.cancel()
        more = [
            each for each in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(each, tuple)
        ]
        for _, writer in (*silent, *more):
            writer.transport.abort()
        return first, await told(address, WHOLE)

    found, calls = asking(ask)
    assert (found, len(calls)) == ((200, 200), 2)


@pytest.mark.parametrize("body", [b"[" * 1000, QUESTION], ids=["unreadable", "beyond the limit"])
def test_requests_that_are_refused_again_and_again_are_not_read_any_more(body, monkeypatch):
    monkeypatch.setattr(server, "MOST_REFUSED", 3)
    answered = []

    async def answer(asked):
        answered.append(asked)
        raise NoMoreCalls("no more")

    async def ask(address, bridge):
        wrong = post(b"content-length: %d" % len(body), body)
        return [await told(address, wrong) for _ in range(6)], await told(address, WHOLE)

    (refused, then), _ = asking(ask, answer)
    assert (refused, then) == ([400] * 6, 400)
    assert len(answered) == (3 if body == QUESTION else 0)
