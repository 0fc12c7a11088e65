"""What tells a test, a function or a value from others, as a text: what a hash of an expression, or of a
version, is made of."""

from __future__ import annotations

import contextlib
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

from assay.language.assigned import assigned_in, is_beside, text_of
from assay.language.content_hash import at, parts_of
from assay.language.dsl import Node, field_names
from assay.language.loaded_values import ANY, CODE, LATER, Loaded, defaults_of, keep, loaded
from assay.mistakes import must_be_raised

PLAIN = (type(None), bool, int, float, complex, str, bytes)  # whose repr says all
# values of a file that its functions do not change, unless they assign them anew
LASTING = (*PLAIN, *CODE, tuple, frozenset, re.Pattern)
ENVIRON = type(os.environ)
CACHED = type(functools.cache(len))
STDLIB = sys.stdlib_module_names
OURS = __name__.partition(".")[0]
MOST = 5000  # values or kilobytes that are looked at: a list of words would make each trial wait


class Unknown(Exception):
    """There may be another of the same name, or there is too much to look at."""


@dataclass
class Look:
    """What was looked at. `functions`: by their id, for they may name themselves, and classes. `left`: of
    MOST. `lasting`: nothing is unknown, and of what may change while tests run, what its file says. `apart`:
    functions, classes and paths that are told elsewhere, if any are."""

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
    with contextlib.suppress(TypeError):  # it has put something else in its place
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
    elif kind is CACHED:
        yield value.__wrapped__
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
    file, names = function.__globals__, names_in(function.__code__)
    around = (cell.cell_contents for cell in function.__closure__ or ())
    if look.lasting:
        has_more = any(defaults_of(function)) or vars(function) or "." in function.__qualname__
        yield (has_more and text_of(file, function.__qualname__)) or defaults_of(function)
        if isinstance(wrapped := getattr(function, "__wrapped__", None), FunctionType):
            yield wrapped
            around = (each for each in around if isinstance(each, (*PLAIN, *CODE)))  # no memory of replies
    else:
        kept = loaded(file, _at_load)
        were = kept.defaults(function) if kept is not None else (None, None)
        for now, was in zip(defaults_of(function), were, strict=True):
            yield from (now,) if was is None else _as_loaded(was, look)
    yield from _with_modules(_named(around) if look.lasting else around, names, function, look)
    yield from _with_modules(_variables(file, names, function, look), names, function, look)


def _with_modules(
    values: Iterable[Any], names: set[str], function: FunctionType, look: Look
) -> Iterator[Any]:
    """The values, and of modules beside the function's what it uses of them."""
    for each in values:
        if not (isinstance(each, ModuleType) and is_beside(each, function.__globals__)):
            yield each
            continue
        yield each.__name__.rpartition(".")[2]  # before it stands a hash of all files of a suite
        if look.first(each):
            yield from _with_modules(_variables(vars(each), names, function, look), names, function, look)


def _variables(
    file: Mapping[str, Any], names: Iterable[str], function: FunctionType, look: Look
) -> Iterator[Any]:
    """What a function uses of a file."""
    for name in sorted(names):
        if name in file and not name.startswith("__"):
            yield from _version(file, name, function) if look.lasting else _value(file, name, look)


def _value(file: Mapping[str, Any], name: str, look: Look) -> Iterator[Any]:
    was = _was(file, name)
    if isinstance(was, PurePath) and _holds(was, file):
        yield was.name  # any edit of the file would be one of the folder
    elif type(was) is Loaded:
        yield from _as_loaded(was, look)
    elif was is not LATER:
        yield was


def _version(file: Mapping[str, Any], name: str, function: FunctionType) -> Iterator[Any]:
    value = file[name]
    lasts = isinstance(value, LASTING) and name not in assigned_in(file).rebound
    text = "" if lasts and not _is_own_class(value) else text_of(file, name)
    if lasts and not text:
        yield _seen_from(function, value)
        return
    if text:
        yield text
    if type(was := _was(file, name)) is Loaded:  # what the text does not say
        yield was.told
        yield from _named(_seen_from(function, each) for each in was.apart)


def _was(file: Mapping[str, Any], name: str) -> Any:
    """A variable when its file had been loaded, and of a notebook what it is."""
    kept = loaded(file, _at_load)
    return kept.variable(name, file[name]) if kept is not None else file[name]


def _as_loaded(was: Loaded, look: Look) -> Iterator[Any]:
    look.at(was.size)
    if was.told is None:
        raise Unknown
    yield _Told(was.told)
    yield from was.apart


def _at_load(value: Any, most: int) -> Loaded | None:
    look = Look(apart=[], left=most or MOST)
    try:
        text = told(value, look)
    except Exception:  # noqa: BLE001 - the value's own code
        return Loaded(None) if most == ANY else None
    except BaseException as error:
        if must_be_raised(error):
            raise
        return Loaded(None)
    return Loaded(text, (most or MOST) - look.left, tuple(look.apart or ()))


def _is_own_class(value: Any) -> bool:
    return isinstance(value, type) and not _is_known(value)


def _holds(path: PurePath, file: Mapping[str, Any]) -> bool:
    return Path(str(file.get("__file__"))).is_relative_to(path)


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


def _named(values: Iterable[Any]) -> Iterator[Any]:
    """The values, and of files their names: what a class or a function writes is no part of the test."""
    return (each.name if isinstance(each, PurePath) else each for each in values)
