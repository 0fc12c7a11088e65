"""A hash of the code of installed packages: a package's version stays the same while its author edits it."""

from __future__ import annotations

import ast
import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

from assay.loaded_code import as_loaded, changed

OURS = ("assay", "evaluator", "llm", "__main__")
INSTALLED = {"site-packages", "dist-packages"}
PROJECTS = ("pyproject.toml", "*/pyproject.toml")


@functools.cache
def is_package(module: str) -> bool:
    """Whether a module is of a package that is neither Assay's nor Python's, and not a test file, which is
    imported under a name that nobody else can import."""
    return _spec(_top(module)) is not None


@functools.cache
def code_of(module: str) -> str:
    """8 hex digits for a module of a package and those of the same package that it imports, directly or not;
    '' without a source file. Imports nothing. Of what Python has loaded, it is of the code as it was then."""
    import hashlib

    spec, digests = _spec(_top(module)), dict[str, bytes]()
    todo = [module]
    _ASKED.add(_top(module))
    while todo:
        name = todo.pop()
        if name not in digests and (file := _file(spec, name)) is not None:
            try:
                source = file.read_bytes()
            except OSError:
                continue
            digests[name] = as_loaded(name, file.resolve(), hashlib.sha256(source).digest())
            todo += (each for each in _imports(name, file, source) if _top(each) == _top(module))
    whole = b"".join(name.encode() + b"\0" + digests[name] for name in sorted(digests))
    return hashlib.sha256(whole).hexdigest()[:8] if whole else ""


_ASKED: set[str] = set()  # the packages


def edited(modules: Iterable[str], is_renewed: Callable[[str, Path], bool]) -> dict[str, Path]:
    """Of the packages of `modules`, and of those that `code_of` was asked for, those that were edited since
    they were loaded, each with a file. What is seen here first is noted, for `code_of`. `is_renewed`: whether
    a module, by its name and file, is loaded anew where it matters."""
    import hashlib

    tops, found = _ASKED.union(map(_top, modules)), dict[str, Path]()
    for name in [each for each in sys.modules if _top(each) in tops and is_package(_top(each))]:
        file = Path(getattr(sys.modules[name], "__file__", None) or "").resolve()
        with contextlib.suppress(OSError):
            digest = hashlib.sha256(file.read_bytes()).digest()
            if changed(name, {file: digest}) and not is_renewed(name, file):
                found.setdefault(_top(name), file)
    code_of.cache_clear()
    return found


def copies(modules: Iterable[str], root: Path) -> dict[str, str]:
    """Of the packages of `modules`, and of those that `code_of` was asked for, those that were copied when
    they were installed, while their code in a project in `root`, or in a folder of it, is another one; each
    with what is said of it."""
    found: dict[str, str] = {}
    for top in _ASKED.union(map(_top, modules)):
        spec = _spec(top)
        places = spec and (spec.submodule_search_locations or filter(None, [spec.origin]))
        used = next(map(Path, places or ()), None)
        if used is None or INSTALLED.isdisjoint(used.parts):
            continue
        for project in (each.parent for where in PROJECTS for each in root.glob(where)):
            if any(_differs(place / used.name, used) for place in (project, project / "src")):
                place = os.path.relpath(project)
                place = place if place == "." else f"./{place}"
                found[top] = (
                    f"warning: {top} is used as it was installed, and its code in {place} differs; "
                    f"to use that: pip install -e {place}"
                )
    return found


def _differs(own: Path, used: Path) -> bool:
    """Whether a file of code has other content in the package or module that is used."""
    files = own.rglob("*.py") if own.is_dir() else [own]
    pairs = ((file, used / file.relative_to(own)) for file in files)
    with contextlib.suppress(OSError):
        return any(
            each.read_bytes() != of.read_bytes() for each, of in pairs if of.is_file() and each.is_file()
        )
    return False


def file_of(module: str) -> Path | None:
    """The source file of a module of a package, if it has one. Imports nothing."""
    return _file(_spec(_top(module)), module)


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
