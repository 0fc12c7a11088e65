"""Which files of the repository a Python file depends on, found without importing anything."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.harness.file_facts import FileFacts
from assay.home import PACKAGE

IMPORTS_VERSION = 1
OURS = (PACKAGE.name, "evaluator")


class ImportGraph:
    """Imports between the files below `roots` (folders in which modules are looked for, in order).

    A file below one of `eager_below` (the tests) also counts what it imports inside functions; for the
    machinery only imports done when the module is loaded count, or one lazy import would tie
    everything to everything. `cache`: a file that remembers what unchanged files import.
    """

    def __init__(
        self, roots: Sequence[Path], eager_below: Sequence[Path] = (), cache: Path | None = None
    ) -> None:
        self._roots, self._eager_below = roots, eager_below
        self._facts = FileFacts(cache, IMPORTS_VERSION)
        self._direct: dict[Path, frozenset[Path]] = {}
        self._found: dict[tuple[Path, tuple[str, ...]], tuple[Path, ...]] = {}
        self._names: dict[Path, frozenset[str]] = {}

    def closure(self, *paths: Path) -> frozenset[Path]:
        """`paths` and every file of the repository that they import, directly or not."""
        seen: set[Path] = set()
        todo = [path.resolve() for path in paths]
        while todo:
            path = todo.pop()
            if path not in seen:
                seen.add(path)
                todo.extend(self.direct(path) - seen)
        return frozenset(seen)

    def remember(self) -> None:
        """Write what was found out into `cache`."""
        self._facts.save()

    def direct(self, path: Path) -> frozenset[Path]:
        """The files that `path` itself imports; none if it cannot be parsed."""
        if path not in self._direct:
            lazy_too = any(path.is_relative_to(folder) for folder in self._eager_below)
            known = self._facts.get(path)
            if known is None or known["lazy_too"] != lazy_too:
                known = {"lazy_too": lazy_too, "imports": _imports(path, lazy_too)}
                self._facts.put(path, known)
            files = (file for level, parts in known["imports"] for file in self._files(level, parts, path))
            self._direct[path] = frozenset(file for file in files if file != path)
        return self._direct[path]

    def _files(self, level: int, parts: Sequence[str], importer: Path) -> Iterable[Path]:
        """The files that importing a dotted name runs: each package on the way, then the module. `level`:
        how many dots stand before it."""
        if level:
            return self._module(importer.parents[min(level, len(importer.parents)) - 1], tuple(parts))
        # Of what is installed beside Assay only Assay's own modules count.
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
                    found.append((place / "__init__.py").resolve())
                elif f"{part}.py" in self._names_in(folder):
                    found.append((folder / f"{part}.py").resolve())
            self._found[key] = tuple(found)
        return self._found[key]

    def _names_in(self, folder: Path) -> frozenset[str]:
        """What a folder holds; nothing where there is no such folder."""
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(os.listdir(folder))  # noqa: PTH208 - only names are needed
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]


def _imports(path: Path, lazy_too: bool) -> list[tuple[int, tuple[str, ...]]]:
    """(level, dotted name) of what a file imports; of `from a import b` both a and a.b, which may be a
    module or not. Nothing if it cannot be parsed."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    found: dict[tuple[int, tuple[str, ...]], None] = {}
    for statement in ast.walk(tree) if lazy_too else _loaded(tree.body):
        if isinstance(statement, ast.Import):
            found |= {(0, tuple(name.name.split("."))): None for name in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            parts = tuple(statement.module.split(".")) if statement.module else ()
            found |= {(statement.level, (*parts, name.name)): None for name in statement.names}
            found[statement.level, parts] = None
    return list(found)


def _loaded(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when a module is imported (not those inside functions)."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.dump(statement.test):
            continue
        for block in ("body", "orelse", "finalbody"):
            yield from _loaded(getattr(statement, block, []))
        for handler in getattr(statement, "handlers", []):
            yield from _loaded(handler.body)
