"""Importing test files and suites: each under a name of its own, and a broken one affects only itself."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import sys
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from assay.errors import TestFileError
from assay.suites.diagnostics import of_error, of_syntax

FRESH_S = 2.0  # since a file changed; file systems and clocks agree within it


class _SourceLoader(SourceFileLoader):
    """Bytecode names its source by its size and the second in which it changed: of a file that changed a
    moment ago none is read or kept, since another edit within that second would not count."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        try:
            if time.time() - self.path_stats(path)["mtime"] < FRESH_S:
                return self.source_to_code(self.get_data(path), path)
        except OSError:
            pass  # it is told below
        found = super().get_code(fullname)
        assert found is not None  # it is None for what has no source
        return found


def import_file(path: Path) -> ModuleType:
    """Import one file under a unique name. Raises TestFileError naming file, line and cause.

    Its output goes to stderr, because stdout may be read by a program. Files in its folder can be imported
    too, but never hide a module of Python or of the project.
    """
    path = path.resolve()
    if (folder := str(path.parent)) not in sys.path:
        sys.path.append(folder)
    return _import_as(f"assay_test_file_{path.stem}_{_digest(path)}", path, path)


def import_package(folder: Path, code: str) -> ModuleType:
    """Import suite.py of a suite's folder as part of a package, whose files import each other by `from .`.
    The same files are imported once. `code`: their hash. Raises TestFileError."""
    folder = folder.resolve()
    package = f"assay_suite_{folder.name}_{_digest(folder)}_{code}"
    if (known := sys.modules.get(f"{package}.suite")) is not None:
        return known
    parent = ModuleType(package)
    parent.__path__ = [str(folder)]
    sys.modules[package] = parent
    try:
        return _import_as(f"{package}.suite", folder / "suite.py", folder)
    except TestFileError as error:
        for name in [name for name in sys.modules if name.startswith(package)]:
            del sys.modules[name]
        raise TestFileError(f"{error}{_own_files(folder, error.__cause__)}") from error.__cause__


def _own_files(folder: Path, error: BaseException | None) -> str:
    """What to say if a suite did not find a file of the project by its name; '' otherwise."""
    if not isinstance(error, ImportError):
        return ""
    near = {folder.parent.name, *(path.stem for each in (folder, folder.parent) for path in each.glob("*"))}
    if "relative import" not in str(error) and (error.name or "").partition(".")[0] not in near:
        return ""
    return (
        "\nA suite imports the files of its own folder, such as from .words import WORDS, and none beside it"
    )


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path).encode()).hexdigest()[:8]


def _import_as(name: str, path: Path, place: Path) -> ModuleType:
    """Import a file as the module `name`. `place`: the file, or the folder, in which an error's line is
    looked for."""
    spec = importlib.util.spec_from_file_location(name, path, loader=_SourceLoader(name, str(path)))
    if path.suffix != ".py" or spec is None or spec.loader is None:
        raise TestFileError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look up a class's module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise TestFileError(of_syntax(path, error)) from None
    except (Exception, SystemExit) as error:  # the file's own code may raise anything
        del sys.modules[name]
        raise TestFileError(of_error(place, error)) from error
    return module
