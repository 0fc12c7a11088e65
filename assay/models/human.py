"""A person as a model: the prompt is shown, and the reply typed or pasted."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from assay.errors import ProviderError
from assay.models import provider
from assay.models.pictures import media_type
from assay.models.provider import JSON_ORDER, ProviderSettings
from assay.models.secrets import UNPRINTABLE
from assay.records import Completion
from assay.turns import Call, Turn, reply_of

END = "."
CALLING = 'To call a tool, write a line like {"call": "NAME", "arguments": {...}}.'
HOW = f"Your answer (end it with a line that contains only {END!r}, or with Ctrl-D):"


@dataclass
class _Question:
    """`tell` gets the answer, None for none, and why it could not be read. `lines`: what is typed so far."""

    tell: Callable[[str | None, str], None]
    lines: list[str] = field(default_factory=list)


class Human:
    """Asks on `out`, reads from `typed`. One question at a time (settings.max_connections is 1)."""

    takes_pictures = takes_tools = True

    def __init__(self, typed: TextIO | None = None, out: TextIO | None = None) -> None:
        self.typed: TextIO | None = typed or sys.stdin  # None: a process that was begun without
        self.out = out or sys.stderr
        self._lock = threading.Lock()
        self._reads = False  # whether a thread waits for lines
        self._asked = _Question(lambda text, failure: None)
        self.folder: Path | None = None  # of pictures; made when there is one, and left for the person

    def open(self) -> None:
        """Nothing has to be prepared."""

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    async def ask(self, call: provider.Call) -> Completion:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[str | None] = loop.create_future()

        def settle(text: str | None, failure: str) -> None:
            if answered.done():
                return
            if failure:
                answered.set_exception(ProviderError(f"human: cannot read standard input: {failure}"))
            else:
                answered.set_result(text)

        def tell(text: str | None, failure: str) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, text, failure)

        self._show(call)
        with self._lock:
            self._asked = _Question(tell)  # what was typed for an earlier one goes with that
            if not self._reads:
                self._reads = True
                # A thread that nobody waits for: Ctrl-C must end the run while a person is still thinking.
                threading.Thread(target=self._listen, name="assay human", daemon=True).start()
        text = await answered
        if text is None:
            raise ProviderError("human: standard input has ended; run in a terminal, or pipe in all answers")
        reply = reply_of(turn_of(text) if call.tools else text, len(call.messages))
        assert reply is not None
        return dataclasses.replace(reply, cost=0.0, model="human")

    def _listen(self) -> None:
        """Read one answer, and pass it to the latest question."""
        try:
            asked, ended = self._read()
        except Exception as error:  # noqa: BLE001 - bytes that are no text, a closed input
            self._question().tell(None, f"{type(error).__name__}: {error}")
        else:
            asked.tell(None if ended and not asked.lines else "\n".join(asked.lines), "")

    def _show(self, call: provider.Call) -> None:
        for message in call.messages:
            self._write(f"\n--- {message.role} ---\n{message.content}")
            for made in message.calls:
                self._write(f"[called {made.name}: {made.arguments}]")
            for image in message.images:
                self._write(f"[image: {self._save(image)}]")
        for tool in call.tools:
            self._write(f"\n--- tool {tool.name} ---\n{tool.description}\narguments: {tool.parameters}")
        if call.tools:
            self._write(f"\n{CALLING}")
        if call.json:
            self._write(f"\n{JSON_ORDER}")
        self._write(f"\n{HOW}")
        self.out.flush()

    def _write(self, text: str) -> None:
        """Write text without control characters: a prompt for a judge holds a model's text, which must not
        control the terminal."""
        self.out.write(UNPRINTABLE.sub("?", text) + "\n")

    def _save(self, image: bytes) -> Path:
        suffix = media_type(image).removeprefix("image/")
        self.folder = self.folder or Path(tempfile.mkdtemp(prefix="assay-human-"))
        path = self.folder / f"{hashlib.sha256(image).hexdigest()[:16]}.{suffix}"
        path.write_bytes(image)
        return path

    def _read(self) -> tuple[_Question, bool]:
        """Lines up to END or the end of input; whose they are, and whether there is no input any more."""
        while self.typed is not None and (line := self.typed.readline()):
            if (line := line.rstrip("\r\n")) == END:
                return self._question(), False
            with self._lock:
                self._asked.lines.append(line)
        return self._question(), self.typed is None or not self.typed.isatty()

    def _question(self) -> _Question:
        """The one that was asked last, now that nothing more is read for it."""
        with self._lock:
            self._reads = False
            return self._asked

    async def close(self) -> None:
        """Nothing has to be closed."""


def turn_of(text: str) -> Turn:
    """What a person typed who may call tools: lines of calls, and a text.

    >>> turn_of('I look.\\n{"call": "shell", "arguments": {"command": "ls"}}')
    Turn('I look.', Call('shell', '{"command": "ls"}'))
    """
    said: list[str] = []
    calls = []
    for line in text.splitlines():
        try:
            found = json.loads(line) if line.lstrip().startswith("{") else None
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict) and isinstance(found.get("call"), str):
            calls.append(Call(found["call"], json.dumps(found.get("arguments", {}), ensure_ascii=False)))
        else:
            said.append(line)
    return Turn("\n".join(said).strip("\n"), *calls)


def connect(settings: ProviderSettings) -> Human:
    settings.only()
    return Human()
