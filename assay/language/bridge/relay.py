"""Runs inside the sandbox: an HTTP server on the loopback interface that hands requests to its terminal.

It is the sandbox's, and trusted with nothing: an agent that stops or replaces it harms itself alone. A line
on the terminal is `KIND NUMBER DATA`, with data in base64. Out: R (method and path), D (a part of the body),
E (its end), C (the client is gone). In: H (status and headers as JSON), D, E. The first line out is the port.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import queue
import sys
import termios
import threading
import tty
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PART = 32 << 10  # bytes of a body in a line
MOST = 32 << 20  # bytes of a body
SILENT_S = 3600.0
IDLE_S = 600.0  # of a client, in the middle of a request or between two
MOST_CLIENTS = 128  # others wait until one has gone

numbers = itertools.count(1)
waiting: dict[int, queue.Queue[tuple[str, bytes]]] = {}
lock = threading.Lock()


def say(kind: str, number: int, data: bytes = b"") -> None:
    line = b"%s %d %s\n" % (kind.encode(), number, base64.b64encode(data))
    with lock:
        while line:
            line = line[os.write(1, line) :]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    timeout = IDLE_S

    def body(self) -> bytes:
        """Raises ValueError for one that is too large, cut short, or none."""
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            whole = b""
            while size := int(self.rfile.readline(100).split(b";")[0], 16):
                whole += self.part(size, MOST - len(whole))
                self.rfile.readline(10)
            self.rfile.readline(10)
            return whole
        return self.part(int(self.headers.get("content-length") or 0), MOST)

    def part(self, size: int, most: int) -> bytes:
        if not 0 <= size <= most:
            raise ValueError
        found = self.rfile.read(size)
        if len(found) < size:
            raise ValueError
        return found

    def answer(self) -> None:
        try:
            body = self.body()
        except (OSError, ValueError):
            self.close_connection = True
            return self.send_error(400, f"a body must be whole, and of at most {MOST} bytes")
        number, answers = next(numbers), queue.Queue[tuple[str, bytes]]()
        waiting[number] = answers
        try:
            say("R", number, f"{self.command} {self.path}".encode())
            for at in range(0, len(body), PART):
                say("D", number, body[at : at + PART])
            say("E", number)
            status, headers = json.loads(answers.get(timeout=SILENT_S)[1])
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            while True:
                kind, part = answers.get(timeout=SILENT_S)
                if kind == "E":
                    break
                self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
                self.wfile.flush()
            self.wfile.write(b"0\r\n\r\n")
        except (OSError, ValueError, queue.Empty):
            self.close_connection = True
            say("C", number)
        finally:
            waiting.pop(number, None)

    do_GET = do_POST = answer


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    places = threading.Semaphore(MOST_CLIENTS)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.places.acquire()
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # of one client; the terminal is not for tracebacks


def listen() -> None:
    for line in sys.stdin.buffer:
        kind, number, data = (*line.split(), b"")[:3]
        if (answers := waiting.get(int(number))) is not None:
            answers.put((kind.decode(), base64.b64decode(data)))
    os._exit(0)


def main() -> None:
    tty.setraw(0, termios.TCSANOW)
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=listen, daemon=True).start()
    say("P", server.server_address[1])
    server.serve_forever()


if __name__ == "__main__":
    main()
