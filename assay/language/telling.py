"""What tells a test, a function or a value from others, as a text: what a hash of an expression, or of a
version, is made of."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path, PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from assay.language.content_hash import at, parts_of
from assay.language.dsl import Node, field_names
from assay.language.loaded_values import ANY, CODE, Loaded, defaults_of, keep, loaded

PLAIN = (type(None), bool, int, float, complex, str, bytes)  # whose repr says all
# values whose content no function changes
LASTING = (*PLAIN, *CODE, tuple, frozenset, re.Pattern)
ENVIRON = type(os.environ)
STDLIB = sys.stdlib_module_names
OURS = __name__.partition(".")[0]
MOST = 5000  # values or kilobytes that are looked at: a list of words would make each trial wait


class Unknown(Exception):
    """There may be another of the same name, or there is too much to look at."""


@dataclass
class Look:
    """What was looked at. `functions`: by their id, for they may name themselves, and classes; `left`: of
    MOST. `lasting`: nothing is unknown. `apart`: those that are told elsewhere, and paths, if any are."""

    functions: set[int] = field(default_factory=set)
    left: int = MOST
    lasting: bool = False
    apart: list[Any] | None = None

    def at(self, number: int) -> None:
        """Raises Unknown if so many more are too many."""
        self.left -= number
        if self.left < 0:
            raise Unknown

    def first(self, its: Any) -> bool:
        """Whether this function or class is to be looked at now."""
        if self.apart is not None:
            self.apart.append(its)
            return False
        known = id(its) in self.functions
        self.functions.add(id(its))
        return not known


class _Told(str):
    """A part that was told before."""


def told(value: Any, look: Look) -> str:
    """Raises Unknown, RecursionError, or ValueError where a variable around a function has no value yet."""
    kind = type(value)
    if kind is _Told:
        return str(value)
    look.at(1 + len(value) // 1000 if kind in (str, bytes) else 1)
    if kind in PLAIN:
        return repr(value)
    return f"{kind.__qualname__}({','.join([told(each, look) for each in _parts(value, kind, look)])})"


def keep_loaded(module: ModuleType) -> None:
    """To be called when a file has been loaded, before its functions change its variables."""
    keep(vars(module), _at_load)


def names_in(code: CodeType) -> set[str]:
    """The global names and the attributes that code uses, with the functions in it."""
    inside = [names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inside)


def _parts(value: Any, kind: type, look: Look) -> Iterator[Any]:
    """What tells a value from others of its kind. Raises Unknown."""
    if kind in (tuple, list):
        yield from value
    elif kind in (set, frozenset):
        look.at(len(value))
        yield from sorted(value, key=repr)
    elif (names := field_names(kind)) is not None and _is_known(kind):
        yield from (getattr(value, name) for name in names)
    elif isinstance(value, Mapping):
        for each in value.items() if kind is not ENVIRON else ():  # of a machine, not of a test
            yield from each
    elif isinstance(value, str) and _is_known(kind):  # a test case, with what it was made of
        yield from (str(value), vars(value))
    elif isinstance(value, FunctionType):
        if look.first(value):
            yield from _of_function(value, look)
    elif isinstance(value, CodeType):
        yield from (value.co_code, value.co_consts, value.co_names, value.co_varnames)
    elif isinstance(value, MethodType):
        yield from (value.__func__, value.__self__)
    elif isinstance(value, partial):
        yield from (value.func, value.args, value.keywords)
    elif isinstance(value, PurePath):
        if look.apart is None:
            yield at(value)
        else:
            look.apart.append(value)
    elif isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, re.Pattern):
        yield from (value.pattern, value.flags)
    elif isinstance(value, type | BuiltinFunctionType) and _is_known(value):
        yield from (value.__module__, value.__qualname__)
    elif not look.lasting:
        raise Unknown
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


def _of_function(function: FunctionType, look: Look) -> Iterator[Any]:
    """Its code and the values that it uses: its defaults, the variables around it, those of its file."""
    if _is_known(function) and not function.__closure__:
        yield from (function.__module__, function.__qualname__)
        return
    yield function.__code__
    kept = loaded(function.__globals__, _at_load)
    were = kept.defaults(function) if kept is not None else (None, None)
    for now, was in zip(defaults_of(function), were, strict=True):
        yield from _as_loaded(was, function, look) if was is not None else (now,)
    around = (cell.cell_contents for cell in function.__closure__ or ())
    yield from _named(around) if look.lasting else around
    names = names_in(function.__code__)
    for name, each in _variables(function.__globals__, names, function, look):
        if isinstance(each, ModuleType) and _is_beside(each, function):
            yield name
            yield from (its for _, its in _variables(vars(each), names, function, look))
        else:
            yield each


def _variables(
    file: Mapping[str, Any], names: Iterable[str], function: FunctionType, look: Look
) -> Iterator[tuple[str, Any]]:
    """What a function uses of a file, by name: as it was when the file had been loaded or, of a notebook, as
    it is; there a version has only what cannot change."""
    kept = loaded(file, _at_load)
    for name in sorted(names):
        if name not in file or name.startswith("__"):
            continue
        value = file[name]
        if kept is not None and (was := kept.variable(name, value)) is not None:
            yield from ((name, each) for each in _as_loaded(was, function, look))
        elif isinstance(value, CODE) or not (kept or look.lasting):
            yield name, _seen_from(function, value) if look.lasting else value
        elif not kept and isinstance(value, LASTING):
            yield name, value


def _as_loaded(was: Loaded, function: FunctionType, look: Look) -> Iterator[Any]:
    look.at(was.size if not look.lasting else 1)
    if not look.lasting and was.told is None:
        raise Unknown
    yield _Told(was.version if look.lasting else was.told)
    yield from _named(_seen_from(function, each) for each in was.apart) if look.lasting else was.apart


def _at_load(value: Any, most: int) -> Loaded | None:
    for lasting in (False, True):
        look = Look(lasting=lasting, apart=[], left=most or MOST)
        try:
            text = told(value, look)
        except Exception:  # noqa: BLE001 - the value's own code
            continue
        return Loaded(None if lasting else text, text, (most or MOST) - look.left, tuple(look.apart or ()))
    if most != ANY:
        return None
    try:
        return Loaded(None, _of_many(value), MOST + 1, ())
    except Exception:  # noqa: BLE001
        return Loaded(None, type(value).__qualname__, 1, ())


def _of_many(value: Any) -> str:
    """Of a large table: a hash of its text or, where this may differ by process, its size."""
    text = repr(sorted(value, key=repr) if isinstance(value, set | frozenset) else value)
    if not isinstance(value, str | bytes) and ("at 0x" in text or re.search("[({]", text[1:])):
        text = str(len(value))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
    return hashlib.sha256(told(its, Look(lasting=True)).encode("utf-8", "surrogatepass")).hexdigest()


def _seen_from(function: FunctionType, its: Any) -> Any:
    """What a function's file has under a name: code of another package is told by its name."""
    if not isinstance(its, FunctionType | type) or its.__module__ is None:
        return its
    ours = its.__module__.partition(".")[0] == str(function.__module__).partition(".")[0]
    return its if ours else (its.__module__, its.__qualname__)


def _is_beside(module: ModuleType, function: FunctionType) -> bool:
    """Whether a module is of the function's package, or below the folder of its file."""
    if module.__name__.partition(".")[0] == str(function.__module__).partition(".")[0]:
        return True
    files = (its.get("__file__") for its in (function.__globals__, vars(module)))
    file, other = (str(each or "") for each in files)
    return bool(file and other) and Path(other).is_relative_to(Path(file).parent)


def _named(values: Iterable[Any]) -> Iterator[Any]:
    """The values, and of files their names: what a class or a function writes is no part of the test."""
    return (each.name if isinstance(each, PurePath) else each for each in values)
