"""The flags that a suite declares, read without a command line, and their values."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.config import near
from assay.errors import ConfigError
from assay.suites.blame import blame

if TYPE_CHECKING:
    from assay.suites.suite import Suite


class SuiteOptions:
    """The values of flags as attributes, passed to a suite's `samples(options)`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no flag --{name.replace('_', '-')} was declared by this suite")

    def __repr__(self) -> str:
        return f"SuiteOptions({vars(self)})"


@dataclass
class SuiteFlags:
    """A stand-in for the parser of `Suite.flags`, which records declarations by name."""

    declared: dict[str, dict[str, Any]] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)

    def add_argument(self, *names: str, **about: Any) -> None:
        """Like a parser's: one flag."""
        long = next((each for each in names if each.startswith("--")), names[0])
        name = about.get("dest") or long.lstrip("-").replace("-", "_")
        constant = {"store_true": False, "store_false": True, "count": None}.get(str(about.get("action")))
        value = about.get("default", constant)
        self.declared[name] = about
        self.defaults[name] = about["type"](value) if isinstance(value, str) and "type" in about else value

    def add_argument_group(self, *_: Any, **__: Any) -> SuiteFlags:
        """Groups matter only to a page of help."""
        return self

    add_mutually_exclusive_group = add_argument_group

    def set_defaults(self, **values: Any) -> None:
        """Like a parser's, also for flags that are not the suite's own."""
        self.defaults |= values

    def check_free(self, suite: str, taken: Collection[str]) -> None:
        """Raise ConfigError for a flag with a name of Assay's own flags."""
        if both := sorted(self.declared.keys() & set(taken)):
            named = ", ".join(f"--{each.replace('_', '-')}" for each in both)
            raise ConfigError(
                f"suite {suite}: {named} is a name that Assay uses itself; rename the suite's flag"
            )

    def checked(self, suite: str, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The values in `given`, checked as if typed on a command line. `where`: their place, for messages.
        Raises ConfigError for an unknown flag, or a value that a flag does not take."""
        found = {}
        for key, value in given.items():
            name, place = key.replace("-", "_"), where.format(key)
            about = self.declared.get(name)
            if about is None:
                raise ConfigError(f"{place}: suite {suite} has no such flag.{near(key, self.declared)}")
            if value is None:  # not given
                continue
            value = _read(about, value, place)
            each = value if isinstance(value, (list, tuple)) else [value]
            choices = about.get("choices")
            if choices is not None and any(one not in choices for one in each):
                raise ConfigError(f"{place}: choose from {', '.join(map(str, choices))}")
            found[name] = value
        return found


def _read(about: Mapping[str, Any], value: Any, place: str) -> Any:
    """A value as the flag's own reader gives it for a text. Of several each is read; if the flag takes one
    text, such as "1,2", what it reads from each is joined."""
    read, action = about.get("type"), about.get("action")
    if action in ("store_true", "store_false") and not isinstance(value, bool):
        raise ConfigError(f"{place} must be true or false, not {value!r:.60}")
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        from assay.results.serialize import number_of  # takes long, and a listing needs none of it

        value = [*map(number_of, value)]
        parts = [_read(about, each, place) for each in value]
        if "nargs" in about or action in ("append", "extend") or not callable(read):
            return parts
        if all(isinstance(part, (list, tuple)) for part in parts):
            return [one for part in parts for one in part]
        raise ConfigError(f"{place} takes one value, not {value!r:.60}")
    if callable(read) and isinstance(value, (bool, bytes)):  # a suite may take an object
        raise ConfigError(f"{place} must be a text, a number or a list of these, not {value!r:.60}")
    if not isinstance(value, (str, int, float)) or not callable(read):
        return value
    try:
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for results
            return read(str(value))
    except Exception as error:  # noqa: BLE001 - whatever the suite's own reader raises
        raise ConfigError(f"{place}: {error}") from None


def flags_of(suite: Suite, configured: Mapping[str, Any]) -> SuiteFlags:
    """The flags that a suite declares. `configured`: its section of "suites" in config.json, with defaults.
    Raises ConfigError for an error there, TestFileError for one in the suite."""
    flags = SuiteFlags()
    with blame(suite.name, suite.folder):
        suite.flags(flags)
    where = f"suites.{suite.name}.{{}} in config.json"
    flags.defaults |= flags.checked(suite.name, configured, where)
    return flags
