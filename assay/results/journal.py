"""Finished parts of unfinished trials, for a trial that takes hours: a killed run goes on between two parts.

A line of JSON for each part, in a file beside the run's, written at once. The file is removed as soon as
no unfinished trial has anything in it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

from assay.records import TrialKey
from assay.results.strangers import LARGEST, content, opened, regular


def _unchanged(line: bytes) -> bytes:
    return line


class Journal:
    """The parts of one run's unfinished trials. `scrub` takes secrets out of a line; `fresh`: what an older
    file of that name holds belongs to another run."""

    def __init__(
        self, path: Path, scrub: Callable[[bytes], bytes] = _unchanged, *, fresh: bool = False
    ) -> None:
        self.path, self._scrub = path, scrub
        self._parts: dict[TrialKey, list[dict[str, Any]]] = {}
        self._there = True  # the file may be
        if fresh:
            self._remove()
        with contextlib.suppress(OSError):
            for line in content(path, LARGEST).splitlines():
                with contextlib.suppress(
                    ValueError, KeyError, TypeError
                ):  # a torn line ends its trial's parts
                    part = json.loads(line)
                    key = TrialKey(str(part["test"]), int(part["epoch"]), str(part["suite"]))
                    if part["at"] == len(self._parts.get(key, ())):
                        self._parts.setdefault(key, []).append(part)
                    elif part["at"] == 0:
                        self._parts[key] = [part]

    def begun(self) -> int:
        """How many trials have parts."""
        return len(self._parts)

    def of(self, trial: TrialKey) -> list[dict[str, Any]]:
        """A trial's parts, in order."""
        return list(self._parts.get(trial, ()))

    def add(self, trial: TrialKey, part: dict[str, Any]) -> None:
        """Keep one more. Never raises for a disk that is full: the trial itself can go on."""
        known = self._parts.setdefault(trial, [])
        its = {"suite": trial.suite, "test": trial.test, "epoch": trial.epoch}
        whole = {**its, "at": len(known), **part}
        known.append(whole)
        line = self._scrub(json.dumps(whole).encode()) + b"\n"
        self._there = True
        with contextlib.suppress(OSError):
            descriptor = regular(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            with os.fdopen(descriptor, "ab", buffering=0) as file:
                file.write(line if file.seek(0, 2) == 0 or self._ends_whole() else b"\n" + line)

    def _ends_whole(self) -> bool:
        with opened(self.path) as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"

    def forget_all(self, done: Container[TrialKey]) -> None:
        """The same of all that are done: a process may have been killed before it could forget them."""
        for trial in [each for each in self._parts if each in done]:
            self.forget(trial)

    def forget(self, trial: TrialKey) -> None:
        """The trial has ended, or is begun anew."""
        self._parts.pop(trial, None)
        if not self._parts and self._there:
            with contextlib.suppress(OSError):
                self._remove()

    def _remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self._there = False
