"""What a file's text says of its variables: of a value that may change while tests run, only this is the same
at any moment and in each process."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import resolve_name
from pathlib import Path
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Assigned:
    """At the top of a file. `texts`: of each variable, function and class, and as CLASS.NAME of what is in a
    class, the statements that may change it, as hashes with the names in them. `imported`: variable -> module
    and its name there. `rebound`: what functions assign anew. `known`: what `text_of` found."""

    texts: Mapping[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    imported: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rebound: frozenset[str] = frozenset()
    known: dict[str, str] = field(default_factory=dict)


_read: dict[str, tuple[object, Assigned]] = {}  # file -> the spec of its module, and what it assigns


def assigned_in(file: Mapping[str, Any]) -> Assigned:
    """`file`: its global variables. It is read once each time that it is loaded."""
    path, spec = file.get("__file__") or "", file.get("__spec__")
    known = _read.get(path)
    if known is None or known[0] is not spec:
        known = _read[path] = spec, _found(Path(path), file.get("__package__") or "")
    return known[1]


def text_of(file: Mapping[str, Any], name: str) -> str:
    """A hash of all that the file says of a variable and of what that is made of, with other files of the
    same package; '' if it says nothing."""
    known = assigned_in(file).known
    if name not in known:
        found = "".join(_texts(file, name, set()))
        known[name] = found and hashlib.sha256(found.encode()).hexdigest()
    return known[name]


def is_beside(module: ModuleType, file: Mapping[str, Any]) -> bool:
    """Whether a module is of the file's package, or in its folder."""
    one, other = (str(its.get("__name__")).partition(".")[0] for its in (vars(module), file))
    path, beside = (its.get("__file__") for its in (vars(module), file))
    return one == other or bool(path and beside and Path(path).parent == Path(beside).parent)


def _texts(file: Mapping[str, Any], name: str, seen: set[tuple[int, str]]) -> Iterator[str]:
    if (id(file), name) in seen:
        return
    seen.add((id(file), name))
    its = assigned_in(file)
    if name in its.imported:
        module, inner = its.imported[name]
        if (found := sys.modules.get(module)) is not None and is_beside(found, file):
            yield from _texts(vars(found), inner, seen)
    for text, uses in its.texts.get(name, ()):
        yield text
        for each in sorted(uses):
            yield from _texts(file, each, seen)
            if "." in name:  # what a method has by self
                yield from _texts(file, f"{name.partition('.')[0]}.{each}", seen)
            if isinstance(other := file.get(each), ModuleType) and is_beside(other, file):
                for inner in sorted(uses):
                    yield from _texts(vars(other), inner, seen)


def _found(path: Path, package: str) -> Assigned:
    try:
        tree = ast.parse(source := path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return Assigned()  # a notebook's, or a compiled file
    texts, imported = dict[str, list[tuple[str, frozenset[str]]]](), dict[str, tuple[str, str]]()
    for statement in tree.body:
        for name, part in _changed(statement):
            texts.setdefault(name, []).append((_hash(part, source), frozenset(_names(part))))
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            imported |= _imported(statement, package)
    rebound = (name for each in ast.walk(tree) if isinstance(each, ast.Global) for name in each.names)
    return Assigned(texts, imported, frozenset(rebound))


def _hash(part: ast.stmt, source: bytes) -> str:
    try:
        said = ast.dump(part).encode("utf-8", "surrogatepass")
    except RecursionError:  # as of a long chain of elif
        said = b"\n".join(source.splitlines()[part.lineno - 1 : part.end_lineno])
    return hashlib.sha256(said).hexdigest()


def _imported(statement: ast.stmt, package: str) -> dict[str, tuple[str, str]]:
    found = dict[str, tuple[str, str]]()
    for each in ast.walk(statement):
        if isinstance(each, ast.ImportFrom):
            with contextlib.suppress(ImportError):  # it is tried, or for a type checker only
                module = resolve_name("." * each.level + (each.module or ""), package)
                found |= {alias.asname or alias.name: (module, alias.name) for alias in each.names}
    return found


def _changed(statement: ast.stmt) -> Iterator[tuple[str, ast.stmt]]:
    """The names of what a statement at the top may change, each with what says how."""
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            yield name, statement
        case ast.ClassDef(name, body=body):
            yield name, statement
            yield from ((f"{name}.{inner}", part) for each in body for inner, part in _changed(each))
        case ast.Import() | ast.ImportFrom():
            pass
        case _:
            changed = (name for each in ast.walk(statement) for name in _changed_by(each, statement))
            yield from ((name, statement) for name in dict.fromkeys(changed))


def _changed_by(node: ast.AST, statement: ast.stmt) -> Iterator[str]:
    """Its variables that a part of a statement assigns, or of whose values it changes a part."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Name(name, ast.Store() | ast.Del()):
            yield name
        case ast.Attribute(inner, ctx=context) | ast.Subscript(inner, ctx=context):
            if not isinstance(context, ast.Load):
                yield from _root(inner)
        case ast.Call(ast.Attribute(inner)):
            yield from _root(inner)
    if isinstance(node, ast.Call) and not isinstance(statement, ast.Assign | ast.AnnAssign):
        yield from (each.id for each in node.args if isinstance(each, ast.Name))


def _root(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _names(part: ast.AST) -> Iterator[str]:
    for each in ast.walk(part):
        if isinstance(each, ast.Name | ast.Attribute):
            yield each.id if isinstance(each, ast.Name) else each.attr
