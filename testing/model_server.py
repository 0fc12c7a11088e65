"""
A local model server for the tests and the benchmark: real sockets, four APIs, orders to misbehave.

`python -m testing.model_server --port 0 --latency 0.05` prints {"port": N} and serves until killed.
In a test, in a thread of its own (`process=True`: a process):

    with ModelServer(replies={"2+2": "4"}) as server:
        ...  # OpenAI: server.url + "/v1"; Anthropic, Ollama: server.url
        assert server.stats()["requests"] == 1

Which reply a request gets: the next order of the queue (`server.script([...])`), else an order in
the model's name or the prompt (see misbehaviour.py), else a random 429 (`fail_rate_429`), else what
the callable `reply` returns, else `replies` (by the whole prompt, then by the first key that the
prompt contains; a list is given out in order for each such prompt), else a fixed text made from the
request. Error messages repeat the caller's key, as careless servers do.

It is measured against, so it is a bare asyncio.Protocol: about 0.1 ms of CPU a request.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import email.utils
import hashlib
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from testing.batch_wire import BatchDesk
from testing.misbehaviour import Order, parse
from testing.model_wire import (
    NO_CHOICES,
    NO_MESSAGE,
    Asked,
    Reply,
    api_of,
    ollama_show,
    ollama_tags,
    read,
    stream_anthropic,
    stream_ollama,
    write,
    write_error,
)
from testing.openai_streams import stream_openai, stream_response

REASONS = {
    200: b"OK",
    400: b"Bad Request",
    401: b"Unauthorized",
    404: b"Not Found",
    429: b"Too Many Requests",
}


class Connection(asyncio.Protocol):
    """One keep-alive connection: requests are answered one after the other."""

    def __init__(self, desk: BatchDesk, loop: asyncio.AbstractEventLoop) -> None:
        self.desk, self.loop = desk, loop
        self.buffer = b""
        self.busy = False
        self.transport: asyncio.Transport
        self.later: list[asyncio.TimerHandle] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.desk.connections += 1

    def connection_lost(self, exc: Exception | None) -> None:
        for handle in self.later:
            handle.cancel()
        self._done()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.busy:
            self._next_request()

    def _next_request(self) -> None:
        head_end = self.buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        lines = self.buffer[:head_end].decode("latin-1").split("\r\n")
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body_end = head_end + 4 + int(headers.get("content-length", 0))
        if len(self.buffer) < body_end:
            return
        body, self.buffer = self.buffer[head_end + 4 : body_end], self.buffer[body_end:]
        method, target, _ = lines[0].split(" ", 2)
        path, _, query = target.partition("?")
        api = api_of(path)
        if api and method == "POST":
            self._ask(api, path, headers, body)
        elif (answer := self.desk.batches.answer(method, path, query, headers, body)) is not None:
            status, content, held = answer
            self.desk.endpoints[f"{method} {path}"] += 1
            if not held:
                self._send(status, content)
            elif held == "results":  # half of them, then silence
                self._write(status, content[: len(content) // 2], length=len(content))
        else:
            self._other(method, path, headers, body)

    def _ask(self, api: str, path: str, headers: dict[str, str], body: bytes) -> None:
        desk = self.desk
        self.busy = True
        desk.requests += 1
        desk.endpoints[path] += 1
        desk.in_flight += 1
        desk.in_flight_max = max(desk.in_flight_max, desk.in_flight)
        digest = hashlib.blake2b(body, digest_size=8).hexdigest()
        desk.prompts[digest] += 1
        desk.repeated_after_answer += digest in desk.answered
        try:
            asked = read(api, body, headers, digest, desk.prompts[digest])
        except (ValueError, KeyError, TypeError, IndexError) as error:
            self._send(400, write_error(api, 400, f"malformed request: {error!r}", "invalid_request"))
            return
        if desk.record:
            desk.log.append(asked)
        given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        order = desk.order_for(asked) if not desk.key or given == desk.key else Order("401")
        delay = desk.latency + (order.seconds(1.0) if order.kind == "slow" else 0.0)
        if delay:
            self.later = [self.loop.call_later(delay, self._obey, order, asked, given)]
        else:
            self._obey(order, asked, given)

    def _obey(self, order: Order, asked: Asked, key: str) -> None:
        kind = order.kind
        if kind == "reset":
            self._reset()
        elif kind.isdigit():
            status = int(kind)
            message = f"ordered to answer {status} for key {key} (authorization: Bearer {key})"
            after = order.options.get("retry-after", "")
            if after.startswith("date+"):
                after = email.utils.formatdate(time.time() + float(after.removeprefix("date+")), usegmt=True)
            head = b"retry-after: %s\r\n" % after.encode() if after else b""
            self._send(status, write_error(asked.api, status, message, order.options.get("code", "")), head)
        elif kind == "error200":
            code = order.options.get("code", "500")
            error = {
                "error": {"code": int(code) if code.isdigit() else code, "message": f"upstream, key {key}"}
            }
            self._send(200, json.dumps(error).encode())
        elif kind == "html":
            self._send(200, b"<html>a proxy's page</html>", content_type=b"text/html")
        else:
            if kind == "say":
                reply = Reply(order.text)
            elif kind in ("cut", "context"):
                reply = Reply(order.text, finish="length" if kind == "cut" else kind)
            elif kind == "tool":
                reply = Reply("", finish="tool_calls")
            elif kind == "upstream":
                reply = Reply("half an ans", finish="error")
            elif kind == "nothing":
                reply = Reply("")
            elif kind == "refusal":
                reply = Reply("I cannot help with that.", finish="refusal")
            elif kind == "filter":
                reply = Reply("", finish="content_filter")
            elif kind in (NO_CHOICES, NO_MESSAGE):
                reply = Reply("", shape=kind)
            else:
                reply = self.desk.reply_to(asked)
            if reply.status != 200:
                error = json.loads(write_error(asked.api, reply.status, reply.text, "")) | reply.extra
                self._send(reply.status, json.dumps(error).encode())
                return
            body, content_type = write(asked, reply), b""
            if asked.api == "openai" and asked.body.get("stream") and kind != "unstreamed":
                usage = bool((asked.body.get("stream_options") or {}).get("include_usage"))
                body, content_type = stream_openai(body, kind, usage), b"text/event-stream"
            if asked.api == "responses" and asked.body.get("stream") and kind != "unstreamed":
                body, content_type = stream_response(body, kind), b"text/event-stream"
            if asked.api == "anthropic" and asked.body.get("stream"):
                body, content_type = stream_anthropic(body, kind == "stream-error"), b"text/event-stream"
            if asked.api == "ollama" and asked.body.get("stream"):
                body, content_type = stream_ollama(body, kind == "stream-error"), b"application/x-ndjson"
            self._answer(kind, order, asked, body, content_type)

    def _answer(self, kind: str, order: Order, asked: Asked, body: bytes, content_type: bytes) -> None:
        half = body[: len(body) // 2]
        if kind == "drip":
            size, pause = len(body) // 10 + 1, order.seconds(0.1)
            self.later = [
                self.loop.call_later(n * pause, self.transport.write, body[at : at + size])
                for n, at in enumerate(range(0, len(body), size), 1)
            ]
            self._write(200, b"", content_type=content_type, length=len(body))
            self.later.append(self.loop.call_later(10 * pause, self._done))
            return
        if kind == "half-json":
            self._send(200, half, content_type=content_type)
        elif kind in ("stall", "truncated", "reset-body"):
            self._write(200, half, content_type=content_type, length=len(body))
            if kind == "stall":
                self.later = [self.loop.call_later(order.seconds(3600.0), self._reset)]
            elif kind == "truncated":
                self._done()
                self.transport.close()
            else:  # after the client has read what came before the reset
                self.later = [self.loop.call_later(0.05, self._reset)]
        else:
            self.desk.answered.add(asked.digest)
            self._send(200, body, content_type=content_type)

    def _write(
        self, status: int, body: bytes, head: bytes = b"", content_type: bytes = b"", length: int = -1
    ) -> None:
        self.desk.statuses[status] += 1
        self.transport.write(
            b"HTTP/1.1 %d %s\r\ncontent-type: %s\r\ncontent-length: %d\r\n%s\r\n%s"
            % (
                status,
                REASONS.get(status, b"Status"),
                content_type or b"application/json",
                len(body) if length < 0 else length,
                head,
                body,
            )
        )

    def _send(self, status: int, body: bytes, head: bytes = b"", content_type: bytes = b"") -> None:
        self._write(status, body, head, content_type)
        self._done()
        if self.buffer:
            self.loop.call_soon(self._next_request)

    def _reset(self) -> None:
        """Close with RST, as a crashed server does."""
        sock = self.transport.get_extra_info("socket")
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self._done()
        self.transport.abort()

    def _done(self) -> None:
        if self.busy:
            self.busy = False
            self.desk.in_flight -= 1

    def _other(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        """The server's own pages and the lists of models. Not counted as requests."""
        desk = self.desk
        found: bytes | None = None
        if path == "/_stats":
            found = json.dumps(desk.stats()).encode()
        elif path == "/_requests":
            found = json.dumps([asked.body for asked in desk.log]).encode()
        elif path == "/_hold":
            desk.batches.hold = set(json.loads(body))
            found = b"{}"
        elif path == "/_reset":
            desk.reset()
            found = b"{}"
        elif path == "/_script":
            desk.queue = deque(parse(order) for order in json.loads(body))
            found = b"{}"
        elif path == "/api/tags":
            found = ollama_tags(desk.models)
        elif path == "/api/show" and method == "POST":
            found = ollama_show(desk.models, body)
        elif path.endswith("/models"):
            found = json.dumps(
                {"object": "list", "data": [{"id": m, "object": "model"} for m in desk.models]}
            ).encode()
        if found is None:
            self._send(404, json.dumps({"error": f"no {method} {path} here"}).encode())
        else:
            self._send(200, found)


async def serve(
    desk: BatchDesk, port: int, ready: Callable[[int], None], stop: asyncio.Event | None = None
) -> None:
    """Serve on 127.0.0.1 until `stop` is set or the task is cancelled; `ready` gets the port."""
    loop = asyncio.get_running_loop()
    open_now: set[Connection] = set()

    class Tracked(Connection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            open_now.add(self)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            open_now.discard(self)

    server = await loop.create_server(lambda: Tracked(desk, loop), "127.0.0.1", port, backlog=1024)
    ready(server.sockets[0].getsockname()[1])
    try:
        await (stop or asyncio.Event()).wait()
    finally:
        server.close()
        for _ in range(5):  # one that has just come takes some turns of the loop to be there
            for connection in list(open_now):
                connection.transport.abort()
            await asyncio.sleep(0)


class ModelServer:
    """The server, in a thread of this process or (`process=True`) in a process of its own."""

    def __init__(self, *, process: bool = False, record: bool = True, **settings: Any) -> None:
        if process and settings.get("reply"):
            raise ValueError("a callable cannot be given to another process; use replies or queue")
        self.process = process
        self.settings = {**settings, "record": record}
        self.port = 0
        self.desk: BatchDesk | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> ModelServer:
        if self.process:
            command = [sys.executable, "-m", "testing.model_server", "--settings", json.dumps(self.settings)]
            root = Path(__file__).resolve().parents[1]
            self._child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root)
            assert self._child.stdout is not None
            line = self._child.stdout.readline()
            if not line:
                self._child.stdout.close()
                raise RuntimeError(f"the model server did not start (exit status {self._child.wait(10)})")
            self.port = json.loads(line)["port"]
            return self
        self.desk = BatchDesk(**self.settings)
        started = threading.Event()

        def ready(port: int) -> None:
            self.port = port
            started.set()

        async def body() -> None:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            assert self.desk is not None
            await serve(self.desk, 0, ready, self._stop)

        self._thread = threading.Thread(target=lambda: asyncio.run(body()), name="model server", daemon=True)
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("the model server did not start within 10 s")
        return self

    def __exit__(self, *_: object) -> None:
        if self.process:
            self._child.kill()
            self._child.wait(10)
            assert self._child.stdout is not None
            self._child.stdout.close()
            return
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _page(self, path: str, body: bytes | None = None) -> Any:
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data=body), timeout=10) as page:
            return json.load(page)

    def stats(self) -> dict[str, Any]:
        """The counts; see Desk.stats."""
        found: dict[str, Any] = self._page("/_stats")
        return found

    def bodies(self) -> list[dict[str, Any]]:
        """The last requests' bodies, oldest first."""
        found: list[dict[str, Any]] = self._page("/_requests")
        return found

    @property
    def asked(self) -> list[Asked]:
        """The last requests, with headers, oldest first (thread mode only)."""
        assert self.desk is not None, "only a server in a thread can be looked into; use bodies()"
        return list(self.desk.log)

    def script(self, orders: Sequence[str]) -> None:
        """The next requests obey these orders, one each, whoever sends them."""
        self._page("/_script", json.dumps(list(orders)).encode())

    def hold(self, *moments: str) -> None:
        """At which moments of a batch the server falls silent: upload, create, results; or fails, error."""
        self._page("/_hold", json.dumps(moments).encode())

    def reset(self) -> None:
        """Forget the counts and the log."""
        self._page("/_reset", b"")


def main() -> None:
    parser = argparse.ArgumentParser(description="A local model server for tests and benchmarks.")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--latency", type=float, default=0.0, metavar="S", help="seconds before each reply")
    parser.add_argument(
        "--fail-rate-429", type=float, default=0.0, metavar="P", help="share of requests refused"
    )
    parser.add_argument("--seed", type=int, default=0, help="for --fail-rate-429")
    parser.add_argument("--key", default="", help="answer 401 to any other key")
    parser.add_argument(
        "--script", type=Path, metavar="FILE", help='JSON: {"replies": {...}, "queue": [...]}'
    )
    parser.add_argument("--record", action="store_true", help="keep the last requests for GET /_requests")
    parser.add_argument("--settings", default="", help=argparse.SUPPRESS)
    args = parser.parse_args()
    settings: dict[str, Any] = json.loads(args.settings) if args.settings else {
        "latency": args.latency,
        "fail_rate_429": args.fail_rate_429,
        "seed": args.seed,
        "key": args.key,
        "record": args.record,
        **(json.loads(args.script.read_text()) if args.script else {}),
    }  # fmt: skip

    def ready(port: int) -> None:
        sys.stdout.write(json.dumps({"port": port}) + "\n")
        sys.stdout.flush()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(BatchDesk(**settings), args.port, ready))


if __name__ == "__main__":
    main()
