"""References of tests that do not exist: a misspelt name proves nothing, and looks as if it did."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from assay.config import near
from assay.errors import AssayError
from assay.suites.listing import TestFile, matches

Unknown = Callable[[Path, Callable[[str], bool]], Mapping[str, int]]
"""The tests that a file of references names and that are not known, with their lines."""


def stray_references(
    files: Iterable[TestFile], root: Path, unknown: Unknown, alone: Iterable[Path]
) -> Iterator[tuple[str, str]]:
    """Where the references of `files` name what is no test there, and what to say. `alone`: files beside
    them that have no test file; those with references are told. What cannot be read is told of its tests."""
    for file in files:
        path = file.path.parent / "references" / file.path.name
        tests = [test.variable.partition("[")[0] for test in file.tests]
        with contextlib.suppress(AssayError):
            for name, line in unknown(path, partial(_is_test, file)).items() if path.is_file() else ():
                text = f"{file.path.name} has no test {name}, so these references prove nothing."
                yield f"{os.path.relpath(path, root)}:{line}", text + near(name, tests, 1)
    for path in alone:
        with contextlib.suppress(AssayError):
            if unknown(path, lambda name: False):
                text = f"there is no test file {path.name} for these references."
                meant = near(path.name, (each.name for each in path.parents[1].glob("*.py")), 1)
                yield os.path.relpath(path, root), text + meant


def without_tests(files: Iterable[TestFile]) -> Iterator[Path]:
    """The files beside the references of `files` that have no test file."""
    for folder in dict.fromkeys(file.path.parent for file in files):
        for path in sorted((folder / "references").glob("*.py")):
            if not (folder / path.name).exists():
                yield path


def _is_test(file: TestFile, name: str) -> bool:
    return name != file.path.stem and any(matches(test.id, name) for test in file.tests)
