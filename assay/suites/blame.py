"""A suite's own code: what it raises is told with the suite, its package, the file and the line, and what it
prints goes to stderr."""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from assay.errors import AssayError, TestFileError
from assay.extensions import extensions
from assay.mistakes import said
from assay.suites.listing import PLUGINS


@contextlib.contextmanager
def blame(name: str, folder: Path | None) -> Iterator[None]:
    """Run a suite's own code: any exception becomes a TestFileError that names suite and line."""
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            yield
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        where = _line_in(folder, error) if folder is not None else ""
        raise TestFileError(f"{known_as(name)}: {where + ': ' if where else ''}{said(error)}") from error


def _line_in(place: Path, error: BaseException) -> str:
    """file:line of the innermost frame in `place` (a file, or a folder) that an error passed through; or
    ''."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{f.filename}:{f.lineno}" for f in frames if Path(f.filename).is_relative_to(place)]
    return lines[-1] if lines else ""


def known_as(name: str) -> str:
    """A suite of its own, with the package that it comes from."""
    plugin = extensions(PLUGINS).get(name)
    return f"suite {name}" + (f" of the package {plugin.package}" if plugin is not None else "")
