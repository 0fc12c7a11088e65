"""What of a test is code of installed packages: classes of its nodes, functions and languages.

A function counts if its package extends Assay, by an entry point or by a class in this test. Of other
packages, such as numpy, nothing counts: each upgrade would make the test another one.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from types import FunctionType, MethodType, ModuleType
from typing import Any

from assay.errors import ConfigError
from assay.extensions import extending, is_ours
from assay.language.content_hash import PLAIN, parts_of
from assay.language.dsl import Node
from assay.language.languages import LANGUAGES, find_language
from assay.language.telling import names_in
from assay.package_code import code_of, is_package


@dataclass
class _Used:
    """What was found: modules of classes that derive from ours, of functions and the rest, and languages."""

    derived: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    functions: set[int] = field(default_factory=set)  # looked at, for they may name themselves


def packages_hash(test: Node) -> str:
    """8 hex digits; '' for a test that uses no package that extends Assay."""
    used = _Used()
    _look(test, used)
    tops = set(map(_top, used.derived))
    others = {each for each in used.others if is_package(each) and (_top(each) in tops or _extends(each))}
    found = [f"{module} {code}" for module in sorted(used.derived | others) if (code := code_of(module))]
    found += filter(None, map(_row_of, sorted(used.languages)))
    return hashlib.sha256("\n".join(found).encode()).hexdigest()[:8] if found else ""


def packages_of(tests: Iterable[Node]) -> set[str]:
    """The packages with code that tests use, and others."""
    used = _Used()
    for test in tests:
        _look(test, used)
    return set(map(_top, used.derived | used.others))


def modules_of_nodes() -> set[str]:
    """The modules, other than ours, that define the nodes which are loaded."""
    kinds, found = [Node], set[str]()
    while kinds:
        its = kinds.pop().__subclasses__()
        kinds += its
        found.update(each.__module__ for each in its if not is_ours(each))
    return found


def _top(module: str) -> str:
    return module.partition(".")[0]


def _extends(module: str) -> bool:
    return _top(module) in extending()


def _look(value: Any, used: _Used) -> None:
    kind = type(value)
    if kind in PLAIN:
        return
    if isinstance(value, MethodType):
        _look(value.__func__, used)
        _look(value.__self__, used)
        return
    if isinstance(value, FunctionType):
        _look_at_function(value, used)
        return
    if not is_ours(kind):
        modules = [each.__module__ for each in kind.__mro__ if is_package(each.__module__)]
        (used.derived if any(map(is_ours, kind.__mro__)) else used.others).update(modules)
    if isinstance(value, Node):
        names = (getattr(value, each, None) for each in ("language", "lang"))
        used.languages.update(each for each in names if isinstance(each, str))
    for each in value if isinstance(value, set | frozenset) else parts_of(value, kind):
        _look(each, used)


def _look_at_function(function: FunctionType, used: _Used) -> None:
    """Its module, and what its code and that of functions beside it name: a test's function may call one of a
    package."""
    if id(function) in used.functions:
        return
    used.functions.add(id(function))
    used.others.add(str(function.__module__))
    names = names_in(function.__code__)
    for each in (*_around(function), *(function.__globals__.get(name) for name in names)):
        if isinstance(each, ModuleType):
            used.others.update((each.__name__, *(f"{each.__name__}.{name}" for name in names)))
        elif isinstance(each, FunctionType) and each.__module__ == function.__module__:
            _look_at_function(each, used)
        elif isinstance(each, FunctionType | type):
            used.others.add(each.__module__)


def _around(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with contextlib.suppress(ValueError):  # it has no value yet
            yield cell.cell_contents


def _row_of(name: str) -> str:
    """The row of a package's language, as far as it says something; '' of one of ours, and of one that cannot
    be used, which the trial tells."""
    try:
        row = find_language(name)
    except ConfigError:
        return ""
    if row is None or row in LANGUAGES.values():
        return ""
    said = ((each.name, getattr(row, each.name)) for each in fields(row))
    defaults = {each.name: each.default for each in fields(row) if each.default is not MISSING}
    return f"{name} {[(its, value) for its, value in said if value != defaults.get(its)]}"
