"""The fields of a task.toml, taken one by one; what nobody took is unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from assay.errors import ConfigError

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
LONGEST_S = 7 * 86400.0


class Fields:
    """One table of the file. `where` begins its errors: the file, a colon and the table's name in brackets."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values, self.where = dict(values), where

    def wrong(self, name: str, wanted: str, value: object) -> NoReturn:
        """Raises ConfigError naming file and field."""
        raise ConfigError(f"{self.where} {name} must be {wanted}, not {value!r:.100}")

    def _take(self, name: str, wanted: str, fits: Callable[[Any], bool]) -> Any:
        """None if it is not there."""
        value = self._values.pop(name, None)
        if value is not None and not fits(value):
            self.wrong(name, wanted, value)
        return value

    def text(self, name: str, default: str = "") -> str:
        found = self._take(name, "a string", lambda value: isinstance(value, str))
        return default if found is None else str(found)

    def choice(self, name: str, *known: str, any_case: bool = False) -> str:
        """One of `known`; the first if it is not there."""
        if any_case and isinstance(value := self._values.get(name), str):
            self._values[name] = value.lower()
        found = self._take(name, f"one of {', '.join(filter(None, known))}", lambda value: value in known)
        return known[0] if found is None else str(found)

    def flag(self, name: str) -> bool | None:
        found: bool | None = self._take(name, "true or false", lambda value: isinstance(value, bool))
        return found

    def number(self, name: str, wanted: str = "a number above 0", least: float = 0.0) -> float | None:
        """A number above `least`."""
        found = self._take(name, wanted, lambda value: _is_number(value) and least < value < float("inf"))
        return None if found is None else float(found)

    def seconds(self, name: str, default: float | None) -> float | None:
        found = self.number(name, "a number of seconds above 0")
        return default if found is None else min(found, LONGEST_S)

    def count(self, name: str) -> int:
        found = self._take(name, "a whole number, 0 or more", lambda value: type(value) is int and value >= 0)
        return int(found or 0)

    def size(self, name: str) -> int | None:
        """Bytes, of NAME_mb in megabytes or of the older NAME as text ("2G")."""
        megabytes = self.number(f"{name}_mb", "a number of megabytes above 0")
        written = self._take(name, 'a size such as "512M" or "2G"', lambda value: _bytes(value) > 0)
        size = None if written is None else _bytes(written)
        if megabytes is None:
            return size
        if size not in (None, int(megabytes * (1 << 20))):
            self.wrong(name, f"the same as {name}_mb, {megabytes:g} MB, or left out", written)
        return int(megabytes * (1 << 20))

    def names(self, name: str) -> tuple[str, ...]:
        found = self._take(name, "a list of strings", _is_names)
        return tuple(found or ())

    def entries(self, name: str) -> list[Any]:
        """A list of anything."""
        found = self._take(name, "a list", lambda value: isinstance(value, list))
        return found or []

    def variables(self, name: str = "env") -> dict[str, str]:
        """An environment: name -> value."""
        found = self._take(name, "a table of strings", _is_texts)
        return dict(found or {})

    def table(self, name: str) -> Fields:
        """A table inside this one; an empty one if it is not there."""
        found = self._take(name, f"a table [{name}]", lambda value: isinstance(value, dict))
        return Fields(found or {}, f"{self.where} [{name}]")

    def anything(self, name: str) -> Any:
        """A value of whatever type; None if it is not there."""
        return self._values.pop(name, None)

    @property
    def path(self) -> str:
        """The table's name in brackets; '' of the file's top."""
        return self.where.partition(": ")[2]

    def unknown(self) -> list[str]:
        """Names of what was not taken."""
        return sorted(self._values)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _bytes(written: object) -> int:
    """
    >>> _bytes("2G"), _bytes("512MB"), _bytes("much")
    (2147483648, 536870912, 0)
    """
    found = (
        re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT])(?:i?B)?\s*", written, re.I)
        if isinstance(written, str)
        else None
    )
    return int(float(found[1]) * UNITS[found[2].upper()]) if found else 0
