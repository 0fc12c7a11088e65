"""A short hash of a test file, all of ours that it imports and the data that they name: equal means the same
test."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Sequence
from pathlib import Path

from assay.harness.data_files import Data, DataFiles, files_of
from assay.harness.imports import ImportGraph
from assay.home import BENCHMARKS, PACKAGE


class Fingerprints:
    """Fingerprints of test files below one repository; contents are read once a process.

    Data are files whose path is written out, as far as only they can be meant: not all of a folder of many
    tests' files. `cache`: a file that remembers what unchanged files import and name."""

    def __init__(self, root: Path, tests: Sequence[Path], cache: Path | None = None) -> None:
        self._root = root.resolve()
        folders = [folder.resolve() for folder in tests]
        self._graph = ImportGraph((self._root, *folders), eager_below=folders, cache=cache)
        self._data, self._folders = DataFiles(self._graph, folders), folders
        self._contents: dict[Path, bytes] = {}

    def __call__(self, path: Path) -> str:
        digest = hashlib.sha256()
        code = self._graph.closure(path)
        for name, file in sorted((self._name(file), file) for file in (*code, *self._read(path, code))):
            digest.update(name.encode(errors="surrogateescape") + b"\0" + self._content(file))
        return digest.hexdigest()[:16]

    def _read(self, path: Path, code: frozenset[Path]) -> set[Path]:
        """The data files of a test."""
        path = path.resolve()
        own = Data(f"{path.parent / 'data' / glob.escape(path.stem)}*", True, False)
        named = [each for file in code for each in self._data.of(file) if not each.shared]
        found = {file for each in (own, *named) if each.here for file in files_of(each) if file.is_file()}
        for each in named:  # a path from who knows where counts if there is such a file among the tests
            if not each.here and not each.is_pattern and self._is_test_data(Path(each.path)):
                found.add(Path(each.path))
        return found - code

    def _is_test_data(self, path: Path) -> bool:
        return any(map(path.is_relative_to, self._folders)) and path.suffix != ".py" and path.is_file()

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
