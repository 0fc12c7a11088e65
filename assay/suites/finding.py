"""A suite by its name: in a folder of tests, or in an installed package."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

from assay.errors import ConfigError, TestFileError
from assay.extensions import extensions, misplaced
from assay.language.own_nodes import misspelt, where_of, words
from assay.loaded_code import changed, told
from assay.mistakes import misdeclared
from assay.package_code import code_of, edited
from assay.results.scores import is_scale
from assay.suites.blame import blame, known_as
from assay.suites.importing import import_package, is_helper
from assay.suites.listing import PLUGINS
from assay.suites.suite import Suite


def has_suite(name: str, tests: Path) -> bool:
    """Whether tests/<name>/suite.py exists. The name is untrusted, and need not be a valid file name."""
    return name.isidentifier() and len(name.encode()) < 256 and (tests / name / "suite.py").is_file()


def load_suite(name: str, tests: Path) -> Suite:
    """The suite defined in tests/<name>/suite.py. Raises ConfigError for an unknown or broken one."""
    path = tests / name / "suite.py"
    if not has_suite(name, tests):
        there = {each.parent.name for each in tests.glob("*/suite.py")} | extensions(PLUGINS).keys()
        known = ", ".join(["applied", *sorted(there), "all"])
        raise ConfigError(f"unknown suite {name!r}; choose one of {known}{misplaced(PLUGINS, name)}")
    code = _hash_of(_files_of(path.parent), path.parent)
    found = getattr(import_package(path.parent, code), "SUITE", None)
    return _checked(found, name, f"{path}: must define SUITE,", path.parent, code)


def find_suite(name: str, folders: Sequence[Path]) -> Suite:
    """The suite of this name from the first of `folders` of tests that has it, or of an installed package.
    Raises ConfigError for an unknown or broken one, and for one that is in both."""
    folder = next((each for each in folders if has_suite(name, each)), None)
    plugin = extensions(PLUGINS).get(name)
    if plugin is None:
        return load_suite(name, folder or folders[0])
    if folder is not None:
        raise plugin.broken(f"{folder / name} has that name too", "rename one of the two")
    found, module = plugin.load(), plugin.entry.module
    file = Path(sys.modules[module].__file__ or "")
    alone = "." not in module and file.name != "__init__.py"  # its folder has other packages
    place = (file if alone else file.parent).resolve()
    files = _files_of(place)
    change = changed(module, files) or edited([module], is_helper).get(module.partition(".")[0])
    if change:
        raise ConfigError(told(change))
    code = _hash_of(files, place)[:8] + code_of(module)  # which may import what is outside its folder
    return _checked(found, name, f"{plugin} must be", place, code)


def _checked(found: object, name: str, wrong: str, folder: Path, code: str) -> Suite:
    """The suite, checked and completed. `wrong`: the beginning of an error. Raises TestFileError."""
    suite = found
    if isinstance(found, type) and issubclass(found, Suite):
        if told := misdeclared(found, {"__init__": "def __init__(self)"}):
            raise TestFileError(f"{known_as(name)}: {told}")
        with blame(name, folder):
            suite = found()
    if not isinstance(suite, Suite) or suite.name != name:
        what = f"one named {suite.name!r}" if isinstance(suite, Suite) else f"of type {type(suite).__name__}"
        raise TestFileError(f"{wrong} a subclass of assay.suites.suite.Suite named {name!r}, not {what}")
    if told := misdeclared(type(suite), dict(_declared(type(suite)))) or _wrong_attribute(suite):
        raise TestFileError(f"{known_as(name)}: {told}")
    if suite.scores is not None and not is_scale(suite.scores):
        raise TestFileError(
            f"{wrong} a suite whose scores are two different numbers, (worst, best), "
            f"not {suite.scores!r:.100}"
        )
    suite = copy.copy(suite)
    suite.code, suite.folder = code, folder.resolve()
    return suite


def _declared(kind: type[Suite]) -> Iterator[tuple[str, str]]:
    """The methods of Suite that a class overrides, and how they are declared."""
    for name, method in vars(Suite).items():
        if isfunction(method) and name[0] != "_" and getattr(kind, name) is not method:
            yield name, f"def {name}({', '.join(signature(method).parameters)})"


def _wrong_attribute(suite: Suite) -> str:
    """What is wrong with an attribute of a suite's class: it is misspelt, or one word in place of several."""
    kind = type(suite)
    for name in SEVERAL:
        if isinstance(value := getattr(suite, name), str):
            return f"{where_of(kind)}{name} must be several words, such as ({value!r},), not a text"
    left = {name: fits for name, fits in TRAITS.items() if not suite.defines(name)}
    for each in kind.__mro__[: kind.__mro__.index(Suite)]:
        for name, value in vars(each).items():
            if not hasattr(Suite, name) and (meant := misspelt(name, value, left)):
                return f"{where_of(each)}no suite has an attribute {name}. {meant}"
    return ""


def _like(method: Callable[..., Any]) -> Callable[[Any], bool]:
    return lambda value: (
        isfunction(value) and [*signature(value).parameters] == [*signature(method).parameters]
    )


SEVERAL = ("conditions", "extras", "figure_extras")
# what a class may define, and whether a value can be meant for it
TRAITS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(SEVERAL, words),
    "scores": is_scale,
    "description": lambda value: isinstance(value, str),
    **{name: _like(method) for name, method in vars(Suite).items() if isfunction(method) and name[0] != "_"},
}


def _hash_of(files: Mapping[Path, bytes], folder: Path) -> str:
    digest = hashlib.sha256()
    for file, its in files.items():
        digest.update(str(file.relative_to(folder)).encode("utf-8", "surrogateescape") + b"\0" + its)
    return digest.hexdigest()[:16]


def _files_of(folder: Path) -> dict[Path, bytes]:
    """One file, or every file below `folder` that is not hidden, since its data matter as much as its code,
    each with its hash."""
    found: dict[Path, bytes] = {}
    for file in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
        inner = file.relative_to(folder)
        if any(part.startswith((".", "__pycache__")) for part in inner.parts) or not file.is_file():
            continue
        with contextlib.suppress(OSError):
            found[file] = hashlib.sha256(file.read_bytes()).digest()
    return found
