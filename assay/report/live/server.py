"""A web server for one reader on this machine. It answers GET for the report's own files and nothing else.

Another page that is open in the same browser must not read a run: requests for another host name (DNS
rebinding) or from another origin's page are refused, and nothing may frame or embed what is served. Other
users of this machine lack the secret that begins every path.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from assay.errors import ConfigError
from assay.report.live.pages import Pages

HOST = "127.0.0.1"
NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})  # ::1: a forwarded port of another machine
IDLE_S = 30.0
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",  # each page has the rest, about its scripts
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address; port 0: any free one. Raises ConfigError for a port in use."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((HOST, port))
        made.listen(64)
    except (OSError, OverflowError) as error:
        made.close()
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise ConfigError(
            f"--live {port}: cannot serve on that port: {why}; "
            "choose another port, or leave it out to take a free one"
        ) from None
    return made


def new_secret() -> str:
    return secrets.token_urlsafe(12)


def address(listening: socket.socket, secret: str) -> str:
    return f"http://{HOST}:{listening.getsockname()[1]}/{secret}/"


def refusal(method: str, headers: Any) -> tuple[HTTPStatus, str] | None:
    """Why a request is refused; None if it is not. `headers`: an email.message.Message."""
    hosts = headers.get_all("Host") or []
    if len(hosts) != 1:
        return HTTPStatus.BAD_REQUEST, "exactly one Host header is required"
    name, _, port = hosts[0].strip().lower().rpartition(":")
    if not port.isdecimal() or not name:
        name = hosts[0].strip().lower()
    if name not in NAMES:
        return HTTPStatus.MISDIRECTED_REQUEST, "this server answers for 127.0.0.1 only"
    if method != "GET":
        return HTTPStatus.METHOD_NOT_ALLOWED, "GET only"
    if (origin := headers.get("Origin")) and origin.lower() != f"http://{hosts[0].strip().lower()}":
        return HTTPStatus.FORBIDDEN, "requests from pages of another origin are refused"
    site = headers.get("Sec-Fetch-Site", "none")
    visits = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
    if site not in ("none", "same-origin") and not visits:
        return HTTPStatus.FORBIDDEN, "requests from pages of another origin are refused"
    return None


class Server(ThreadingHTTPServer):
    """Serve `pages` on a listening socket, to those who know the secret."""

    daemon_threads = True

    def __init__(self, listening: socket.socket, secret: str, pages: Pages) -> None:
        super().__init__((HOST, 0), Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_address = listening.getsockname()
        self.pages, self.secret = pages, secret
        self._thread = threading.Thread(target=self.serve_forever, name="assay-live", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        if self._thread.is_alive():  # else shutdown() would wait forever
            self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that disconnected."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "Assay", ""
    timeout = IDLE_S
    server: Server

    def answer(self) -> None:
        if (refused := refusal(self.command, self.headers)) is not None:
            self._send(refused[0], "text/plain; charset=utf-8", refused[1].encode(), close=True)
            return
        asked = urlsplit(self.path)
        secret, slash, path = asked.path.removeprefix("/").partition("/")
        if asked.netloc or not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            text = b"Not found. The terminal of the run shows the address of its live report."
            self._send(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", text)
            return
        query = parse_qs(asked.query[:200])

        def number(name: str) -> int:
            text = query.get(name, [""])[0]
            return int(text) if text.isdecimal() and len(text) < 10 else -1

        found = self.server.pages.find(f"/{path}", number) if slash else None  # the links need the slash
        if path == "changes":
            self.server.pages.note_reader(self.headers.get("User-Agent", "") + query.get("reader", [""])[0])
        if found is None:
            text = b"Not found. A test has a page once its first trial has ended."
            self._send(HTTPStatus.NOT_FOUND, "text/plain; charset=utf-8", text)
        else:
            self._send(HTTPStatus.OK, *found)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer

    def _send(self, status: HTTPStatus, kind: str, content: bytes, *, close: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET")
        if close:  # the rest of the request is not read
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: stderr belongs to the run."""
