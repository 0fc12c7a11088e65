"""A hash of what a test asks and checks, whatever its name is and wherever it is written.

By it two records are known to be of the same test, run from a file and from a notebook, say. It would rather
miss some of these than take two tests for one: where a part of an expression cannot be told from another of
the same name, there is no hash.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from assay.language.content_hash import at
from assay.language.dsl import Node, field_names

PLAIN = (type(None), bool, int, float, complex, str, bytes)  # whose repr says all
OURS = __name__.partition(".")[0]
MOST = 5000  # values or kilobytes that are looked at: a list of words would make each trial wait


class _Unknown(Exception):
    """There may be another of the same name, or there is too much to look at."""


@dataclass
class _Look:
    """What was looked at. `functions`: by their id, for they may name themselves; `left`: of MOST."""

    functions: set[int] = field(default_factory=set)
    left: int = MOST

    def at(self, number: int) -> None:
        """Raises _Unknown if so many more are too many."""
        self.left -= number
        if self.left < 0:
            raise _Unknown


def expression_hash(test: Node) -> str:
    """16 hex digits; '' if there is none, as for a test with a node of the author's own."""
    try:
        whole = _told(test, _Look())
    except (_Unknown, RecursionError, ValueError):  # a variable around a function may have no value yet
        return ""
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
        if id(value) not in look.functions:
            look.functions.add(id(value))
            yield from _of_function(value)
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
    else:
        raise _Unknown


def _is_known(its: Any) -> bool:
    """Whether a name says what it names: it is Assay's or Python's."""
    module = (its.__module__ or "").partition(".")[0]
    return module == OURS or module in sys.stdlib_module_names


def _of_function(function: FunctionType) -> Iterator[Any]:
    """Its code and the values that it uses: its defaults, the variables around it, those of its file."""
    if _is_known(function) and not function.__closure__:
        yield from (function.__module__, function.__qualname__)
        return
    yield from (function.__code__, function.__defaults__, function.__kwdefaults__)
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    used = sorted(name for name in names_in(function.__code__) if name in function.__globals__)
    yield from (function.__globals__[name] for name in used)


def names_in(code: CodeType) -> set[str]:
    inside = [names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inside)
