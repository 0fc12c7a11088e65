"""A short hash of a test file and everything of ours that it imports: equal means the same test."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from assay.harness.imports import ImportGraph
from assay.home import BENCHMARKS, PACKAGE


class Fingerprints:
    """Fingerprints of test files below one repository; contents are read once a process.

    `cache`: a file that remembers what unchanged files import."""

    def __init__(self, root: Path, tests: Sequence[Path], cache: Path | None = None) -> None:
        self._root = root.resolve()
        folders = [folder.resolve() for folder in tests]
        self._graph = ImportGraph((self._root, *folders), eager_below=folders, cache=cache)
        self._contents: dict[Path, bytes] = {}

    def __call__(self, path: Path) -> str:
        digest = hashlib.sha256()
        for name, file in sorted((self._name(file), file) for file in self._graph.closure(path)):
            digest.update(name.encode(errors="surrogateescape") + b"\0" + self._content(file))
        return digest.hexdigest()[:16]

    def _name(self, file: Path) -> str:
        """The same in a checkout and where Assay is installed."""
        for folder, name in ((self._root, ""), (BENCHMARKS, "tests"), (PACKAGE.parent, "")):
            if file.is_relative_to(folder):
                return str(name / file.relative_to(folder))
        return file.name

    def remember(self) -> None:
        """Write what was found out into `cache`."""
        self._graph.remember()

    def _content(self, file: Path) -> bytes:
        if file not in self._contents:
            try:
                self._contents[file] = hashlib.sha256(file.read_bytes()).digest()
            except OSError:
                self._contents[file] = b"unreadable"
        return self._contents[file]
