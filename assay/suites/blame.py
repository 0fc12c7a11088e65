"""A suite's own code: what it raises is told with the suite, its package, the file and the line, and what it
prints goes to stderr."""

from __future__ import annotations

import sys
from pathlib import Path
from types import TracebackType

from assay.errors import AssayError, TestFileError
from assay.extensions import extensions
from assay.mistakes import said
from assay.suites.listing import PLUGINS


class blame:
    """A block that runs a suite's own code: any exception becomes a TestFileError that names suite and line.
    A run enters ten for each trial, so this is no generator."""

    __slots__ = ("_folder", "_name", "_stdout")

    def __init__(self, name: str, folder: Path | None) -> None:
        self._name, self._folder = name, folder

    def __enter__(self) -> None:
        self._stdout, sys.stdout = sys.stdout, sys.stderr  # stdout is for results

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.stdout = self._stdout
        if isinstance(error, (Exception, SystemExit)) and not isinstance(error, AssayError):
            where = _line_in(self._folder, error) if self._folder is not None else ""
            text = f"{known_as(self._name)}: {where + ': ' if where else ''}{said(error)}"
            raise TestFileError(text) from error


def _line_in(place: Path, error: BaseException) -> str:
    """file:line of the innermost frame in `place` (a file, or a folder) that an error passed through; or
    ''."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    lines = [f"{f.filename}:{f.lineno}" for f in frames if Path(f.filename).is_relative_to(place)]
    return lines[-1] if lines else ""


def known_as(name: str) -> str:
    """A suite of its own, with the package that it comes from."""
    plugin = extensions(PLUGINS).get(name)
    return f"suite {name}" + (f" of the package {plugin.package}" if plugin is not None else "")
