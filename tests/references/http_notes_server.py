import json


def nothing(messages):
    return ""


SERVER = """import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import unquote, urlsplit

notes = {}
lock = Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b"", kind="application/octet-stream"):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def name(self):
        path = urlsplit(self.path).path
        prefix = "/notes/"
        return unquote(path[len(prefix):]) if path.startswith(prefix) and len(path) > len(prefix) else None

    def do_GET(self):
        if urlsplit(self.path).path == "/notes":
            with lock:
                names = sorted(notes)
            return self.answer(200, json.dumps(names).encode(), "application/json")
        with lock:
            body = notes.get(self.name())
        return self.answer(404) if body is None else self.answer(200, body)

    def do_PUT(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        name = self.name()
        if name is None:
            return self.answer(404)
        with lock:
            new = name not in notes
            notes[name] = body
        return self.answer(201 if new else 204)

    def do_DELETE(self):
        with lock:
            found = notes.pop(self.name(), None)
        return self.answer(404 if found is None else 204)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8765), Handler).serve_forever()
"""

ASYNC = """import asyncio, json
from urllib.parse import unquote_to_bytes

NOTES = {}
WORDS = {200: "OK", 201: "Created", 204: "No Content", 404: "Not Found"}

def respond(method, path, body):
    if path == "/notes" and method == "GET":
        return 200, json.dumps(sorted(NOTES), ensure_ascii=False).encode(), "application/json; charset=utf-8"
    if not path.startswith("/notes/"):
        return 404, b"no such page", "text/plain"
    name = unquote_to_bytes(path[7:]).decode()
    if method == "PUT":
        status = 204 if name in NOTES else 201
        NOTES[name] = body
        return status, b"", None
    if name not in NOTES:
        return 404, b"no such note", "text/plain"
    if method == "DELETE":
        del NOTES[name]
        return 204, b"", None
    return (200, NOTES[name], "application/octet-stream") if method == "GET" else (404, b"", None)

async def client(reader, writer):
    try:
        head = (await reader.readuntil(b"\\r\\n\\r\\n")).decode("latin-1").split("\\r\\n")
        method, path, _ = head[0].split(" ")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        status, out, kind = respond(method, path, body)
        lines = [f"HTTP/1.1 {status} {WORDS[status]}", "Connection: close"]
        if status != 204:
            lines.append(f"Content-Length: {len(out)}")
        if kind:
            lines.append(f"Content-Type: {kind}")
        writer.write("\\r\\n".join(lines + ["", ""]).encode() + (b"" if status == 204 else out))
        await writer.drain()
    except (asyncio.IncompleteReadError, ValueError, ConnectionError):
        pass
    finally:
        writer.close()

async def main():
    server = await asyncio.start_server(client, "127.0.0.1", 8765)
    await server.serve_forever()

asyncio.run(main())
"""


def files(server, start="exec python3 server.py\n"):
    return "```json\n" + json.dumps({"server.py": server, "start.sh": start}, indent=1) + "\n```"


RIGHT = {
    "TestHTTPNotesServer": [
        files(SERVER),
        json.dumps(
            {"start.sh": '#!/bin/bash\ncd "$(dirname "$0")"\npython3 server.py\n', "server.py": ASYNC}
        ),
    ]
}

WRONG = {
    "TestHTTPNotesServer": [
        nothing,
        files(SERVER.replace("ThreadingHTTPServer", "HTTPServer")),  # one client at a time
        files(SERVER.replace("unquote(path[len(prefix):])", "path[len(prefix):]")),
        files(SERVER.replace("201 if new else 204", "201")),
        files(SERVER.replace("notes[name] = body", "notes[name] = body.decode(errors='replace').encode()")),
        files(SERVER.replace("8765", "8000")),
        files("# PUT /notes/NAME answers 201\nprint('serving on 127.0.0.1:8765')\n"),
    ]
}
