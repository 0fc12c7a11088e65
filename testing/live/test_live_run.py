"""--live as its reader has it: a real run on a slow model, in a real Chromium."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from assay.report.live.reporter import Reporter, Source
from assay.report.live.server import listen
from assay.report.packs import number_of
from assay.results.store import Store
from testing.harness.commanding import Workspace
from testing.model_server import ModelServer
from testing.report.browser import chromium
from testing.report.demo_suite import demo_records

pytestmark = pytest.mark.timeout(240)
RUN = ("--run-tests", "--model", "local/m", "--model", "local/n", "--live")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium(1400, 500, log=True) as driver:
        yield driver


class Slow(ModelServer):
    """A model that answers as often as `gate` was released: what is seen then does not depend on how busy
    this machine is."""

    def __init__(self) -> None:
        self.gate = threading.Semaphore(0)
        super().__init__(reply=self._reply)

    def _reply(self, asked: object) -> str:
        self.gate.acquire()
        return "the answer"

    def __exit__(self, *error: object) -> None:
        self.gate.release(10_000)  # else it could not stop
        super().__exit__(*error)


@pytest.fixture
def slow() -> Iterator[Slow]:
    with Slow() as server:
        yield server


class Run:
    """A process of main.py whose stderr is read as it comes."""

    def __init__(self, work: Workspace, *flags: str) -> None:
        self.process = work.start(*flags)
        self.said: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        self._reader.join(30)
        self.process.stdout.close()
        self.process.stderr.close()

    def _read(self) -> None:
        self.said.extend(iter(self.process.stderr.readline, ""))

    def line(self, pattern: str) -> re.Match[str]:
        return until(lambda: re.search(pattern, "".join(self.said)), self.said)

    @property
    def url(self) -> str:
        return self.line(r"live report: (\S+)")[1]

    def end(self) -> int:
        return self.process.wait(60)


def until(found: Any, context: Any = "", timeout: float = 60.0) -> Any:
    deadline = time.monotonic() + timeout
    while not (value := found()):
        assert time.monotonic() < deadline, f"waited in vain: {context}"
        time.sleep(0.05)
    return value


def cells(page: Any) -> dict[str, str]:
    """Test and column -> what its cell shows."""
    return page.execute_script(
        "var found = {}; document.querySelectorAll('.matrix tbody tr:not(.suite)').forEach(function (tr) {"
        " tr.querySelectorAll('td:not(.t):not(.about)').forEach(function (td, at) {"
        " if (td.textContent) found[tr.firstElementChild.textContent + ' ' + at] = td.textContent; }); });"
        " return found;"
    )


def status(page: Any) -> str:
    return page.find_element(By.ID, "live").text


def count(page: Any, css: str) -> int:
    return page.execute_script("return document.querySelectorAll(arguments[0]).length", css)


def made(folder: Path, server: ModelServer, tests: int, **config: Any) -> Workspace:
    work = Workspace(folder, server, max_connections=1, **config)
    work.many_tests(tests)
    return work


@pytest.mark.slow(8)
def test_cells_appear_one_after_another_and_the_reader_is_left_in_peace(
    tmp_path: Path, browser: Any, slow: Slow
) -> None:
    work = made(tmp_path, slow, 20)
    with Run(work, *RUN) as run:
        browser.get(run.url)
        until(lambda: count(browser, ".matrix td.running"))
        assert count(browser, ".matrix tbody tr:not(.suite)") == 20  # all that is planned, from the start
        browser.find_element(By.ID, "text").send_keys("Test01")  # 10 rows
        Select(browser.find_element(By.ID, "sort")).select_by_visible_text("by local/n")
        browser.find_element(By.ID, "text").click()
        browser.execute_script("document.querySelector('.matrix').style.maxHeight = '9rem'")
        browser.execute_script("document.querySelector('.matrix').scrollTop = 30; window.scrollTo(0, 60)")
        headlines, bars = set(), set()
        for number in (1, 2, 5, 6, 12):
            slow.gate.release(number - len(cells(browser)))
            until(lambda number=number: len(cells(browser)) == number, f"{number} cells")
            where = browser.execute_script("return [document.querySelector('.matrix').scrollTop, scrollY]")
            assert where == [30, 60]
            headlines.add(browser.find_element(By.TAG_NAME, "h1").text)
            bars.add(browser.find_element(By.CSS_SELECTOR, "#totals tbody").text)
        assert len(headlines) == len(bars) == 5
        assert browser.switch_to.active_element.get_attribute("id") == "text"
        assert browser.find_element(By.ID, "shown").text == "10 of 20 shown"
        link = browser.find_element(By.CSS_SELECTOR, ".matrix td.q10 a").get_attribute("href")
        data = f"{link.rpartition('/cells/')[0]}/data/{number_of(link)}.js"
        with urllib.request.urlopen(link) as page, urllib.request.urlopen(data) as shown:  # in mid-run
            assert b"</html>" in page.read()
            assert "reply to" in (text := shown.read().decode()) or "answer" in text
        slow.gate.release(28)
        until(lambda: "ended" in status(browser))
        everything = cells(browser)
        assert len(everything) == 40 and set(everything.values()) == {"1/1"}
        assert re.search(r"ended after .* 40 of 40 trials .*report/index\.html", status(browser))
        assert not count(browser, ".matrix td.running") and not count(browser, ".matrix td a[href]")
        assert run.end() == 0
        with pytest.raises(OSError):
            urllib.request.urlopen(run.url, timeout=5)
        assert (tmp_path / "report" / "index.html").is_file()
        browser.get((tmp_path / "report" / "index.html").as_uri())
        assert cells(browser) == everything  # the page has shown what the written report says
        assert [entry for entry in browser.get_log("browser") if entry["source"] != "network"] == []


@pytest.mark.slow(4)
def test_ctrl_c_is_told_to_the_page_and_ends_its_server(tmp_path: Path, browser: Any, slow: Slow) -> None:
    with Run(made(tmp_path, slow, 20), *RUN) as run:
        browser.get(run.url)
        slow.gate.release(3)
        until(lambda: len(cells(browser)) == 3)
        run.process.send_signal(signal.SIGINT)
        until(lambda: "stopped" in status(browser))
        assert run.end() == 130
        with pytest.raises(OSError):
            urllib.request.urlopen(run.url, timeout=5)


def test_a_run_outlives_its_page(tmp_path: Path, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what is killed leaves its folder
    with Run(made(tmp_path, slow, 5), *RUN) as run:
        port, secret = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(\S+)/", run.url).groups()
        until(lambda: b"running" in _get(port, f"/{secret}/changes"))
        parent = f"\nPPid:\t{run.process.pid}\n".encode()
        commands = [
            path
            for path in Path("/proc").glob("[0-9]*/cmdline")
            if b"assay.report.live.process" in _read(path)
        ]
        (child,) = [path.parent.name for path in commands if parent in _read(path.with_name("status"))]
        os.kill(int(child), signal.SIGKILL)
        slow.gate.release(100)
        run.line("the live report has stopped .*; the run continues")
        assert run.end() == 0
        assert "10/10 trials" in "".join(run.said)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


def _get(port: str, path: str, **headers: str) -> bytes:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        try:
            connection.request("GET", path, headers=headers)
            return connection.getresponse().read()
        except OSError:
            return b""


def test_a_taken_port_ends_the_command_before_anything_is_asked(tmp_path: Path, slow: Slow) -> None:
    work = made(tmp_path, slow, 1)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        _, err = work.main(*RUN, port, code=1)
    assert f"error: --live {port}: cannot serve on that port" in err and not work.lines()
    for flags, said in ((("--list", "--live"), "goes with"), ((*RUN, "99999"), "is not a port")):
        assert said in work.main(*flags, code=1)[1]


# ---------------------------------------------------------------- what is saved, and what others add


@contextlib.contextmanager
def saved_report(work: Workspace) -> Iterator[tuple[Store, str]]:
    """--load-saved --live over records that a test writes: their file, and the page's address."""
    with (
        Store(work.results / "c" / "m" / "run-1.jsonl", work.results / "images") as store,
        Run(work, "--load-saved", "--live") as run,
    ):
        yield store, run.url
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 0 and "Traceback" not in "".join(run.said)


@pytest.mark.slow(8)
def test_saved_results_are_served_with_their_suites_and_refreshed(tmp_path: Path, browser: Any) -> None:
    work = Workspace(tmp_path)
    (work.tests / "demo").mkdir()
    shutil.copy("testing/report/demo_suite.py", work.tests / "demo" / "suite.py")
    records = demo_records(models=("aurora/heron-4-large", "fjord/petrel-9"), size=3)
    with saved_report(work) as (store, url):
        browser.get(url)
        until(lambda: "1 run in progress" in status(browser))
        assert count(browser, ".matrix tbody tr:not(.suite)") == 0
        for each in records[::2]:
            store.append(each)
        until(lambda: len(cells(browser)) == 9)
        until(lambda: count(browser, "#suite-demo table"), "the suite's part")
        figure = browser.find_element(By.CSS_SELECTOR, "#suite-demo img").get_attribute("src")
        with urllib.request.urlopen(figure) as picture:
            assert picture.headers["Content-Type"] == "image/svg+xml" and b"<svg" in picture.read()
        browser.find_element(By.CSS_SELECTOR, "#suite-demo table thead button").click()
        browser.find_element(By.ID, "text").send_keys("3")
        for each in records[1::2]:
            store.append(each)
        until(lambda: len(cells(browser)) == 18)
        until(lambda: count(browser, "#suite-demo tbody tr") >= 2, "the suite's part, once more")
        assert browser.find_element(By.CSS_SELECTOR, "#suite-demo thead th").get_attribute("aria-sort")
        assert browser.find_element(By.ID, "text").get_attribute("value") == "3"
        assert browser.find_element(By.ID, "shown").text == "5 of 9 shown"
        second = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(url)
        assert len(cells(browser)) == 18
        page = browser.find_element(By.CSS_SELECTOR, "#suite-demo .pages a").get_attribute("href")
        browser.get(page)
        assert "demo--" in browser.current_url and count(browser, "main")
        browser.close()
        browser.switch_to.window(second)


def test_only_the_reports_files_are_served_and_only_to_this_origin(tmp_path: Path, browser: Any) -> None:
    work = Workspace(tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    with saved_report(work) as (store, url):
        store.append(demo_records(size=1)[0])
        port, secret = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]{16})/", url).groups()
        page = until(lambda: re.search(r"cells/[a-z0-9-]+\.html", _get(port, f"/{secret}/").decode()))[0]
        data = f"data/{number_of(page)}.js"
        assert b"assayCells({" in _get(port, f"/{secret}/{data}")
        assert b"long multiplication" in _get(port, f"/{secret}/{data}").lower()
        browser.get(f"{url}{page}")
        assert "long multiplication" in browser.find_element(By.TAG_NAME, "main").text.lower()
        for path in (
            "/",
            "/changes",
            f"/{page}",
            f"/{data}",
            f"/{secret}",
            f"/{secret}x/",
            f"/{'A' * 16}/",
            "//",
            "/%C3%A9/",
        ):
            assert _get(port, path).startswith(b"Not found"), "another user of this machine"
        for path in (
            "../secret.txt", "cells/../../secret.txt", "%2e%2e/secret.txt", "/etc/passwd",
            "cells/none-0123456789.html", f"images/{'0' * 64}.png",
        ):  # fmt: skip
            assert _get(port, f"/{secret}/{path}").startswith(b"Not found")
        away = _get(port, f"http://evil.example/{secret}/{page}")
        assert away.startswith((b"Not found", b"this server answers for 127.0.0.1 only"))
        assert b"127.0.0.1 only" in _get(port, "/", Host="evil.example")
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            connection.request("POST", "/changes", body="x" * 100)
            answer = connection.getresponse()
            assert answer.status == 405 and answer.headers["Allow"] == "GET"
            connection.request("GET", f"/{secret}/")
            headers = connection.getresponse().headers
        assert "access-control-allow-origin" not in headers and headers["X-Frame-Options"] == "DENY"
        with socket.socket() as outside:  # bound to this machine's own address only
            outside.settimeout(5)
            own = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
            for there in own - {"127.0.0.1"}:
                assert outside.connect_ex((str(there), int(port))) != 0
        assert _stolen(browser, url) == {"fetch": "refused", "script": "refused", "frame": ""}


class Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>another origin</title>")

    def log_message(self, *_: Any) -> None: ...


def _stolen(browser: Any, url: str) -> dict[str, str]:
    """What a page of another port of this machine gets of a live report."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.get(f"http://localhost:{server.server_address[1]}/")
        found = browser.execute_async_script(
            """
            var url = arguments[0], done = arguments[1], found = {};
            fetch(url + "changes").then(r => r.text(), () => "refused").then(function (text) {
              found.fetch = text;
              var script = document.createElement("script");
              script.onload = () => { found.script = "ran"; framed(); };
              script.onerror = () => { found.script = "refused"; framed(); };
              script.src = url + "changes"; document.head.append(script);
            });
            function framed() {
              var frame = document.createElement("iframe");
              frame.onload = function () {
                try { found.frame = frame.contentDocument ? frame.contentDocument.body.textContent : ""; }
                catch (e) { found.frame = ""; }
                done(found);
              };
              frame.src = url; document.body.append(frame);
            }
            """,
            url,
        )
        server.shutdown()
    return json.loads(json.dumps(found))


def test_a_server_that_was_never_started_ends_at_once(tmp_path: Path) -> None:
    """Ctrl-C while the saved trials are being read."""
    source = Source(list, tmp_path, [])
    ended = threading.Event()

    def use() -> None:
        with Reporter(listen(0), "secret", source, print):
            pass
        ended.set()

    threading.Thread(target=use, daemon=True).start()
    assert ended.wait(20)


def test_sigterm_takes_the_pages_folder_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    work = Workspace(tmp_path / "w")
    with (
        Store(work.results / "c" / "m" / "run-1.jsonl", work.results / "images"),
        Run(work, "--load-saved", "--live") as run,
    ):
        assert run.url and list(tmp_path.glob("assay-live-*"))
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 0
    assert not list(tmp_path.glob("assay-live-*"))


def test_the_page_s_process_runs_no_module_of_the_working_directory(tmp_path: Path, slow: Slow) -> None:
    work = made(tmp_path, slow, tests=1)
    (work.folder / "queue.py").write_text("open('imported', 'w')\nraise SystemExit('mine')\n")
    with Run(work, "--run-tests", "--model", "local/m", "--live") as run:
        assert run.url
        slow.gate.release(1)
        assert run.end() == 0
    assert not (work.folder / "imported").exists()
    assert "the live report has stopped" not in "".join(run.said)
