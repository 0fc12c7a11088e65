from evaluator import *

DESCRIPTION = "Can the model write a small HTTP server that behaves when it is started and really queried?"
TAGS = ["code", "python", "http", "json"]

question = """
I want a tiny notes server for the programs on this machine, python standard library only. Give me two files as one JSON object that
maps file name to content: "server.py" and "start.sh" (which I start with bash start.sh; it should serve on
127.0.0.1:8765 until it's killed). Notes are kept in memory.

PUT /notes/NAME      stores the request's body (any bytes) under NAME, answers 201 if it's new and 204 if it was replaced
GET /notes/NAME      200 with exactly these bytes, or 404
DELETE /notes/NAME   204, or 404
GET /notes           200, application/json, the list of all names, sorted
everything else      404

NAME is never empty and can be percent-encoded (valid utf-8, may contain an encoded slash but no plain one). No other methods,
no query strings. A slow client must not block the others.
"""


def serves_notes():
    import http.client
    import json
    import socket
    import subprocess
    import time

    server = subprocess.Popen(["bash", "start.sh"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ask(method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", 8765, timeout=3)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            return response.status, response.read(), response.headers.get_content_type()
        finally:
            connection.close()

    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", 8765), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        everything = bytes(range(256)) * 300
        slow = socket.create_connection(("127.0.0.1", 8765), timeout=3)
        slow.sendall(b"PUT /notes/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
        steps = {
            "no notes": json.loads(ask("GET", "/notes")[1]) == [],
            "new": ask("PUT", "/notes/b", b"first")[0] == 201,
            "replaced": ask("PUT", "/notes/b", everything)[0] == 204,
            "read": ask("GET", "/notes/b")[:2] == (200, everything),
            "empty": ask("PUT", "/notes/a", b"")[0] == 201 and ask("GET", "/notes/a")[:2] == (200, b""),
            "encoded": ask("PUT", "/notes/%C3%A9t%C3%A9%2F%31", b"x")[0] == 201,
            "same name": ask("GET", "/notes/%c3%a9t%c3%a9%2f1")[:2] == (200, b"x"),
            "list": json.loads(ask("GET", "/notes")[1]) == ["a", "b", "été/1"],
            "type": ask("GET", "/notes")[2] == "application/json",
            "missing": ask("GET", "/notes/c")[0] == 404
            and ask("GET", "/other")[0] == 404
            and ask("GET", "/")[0] == 404,
            "delete": ask("DELETE", "/notes/b")[0] == 204 and ask("DELETE", "/notes/b")[0] == 404,
            "gone": ask("GET", "/notes/b")[0] == 404
            and json.loads(ask("GET", "/notes")[1]) == ["a", "été/1"],
        }
        slow.sendall(b"defghij")
        slow.recv(1000)
        steps["slow one"] = ask("GET", "/notes/slow")[1] == b"abcdefghij"
        slow.close()
        return all(steps.values()), "not right: " + ", ".join(
            name for name, good in steps.items() if not good
        )
    finally:
        server.kill()


TestHTTPNotesServer = (
    question >> LLMRun() >> ExtractJSON() >> MakeFilesFromJSON() >> PyEvaluator(serves_notes)
)

if __name__ == "__main__":
    print(run_test(TestHTTPNotesServer))
