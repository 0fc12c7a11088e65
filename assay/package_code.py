"""A hash of the code of installed packages: a package's version stays the same while its author edits it."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

OURS = ("assay", "evaluator", "llm", "__main__")


@functools.cache
def is_package(module: str) -> bool:
    """Whether a module is of a package that is neither Assay's nor Python's, and not a test file, which is
    imported under a name that nobody else can import."""
    return _spec(_top(module)) is not None


@functools.cache
def code_of(module: str) -> str:
    """8 hex digits for a module of a package and those of the same package that it imports, directly or not;
    '' without a source file. Imports nothing. Read once in a process, which imports them once, too."""
    import hashlib

    spec, sources = _spec(_top(module)), dict[str, bytes]()
    todo = [module]
    while todo:
        name = todo.pop()
        if name not in sources and (file := _file(spec, name)) is not None:
            try:
                sources[name] = file.read_bytes()
            except OSError:
                continue
            todo += (each for each in _imports(name, file, sources[name]) if _top(each) == _top(module))
    whole = b"".join(
        name.encode() + b"\0" + hashlib.sha256(sources[name]).digest() for name in sorted(sources)
    )
    return hashlib.sha256(whole).hexdigest()[:8] if whole else ""


def _top(module: str) -> str:
    return module.partition(".")[0]


def _spec(top: str) -> ModuleSpec | None:
    """Where a package is, as `import` finds it, whether it is installed or only linked to."""
    if top in OURS or top in sys.stdlib_module_names:
        return None
    found = (finder.find_spec(top, None) for finder in sys.meta_path if hasattr(finder, "find_spec"))
    return next(filter(None, found), None)


def _file(spec: ModuleSpec | None, module: str) -> Path | None:
    """`spec`: of its package."""
    _, *rest = module.split(".")
    if spec is None:
        return None
    if spec.submodule_search_locations is None:
        return Path(spec.origin) if spec.origin and not rest else None
    for folder in spec.submodule_search_locations:
        place = Path(folder, *rest)
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if file.is_file():
                return file
    return None


def _imports(module: str, file: Path, source: bytes) -> Iterator[str]:
    """The names that a module imports, and the packages around it, which run first. What is imported from a
    module may be a module."""
    from importlib.util import resolve_name

    yield module.rpartition(".")[0]
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            try:
                base = resolve_name(name, package)
            except ImportError:  # more dots than packages
                continue
            yield from (base, *(f"{base}.{each.name}" for each in node.names))
