"""Mistakes in the code of a provider of one's own: told with the method, the file and the line."""

from __future__ import annotations

import contextlib
import inspect
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

from assay.errors import AssayError, ConfigError, ProviderError
from assay.extensions import extensions, is_ours
from assay.mistakes import code_of, hint, misdeclared, must_be_raised, not_wanted, own_line, place, said
from assay.mistakes import raised as raised_in

SIGNATURES = {
    "ask": "async def ask(self, call)",
    "attempt": "async def attempt(self, call)",
    "open": "def open(self)",
    "wire": "def wire(self, model, parameters)",
    "close": "async def close(self)",
}
METHODS = ("open", "wire", "ask", "close")  # that a provider has
MISCALLED = re.compile(r"\) (?:got|missing|takes) |keyword argument")  # what Python says of arguments
OF_CODE = (TypeError, NameError, AttributeError, LookupError, ImportError)  # not raised on purpose


class Mistaken(ProviderError):
    """A mistake in the code of a package's provider, which further calls would meet too."""


def raised(error: BaseException, provider: object, name: str, method: str = "ask") -> str:
    """What a method of a provider raised, and where. `name`: of the provider as in config.json."""
    kind = type(provider)
    method, code = method_of(kind, method)
    module = "" if is_ours(kind) else str(kind.__module__)  # '': no frame is of it
    return raised_in(error, code, SIGNATURES[method], module, _package(name)) or place_of(error)


def gives_replies(provider: object) -> bool:
    """Whether the method that gives a provider's replies is somebody else's."""
    kind = type(provider)
    method = getattr(kind, method_of(kind, "ask")[0], None)
    return method is not None and not is_ours(method)


def wrote(provider: object, name: str, method: str = "ask") -> str:
    """The method of a provider, for the beginning of a sentence about it; by default that which gives its
    replies."""
    method, code = method_of(type(provider), method)
    return place(code, _package(name)) if code else f"{method}()"


@contextlib.contextmanager
def blamed(provider: object, name: str, method: str) -> Iterator[None]:
    """Around a call of a provider's method. What it raises, and is no error of Assay, is a ProviderError that
    says where; without the old one, whose frames may hold the key."""
    try:
        yield
        return
    except AssayError:
        raise
    except BaseException as error:  # somebody else's code may raise anything
        if must_be_raised(error):
            raise
        failure = ProviderError(f"{name}: {raised(error, provider, name, method)}")
    raise failure


def connected(module: Any, settings: Any) -> Any:
    """What a provider module's connect() returns. Raises ConfigError for what it raises, for what is
    no provider, and for a method that is not called as its author thinks."""
    try:
        found = module.connect(settings)
    except AssayError:
        raise
    except (Exception, SystemExit) as error:
        if is_ours(module.connect):
            raise
        code, package = code_of(module, "connect"), _package(settings.provider)
        told = raised_in(error, code, "def connect(settings)", module.__name__, package) or place_of(error)
    else:
        code = code_of(module, "connect")
        where = place(code, _package(settings.provider)) if code else "connect()"
        if inspect.iscoroutine(found):
            found.close()
            declare = "declare it as `def connect(settings)`"
            raise ConfigError(f"{settings.provider}: {where} must not be asynchronous; {declare}")
        if inspect.isclass(found):
            name = found.__name__
            raise ConfigError(
                f"{settings.provider}: {where} must return {name}(settings), not the class {name}"
            )
        if lacking := [each for each in METHODS if not hasattr(found, each)]:
            theirs = type(found).__module__ != "builtins"
            lacks = f"; {type(found).__name__} lacks {', '.join(lacking)}"
            what = lacks if theirs else f", not {not_wanted(found)}"
            raise ConfigError(f"{settings.provider}: {where} must return a provider{what}")
        its = {} if is_ours(type(found)) else SIGNATURES
        if wrong := misdeclared(type(found), its, _package(settings.provider)):
            raise ConfigError(f"{settings.provider}: {wrong}")
        return found
    raise ConfigError(f"{settings.provider}: {told}")  # without the old one, whose frames hold the key


def behind(error: BaseException) -> BaseException | None:
    """The mistake that a provider took for a reply without an answer: a missing `await`, arguments that a
    function does not take, a name that is not defined."""
    context = error.__context__
    if isinstance(context, NameError) or (isinstance(context, TypeError) and MISCALLED.search(str(context))):
        return context
    return context if context is not None and hint(context) else None


def place_of(error: BaseException) -> str:
    """An error with the line of code that raised it; a StopIteration as such, not as what Python makes of it
    on its way out of a coroutine."""
    if type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):
        error = error.__cause__
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(last[0].filename).name}:{last[0].lineno})" if last else ""
    return f"{said(error)}{where}"


def line_in(error: BaseException, provider: object) -> str:
    """The line of a provider of one's own at which an error arose, in brackets; '' for Assay's."""
    line = None if is_ours(type(provider)) else own_line(error, str(type(provider).__module__))
    return f" ({Path(line[1]).name}:{line[2]})" if line else ""


def method_of(kind: Any, name: str) -> tuple[str, CodeType | None]:
    """The method that its author wrote: below Assay's `ask`, that is `attempt`."""
    if name == "ask" and is_ours(kind.ask) and hasattr(kind, "attempt"):
        name = "attempt"
    return name, code_of(kind, name)


def _package(name: str) -> str:
    """The package that a provider came with, and its version; '' for none."""
    found = extensions("assay.providers").get(name)
    return found.package if found is not None else ""
