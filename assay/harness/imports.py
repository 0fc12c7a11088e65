"""Which files of the repository a Python file depends on, found without importing anything."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class ImportGraph:
    """Imports between the files below `roots` (folders in which modules are looked for, in order).

    A file below one of `eager_below` (the tests) also counts what it imports inside functions; for the
    machinery only imports done when the module is loaded count, or one lazy import would tie
    everything to everything.
    """

    roots: Sequence[Path]
    eager_below: Sequence[Path] = ()
    _direct: dict[Path, frozenset[Path]] = field(default_factory=dict)

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

    def direct(self, path: Path) -> frozenset[Path]:
        """The files that `path` itself imports; none if it cannot be parsed."""
        if path not in self._direct:
            try:
                tree = ast.parse(path.read_bytes())
            except (OSError, SyntaxError, ValueError, RecursionError):
                self._direct[path] = frozenset()
            else:
                lazy_too = any(path.is_relative_to(folder) for folder in self.eager_below)
                statements = ast.walk(tree) if lazy_too else _loaded(tree.body)
                self._direct[path] = frozenset(
                    file for each in statements for file in self._files(each, path) if file != path
                )
        return self._direct[path]

    def _files(self, statement: ast.AST, importer: Path) -> Iterator[Path]:
        if isinstance(statement, ast.Import):
            for name in statement.names:
                yield from self._module(name.name.split("."), self.roots)
        elif isinstance(statement, ast.ImportFrom):
            parts = statement.module.split(".") if statement.module else []
            roots = self.roots
            if statement.level:
                roots = [importer.parents[min(statement.level, len(importer.parents)) - 1]]
            yield from self._module(parts, roots)
            for name in statement.names:
                yield from self._module([*parts, name.name], roots)

    def _module(self, parts: Sequence[str], roots: Sequence[Path]) -> Iterator[Path]:
        """The files that importing a dotted name runs: each package on the way, then the module."""
        for root in roots:
            place, found = root, []
            for part in parts:
                place = place / part
                for file in (place / "__init__.py", place.with_name(f"{part}.py")):
                    if file.is_file():
                        found.append(file.resolve())
                        break
            if found:
                yield from found
                return


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
