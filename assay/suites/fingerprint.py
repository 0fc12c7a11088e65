"""The fingerprint of a test: a short hash of everything that its author controls."""

from __future__ import annotations

import functools
import glob
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.errors import TestFileError
from assay.home import PACKAGE
from assay.loaded_code import changed, told
from assay.results.test_versions import STYLE
from assay.suites.data_files import Data, DataFiles, files_of
from assay.suites.diagnostics import shown_path
from assay.suites.importing import forget_bytecode, is_helper
from assay.suites.imports import ImportGraph


class Fingerprints:
    """Fingerprints of test files below one repository; contents are read once per process.

    A fingerprint covers the file, its imports and the data that these name, but nothing of Assay itself: an
    upgrade does not change a test (`judging_code` identifies Assay's version). Data are files with a literal
    path, as far as only they can be meant: not a whole folder of many tests' files. `cache`: a file with what
    unchanged files import and name.
    """

    def __init__(self, root: Path, tests: Sequence[Path], cache: Path | None = None) -> None:
        self._root = root.resolve()
        folders = [folder.resolve() for folder in tests]
        self._graph = ImportGraph((self._root, *folders), eager_below=folders, cache=cache)
        self._data, self._folders = DataFiles(self._graph, folders), folders
        self._contents: dict[Path, bytes] = {}

    def __call__(self, path: Path) -> str:
        digest = hashlib.sha256()
        for name, file in sorted((_seen_from(path, file), file) for file in self._files(path)):
            digest.update(name.encode(errors="surrogateescape") + b"\0" + self._content(file))
        return STYLE + digest.hexdigest()[:16]

    def renew(self, path: Path) -> None:
        """Forget the helpers that a test file or its references import and that were changed since Python
        loaded them, with what imports them, so that they are loaded anew. Raises TestFileError if one is no
        helper of the tests: others may hold what it made."""
        for name, file in [*self._loaded(path)]:
            change = changed(name, {each: self._content(each) for each in self._files(file)})
            if change is None:
                continue
            if not is_helper(name, file, *self._folders):
                raise TestFileError(f"{shown_path(path)}: {told(change)}")
            del sys.modules[name]
            package, _, last = name.rpartition(".")
            if package in sys.modules:  # or `from package import last` would find it there
                vars(sys.modules[package]).pop(last, None)
            forget_bytecode(file)

    def _loaded(self, path: Path) -> Iterator[tuple[str, Path]]:
        """The modules that a test file, or its references, imports and that Python has loaded, each with its
        file."""
        references = path.parent / "references" / path.name
        own = [each.resolve() for each in (path, references) if each.is_file()]
        for file in self._graph.closure(*own, ours=False).difference(own):
            for root in (self._root, *self._folders):
                if file.is_relative_to(root):
                    parts = file.relative_to(root).with_suffix("").parts
                    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                    source = getattr(sys.modules.get(name), "__file__", None)
                    if source and Path(source).resolve() == file:
                        yield name, file
                        break

    def _files(self, path: Path) -> frozenset[Path]:
        """The files of a test: of its code, and the data that this names."""
        code = self._graph.closure(path, ours=False)
        return code | self._read(path, code)

    def _read(self, path: Path, code: frozenset[Path]) -> set[Path]:
        """The data files of a test."""
        path = path.resolve()
        own = Data(f"{path.parent / 'data' / glob.escape(path.stem)}*", True, False)
        named = [each for file in code for each in self._data.of(file) if not each.shared]
        found = {file for each in (own, *named) if each.here for file in files_of(each) if file.is_file()}
        for each in named:  # a path from an unknown folder counts if the tests' folders have such a file
            if not each.here and not each.is_pattern and self._is_test_data(Path(each.path)):
                found.add(Path(each.path))
        return found - code

    def _is_test_data(self, path: Path) -> bool:
        return any(map(path.is_relative_to, self._folders)) and path.suffix != ".py" and path.is_file()

    def remember(self) -> None:
        """Write what was learnt about files to `cache`."""
        self._graph.remember()

    def _content(self, file: Path) -> bytes:
        if file not in self._contents:
            try:
                self._contents[file] = hashlib.sha256(file.read_bytes()).digest()
            except OSError:
                self._contents[file] = b"unreadable"
        return self._contents[file]


def _seen_from(test: Path, file: Path) -> str:
    """A name for a file of a test that does not depend on the root: the same from the command and from
    pytest, in a checkout and in an installation."""
    return os.path.relpath(file, test.resolve().parent)


@functools.cache
def judging_code() -> str:
    """A short hash of the part of Assay that decides verdicts: the nodes and the languages."""
    digest = hashlib.sha256()
    for file in sorted((PACKAGE / "language").rglob("*")):
        if file.is_dir() or file.suffix == ".pyc":
            continue
        digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:8]


@functools.cache
def hashing_code() -> str:
    """A short hash of what a hash of functions depends on besides them: Assay's nodes and the Python."""
    return hashlib.sha256(f"{judging_code()} {sys.implementation.cache_tag}".encode()).hexdigest()[:8]
