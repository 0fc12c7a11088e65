"""Runs inside the sandbox, as part of a program: headless Chromium with one tab.

It speaks the DevTools protocol over Chromium's debugging pipe (descriptors 3 and 4, messages end in NUL), so
neither a driver nor a port is needed. Standard library only; Python 3.9 or later.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
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

    def prepare(self, width: int, height: int) -> None:
        self.ask("Page.enable")
        self.ask("Inspector.enable")
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.ask("Emulation.setDeviceMetricsOverride", **metrics)

    def navigate(self, url: str) -> str:
        """Load a page, or as much of it as comes in half of the time that is left; what went wrong, in the
        browser's words."""
        self.loaded = False
        number = self.send("Page.navigate", url=url)
        soon = time.monotonic() + (self.deadline - time.monotonic()) / 2
        while not self.loaded and time.monotonic() < soon:
            try:
                message = self.receive(soon)
            except TimeoutError:
                break
            if message.get("id") == number:
                wrong = message.get("error", {}).get("message") or message["result"].get("errorText")
                if wrong:
                    return str(wrong)
        return ""

    def world(self) -> int:
        """Where scripts of ours run: the page may have redefined requestAnimationFrame and the like."""
        frame = self.ask("Page.getFrameTree")["frameTree"]["frame"]["id"]
        number: int = self.ask("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        return number

    def settle(self) -> None:
        """Wait until what was begun at load has been painted."""
        settled = (
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
            f"() => setTimeout(done, {SETTLE_MS}))))"
        )
        try:
            self.ask("Runtime.evaluate", expression=settled, contextId=self.world(), awaitPromise=True)
        except Failed:
            time.sleep(SETTLE_MS / 1000)  # the page has gone elsewhere meanwhile

    def picture(self, **form: Any) -> bytes:
        """Of what a person would see. `form`: format, quality."""
        shot = self.ask("Page.captureScreenshot", captureBeyondViewport=False, **form)
        return base64.b64decode(shot["data"])
