from evaluator import *

DESCRIPTION = "Does the model know what ERR_BLOCKED_BY_ORB wants, so that a real browser shows the picture?"
TAGS = ["knowledge", "python", "http", "debug", "visual"]
REQUIRES = ["python:PIL"]

question = """
net::ERR_BLOCKED_BY_ORB, never heard of it. the dashboard (another server) has <img src="http://127.0.0.1:8790/gauge.svg?tank=
north"> and <script src="http://127.0.0.1:8790/levels.js">, both fail with that in chrome, but when I open the urls in a tab
I see something. CORS is allowed for all! nosniff has to stay (audit). I can't change the dashboard, only this:

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
        elif url.path == "/levels.js":
            body = "window.levels = " + json.dumps(LEVELS) + ";"
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(body.encode())

ThreadingHTTPServer(("127.0.0.1", 8790), Tanks).serve_forever()

Please give me the whole corrected file.
"""

# The gauge and the bar below it show whether both came through: the script's numbers set the width of the bar.
dashboard = """<!DOCTYPE html>
<html><body style="margin: 0; background: white">
<img src="http://127.0.0.1:8790/gauge.svg?tank=west" style="display: block">
<script src="http://127.0.0.1:8790/levels.js"></script>
<div id="bar" style="width: 0; height: 50px; background: rgb(0,160,0)"></div>
<script>document.getElementById("bar").style.width = 2 * window.levels.east + "px";</script>
</body></html>
"""


until_it_listens = (
    "for i in $(seq 100); do (: > /dev/tcp/127.0.0.1/8790) 2>/dev/null && break; sleep 0.05; done"
)


def make_levels():
    import json

    with open("levels.json", "w") as file:
        file.write(json.dumps({"north": 0, "west": 30, "east": 80}))


def still_says_nosniff():
    import http.client
    import subprocess

    subprocess.Popen(["bash", "-c", "python3 server.py & " + until_it_listens], stdout=subprocess.PIPE).wait()
    for path, wanted in [("/gauge.svg", 200), ("/levels.js", 200), ("/passwd", 404)]:
        connection = http.client.HTTPConnection("127.0.0.1", 8790, timeout=5)
        connection.request("GET", path)
        answer = connection.getresponse()
        nosniff = (answer.getheader("X-Content-Type-Options") or "").strip().lower() == "nosniff"
        if answer.status != wanted or (wanted == 200 and not nosniff):
            return False, f"{path}: {answer.status} {answer.headers}"
    return True, "as before"


def shows_both(png):
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    blue, green, white = (0, 96, 192), (0, 160, 0), (255, 255, 255)
    wanted = {
        (5, 25): blue,
        (55, 25): blue,
        (65, 25): white,
        (5, 75): green,
        (155, 75): green,
        (165, 75): white,
    }
    found = {at: picture.getpixel(at) for at in wanted}
    return found == wanted, f"{found}"


start = f"bash -c 'python3 server.py & {until_it_listens}; echo rea''dy; wait'"

TestWhatIsBlockByORB = (
    Setup(make_levels)
    >> question
    >> LLMRun()
    >> ExtractCode(lang="python", keep_main=True)
    >> MakeFile("server.py")
    >> StartDockerJob(start, eos_string="ready")
    >> (PyEvaluator(still_says_nosniff) & (dashboard >> SeleniumDraw() >> PyEvaluator(shows_both)))
)

if __name__ == "__main__":
    print(run_test(TestWhatIsBlockByORB))
