"""Facts about files, cached until the files change. Losing the cache only costs time."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from assay.files import replace_file


class FileFacts:
    """JSON values by file, in one JSON file. `store`: None keeps nothing beyond this process.

    A value is valid while the file's time, size and inode are unchanged.
    """

    def __init__(self, store: Path | None, version: int) -> None:
        self._store, self._version = store, version
        self._facts: dict[str, Any] = self._load()
        self._stamps: dict[str, list[int]] = {}
        self._changed = False

    def _load(self) -> dict[str, Any]:
        try:
            saved = json.loads(self._store.read_bytes()) if self._store is not None else {}
        except (OSError, ValueError):
            return {}
        right = isinstance(saved, dict) and saved.get("version") == self._version
        return saved["files"] if right and isinstance(saved.get("files"), dict) else {}

    def get(self, path: Path) -> Any:
        """The value for the current file; None if there is none."""
        name = str(path)
        stamp = self._stamps[name] = _stamp(path)
        known = self._facts.get(name)
        return known[1] if known is not None and known[0] == stamp else None

    def put(self, path: Path, value: Any) -> None:
        """Keep `value`, found in the file after `get` was called for it, so that a change in between is
        noticed."""
        self._facts[str(path)] = [self._stamps[str(path)], value]
        self._changed = True

    def save(self) -> None:
        """Write new values. Deleted files are forgotten. Never raises."""
        if self._store is None or not self._changed:
            return
        kept = {name: known for name, known in self._facts.items() if known[0] and os.path.lexists(name)}
        try:
            self._store.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._store, json.dumps({"version": self._version, "files": kept}).encode())
        except OSError:
            return  # the next start is only slower
        self._changed = False


def _stamp(path: Path) -> list[int]:
    try:
        status = path.stat()
    except OSError:
        return []
    return [status.st_mtime_ns, status.st_size, status.st_ino]
