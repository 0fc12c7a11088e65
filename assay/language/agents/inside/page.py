"""Runs inside the sandbox, behind chromium.py: a browser that stays open while an agent works. A request is a
line of JSON; its answer goes to descriptor 3 as JSON, and then, once it is read, the word that ends the call.

Started as `python3 -I -c SOURCE SCRIPT WIDTH HEIGHT`; SCRIPT is sources/page.js. Standard library only;
Python 3.9 or later.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path
from typing import Any

from assay.language.chromium import MOST_TIMES, NOT_DRAWN, Browser, Failed

ANSWERS = 3
TEXT = 20_000  # characters of a page that are told
PICTURE = 400_000  # bytes; a larger one is compressed more
FORMS: Any = ({"format": "png"}, {"format": "jpeg", "quality": 75}, {"format": "jpeg", "quality": 20})
SCHEMES = ("http", "https", "file", "data")
FAULTS = 20  # of the page, that are told at once
FLOOD = 1000  # messages of a page in one call, after which it is not listened to any more
LOADS_S = 10.0  # at most, after a click
# Links for new tabs, which nobody would see, open in this one
ONE_TAB = """addEventListener("click", event => {
  const link = event.target.closest?.("a[target], form[target]")
  if (link) link.target = "_self"
}, true)
window.open = url => { if (url) location.href = url; return window }"""
KEYS = {
    "Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "Backspace": (8, ""), "Delete": (46, ""),
    "Space": (32, " "), "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""),
    "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, ""), "PageUp": (33, ""), "PageDown": (34, ""),
}  # fmt: skip


class Tab(Browser):
    """A page, and what the tools of their names do with it."""

    def __init__(self, script: str, width: int, height: int, limit_s: float) -> None:
        super().__init__(tempfile.mkdtemp(prefix="browser-"), width, height, limit_s)
        self.script, self.faults, self.loading, self.heard = script, list[str](), False, 0
        self.attach()
        self.prepare(width, height)
        self.ask("Log.enable")
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=ONE_TAB)

    def receive(self, deadline: float) -> dict[str, Any]:
        if time.monotonic() > self.deadline + MOST_TIMES * self.limit_s:  # of a page that never is silent
            raise TimeoutError
        message = super().receive(deadline)
        its: Any = message.get("params", {})
        method = message.get("method", "")
        if method.startswith("Runtime."):
            self.heard += 1
            if self.heard == FLOOD:
                self.listen(False)
        if method == "Runtime.consoleAPICalled" and its["type"] in ("error", "assert"):
            self.fault(" ".join(str(each.get("value", each.get("description", ""))) for each in its["args"]))
        elif method == "Runtime.exceptionThrown":
            self.fault(raised(its["exceptionDetails"]))
        elif method == "Log.entryAdded" and its["entry"]["level"] == "error":
            if not (url := its["entry"].get("url", "")).endswith("/favicon.ico"):
                self.fault(f"{its['entry']['text']} {url}")
        elif method == "Page.javascriptDialogOpening":
            self.fault(f"the page's {its['type']}() was dismissed: {its['message']}")
        elif method in ("Page.frameStartedLoading", "Page.frameStoppedLoading"):
            self.loading = method == "Page.frameStartedLoading"
        return message

    def fault(self, words: str) -> None:
        if len(self.faults) <= FAULTS:
            self.faults.append(words.strip()[:1000])

    def listen(self, on: bool) -> None:
        """To the page's console, during a call: what it says between two calls the browser keeps, up to a
        bound of its own, and tells when it is listened to again."""
        self.heard = 0
        if not on:
            self.send("Runtime.discardConsoleEntries")
        self.send(f"Runtime.{'enable' if on else 'disable'}")

    def open_page(self, url: str) -> str:
        scheme = urllib.parse.urlsplit(url).scheme
        if url.partition("/")[0].lower().startswith(("localhost:", "127.0.0.1:")):
            url, scheme = f"http://{url}", "http"
        if scheme not in SCHEMES:
            if scheme and "//" in url:
                raise Failed(NOT_DRAWN, f"{scheme}: only a file or http can be opened")
            path, mark, rest = url.partition("?") if not os.path.exists(url) else (url, "", "")
            if not os.path.exists(path):
                raise Failed(NOT_DRAWN, f"there is no file {path}")
            url = Path(path).absolute().as_uri() + mark + rest
        if wrong := self.navigate(url):
            raise Failed(NOT_DRAWN, f"{url} cannot be opened: {wrong} (only this machine can be reached)")
        self.listen(True)  # only now, since the page that was left may have been noisy
        return ""

    def click(self, target: str) -> str:
        found = self.find(target)
        place = {"x": found["x"], "y": found["y"], "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, **place)
        return f"clicked {found['what']}" + (f", over which lies {found['over']}" if found["over"] else "")

    def type_text(self, target: str, text: str, enter: bool = False) -> str:
        found = self.find(target, text or "\0")
        if not found.get("chosen"):
            self.ask("Input.insertText", text=text) if text else self.press_key("Delete")
        if enter:
            self.press_key("Enter")
        return f"chosen in {found['what']}" if found.get("chosen") else f"typed into {found['what']}"

    def press_key(self, key: str) -> str:
        if key not in KEYS and len(key) != 1:
            raise Failed(
                NOT_DRAWN, f"there is no key {key!r}; there are {', '.join(KEYS)} and single letters"
            )
        code, text = KEYS.get(key, (ord(key.upper()[0]), key))
        its: Any = {"key": " " if key == "Space" else key, "windowsVirtualKeyCode": code}
        its["code"] = key if key in KEYS else f"Key{key.upper()}" if key.isalpha() else ""
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **its)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **its)
        return f"pressed {key}"

    def run_javascript(self, code: str) -> str:
        how: Any = {"awaitPromise": True, "returnByValue": True, "replMode": True}
        result = self.ask("Runtime.evaluate", expression=code, **how)
        if details := result.get("exceptionDetails"):
            raise Failed(NOT_DRAWN, raised(details))
        its = result["result"]
        return json.dumps(its["value"]) if "value" in its else its.get("description", its["type"])

    def find(self, target: str, types: str = "") -> Any:
        found = self.evaluated(target, types)
        if found is None or found.get("wrong"):
            kind = "field" if types else "part"
            raise Failed(
                NOT_DRAWN, f"{found['what']}: {found['wrong']}" if found else f"there is no {kind} {target!r}"
            )
        return found

    def evaluated(self, *given: Any) -> Any:
        """What page.js says."""
        words = ", ".join(json.dumps(each) for each in given)
        result = self.ask(
            "Runtime.evaluate",
            expression=f"({self.script})({words})",
            contextId=self.world(),
            returnByValue=True,
        )
        if details := result.get("exceptionDetails"):
            raise Failed(NOT_DRAWN, raised(details))
        return result["result"].get("value")

    def rest(self) -> None:
        """Until what was begun is done, a page that is being loaded among it."""
        self.settle()
        soon = min(time.monotonic() + LOADS_S, (time.monotonic() + self.deadline) / 2)
        while self.loading and time.monotonic() < soon:
            try:
                self.receive(soon)
            except TimeoutError:
                return
            if not self.loading:
                self.settle()

    def page(self) -> dict[str, Any]:
        """What it shows."""
        found = self.evaluated(None, "")
        if found["url"].startswith("chrome-error:"):
            return {"text": "", "picture": ""}
        for form in FORMS:
            picture = self.picture(**form)
            if len(picture) <= PICTURE:
                break
        text, half = found["text"].strip(), TEXT // 2
        if len(text) > TEXT:
            text = f"{text[:half]}\n[... {len(text) - TEXT} characters left out ...]\n{text[-half:]}"
        shown = [f"{found['title']} ({found['url']})", text]
        if found["controls"]:
            more = [f"and {found['more']} more"] if found["more"] else []
            shown += ["[to click and to type into]", *found["controls"], *more]
        if found["below"]:
            shown.append(f"[the page goes on for {found['below']} pixels below]")
        return {"text": "\n".join(shown), "picture": base64.b64encode(picture).decode()}


def raised(details: Any) -> str:
    """What a script raised."""
    its = details.get("exception", {})
    return str(its.get("description") or its.get("value") or details.get("text") or "an error")[:2000]


def answer(tab: Tab, request: dict[str, Any]) -> dict[str, Any]:
    tab.deadline, tab.limit_s, wrong, did = time.monotonic() + request["limit"], request["limit"], "", ""
    tab.faults.clear()
    if request["do"] != "open_page":
        tab.listen(True)
    try:
        did = getattr(tab, request["do"])(**request["given"])
    except Failed as error:
        wrong = str(error)
    for left in (2, 1, 0):
        tab.rest()
        try:
            told = {**tab.page(), "did": did, "wrong": wrong, "faults": tab.faults}
        except Failed:  # the page has gone elsewhere meanwhile
            if not left:
                raise
        else:
            tab.listen(False)
            return told
    raise AssertionError


def answered(tab: Tab | None, request: dict[str, Any], argv: list[str]) -> tuple[Tab | None, dict[str, Any]]:
    """The answer, and the tab for the next request: none where it does not go on."""
    starting = tab is None
    try:
        tab = tab or Tab(argv[0], int(argv[1]), int(argv[2]), request["limit"])
        starting = False
        return tab, answer(tab, request)
    except TimeoutError:
        why = f"the page does not answer within {request['limit']:g} s"
    except (EOFError, BrokenPipeError):
        why = "the browser has crashed"
    except Failed as error:
        why = str(error)
    if tab is not None:
        tab.process.kill()
    return None, {"lost": f"the browser does not start: {why}" if starting else f"{why}; it was closed"}


def main() -> None:
    tab: Tab | None = None
    for line in sys.stdin:
        tab, told = answered(tab, json.loads(line), sys.argv[1:])
        data = json.dumps(told).encode()
        while data:
            data = data[os.write(ANSWERS, data) :]
        os.write(ANSWERS, sys.stdin.readline().strip().encode() + b" 0\n")


if __name__ == "__main__":
    main()
