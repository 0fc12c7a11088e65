"""Mistakes in the code of somebody's extension, told with the class, the method, the file and the line."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Coroutine, Generator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

AWAIT = "is an `await` missing?"


def raised(error: BaseException, code: CodeType | None, declare: str, module: str, package: str = "") -> str:
    """What a method raised, and where in its author's own code; '' if it never came there. `code`: of the
    method, called with what `declare` takes. `module`: of its class."""
    from traceback import walk_tb

    frames = [*walk_tb(error.__traceback__)]
    if (
        code is not None
        and isinstance(error, TypeError)
        and all(each.f_code is not code for each, _ in frames)
    ):
        return f"{place(code, package)} raised {said(error)}; declare it as `{declare}`"
    if (line := own_line(error, module)) is None:
        return ""
    return f"{_told(*line, package)} raised {said(error)}"


class Passing(BaseException):
    """Ours, to end a trial from within: no code that it passes may swallow it."""


def must_be_raised(error: BaseException) -> bool:
    """Whether to re-raise what somebody's code raised, such as a cancellation that the engine asked for. A
    CancelledError that it raises itself is a bug of it, and neither sys.exit() in it nor an exception of its
    own, whatever its class, must end the run."""
    import asyncio  # takes long, and a listing needs none of it

    if isinstance(error, BaseExceptionGroup):
        return any(map(must_be_raised, error.exceptions))
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0
    return isinstance(error, (KeyboardInterrupt, GeneratorExit, Passing))


def own_line(error: BaseException, module: str) -> tuple[str, str, int] | None:
    """The last line that the error passed of the package that has the module: function, file and number."""
    from traceback import walk_tb

    own = module.partition(".")[0]
    for frame, line in reversed([*walk_tb(error.__traceback__)] if own else []):
        if frame.f_globals.get("__name__", "").partition(".")[0] == own:
            return frame.f_code.co_qualname, frame.f_code.co_filename, line
    return None


def code_of(kind: Any, name: str) -> CodeType | None:
    """The code of a class's method or property, or of a module's function."""
    found = getattr(kind, name, None)
    found = found.fget if isinstance(found, property) else found
    found = found.__init__ if inspect.isclass(found) else found
    code = getattr(inspect.unwrap(found), "__code__", None) if found is not None else None
    return code if isinstance(code, CodeType) else None


def place(code: CodeType, package: str = "") -> str:
    """A function, its file and its first line."""
    return _told(code.co_qualname, code.co_filename, code.co_firstlineno, package)


def _told(function: str, file: str, line: int, package: str) -> str:
    whose = f", the package {package}" if package else ""
    return f"{function}() ({Path(file).name}:{line}{whose})"


def misdeclared(kind: type, signatures: Mapping[str, str], package: str = "") -> str:
    """What is wrong with how a class declares its methods; '' for nothing. `signatures`: of the methods, as
    they should be declared; one that the class lacks, or that is no plain method, is not looked at."""
    for name, declare in signatures.items():
        method, code = inspect.getattr_static(kind, name, None), code_of(kind, name)
        if not inspect.isfunction(method) or code is None or "@property" in declare:
            continue
        yields = inspect.isasyncgenfunction(method)
        if (yields or inspect.iscoroutinefunction(method)) and not declare.startswith("async "):
            return f"{place(code, package)} must not be asynchronous; declare it as `{declare}`"
        if yields:
            return f"{place(code, package)} must return, not yield; declare it as `{declare}`"
        if declare.startswith("async ") and _never_awaitable(method):
            return f"{place(code, package)} must be asynchronous; declare it as `{declare}`"
        given, named = _arguments(declare)
        try:
            inspect.signature(method).bind(*given, **dict.fromkeys(named))
        except TypeError as error:
            return f"{place(code, package)} cannot be called: {error}; declare it as `{declare}`"
    return ""


def _never_awaitable(method: Any) -> bool:
    """Whether it is plain to see that a function returns nothing that could be awaited."""
    if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
        return False
    from textwrap import dedent

    try:
        (function,) = ast.parse(dedent(inspect.getsource(method))).body
    except (OSError, SyntaxError):
        return False
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return)]
    return all(
        each is None or isinstance(each, ast.Constant) or ast.unparse(each).startswith("Completion(")
        for each in returned
    )


def _arguments(declare: str) -> tuple[list[str], list[str]]:
    """The names of a declared function's positional arguments, and of those that are given by name."""
    (function,) = ast.parse(f"{declare}: ...").body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    named = [each.arg for each in function.args.kwonlyargs]
    options = ("files", "stdin", "time_limit_s", "env") if function.args.kwarg else ()  # records.RunOptions
    return [each.arg for each in function.args.args], [*named, *options]


def not_wanted(value: object) -> str:
    """A value as messages name it that say what should have come in its place."""
    if isinstance(value, Coroutine):
        value.close()  # or Python warns of it
        return f"a coroutine; {AWAIT}"
    if isinstance(value, Generator):
        return "a generator; return it, do not yield it"
    return re.sub(r" at 0x[0-9a-fA-F]+>", ">", repr(value))[:60]


def said(error: BaseException) -> str:
    """An error and, if a coroutine was taken for its result, what may be missing."""
    return f"{type(error).__name__}: {error}".removesuffix(": ") + hint(error)


def hint(error: BaseException) -> str:
    mistaken = isinstance(error, TypeError | AttributeError) and "coroutine" in str(error)
    return f"; {AWAIT}" if mistaken else ""
