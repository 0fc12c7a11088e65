"""The comments of a pull request, as GitHub's API has them, on a local server."""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

BOT, STRANGER = "github-actions[bot]", "stranger"


class GitHub:
    """`comments`: of pull request 7 of o/r. `status` other than 200: what every request is answered with."""

    def __init__(self) -> None:
        self.comments = []
        self.requests = []
        self.status = 200
        github = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                github.requests.append((self.command, self.path, self.headers["Authorization"]))
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                status, found = github.answer(self.command, self.path, json.loads(body) if body else None)
                content = json.dumps(found).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", f"{github.url}/elsewhere")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = answer

            def log_message(self, *args) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def write(self, login, body):
        self.comments.append({"id": 1000 + len(self.comments), "user": {"login": login}, "body": body})
        return self.comments[-1]

    def answer(self, method, path, data):
        if self.status != 200:
            return self.status, {}
        place, query = urlsplit(path).path, parse_qs(urlsplit(path).query)
        if place == "/repos/o/r/issues/7/comments" and method == "POST":
            return 201, self.write(BOT, data["body"])
        if place == "/repos/o/r/issues/7/comments" and method == "GET":
            size, page = int(query["per_page"][0]), int(query["page"][0])
            return 200, self.comments[(page - 1) * size : page * size]
        if method == "PATCH" and (found := re.fullmatch(r"/repos/o/r/issues/comments/(\d+)", place)):
            comment = next(each for each in self.comments if each["id"] == int(found[1]))
            comment["body"] = data["body"]
            return 200, comment
        return 404, {"message": "Not Found"}

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self._server.shutdown()
        self._server.server_close()
