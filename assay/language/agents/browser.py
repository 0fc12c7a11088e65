"""A browser as tools: the agent opens pages of its sandbox, sees them, and clicks and types."""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.language.agents.tool import AgentTool
from assay.language.agents.workbench import Done, Workbench
from assay.language.browser import HEIGHT, WIDTH
from assay.language.chromium import MOST_TIMES, START_S
from assay.language.inside import file_text, source_of
from assay.language.picture_files import file_fault, header
from assay.language.tools import arguments_for, tool_of
from assay.records import Tool

CLOSED_S = 5.0  # what it may take beyond its own limits


def open_page(url: str) -> None:
    """Open a web page in the browser and look at it.

    There is no network: it is a file, or the page of a server that you have started on this machine. Every
    tool of the browser returns the page as a picture and as text, with its errors.

    url: path of a file, e.g. index.html, or an address, e.g. http://localhost:8000/
    """


def click(target: str) -> None:
    """Click on a part of the open page, and look at it.

    target: a text that the part shows or is called by, or a CSS selector
    """


def type_text(target: str, text: str, enter: bool = False) -> None:
    """Type into a field of the open page in the place of what it holds, or choose an option, and look at it.

    target: label, placeholder or name of the field, or a CSS selector
    text: what is to stand there
    enter: press Enter afterwards
    """


def press_key(key: str) -> None:
    """Press a key on the open page, and look at it.

    key: a letter, or Enter, Tab, Escape, Space, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, PageDown ...
    """


def run_javascript(code: str) -> None:
    """Run JavaScript in the open page, e.g. to scroll or to look at its state; returns the value of the last
    expression, and the page."""


@dataclass(frozen=True)
class Browser(AgentTool):
    """The agent may use a browser (Chromium of the sandbox) on files of the work directory and on servers
    that it has started there: open_page, click, type_text, press_key and run_javascript. The model gets the
    page as a picture of 1024 x 768 pixels and as text, with what went wrong on it. `time_limit_s`: seconds
    for one call, after the browser has started."""

    time_limit_s: float = 20.0
    needs = ("chromium", "python3")

    @property
    def parts(self) -> tuple[AgentTool, ...]:
        forms = (open_page, click, type_text, press_key, run_javascript)
        return tuple(PageTool(self, form) for form in forms)

    async def use(self, bench: Workbench, does: str, given: dict[str, Any]) -> Done:
        limit_s, end = bench.bounded(self.time_limit_s), f"ended-{secrets.token_hex(16)}"
        program = source_of("chromium", "agents/inside/page")
        argv = ["python3", "-I", "-c", program, file_text("page.js"), str(WIDTH), str(HEIGHT)]
        text = f"{json.dumps({'do': does, 'given': given, 'limit': limit_s})}\n{end}\n"
        request = {"do": "say", "program": "browser", "argv": argv, "env": {}, "text": text, "end": end}
        async with bench.browser:
            most = START_S + MOST_TIMES * limit_s + CLOSED_S
            answer = await bench.ask({**request, "room": 2000}, most)
        return _done(answer)


@dataclass(frozen=True)
class PageTool(AgentTool):
    """One thing that can be done with a page; inside/page.py has a function of its name."""

    browser: Browser
    does: Callable[..., None]

    @property
    def tool(self) -> Tool:
        return tool_of(self.does)

    def arguments(self, arguments: str) -> dict[str, Any]:
        return arguments_for(self.does, arguments)

    async def call(self, bench: Workbench, /, **given: Any) -> Done:
        return await self.browser.use(bench, self.does.__name__, given)


def _done(answer: dict[str, Any]) -> Done:
    try:
        said = json.loads(answer.get("said", ""))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or "lost" in said:
        why = said["lost"] if said else answer.get("error") or "the browser has ended"
        return Done(f"error: {why}; the next call begins with a new one", failed=True, note="failed")
    faults = [f"[error on the page] {each}" for each in said["faults"]]
    told = [f"error: {said['wrong']}" if said["wrong"] else said["did"], *faults, said["text"]]
    picture = _picture(said.get("picture", ""))
    if not picture and not said["wrong"]:
        told.append("[no picture of the page could be made]")
    failed, seconds = bool(said["wrong"]), float(answer.get("seconds", 0.0))
    images = (picture,) if picture else ()
    return Done("\n".join(filter(None, told)), failed, seconds, "failed" if failed else "", images)


def _picture(said: str) -> bytes:
    """A picture of the size that was asked for; b"" for anything else, since the sandbox made it."""
    try:
        data = base64.b64decode(said, validate=True)
    except (ValueError, binascii.Error):
        return b""
    found = header(data)
    if found is None or (found.width, found.height) != (WIDTH, HEIGHT) or file_fault(data):
        return b""
    return data
