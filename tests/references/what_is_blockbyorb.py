def nothing(messages):
    return ""


SERVER = """```python
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

LEVELS = json.load(open("levels.json"))

class Tanks(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/gauge.svg":
            tank = parse_qs(url.query).get("tank", ["north"])[0]
            width = 2 * LEVELS.get(tank, 0)
            body = f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><rect width="{width}" height="50" fill="#0060c0"/></svg>'
            kind = "image/svg+xml"
        elif url.path == "/levels.js":
            body = "window.levels = " + json.dumps(LEVELS) + ";"
            kind = "text/javascript; charset=utf-8"
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(body.encode())

ThreadingHTTPServer(("127.0.0.1", 8790), Tanks).serve_forever()
```"""

RIGHT = {
    "TestWhatIsBlockByORB": [
        "ORB is Opaque Response Blocking: an `<img>` or `<script>` from another origin must have a type that fits. Yours "
        "says text/html, and nosniff forbids the browser to look for itself.\n\n" + SERVER,
        SERVER.replace('kind = "image/svg+xml"', 'kind = "image/svg+xml; charset=utf-8"')
        .replace('kind = "text/javascript; charset=utf-8"', 'kind = "application/javascript"')
        .replace(
            "        self.end_headers()",
            '        self.send_header("Cross-Origin-Resource-Policy", "cross-origin")\n        self.end_headers()',
        )
        .replace("ThreadingHTTPServer((", 'if __name__ == "__main__":\n    ThreadingHTTPServer(('),
    ]
}

WRONG = {
    "TestWhatIsBlockByORB": [
        nothing,
        # the name is right, the cure is not
        "ORB is Opaque Response Blocking, so allow it with CORP.\n\n"
        + SERVER.replace('"Content-Type", kind', '"Content-Type", "text/html; charset=utf-8"').replace(
            "        self.end_headers()",
            '        self.send_header("Cross-Origin-Resource-Policy", "cross-origin")\n        self.end_headers()',
        ),
        SERVER.replace('        self.send_header("X-Content-Type-Options", "nosniff")\n', ""),
        SERVER.replace('"text/javascript; charset=utf-8"', '"application/json"'),
        SERVER.replace('"image/svg+xml"', '"image/svg"'),
        "```python\n# Content-Type: image/svg+xml\nprint('ready')\n```",
    ]
}
