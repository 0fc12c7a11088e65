"""The files of the repository that a Python file depends on, found without importing anything."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from assay.home import BENCHMARKS, PACKAGE
from assay.suites.data_names import IMPORTERS, DataName, data_names, importers
from assay.suites.file_facts import FileFacts

IMPORTS_VERSION = 4
OURS = (PACKAGE.name, "evaluator")
LANGUAGE = "language"  # the folder of the nodes
OUR_FILES = ("evaluator.py", "llm.py", "main.py")
_SEEN = FileFacts(None, IMPORTS_VERSION)  # by this process: reading Assay's own files takes most of the time


class ImportGraph:
    """Imports between the files below `roots` (folders in which modules are looked up, in order).

    Imports inside functions count too. Assay's own modules, except the nodes, count only their imports at
    load time, or one lazy import would connect everything; not so below a folder of `eager_below` (the
    tests). `cache`: a file with what unchanged files import, or else this process remembers it.
    """

    def __init__(
        self, roots: Sequence[Path], eager_below: Sequence[Path] = (), cache: Path | None = None
    ) -> None:
        self._roots, self._eager_below = roots, eager_below
        # A user's folder may have its own main.py, or a package called assay.
        self._homes = [each for each in (*roots, PACKAGE.parent) if (each / PACKAGE.name / LANGUAGE).is_dir()]
        self._facts = FileFacts(cache, IMPORTS_VERSION) if cache else _SEEN
        self._direct: dict[Path, frozenset[Path]] = {}
        self._found: dict[tuple[Path, tuple[str, ...]], tuple[Path, ...]] = {}
        self._names: dict[Path, frozenset[str]] = {}
        self._resolved: dict[Path, Path] = {}

    def closure(self, *paths: Path, ours: bool = True) -> frozenset[Path]:
        """`paths` and every file of the repository that they import, directly or not. `ours`: Assay's own,
        too; otherwise these are not even read, which takes most of the time."""
        seen: set[Path] = set()
        todo = [path.resolve() for path in paths]
        while todo:
            path = todo.pop()
            if path not in seen and (ours or not self.is_ours(path)):
                seen.add(path)
                todo.extend(self.direct(path) - seen)
        return frozenset(seen)

    def remember(self) -> None:
        """Write what was learnt about files to `cache`."""
        self._facts.save()

    def direct(self, path: Path) -> frozenset[Path]:
        """The files that `path` itself imports; none if it cannot be parsed."""
        if path not in self._direct:
            imports = self._known(path)["imports"]
            files = [file for level, parts in imports for file in self._files(level, parts, path)]
            if path.parts[-3:] == (PACKAGE.name, LANGUAGE, "__init__.py") and self.is_ours(path):
                # Some nodes' files are not imported but read and sent into sandboxes.
                names = self._names_in(path.parent)
                files += (path.parent / name for name in names if name.endswith(".py"))
            self._direct[path] = frozenset(file for file in files if file != path)
        return self._direct[path]

    def names(self, path: Path) -> Iterator[Sequence[str]]:
        """The dotted names that `path` imports, split into parts."""
        return (parts for _, parts in self._known(path)["imports"])

    def data(self, path: Path) -> list[DataName]:
        """The non-module files that `path` names (assay.suites.data_names); none for Assay's own files."""
        return [DataName(pattern, here) for pattern, here in self._known(path)["data"]]

    def _known(self, path: Path) -> dict[str, Any]:
        """The facts in the file's text."""
        ours = self.is_ours(path)
        lazy_too = not ours or (PACKAGE.name, LANGUAGE) in pairwise(path.parts)
        known: dict[str, Any] | None = self._facts.get(path)
        if known is None or known["lazy_too"] != lazy_too or known["ours"] != ours:
            source = _source(path)
            tree = _parsed(source)
            data = [] if ours or tree is None else [(each.pattern, each.here) for each in data_names(tree)]
            by_calls = not ours or any(name.encode() in source for name in IMPORTERS)
            imports = [] if tree is None else _imports(tree, lazy_too, by_calls)
            known = {"lazy_too": lazy_too, "ours": ours, "imports": imports, "data": data}
            self._facts.put(path, known)
        return known

    def is_ours(self, path: Path) -> bool:
        """Whether a file is Assay's own and not a test's, in a checkout or an installation."""
        if any(path.is_relative_to(folder) for folder in (*self._eager_below, BENCHMARKS)):
            return False
        for root in self._homes:
            if path.is_relative_to(root):
                first, *rest = path.relative_to(root).parts
                if first == PACKAGE.name or (not rest and first in OUR_FILES):
                    return True
        return False

    def _files(self, level: int, parts: Sequence[str], importer: Path) -> Iterable[Path]:
        """The files that run when a dotted name is imported: each package on the way, then the module.
        `level`: the number of leading dots."""
        if level:
            return self._module(importer.parents[min(level, len(importer.parents)) - 1], tuple(parts))
        # Among the installed packages, only Assay's own modules count.
        roots = (*self._roots, PACKAGE.parent) if parts[0] in OURS else self._roots
        found = (self._module(root, tuple(parts)) for root in roots)
        return next((files for files in found if files), ())

    def _module(self, root: Path, parts: tuple[str, ...]) -> tuple[Path, ...]:
        key = (root, parts)
        if key not in self._found:
            place, found = root, []
            for part in parts:
                folder, place = place, place / part
                if part in self._names_in(folder) and "__init__.py" in self._names_in(place):
                    found.append(self._real(place / "__init__.py"))
                elif f"{part}.py" in self._names_in(folder):
                    found.append(self._real(folder / f"{part}.py"))
            self._found[key] = tuple(found)
        return self._found[key]

    def _real(self, path: Path) -> Path:
        """The resolved path, cached because the packages above each module are asked for repeatedly."""
        if path not in self._resolved:
            self._resolved[path] = path.resolve()
        return self._resolved[path]

    def _names_in(self, folder: Path) -> frozenset[str]:
        """The names in a folder; none if there is no such folder."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 - only names are needed
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]


def _source(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _parsed(source: bytes) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _imports(tree: ast.Module, lazy_too: bool, by_calls: bool) -> list[tuple[int, tuple[str, ...]]]:
    """(level, dotted name) of a file's imports; for `from a import b` both a and a.b, which may be a module.
    An import by importlib counts like a statement, if `by_calls` says there are any: searching for them takes
    several times as long."""
    found: dict[tuple[int, tuple[str, ...]], None] = {}
    calls = importers(tree) if lazy_too and by_calls else frozenset()
    for node in _reached(tree, lazy_too, ast.iter_child_nodes if calls else _statements):
        if isinstance(node, ast.Import):
            found |= {(0, tuple(name.name.split("."))): None for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = tuple(node.module.split(".")) if node.module else ()
            found |= {(node.level, (*parts, name.name)): None for name in node.names}
            found[node.level, parts] = None
        elif isinstance(node, ast.Call) and (name := _imported_by_call(node, calls)):
            dots = len(name) - len(name.lstrip("."))
            found[dots, tuple(name.lstrip(".").split("."))] = None
    return list(found)


def _imported_by_call(node: ast.Call, calls: frozenset[str]) -> str:
    """The name in import_module("a.b"), else ''. `calls`: the names of such functions."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first = node.args[0] if node.args and name in calls else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _reached(
    root: ast.AST, lazy_too: bool, children_of: Callable[[ast.AST], Iterable[ast.AST]]
) -> Iterator[ast.AST]:
    """Every node, without code for type checkers, and without functions unless `lazy_too`."""
    todo = [root]
    while todo:
        node = todo.pop()
        yield node
        if not lazy_too and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        todo.extend(reversed(node.orelse if typing_only else list(children_of(node))))  # type: ignore[attr-defined]


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a node, without its many more expressions."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        inside = getattr(node, block, ())
        if isinstance(inside, list):  # a conditional expression has a single one
            yield from inside
