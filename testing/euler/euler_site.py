"""A small site of the structure of the problems' site: statements, files, pictures, pages of statistics."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAMES = (
    '<p>Using <a href="resources/documents/0022_names.txt">names.txt</a> (right click), a 46K text file.</p>'
)
GRID = '<p class="monospace center">08 02 <span class="red"><b>26</b></span><br>\n49 49 99<br></p>'
BOARD = (
    '<p>The board is $10 \\times 10$ &amp; looks so:</p>\n<table class="p084"><tr><td>GO</td><td>A1</td></tr>'
    "<tr><td>H2</td><td></td></tr></table>"
    '<div class="center"><img src="resources/images/0084.png?1678992052" class="dark_img" alt="board"></div>'
)
ROW = (
    '<tr><td class="id_column">{0}</td><td><a href="problem={0}" title="Published on Friday">{1}</a></td>'
    '<td><div class="center">{2}</div></td></tr>'
)


def archive(*rows):
    body = "".join(ROW.format(*row) for row in rows)
    other = "<table><tr><td>7</td><td>not this</td><td>1</td></tr></table>"
    head = f'{other}<table id="problems_table" class="grid">'
    return (
        f"<html><body>{head}<tr><th>ID</th><th>Title</th><th>Solved By</th></tr>{body}</table></body></html>"
    )


PAGES = {
    "/minimal=11": f"<p>In the grid below</p>\n{GRID}\n<p>Find $a &lt; b$ for 10<sup>12</sup>.</p>",
    "/minimal=22": f"<p>Sort <b>all</b> names.</p>\n{NAMES}",
    "/minimal=84": BOARD,
    "/minimal=950": "<p>A new problem.</p>",
    "/minimal=951": "\n",
    "/resources/documents/0022_names.txt": '"MARY","ANN"',
    "/resources/images/0084.png": "PNG",
    "/archives;page=1": archive((11, "Largest Product in a Grid", 250226), (22, "Names Scores", 150000)),
    "/archives;page=2": archive((84, "Monopoly Odds", 12000), (950, "A New One", 321)),
    "/archives;page=3": archive(),
    "/answers.txt": "Answers\n\n 11. 70600674\n22. 871198282\n950. 2.5e7\n\n",
}


class EulerSite:
    """`asked`: every request's path in order, `at` when; `failures`: path -> statuses to answer first."""

    def __init__(self):
        self.pages, self.failures = dict(PAGES), {}
        self.asked, self.at, self.agents = [], [], Counter()

    def __enter__(self):
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.partition("?")[0]
                site.asked.append(path)
                site.at.append(time.monotonic())
                site.agents[self.headers["user-agent"]] += 1
                statuses = site.failures.get(path, [])
                status = statuses.pop(0) if statuses else 200 if path in site.pages else 404
                page = site.pages.get(path, "") if status == 200 else ""
                body = page if isinstance(page, bytes) else page.encode()
                if body.startswith(b"->"):  # a redirect
                    self.send_response(302)
                    self.send_header("location", body[2:].decode())
                    body = b""
                else:
                    self.send_response(status)
                if status == 429:
                    self.send_header("retry-after", "0")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(10)
