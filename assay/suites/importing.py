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
from assay.extensions import extending
from assay.language.telling import keep_loaded
from assay.loaded_code import FRESH_S
from assay.suites.diagnostics import of_error, of_syntax

_HELPED: set[Path] = set()  # folders of test files


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
    _HELPED.add(path.parent)
    if (folder := str(path.parent)) not in sys.path:
        sys.path.append(folder)
    module = _import_as(f"assay_test_file_{path.stem}_{_digest(path)}", path, path)
    keep_loaded(module)
    return module


def is_helper(module: str, file: Path, *more: Path) -> bool:
    """Whether a module is beside test files, in a folder of those loaded before or in one `more`, and no
    package that extends Assay: it is loaded anew, if it was changed, with the test file that imports it."""
    top = module.partition(".")[0]
    here = any(
        file.is_relative_to(folder / top) or file == folder / f"{top}.py" for folder in {*_HELPED, *more}
    )
    return here and top not in extending()


def forget_bytecode(path: Path) -> None:
    """Delete the bytecode of a file that may be older than it: see _SourceLoader."""
    with contextlib.suppress(OSError, NotImplementedError):  # of a Python that keeps none
        Path(importlib.util.cache_from_source(str(path))).unlink()


def import_package(folder: Path, code: str) -> ModuleType:
    """Import suite.py of a suite's folder as part of a package, whose files import each other by `from .`.
    The same files are imported once. `code`: their hash. Raises TestFileError."""
    folder = folder.resolve()
    package = f"assay_suite_{folder.name}_{_digest(folder)}_{code}"
    if (known := sys.modules.get(f"{package}.suite")) is not None:
        return known
    for file in folder.rglob("*.py"):
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime < FRESH_S:
                forget_bytecode(file)
    parent = ModuleType(package)
    parent.__path__ = [str(folder)]
    sys.modules[package] = parent
    try:
        suite = _import_as(f"{package}.suite", folder / "suite.py", folder)
    except TestFileError as error:
        for name in [name for name in sys.modules if name.startswith(package)]:
            del sys.modules[name]
        raise TestFileError(f"{error}{_own_files(folder, error.__cause__)}") from error.__cause__
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        keep_loaded(sys.modules[name])
    return suite


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
