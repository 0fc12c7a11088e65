"""Mistakes in the code of a provider of one's own: told with the method, the file and the line."""

from __future__ import annotations

import contextlib
import inspect
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from assay.errors import AssayError, ProviderError, await_missing
from assay.extensions import OWN, extensions

SIGNATURES = {
    "ask": "async def ask(self, call)",
    "attempt": "async def attempt(self, call)",
    "open": "def open(self)",
    "wire": "def wire(self, model, parameters)",
    "close": "async def close(self)",
}


def raised(error: BaseException, provider: object, name: str, method: str = "ask") -> str:
    """What a method of a provider raised, and where. `name`: of the provider as in config.json."""
    kind = type(provider)
    method, code = _method(kind, method)
    frames = [*traceback.walk_tb(error.__traceback__)]
    if (
        code is not None
        and isinstance(error, TypeError)
        and all(each.f_code is not code for each, _ in frames)
    ):
        where = _told(code.co_qualname, code.co_filename, code.co_firstlineno, name)
        return f"{where} raised {_said(error)}; declare it as `{SIGNATURES[method]}`"
    line = None if is_ours(kind) else _own_line(error, kind)
    return f"{_told(*line, name)} raised {_said(error)}" if line else place_of(error)


def wrote(provider: object, name: str) -> str:
    """The method that gives a provider's replies, for the beginning of a sentence about it."""
    method, code = _method(type(provider), "ask")
    return _told(code.co_qualname, code.co_filename, code.co_firstlineno, name) if code else f"{method}()"


@contextlib.contextmanager
def blamed(provider: object, name: str, method: str) -> Iterator[None]:
    """Around a call of a provider's method. What it raises, and is no error of Assay, is a ProviderError that
    says where; without the old one, whose frames may hold the key."""
    try:
        yield
        return
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - somebody else's code may raise anything
        failure = ProviderError(f"{name}: {raised(error, provider, name, method)}")
    raise failure


def behind(error: BaseException) -> BaseException | None:
    """The mistake that a provider took for a reply without an answer: a missing `await`."""
    context = error.__context__
    return context if context is not None and await_missing(context) else None


def place_of(error: BaseException) -> str:
    """An error with the line of code that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(last[0].filename).name}:{last[0].lineno})" if last else ""
    return f"{_said(error)}{where}"


def line_in(error: BaseException, provider: object) -> str:
    """The line of a provider of one's own at which an error arose, in brackets; '' for Assay's."""
    line = None if is_ours(type(provider)) else _own_line(error, type(provider))
    return f" ({Path(line[1]).name}:{line[2]})" if line else ""


def is_ours(kind: Any) -> bool:
    return str(kind.__module__).partition(".")[0] == OWN


def _own_line(error: BaseException, kind: type) -> tuple[str, str, int] | None:
    """The last line of the provider's own code that an error passed: function, file and number."""
    own = kind.__module__.partition(".")[0]
    for frame, line in reversed([*traceback.walk_tb(error.__traceback__)]):
        if frame.f_globals.get("__name__", "").partition(".")[0] == own:
            return frame.f_code.co_qualname, frame.f_code.co_filename, line
    return None


def _method(kind: Any, name: str) -> tuple[str, CodeType | None]:
    """The method that its author wrote: below Assay's `ask`, that is `attempt`."""
    if name == "ask" and is_ours(kind.ask) and hasattr(kind, "attempt"):
        name = "attempt"
    return name, getattr(inspect.unwrap(getattr(kind, name)), "__code__", None)


def _told(function: str, file: str, line: int, name: str) -> str:
    found = extensions("assay.providers").get(name)
    package = f", the package {found.package}" if found is not None else ""
    return f"{function}() ({Path(file).name}:{line}{package})"


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}{await_missing(error)}"
