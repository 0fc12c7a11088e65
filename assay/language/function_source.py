"""The source of a test author's function, with what it uses, so that it can run in the sandbox."""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from assay.errors import NodeError

# `from evaluator import *` gives a test file the first six; the rest is what graders reach for
KNOWN_MODULES = ("json", "re", "os", "random", "time", "io", "sys", "math", "subprocess")
CACHED = type(lru_cache(lambda: None))
MAX_LITERAL = 1 << 20  # characters of a constant that is sent along


@dataclass(frozen=True)
class FunctionSource:
    """`source` defines `name`; `takes_value` says whether it wants the incoming value."""

    name: str
    source: str
    takes_value: bool


def check_function(fn: Any, node: str) -> None:
    """Raise NodeError, when the test file is loaded, for what can never be sent to a sandbox."""
    if not isinstance(fn, types.FunctionType):
        raise NodeError(f"{node} needs a function written with def, not {type(fn).__name__}")
    if fn.__name__ == "<lambda>":
        raise NodeError(f"{node} cannot send a lambda to the sandbox; write it as a function with def")


def check_plain(fn: Callable[..., Any]) -> None:
    """Raise NodeError for a function whose call returns no value but an object that is always true."""
    import inspect

    if inspect.iscoroutinefunction(fn) or inspect.isgeneratorfunction(fn) or inspect.isasyncgenfunction(fn):
        name = getattr(fn, "__name__", "it")
        where = where_in(code_of(fn))
        raise NodeError(f"{where}{name}: it must be a plain function, not async and not a generator")


@lru_cache(maxsize=1024)
def function_source(fn: Callable[..., Any], by_name: bool = False) -> FunctionSource:
    """`fn`, the functions, classes, constants and modules of its file that it uses, as one source.

    Decorators are left out. `by_name`: its arguments are passed by name, however many it has. Raises
    NodeError naming whatever cannot be sent.
    """
    import inspect

    fn = inspect.unwrap(fn)
    check_function(fn, "a sandbox node")
    check_plain(fn)
    parts: dict[str, str] = {}
    _collect(fn, parts, set())
    parameters = inspect.signature(fn).parameters.values()
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    if by_name:
        return FunctionSource(fn.__name__, "\n".join(parts.values()), takes_value=False)
    if len(needed) > 1 or any(p.default is p.empty and p.kind is p.KEYWORD_ONLY for p in parameters):
        raise NodeError(f"{fn.__name__}: takes {len(parameters)} arguments; it is called with one, or none")
    takes_value = any(p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD) for p in parameters)
    return FunctionSource(fn.__name__, "\n".join(parts.values()), takes_value)


def in_file(fn: Callable[..., Any], source: str, trace: str) -> str:
    """A traceback from inside the sandbox, which counts the lines of `source`, with those of the file that
    `fn` stands in where they can be told."""
    import linecache
    import re

    code = code_of(fn)
    if code is None:
        return trace
    sent, there = source.splitlines(), linecache.getlines(code.co_filename)

    def place(match: re.Match[str]) -> str:
        line = sent[int(match[1]) - 1].strip() if 0 < int(match[1]) <= len(sent) else ""
        found = [number for number, text in enumerate(there, 1) if text.strip() == line]
        return f'File "{Path(code.co_filename).name}", line {found[0]}' if len(found) == 1 else match[0]

    trace = re.sub(r' +File "<string>", line \d+, in call\n', "", trace, count=1)  # ours
    return re.sub(r'File "<test>", line (\d{1,6})', place, trace)


def code_of(fn: Any) -> types.CodeType | None:
    """The code of a function below its decorators and partial(); None for what has none."""
    import inspect

    while isinstance(fn := inspect.unwrap(fn), partial):
        fn = fn.func
    found = getattr(fn, "__code__", None)
    return found if isinstance(found, types.CodeType) else None


def where_in(code: types.CodeType | None, error: BaseException | None = None) -> str:
    """'flip_words.py:12: ', the innermost line of the code's file that the error passed through; its first
    line if it passed through none, or there is no error; '' for what is not written in Python."""
    import traceback

    if code is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    lines = [each.lineno for each in frames if each.filename == code.co_filename]
    return f"{Path(code.co_filename).name}:{lines[-1] if lines else code.co_firstlineno}: "


def _collect(thing: Any, parts: dict[str, str], busy: set[str]) -> None:
    """Add to `parts`, in an order in which they can be executed, what `thing` needs and then itself."""
    name = thing.__name__
    if name in parts or name in busy:
        return
    busy.add(name)
    source = _own_source(thing)
    if isinstance(thing, types.FunctionType) and thing.__code__.co_freevars:
        around = ", ".join(thing.__code__.co_freevars)
        raise NodeError(
            f"{name} uses {around} of the function around it, which the sandbox does not have; move it to "
            "the top level of the file"
        )
    scope = (
        thing.__globals__ if isinstance(thing, types.FunctionType) else vars(sys.modules[thing.__module__])
    )
    # With decorators, bases, defaults and a class's own lines; the runner evaluates no annotations either
    whole = compile(source, "<test>", "exec", annotations.compiler_flag, dont_inherit=True)
    for code in _nested(whole):
        for used in _globals_of(code):
            _add(used, scope, parts, busy, name)
    parts[name] = source


def _add(used: str, scope: dict[str, Any], parts: dict[str, str], busy: set[str], user: str) -> None:
    known = used in parts or used in busy or used == "__name__"
    if known or not used.isidentifier():  # pytest puts names like @py_assert1 in
        return
    if used not in scope:
        if used in KNOWN_MODULES:
            parts[used] = f"import {used}"
        elif not hasattr(builtins, used) and not used.startswith("__"):
            raise NodeError(f"{user} uses the name {used!r}, which its file does not define")
        return
    value = scope[used]
    own = getattr(value, "__module__", None) == scope.get("__name__")
    if isinstance(value, types.ModuleType):
        parts[used] = f"import {value.__name__} as {used}"
    elif isinstance(value, CACHED) and own:
        name = value.__wrapped__.__name__
        _collect(value.__wrapped__, parts, busy)
        if name in parts:  # not if it is its own caller: then this follows
            parts[name] += f"\nimport functools as _functools\n{name} = _functools.cache({name})\n"
        if name != used:
            parts[used] = f"{used} = {name}"
    elif own and isinstance(value, type) and _is_namedtuple(value):
        named: Any = value
        made = f"{value.__name__!r}, {named._fields!r}, defaults={tuple(named._field_defaults.values())!r}"
        parts[used] = f"import collections as _collections\n{used} = _collections.namedtuple({made})"
    elif isinstance(value, (types.FunctionType, type)) and own:
        _collect(value, parts, busy)
        if value.__name__ != used:
            parts[used] = f"{used} = {value.__name__}"
    elif _importable(value):
        parts[used] = f"from {value.__module__} import {value.__qualname__} as {used}"
    elif hasattr(value, "pattern") and hasattr(value, "fullmatch"):
        parts[used] = f"import re as _re\n{used} = _re.compile({value.pattern!r}, {value.flags})"
    elif (literal := _literal(value)) is not None:
        parts[used] = f"{used} = {literal}"
    else:
        kind = type(value).__name__
        raise NodeError(f"{user} uses {used!r}, a {kind}, which cannot be sent to the sandbox")


def _is_namedtuple(value: type) -> bool:
    """Made by collections.namedtuple: it has no source."""
    return "_field_defaults" in vars(value) and "__orig_bases__" not in vars(value)


def _own_source(thing: Any) -> str:
    """The definition, dedented. The decorators of a function are left out: they may be the test's own."""
    import ast
    import inspect
    import textwrap

    try:
        source = textwrap.dedent(inspect.getsource(thing))
    except (OSError, TypeError):
        raise NodeError(f"the source of {thing.__name__} cannot be found; define it in a file") from None
    definition = ast.parse(source).body[0]
    first = 0 if isinstance(thing, type) else definition.lineno - 1
    return "".join(source.splitlines(keepends=True)[first:])


def _nested(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the definitions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _nested(constant)


def _globals_of(code: types.CodeType) -> Iterator[str]:
    """The global names that a code object reads and does not set itself."""
    import dis

    steps = list(dis.get_instructions(code))
    own = {step.argval for step in steps if step.opname in ("STORE_GLOBAL", "STORE_NAME")}
    for step in steps:
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval not in own:
            yield step.argval


def _importable(value: Any) -> bool:
    """Whether `from module import name` gives the same thing in the sandbox: nothing of ours does."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not name.isidentifier():
        return False
    ours = module.split(".")[0] in ("assay", "evaluator", "__main__") or module.startswith("assay_")
    return not ours and getattr(sys.modules.get(module), name, None) is value


def _literal(value: Any) -> str | None:
    """A constant as source, None if it is not one."""
    import ast

    try:
        text = repr(value)
        same = len(text) <= MAX_LITERAL and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, TypeError, RecursionError):
        return None
    return text if same else None
