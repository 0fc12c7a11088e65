"""A person answers: the prompt is shown, the reply typed or pasted."""

from __future__ import annotations

import asyncio
import hashlib
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from assay.errors import ProviderError
from assay.models.pictures import media_type
from assay.models.provider import JSON_ORDER, Call, ProviderSettings
from assay.models.secrets import UNPRINTABLE
from assay.records import Completion

END = "."
HOW = f"Your answer (end it with a line that contains only {END!r}, or with Ctrl-D):"


@dataclass
class _Question:
    """`tell` gets the answer, None for none, and why it could not be read. `lines`: what is typed so far."""

    tell: Callable[[str | None, str], None]
    lines: list[str] = field(default_factory=list)


class Human:
    """Asks on `out`, reads from `typed`. One question at a time (settings.max_connections is 1)."""

    def __init__(self, typed: TextIO | None = None, out: TextIO | None = None) -> None:
        self.typed: TextIO | None = typed or sys.stdin  # None: a process that was begun without
        self.out = out or sys.stderr
        self._lock = threading.Lock()
        self._reads = False  # whether a thread waits for lines
        self._asked = _Question(lambda text, failure: None)
        self.folder: Path | None = None  # of pictures; made when there is one, and left for the person

    def open(self) -> None:
        """Nothing to get ready."""

    def wire(self, model: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    async def ask(self, call: Call) -> Completion:
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
        return Completion(text, cost=0.0, finish_reason="stop", model="human")

    def _listen(self) -> None:
        """Read one answer, and give it to whoever asked last."""
        try:
            asked, ended = self._read()
        except Exception as error:  # noqa: BLE001 - bytes that are no text, a closed input
            self._question().tell(None, f"{type(error).__name__}: {error}")
        else:
            asked.tell(None if ended and not asked.lines else "\n".join(asked.lines), "")

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
        """Nothing is held open."""


def connect(settings: ProviderSettings) -> Human:
    settings.only()
    return Human()
