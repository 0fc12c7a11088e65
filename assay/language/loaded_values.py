"""What the variables of a file were when it had been loaded, before functions filled them while tests run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

CODE = (FunctionType, BuiltinFunctionType, ModuleType, type)
SMALL = 200  # values: a larger table is looked at when it is asked for, since it is hardly one to be filled
ANY = 0  # the size that `tell` may look at
LATER = object()


@dataclass(frozen=True)
class Loaded:
    """A value as it was. `told`: by assay.language.telling, None if it cannot be told or is too large.
    `size`: in values. `apart`: the functions, classes and paths in it, which are told by their content."""

    told: str | None
    size: int = 1
    apart: tuple[Any, ...] = ()


Teller = Callable[[Any, int], Loaded | None]  # None: there are more values than may be looked at


class LoadedFile:
    """Of a module, the variables and the defaults of its functions."""

    def __init__(self, file: Mapping[str, Any], tell: Teller) -> None:
        self.spec = file.get("__spec__")
        self._tell = tell
        self._defaults = dict[FunctionType, list[Loaded | None]]()
        self._variables = dict[str, Any]()
        its = str(file.get("__name__"))
        for name, value in [*file.items()]:
            try:
                for each in _functions_in(value, its):
                    if any(defaults := defaults_of(each)):
                        self._defaults[each] = [tell(part, SMALL) for part in defaults]
                fixed = isinstance(value, (*CODE, PurePath))
            except Exception:  # noqa: BLE001 - the value's own code
                fixed = False
            self._variables[name] = value if fixed else tell(value, SMALL)

    def variable(self, name: str, now: Any) -> Any:
        """Code and paths themselves, another value as a Loaded; LATER if the file did not have it. `now`:
        what it is now."""
        if self._variables.get(name, LATER) is None:
            self._variables[name] = self._tell(now, ANY)
        return self._variables.get(name, LATER)

    def defaults(self, function: FunctionType) -> Sequence[Loaded | None]:
        """As `defaults_of` gives them. None: large ones, and those of no function of the file."""
        return self._defaults.get(function, (None, None))


_loaded: dict[str, LoadedFile] = {}  # by module


def keep(file: Mapping[str, Any], tell: Teller) -> LoadedFile:
    """`file`: the variables of a module."""
    found = _loaded[str(file.get("__name__"))] = LoadedFile(file, tell)
    return found


def loaded(file: Mapping[str, Any], tell: Teller) -> LoadedFile | None:
    """What was kept of a module, at the first call if not when it was loaded. None: of a notebook, which may
    give its variables other values at any time."""
    name, spec = str(file.get("__name__")), file.get("__spec__")
    if spec is None or name == "__main__":
        return None
    known = _loaded.get(name)
    return known if known is not None and known.spec is spec else keep(file, tell)  # it was loaded again


def _functions_in(value: Any, module: str) -> Iterator[FunctionType]:
    """The function, or those of the class, that the module defines."""
    its = vars(value).values() if isinstance(value, type) and value.__module__ == module else (value,)
    return (each for each in its if isinstance(each, FunctionType) and each.__module__ == module)


def defaults_of(function: FunctionType) -> tuple[Any, Any]:
    """Those by place, and by keyword."""
    return function.__defaults__, function.__kwdefaults__
