"""The host's side of an agent's tools, all of which one program in the sandbox does (inside/tool_host.py)."""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from assay.language.inside import command_of
from assay.records import Sandbox, Terminal

EDGE = "\x1e"
START_S = 20.0
GRACE_S = 5.0  # beyond a call's own limit, until the tools are given up
ENVIRONMENT = {"TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "PYTHONDONTWRITEBYTECODE": "1"}


class ToolsLost(Exception):
    """The program that holds the tools has ended, or does not answer: all that it kept is gone."""


@dataclass(frozen=True)
class Done:
    """What a tool did: what it printed, for the model, and `images` (PNG, JPEG, GIF or WebP). `failed`: it
    did not do what it was asked for. `note`: how it ended, in a word or two, for the report."""

    text: str
    failed: bool = False
    seconds: float = 0.0
    note: str = ""
    images: tuple[bytes, ...] = ()

    @property
    def went_wrong(self) -> bool:
        """Whether a reader should look at it: it failed, or a command ended with an exit status."""
        return self.failed or (self.note.startswith("exit ") and self.note != "exit 0")


class Workbench:
    """The tools of one agent while it works. Nothing is started before the first call."""

    def __init__(
        self,
        open_sandbox: Callable[[], Awaitable[Sandbox]],
        browser: AbstractAsyncContextManager[Any] | None = None,
    ) -> None:
        """`browser`: bounds how many pages are drawn at once."""
        self._open_sandbox = open_sandbox
        self.servers: dict[Any, Any] = {}  # what else runs for the agent, and is closed with it
        self.browser = browser or nullcontext()
        self._terminal: Terminal | None = None
        self.used = False
        self.until = math.inf  # the agent's own time limit, on time.monotonic

    def bounded(self, limit_s: float) -> float:
        """A call's limit, or what is left of the agent's."""
        return round(min(limit_s, max(0.5, self.until - time.monotonic())), 2)

    async def ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """What inside/tool_host.py answers. Raises ToolsLost; the next call finds new tools."""
        if self._terminal is None:
            self._terminal = await self._started()
        token = secrets.token_hex(16)
        line = json.dumps({**request, "token": token, "limit": limit_s})
        await self._terminal.send(line.encode() + b"\n")
        return await self._answer(self._terminal, token, limit_s + GRACE_S)

    async def sandbox(self) -> Sandbox:
        self.used = True
        return await self._open_sandbox()

    async def _started(self) -> Terminal:
        sandbox = await self.sandbox()
        terminal = await sandbox.start(command_of("agents/inside/tool_host"), env=ENVIRONMENT)
        await self._answer(terminal, "ready", START_S)
        return terminal

    async def _answer(self, terminal: Terminal, token: str, limit_s: float) -> dict[str, Any]:
        edge = f"{EDGE}{token}".encode()
        output = await terminal.read_until(edge + b"\n", time_limit_s=limit_s)
        _, _, answer = output.data.removesuffix(edge + b"\n").rpartition(edge)
        try:
            if output.matched:
                found = json.loads(answer)
                if isinstance(found, dict):
                    return found
        except (ValueError, RecursionError):
            pass
        self._terminal = None
        await terminal.close()
        raise ToolsLost("the tools have ended" if output.ended else "the tools do not answer")

    async def close(self) -> None:
        for server in self.servers.values():
            await server.close()
        terminal, self._terminal = self._terminal, None
        if terminal is not None:
            await terminal.close()
