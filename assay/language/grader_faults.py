"""Whether an exception in an author's function is the author's mistake, or was provoked by what it was given.

A name that is not defined, a module that is not there, one's own function called with too few arguments: no
answer of a model could cause or fix these. A ValueError, a KeyError, a JSON that cannot be read may well be
caused by the model's answer, and stay a FAIL. So does None, unless only None could come, or a Score should.
"""

from __future__ import annotations

import functools
import importlib.util
import linecache
import re
import sys
import types
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.language.function_source import code_of

if TYPE_CHECKING:
    import ast

ARITY = re.compile(
    r"(?P<name>\w++|<lambda>)[\w<>.]*+\(\) (?:takes (?:from \d+ to )?\d+ positional argument"
    r"|missing \d+ required|got an unexpected keyword|got multiple values for|takes no arguments"
    r"|missing required argument)"
)
NO_ATTRIBUTE = re.compile(r"(?:partially initialized )?module '(?P<module>[\w.]+)' has no attribute ")
STARRED = re.compile(r"[(,]\s*\*")  # a call whose arguments are counted by the value


def on_the_host(fn: Callable[..., Any], error: BaseException) -> bool:
    """Whether what `fn` raised here is its author's mistake."""
    code = code_of(fn)
    trace, frames = error.__traceback__, []
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno, trace.tb_frame.f_globals))
        trace = trace.tb_next
    arity = ARITY.match(str(error)) if isinstance(error, TypeError) else None
    its_file = "" if code is None else code.co_filename
    if not any(file == its_file for file, _, _ in frames):
        return arity is not None  # the call itself could not be made
    file, line, names = frames[-1]
    if Path(file).parent != Path(its_file).parent:
        return isinstance(error, ImportError) and _is_import(frames)
    if isinstance(error, (NameError, ImportError)):
        return True
    if isinstance(error, AttributeError):
        return NO_ATTRIBUTE.match(str(error)) is not None
    return (
        arity is not None and _own(arity["name"], names) and not STARRED.search(linecache.getline(file, line))
    )


def of_nothing(fn: Callable[..., Any]) -> str:
    """Why it is the author's mistake that `fn` returned None, and what to do; '' where that may be meant, as
    by `return re.search(...)`, or by `return True` for what is right and nothing for the rest."""
    import ast

    code = code_of(fn)
    returned = None if code is None else _returned(code)
    if returned is None:
        return ""
    if all(isinstance(each, ast.Constant) and not each.value for each in returned):
        return "no line of it returns a value that is true; let it return True where the answer is right"
    calls = (each.func for each in returned if isinstance(each, ast.Call))
    if any(ast.unparse(each).endswith("Score") for each in calls):
        return "elsewhere it returns a Score; let it return one, or False, for every answer"
    return ""


def of_always_true(output: object) -> str:
    """What a function returned by mistake that is true whatever it was given, and what to do; '' for
    anything else."""
    kind = type(output)
    if hasattr(kind, "__bool__") or hasattr(kind, "__len__"):
        return ""
    if isinstance(output, Awaitable):
        return f"a {kind.__name__}, which is always true; call no async function"
    if callable(output):
        return f"a {kind.__name__}, which is always true; are its brackets missing, as in value.isdigit()?"
    if hasattr(kind, "__next__"):
        return f"a {kind.__name__}, which is always true; use any(...), all(...) or list(...)"
    return ""


@functools.cache
def _returned(code: types.CodeType) -> tuple[ast.expr, ...] | None:
    """The values that a function returns, as they are written; None if its source is not to be had, or it is
    a lambda."""
    import ast
    import inspect
    import textwrap

    try:
        function = ast.parse(textwrap.dedent(inspect.getsource(code))).body[0]
    except (OSError, SyntaxError):
        return None
    if not isinstance(function, ast.FunctionDef) or function.name != code.co_name:
        return None
    found: list[ast.expr] = []
    todo: list[ast.AST] = [*function.body]
    while todo:
        each = todo.pop()
        if isinstance(each, ast.Return) and each.value is not None:
            found.append(each.value)
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo += ast.iter_child_nodes(each)
    return tuple(found)


def _is_import(frames: list[tuple[str, int, dict[str, Any]]]) -> bool:
    """Whether the exception comes from the machinery of an import statement, or a file that it read."""
    return frames[-1][0].startswith("<frozen importlib")


def _own(name: str, names: dict[str, Any]) -> bool:
    """Whether the author's file defines a function or a class of that name."""
    found = names.get(name)
    return name == "<lambda>" or isinstance(found, (types.FunctionType, type))


def in_the_sandbox(fault: Mapping[str, Any], message: str, source: str) -> bool:
    """The same for a function that ran in the sandbox, by what its runner reports (function_runner.fault),
    and the exception's message.

    A module that the test's program should have left there may be missing because of the model: only what
    this machine knows as a library is a mistake of the test, which should name it in REQUIRES.
    """
    kind, module, line = (str(fault.get(name, "")) for name in ("kind", "module", "line"))
    if kind in ("ImportError", "ModuleNotFoundError"):
        return _is_library(module)
    if kind == "NoTruth":
        return True
    if fault.get("own") is not True:
        return False
    if kind in ("NameError", "UnboundLocalError"):
        return True
    if kind == "AttributeError" and (found := NO_ATTRIBUTE.match(message)):
        return _is_library(found["module"])
    arity = ARITY.match(message) if kind == "TypeError" else None
    if arity is None or STARRED.search(line):
        return False
    return bool(re.search(rf"^\s*(?:def|class) {re.escape(arity['name'])}\b", source, re.MULTILINE))


def _is_library(module: str) -> bool:
    top = module.partition(".")[0]
    if not top.isidentifier():
        return False
    if top in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
