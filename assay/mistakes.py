"""Mistakes in the code of somebody's extension, told with the class, the method, the file and the line."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Coroutine
from pathlib import Path
from types import CodeType
from typing import Any

AWAIT = "is an `await` missing?"


def raised(error: BaseException, code: CodeType | None, declare: str, module: str, package: str = "") -> str:
    """What a method raised, and where in its author's own code; '' if it never came there. `code`: of the
    method, called with what `declare` takes. `module`: of its class."""
    frames = [*traceback.walk_tb(error.__traceback__)]
    if (
        code is not None
        and isinstance(error, TypeError)
        and all(each.f_code is not code for each, _ in frames)
    ):
        return f"{place(code, package)} raised {said(error)}; declare it as `{declare}`"
    if (line := own_line(error, module)) is None:
        return ""
    return f"{_told(*line, package)} raised {said(error)}"


def own_line(error: BaseException, module: str) -> tuple[str, str, int] | None:
    """The last line that the error passed of the package that has the module: function, file and number."""
    own = module.partition(".")[0]
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)] if own else []):
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


def not_wanted(value: object) -> str:
    """A value as messages name it that say what should have come in its place."""
    if isinstance(value, Coroutine):
        value.close()  # or Python warns of it
        return f"a coroutine; {AWAIT}"
    return f"{value!r:.60}"


def said(error: BaseException) -> str:
    """An error and, if a coroutine was taken for its result, what may be missing."""
    return f"{type(error).__name__}: {error}".removesuffix(": ") + hint(error)


def hint(error: BaseException) -> str:
    mistaken = isinstance(error, TypeError | AttributeError) and "coroutine" in str(error)
    return f"; {AWAIT}" if mistaken else ""
