"""A hash of what a test asks and checks, whatever its name is and wherever it is written.

By it two records are known to be of the same test, run from a file and from a notebook, say. It would rather
miss some of these than take two tests for one: where a part of an expression cannot be told from another of
the same name, there is no hash.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from assay.language.assigned import assigned_in, value_in
from assay.language.content_hash import at, content_hash, parts_of
from assay.language.dsl import Node, field_names

PLAIN = (type(None), bool, int, float, complex, str, bytes)  # whose repr says all
# values of a file that its functions do not change, unless they assign them anew
LASTING = (*PLAIN, tuple, frozenset, re.Pattern, ModuleType, BuiltinFunctionType, FunctionType, type)
STDLIB = sys.stdlib_module_names
OURS = __name__.partition(".")[0]
MOST = 5000  # values or kilobytes that are looked at: a list of words would make each trial wait


_last: list[Any] = []  # a test and what _hashed found


class _Unknown(Exception):
    """There may be another of the same name, or there is too much to look at."""


@dataclass
class _Look:
    """What was looked at. `functions`: by their id, for they may name themselves, and classes; `left`: of
    MOST. `lasting`: nothing is unknown, and of what may change while tests run, what its file assigns."""

    functions: set[int] = field(default_factory=set)
    left: int = MOST
    lasting: bool = False

    def at(self, number: int) -> None:
        """Raises _Unknown if so many more are too many."""
        self.left -= number
        if self.left < 0:
            raise _Unknown

    def first(self, its: Any) -> bool:
        """Whether this function or class was not looked at."""
        known = id(its) in self.functions
        self.functions.add(id(its))
        return not known


def expression_hash(test: Node) -> str:
    """16 hex digits; '' if there is none, as for a test with a node of the author's own."""
    return _hashed(test)[0]


def version_hash(test: Node) -> str:
    """8 hex digits for a version of a test without a file of its own. Unlike `expression_hash` it is always
    the same while tests run, tells nodes of the author's own by their code, and is never missing."""
    digest, lasts = _hashed(test)
    if lasts:
        return digest[:8]
    try:
        whole = _told(test, _Look(lasting=True))
    except (_Unknown, RecursionError, ValueError):
        return content_hash(test)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _hashed(test: Node) -> tuple[str, bool]:
    """The hash of an expression, and whether it is the same while tests run: it has no functions. That of
    the last test is kept, since a record has both hashes."""
    if _last and _last[0] is test:
        return _last[1], _last[2]
    look = _Look()
    try:
        whole = _told(test, look)
    except (_Unknown, RecursionError, ValueError):  # a variable around a function may have no value yet
        found = "", False
    else:
        digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
        found = digest[:16], not look.functions
    _last[:] = (test, *found) if found[1] else ()
    return found


def _told(value: Any, look: _Look) -> str:
    kind = type(value)
    look.at(1 + len(value) // 1000 if kind in (str, bytes) else 1)
    if kind in PLAIN:
        return repr(value)
    return f"{kind.__qualname__}({','.join([_told(each, look) for each in _parts(value, kind, look)])})"


def _parts(value: Any, kind: type, look: _Look) -> Iterator[Any]:
    """What tells a value from others of its kind. Raises _Unknown."""
    if kind in (tuple, list):
        yield from value
    elif kind in (set, frozenset):
        look.at(len(value))
        yield from sorted(value, key=repr)
    elif (names := field_names(kind)) is not None and _is_known(kind):
        yield from (getattr(value, name) for name in names)
    elif isinstance(value, Mapping):
        for each in value.items():
            yield from each
    elif isinstance(value, str) and _is_known(kind):  # a test case, with what it was made of
        yield from (str(value), vars(value))
    elif isinstance(value, FunctionType):
        if look.first(value):
            yield from _of_function(value, look.lasting)
    elif isinstance(value, CodeType):
        yield from (value.co_code, value.co_consts, value.co_names, value.co_varnames)
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, PurePath | ModuleType):
        yield at(value) if isinstance(value, PurePath) else value.__name__
    elif isinstance(value, re.Pattern):
        yield from (value.pattern, value.flags)
    elif isinstance(value, type | BuiltinFunctionType) and _is_known(value):
        yield from (value.__module__, value.__qualname__)
    elif not look.lasting:
        raise _Unknown
    elif isinstance(value, type):
        yield from _of_class(value) if look.first(value) else ()
    else:
        yield from _named(parts_of(value, kind))
        if isinstance(value, Node):
            yield _code_of(kind)
        elif isinstance(value, Hashable) and (Enum in kind.__mro__ or _package(kind) in STDLIB):
            yield re.sub(" at 0x[0-9a-f]+", "", repr(value))  # a date, a Decimal


def _is_known(its: Any) -> bool:
    """Whether a name says what it names: it is Assay's or Python's."""
    return _package(its) == OURS or _package(its) in STDLIB


def _package(its: Any) -> str:
    return (its.__module__ or "").partition(".")[0]


def _of_function(function: FunctionType, lasting: bool) -> Iterator[Any]:
    """Its code and the values that it uses: its defaults, the variables around it, those of its file."""
    if _is_known(function) and not function.__closure__:
        yield from (function.__module__, function.__qualname__)
        return
    yield from (function.__code__, function.__defaults__, function.__kwdefaults__)
    around = (cell.cell_contents for cell in function.__closure__ or ())
    names = sorted(name for name in names_in(function.__code__) if name in function.__globals__)
    used = (function.__globals__[name] for name in names)
    if lasting:
        yield from _named(around)
        rebound = assigned_in(function.__globals__).rebound
        for name, each in zip(names, used, strict=True):
            if isinstance(each, LASTING) and name not in rebound:
                yield _seen_from(function, each)
            elif given := value_in(function.__globals__, name):
                yield given
    else:
        yield from (*around, *used)


def _of_class(its: type) -> Iterator[Any]:
    """The code of its methods, and its values."""
    for each in its.__mro__:
        for name, part in sorted(vars(each).items()) if not _is_known(each) else ():
            inside = (getattr(part, way, None) for way in ("fget", "func", "__func__"))
            code = next(filter(None, inside), part)
            if isinstance(code, FunctionType) or (isinstance(code, PLAIN) and not name.startswith("__")):
                yield from (name, code)


@functools.cache
def _code_of(its: type) -> str:
    """Made once, since every trial asks, and short: the code may be long."""
    return hashlib.sha256(_told(its, _Look(lasting=True)).encode("utf-8", "surrogatepass")).hexdigest()


def _seen_from(function: FunctionType, its: Any) -> Any:
    """What a function's file has under a name: code of another package is told by its name."""
    if not isinstance(its, FunctionType | type) or its.__module__ is None:
        return its
    ours = its.__module__.partition(".")[0] == str(function.__module__).partition(".")[0]
    return its if ours else (its.__module__, its.__qualname__)


def _named(values: Iterable[Any]) -> Iterator[Any]:
    """The values, and of files their names: what a class or a function writes is no part of the test."""
    return (each.name if isinstance(each, PurePath) else each for each in values)


def names_in(code: CodeType) -> set[str]:
    inside = [names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inside)
