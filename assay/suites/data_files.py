"""The data files that a test reads (for fingerprints and --only-changed), found from the paths in its
code."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from assay.suites.data_names import OWN, is_pattern
from assay.suites.imports import ImportGraph

MOST = 5_000  # files examined for one pattern or folder


@dataclass(frozen=True)
class Data:
    """A path, or a glob pattern of paths. `here`: it starts at `__file__`. `shared`: it may be any file in a
    folder with the files of many tests; only a run would tell which one."""

    path: str
    here: bool
    shared: bool

    @property
    def is_pattern(self) -> bool:
        return is_pattern(self.path)


class DataFiles:
    """`folders`: of the tests, whose own files and data/ belong to many tests. `gone`: deleted files to look
    for as well."""

    def __init__(self, graph: ImportGraph, folders: Sequence[Path], gone: Iterable[Path] = ()) -> None:
        self._graph, self._folders = graph, folders
        self._gone = frozenset(str(path) for path in gone)
        self._first: dict[Path, frozenset[str]] = {}
        self._known: dict[Path, list[Data]] = {}

    def of(self, file: Path) -> list[Data]:
        """The data named in one Python file, as absolute paths."""
        if file not in self._known:
            self._known[file] = list(dict.fromkeys(self._absolute(file)))
        return self._known[file]

    def _absolute(self, file: Path) -> Iterator[Data]:
        own = file.parent
        around = dict.fromkeys((own, own / "data", *(folder.parent for folder in self._folders)))
        bases = [(base, self._first_names(base)) for base in around]
        for name in self._graph.data(file):
            text = name.pattern
            if name.here:
                text = text.replace(OWN, glob.escape(file.stem) if is_pattern(text) else file.stem)
                yield self._below(own, text, here=True)
            elif text.startswith("/"):
                if any(text.startswith(f"{folder.parent}/") for folder in self._folders):
                    yield self._below(Path("/"), text, here=False)
            else:
                first = text.partition("/")[0]
                for base, names in bases:
                    beside = base in (own, own / "data")
                    if first in names or (beside and is_pattern(first)):  # most texts are not paths
                        yield self._below(base, text, here=False)

    def _below(self, base: Path, text: str, *, here: bool) -> Data:
        path = os.path.normpath(base / text)
        return Data(path, here, self._is_shared(path))

    def _first_names(self, base: Path) -> frozenset[str]:
        """The possible first names of a path below `base`."""
        if base not in self._first:
            try:
                there = os.listdir(base)  # noqa: PTH208 - only names are needed
            except OSError:
                there = []
            above = f"{base}/"
            gone = (
                path.removeprefix(above).partition("/")[0] for path in self._gone if path.startswith(above)
            )
            self._first[base] = frozenset((*there, *gone, "..", "."))
        return self._first[base]

    def _is_shared(self, path: str) -> bool:
        """Whether `path` is a whole folder of many tests' files, or an unspecified file in one."""
        *above, last = path.split("/")
        folder = (
            Path("/".join(above) or "/")
            if is_pattern(last) and last.strip("*") in ("", ".py")
            else Path(path)
        )
        while folder.name == "**":
            folder = folder.parent
        if is_pattern(str(folder)):
            return False
        return any(
            each.is_relative_to(folder) or folder in (each / "data", each / "references")
            for each in self._folders
        )


def files_of(data: Data) -> list[Path]:
    """The existing files that `data` matches, sorted; for a folder, all files below it."""
    try:
        # Not Path.glob, which takes patterns below a folder only and leaves out hidden files.
        every = glob.iglob(data.path, recursive=True, include_hidden=True)  # noqa: PTH207
        found = every if data.is_pattern else [data.path]
        return sorted(islice((file for each in found for file in _below(Path(each))), MOST))
    except (OSError, ValueError):
        return []


def _below(path: Path) -> Iterator[Path]:
    if path.is_dir():
        for folder, folders, names in os.walk(path, followlinks=False):
            folders[:] = [name for name in folders if name not in ("__pycache__", ".git")]
            linked = [name for name in folders if os.path.islink(os.path.join(folder, name))]  # noqa: PTH114, PTH118
            yield from (Path(folder, name) for name in (*names, *linked))
    elif os.path.lexists(path):
        yield path
