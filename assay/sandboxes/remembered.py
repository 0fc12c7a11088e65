"""What was found out about this machine's sandboxes, in the user's cache folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Remembered:
    """One file of it. What cannot be used is no memory, and neither is what somebody else may have written:
    it decides how sandboxes are closed off."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
        self._path = (folder or Path(base) / "assay") / f"{name}.json"

    def recall(self) -> dict[str, Any] | None:
        try:
            with self._path.open() as file:
                status = os.fstat(file.fileno())
                if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                    return None
                kept = json.load(file)
        except (OSError, ValueError, RecursionError):
            return None
        return kept if isinstance(kept, dict) else None

    def keep(self, found: Mapping[str, Any]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(dict(found)))
            fresh.chmod(0o600)
            fresh.replace(self._path)
        except OSError:
            return
