"""A person answers: the prompt is shown, the reply typed or pasted."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from assay.errors import ProviderError
from assay.llms.pictures import media_type
from assay.llms.provider import JSON_ORDER, Call, Settings
from assay.llms.secrets import UNPRINTABLE
from assay.records import Completion

END = "."
HOW = f"Your answer; end it with a line that holds only {END!r}, or with Ctrl-D:"


class Human:
    """Asks on `out`, reads from `typed`. One question at a time (settings.max_connections is 1)."""

    def __init__(self, typed: TextIO | None = None, out: TextIO | None = None) -> None:
        self.typed, self.out = typed or sys.stdin, out or sys.stderr
        self.folder: Path | None = None  # of pictures; made when there is one, and left for the person

    def open(self) -> None:
        """Nothing to get ready."""

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    async def ask(self, call: Call) -> Completion:
        self._show(call)
        # A thread that nobody waits for: Ctrl-C must end the run while a person is still thinking.
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[str | None] = loop.create_future()

        def settle(text: str | None) -> None:
            if not answered.done():
                answered.set_result(text)

        def read() -> None:
            text = self._read()
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, text)

        threading.Thread(target=read, name="assay human", daemon=True).start()
        text = await answered
        if text is None:
            raise ProviderError("human: standard input has ended; run in a terminal, or pipe in all answers")
        return Completion(text, cost=0.0, finish_reason="stop", model="human")

    def _show(self, call: Call) -> None:
        for message in call.messages:
            # A prompt for a judge holds what a model wrote: nothing in it may steer the terminal.
            self.out.write(f"\n--- {message.role} ---\n{UNPRINTABLE.sub('?', message.content)}\n")
            for image in message.images:
                self.out.write(f"[image: {self._save(image)}]\n")
        if call.json:
            self.out.write(f"\n{JSON_ORDER}\n")
        self.out.write(f"\n{HOW}\n")
        self.out.flush()

    def _save(self, image: bytes) -> Path:
        ending = media_type(image).removeprefix("image/")
        self.folder = self.folder or Path(tempfile.mkdtemp(prefix="assay-human-"))
        path = self.folder / f"{hashlib.sha256(image).hexdigest()[:16]}.{ending}"
        path.write_bytes(image)
        return path

    def _read(self) -> str | None:
        """The lines up to END or the end of input; None when there was no input any more."""
        lines: list[str] = []
        while True:
            line = self.typed.readline()
            if not line:
                break
            if line.rstrip("\r\n") == END:
                return "\n".join(lines)
            lines.append(line.rstrip("\r\n"))
        return "\n".join(lines) if lines or self.typed.isatty() else None

    async def close(self) -> None:
        """Nothing is held open."""


def connect(settings: Settings) -> Human:
    settings.only()
    return Human()
