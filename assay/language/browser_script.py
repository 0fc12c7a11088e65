"""Runs inside the sandbox: renders page.html in headless Chromium and leaves page.png.

Started as `python3 -I -c SOURCE WIDTH HEIGHT LIMIT_S`. Speaks the DevTools protocol over Chromium's
debugging pipe (descriptors 3 and 4, messages end in NUL), so neither a driver nor a port is
needed. Exit status: 0 done, 3 the browser did not start, 4 the page could not be drawn.
Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from subprocess import PIPE
from typing import Any

NOT_STARTED, NOT_DRAWN = 3, 4
START_S = 30.0  # on a busy machine; the page's own time begins after it
MOST_TIMES = 2.5  # the time limit may grow to so many times itself while the browser waits for a core
SETTLE_MS = 300  # for animations and scripts that begin at load
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # its own needs namespaces, which a program in a sandbox cannot have
    "--remote-debugging-pipe",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-crash-reporter",
    "--password-store=basic",
    "--mute-audio",
)


class Failed(Exception):
    """`status` is the exit status."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def stood() -> float:
    """Seconds for which a thread has waited for a core so far: of all processes' first ones the most."""
    most = 0
    for name in os.listdir("/proc"):  # noqa: PTH208
        if name.isdigit():
            try:
                with open(f"/proc/{name}/schedstat", "rb") as file:  # noqa: PTH123
                    most = max(most, int(file.read().split()[1]))
            except (OSError, ValueError, IndexError):
                continue
    return most / 1e9


class Browser:
    def __init__(self, profile: str, width: int, height: int, limit_s: float) -> None:
        self.deadline, self.limit_s = time.monotonic() + START_S, limit_s
        self.log = os.path.join(profile, "stderr.log")  # noqa: PTH118
        size = (f"--window-size={width},{height}", f"--user-data-dir={profile}/data")
        # A shell moves its stdin and stdout to where Chromium looks for the commands and puts its answers
        moved = 'exec chromium "$@" 3<&0 4>&1 </dev/null >&2'
        argv = ["sh", "-c", moved, "sh", *FLAGS, *size, "about:blank"]
        with open(self.log, "wb") as log:  # noqa: PTH123
            self.process = subprocess.Popen(argv, 0, stdin=PIPE, stdout=PIPE, stderr=log)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.to_browser, self.from_browser = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.buffer = b""
        self.sent = 0
        self.session: str | None = None
        self.loaded = False

    def send(self, method: str, **params: Any) -> int:
        self.sent += 1
        message: dict[str, Any] = {"id": self.sent, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data) :]
        return self.sent

    def receive(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            wait = deadline - time.monotonic()
            if wait <= 0:  # what the browser waited for a core it has not had
                wait += min(stood(), (MOST_TIMES - 1) * self.limit_s)
            if wait <= 0 or not select.select([self.from_browser], [], [], wait)[0]:
                raise TimeoutError
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise EOFError
            self.buffer += data
        raw, _, self.buffer = self.buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        method = message.get("method")
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Page.javascriptDialogOpening":  # it would wait for a person
            self.send("Page.handleJavaScriptDialog", accept=False)
        elif method == "Inspector.targetCrashed":
            raise EOFError
        return message

    def ask(self, method: str, deadline: float | None = None, **params: Any) -> dict[str, Any]:
        number = self.send(method, **params)
        while True:
            message = self.receive(self.deadline if deadline is None else deadline)
            if message.get("id") == number:
                if "error" in message:
                    raise Failed(NOT_DRAWN, f"{method}: {message['error'].get('message')}")
                result: dict[str, Any] = message["result"]
                return result

    def attach(self) -> None:
        """Take hold of the first tab."""
        while True:
            targets = self.ask("Target.getTargets")["targetInfos"]
            page = next((each for each in targets if each["type"] == "page"), None)
            if page is not None:
                break
            time.sleep(0.02)
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]

    def draw(self, url: str, width: int, height: int) -> bytes:
        self.ask("Page.enable")
        self.ask("Inspector.enable")
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **metrics)
        self.send("Page.navigate", url=url)
        # A page that never finishes loading is drawn as far as it got
        soon = time.monotonic() + (self.deadline - time.monotonic()) / 2
        while not self.loaded and time.monotonic() < soon:
            try:
                self.receive(soon)
            except TimeoutError:
                break
        frame = self.ask("Page.getFrameTree")["frameTree"]["frame"]["id"]
        # An isolated world: the page may have redefined requestAnimationFrame
        world = self.ask("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        settled = (
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
            f"() => setTimeout(done, {SETTLE_MS}))))"
        )
        try:
            self.ask("Runtime.evaluate", expression=settled, contextId=world, awaitPromise=True)
        except Failed:
            time.sleep(SETTLE_MS / 1000)  # the page has gone elsewhere meanwhile; draw that
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=False)
        return base64.b64decode(shot["data"])


def save(name: str, data: bytes) -> None:
    """Write a file whatever a program left under its name."""
    if os.path.isdir(name) and not os.path.islink(name):  # noqa: PTH112, PTH114
        shutil.rmtree(name)
    elif os.path.lexists(name):
        os.unlink(name)  # noqa: PTH108
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def main() -> None:
    width, height, limit_s = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    profile = tempfile.mkdtemp(prefix="browser-")
    browser = Browser(profile, width, height, limit_s)
    status, why = 0, ""
    try:
        try:
            browser.attach()
        except (TimeoutError, EOFError, BrokenPipeError) as error:
            raise Failed(NOT_STARTED, f"chromium did not start: {type(error).__name__}") from None
        browser.deadline = time.monotonic() + limit_s
        try:
            picture = browser.draw((Path.cwd() / "page.html").as_uri(), width, height)
        except TimeoutError:
            raise Failed(NOT_DRAWN, f"the page was not drawn within {limit_s:g} s") from None
        except (EOFError, BrokenPipeError):
            raise Failed(NOT_DRAWN, "the page brought the browser down") from None
        save("page.png", picture)
    except Failed as error:
        status, why = error.status, str(error)
        if status == NOT_STARTED and os.path.exists(browser.log):  # noqa: PTH110
            why += "\n" + Path(browser.log).read_text(errors="replace")[-2000:]
    browser.process.kill()  # the sandbox kills what is left when this process ends
    shutil.rmtree(profile, ignore_errors=True)
    if why:
        print(why, file=sys.stderr)  # noqa: T201
    os._exit(status)


if __name__ == "__main__":
    main()
