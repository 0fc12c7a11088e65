"""What a file's text assigns to its variables: of a value that may change while tests run, only this is the
same at any moment and in each process."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import resolve_name
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Assigned:
    """At the top of a file. `values`: hashes of the expressions, by variable. `imported`: variable -> module
    and its name there. `rebound`: what functions assign anew."""

    values: Mapping[str, str] = field(default_factory=dict)
    imported: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    rebound: frozenset[str] = frozenset()


_read: dict[str, tuple[object, Assigned]] = {}  # file -> the spec of its module, and what it assigns


def assigned_in(file: Mapping[str, Any]) -> Assigned:
    """`file`: its global variables. It is read once each time that it is loaded."""
    path, spec = file.get("__file__") or "", file.get("__spec__")
    known = _read.get(path)
    if known is None or known[0] is not spec:
        known = _read[path] = spec, _found(Path(path), file.get("__package__") or "")
    return known[1]


def value_in(file: Mapping[str, Any], name: str) -> str:
    """The hash of what a variable gets, by the file, or by that of the same package that it is imported from;
    '' if their texts do not say."""
    known = assigned_in(file)
    if name not in known.imported:
        return known.values.get(name, "")
    module, its = known.imported[name]
    ours = module.partition(".")[0] == str(file.get("__name__")).partition(".")[0]
    found = sys.modules.get(module) if ours else None
    return value_in(vars(found), its) if found is not None else ""


def _found(path: Path, package: str) -> Assigned:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return Assigned()  # a notebook's, or a compiled file
    values, imported = dict[str, str](), dict[str, tuple[str, str]]()
    for each in tree.body:
        match each:
            case ast.Assign(targets, value):
                values |= dict.fromkeys(_names(targets), _hash(value))
            case ast.AnnAssign(target, _, ast.expr() as value):
                values |= dict.fromkeys(_names([target]), _hash(value))
            case ast.ImportFrom():
                module = resolve_name("." * each.level + (each.module or ""), package)
                imported |= {alias.asname or alias.name: (module, alias.name) for alias in each.names}
    rebound = (name for each in ast.walk(tree) if isinstance(each, ast.Global) for name in each.names)
    return Assigned(values, imported, frozenset(rebound))


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    for each in targets:
        found = (node for node in ast.walk(each) if isinstance(node, ast.Name))
        yield from (node.id for node in found if isinstance(node.ctx, ast.Store))


def _hash(value: ast.expr) -> str:
    return hashlib.sha256(ast.dump(value).encode("utf-8", "surrogatepass")).hexdigest()
