"""Finished parts of unfinished trials, so that a trial of hours continues after a kill.

The file beside the run's has one JSON line for each part, written at once. It is removed as soon as no
unfinished trial has a part in it, and written anew when most of it is of trials that have ended: of a
thousand trials it holds no more than of those under way, and so does a process that reads it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

from assay.files import replace_file
from assay.records import TrialKey
from assay.results.untrusted_files import LARGEST, content, opened, regular

SLACK = 16 << 20  # bytes of trials that have ended, from which on the file is written anew


def _unchanged(line: bytes) -> bytes:
    return line


class Journal:
    """The parts of one run's unfinished trials. `scrub` removes secrets from a line. `fresh`: an existing
    file of this name belongs to another run and is removed."""

    def __init__(
        self, path: Path, scrub: Callable[[bytes], bytes] = _unchanged, *, fresh: bool = False
    ) -> None:
        self.path, self._scrub = path, scrub
        self._parts: dict[TrialKey, list[dict[str, Any]]] = {}
        self._there = True  # the file may exist
        self._live: dict[TrialKey, int] = {}  # bytes of each trial in it
        self._size = 0
        if fresh:
            self._remove()
        with contextlib.suppress(OSError):
            found = content(path, LARGEST)
            self._size = len(found)
            for line in found.splitlines():
                with contextlib.suppress(
                    ValueError, KeyError, TypeError
                ):  # an incomplete line ends its trial's parts
                    part = json.loads(line)
                    key = TrialKey(str(part["test"]), int(part["epoch"]), str(part["suite"]))
                    known = self._parts.setdefault(key, [])
                    if 0 <= part["at"] <= len(known):  # what stood there, and behind it, was forgotten
                        known[part["at"] :] = [part]
                        self._live[key] = self._live.get(key, 0) + len(line) + 1
        self._parts = {key: parts for key, parts in self._parts.items() if parts}

    def begun(self) -> int:
        """The number of trials that have parts."""
        return len(self._parts)

    def of(self, trial: TrialKey) -> list[dict[str, Any]]:
        """A trial's parts, in order."""
        return list(self._parts.get(trial, ()))

    def add(self, trial: TrialKey, part: dict[str, Any]) -> None:
        """Keep one more part. A full disk raises nothing: the trial itself can continue."""
        known = self._parts.setdefault(trial, [])
        its = {"suite": trial.suite, "test": trial.test, "epoch": trial.epoch}
        whole = {**its, "at": len(known), **part}
        known.append(whole)
        line = self._scrub(json.dumps(whole).encode()) + b"\n"
        self._there = True
        self._live[trial] = self._live.get(trial, 0) + len(line)
        self._size += len(line)
        with contextlib.suppress(OSError):
            descriptor = regular(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            with os.fdopen(descriptor, "ab", buffering=0) as file:
                file.write(line if file.seek(0, 2) == 0 or self._ends_whole() else b"\n" + line)

    def _ends_whole(self) -> bool:
        with opened(self.path) as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"

    def forget_all(self, done: Container[TrialKey]) -> None:
        """Forget all trials that are done: the process may have been killed before it forgot them."""
        for trial in [each for each in self._parts if each in done]:
            self.forget(trial)

    def forget(self, trial: TrialKey, first: int = 0) -> None:
        """Forget a trial that has ended or is restarted, or all of its parts but the `first` ones."""
        if first:
            del self._parts[trial][first:]
        else:
            self._parts.pop(trial, None)
            self._live.pop(trial, None)
        if not self._parts and self._there:
            with contextlib.suppress(OSError):
                self._remove()
        elif self._size > SLACK + 2 * sum(self._live.values()):
            with contextlib.suppress(OSError):
                self._write_anew()

    def _write_anew(self) -> None:
        """Without the trials that have ended."""
        whole = (each for parts in self._parts.values() for each in parts)
        data = b"".join(self._scrub(json.dumps(each).encode()) + b"\n" for each in whole)
        replace_file(self.path, data, mode=0o644)
        self._size = len(data)

    def _remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self._there, self._size = False, 0
