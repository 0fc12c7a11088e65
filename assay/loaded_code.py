"""Whether a module that Python has loaded is still what its files say."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

FRESH_S = 2.0  # since a file changed; file systems and clocks agree within it
_BEGAN = time.time()  # what was loaded before was loaded by then
_LOADED: dict[str, float] = {}  # module -> when Python began to load it
_SEEN: dict[str, tuple[object, dict[Path, bytes]]] = {}  # module -> its spec, and hashes of its files


class _Noting:
    """A finder that finds nothing, and notes when a module is loaded."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if target is not None or name not in sys.modules:  # loaded again, or for the first time
            _LOADED[name] = time.time()


sys.meta_path.insert(0, _Noting)


def changed(name: str, now: Mapping[Path, bytes]) -> Path | None:
    """The first file of a loaded module that was changed after it was loaded. `now`: hashes of its files, of
    its code and whatever it may have read. When it is asked for the first time, their times tell."""
    spec = _spec(name)
    known = _SEEN.get(name)
    if known is None or known[0] is not spec:  # another one each time that it is loaded
        began = _LOADED.get(name, _BEGAN)
        for file in now:
            if _changed_at(file) > began + FRESH_S:
                return file
        _SEEN[name] = spec, dict(now)
        return None
    for file, digest in now.items():
        if known[1].setdefault(file, digest) != digest:
            return file
    return None


def as_loaded(name: str, file: Path, digest: bytes) -> bytes:
    """The hash of a module's file as Python loaded it. `digest`: that of now, if it is not loaded."""
    if _spec(name) is not None:
        changed(name, {file: digest})  # notes it
    spec, known = _SEEN.get(name, (None, {}))
    return known.get(file, digest) if spec is _spec(name) else digest


def _spec(name: str) -> object:
    return getattr(sys.modules.get(name), "__spec__", None)


def told(file: Path) -> str:
    """What is said of a file that was changed after Python had loaded it."""
    here = Path.cwd()
    shown = file.relative_to(here) if file.is_relative_to(here) else file
    return f"{shown} was changed after Python had loaded it; restart Python (the kernel of a notebook)"


def _changed_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
