"""What was found out about this machine's sandboxes, in the user's cache folder."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping

from assay.home import user_cache


class Remembered:
    """One such file. Content that is unusable, or that somebody else may have written, is ignored: it decides
    how sandboxes are isolated."""

    def __init__(self, name: str) -> None:
        self._path = user_cache() / f"{name}.json"

    def recall(self, key: str = "") -> dict[str, str] | None:
        """What was found under the same key, until it expires."""
        try:
            with self._path.open() as file:
                status = os.fstat(file.fileno())
                if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                    return None
                kept = json.load(file)
            fresh = kept["key"] == key and 0 <= time.time() - kept["time"] < kept["lasts_s"]
            return {str(name): str(what) for name, what in kept["found"].items()} if fresh else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def keep(self, found: Mapping[str, str], key: str = "", lasts_s: float = math.inf) -> None:
        kept = {"key": key, "time": time.time(), "lasts_s": lasts_s, "found": dict(found)}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(kept))
            fresh.chmod(0o600)
            fresh.replace(self._path)
        except OSError:
            return
