"""Suites of installed packages: entry points of the group `assay.suites`, each a Suite or a class of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from assay.errors import ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLUGINS = "assay.suites"


@cache
def installed() -> Mapping[str, Sequence[EntryPoint]]:
    """Name -> entry points of installed packages. More than one of a name is a clash."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=PLUGINS):
        found.setdefault(entry.name, []).append(entry)
    return found


def described(name: str) -> str:
    """An installed suite, for messages."""
    return f"the suite {name!r} of {installed()[name][0].value} (entry point of {PLUGINS})"


def load_installed(name: str) -> tuple[object, str]:
    """What a package offers under a name, and its module. Raises ConfigError if two packages do, or it cannot
    be imported."""
    entry, *others = installed()[name]
    if others:
        raise ConfigError(
            f"{described(name)} is also that of {others[0].value}: uninstall one of the two packages"
        )
    try:
        return entry.load(), entry.module
    except (Exception, SystemExit) as error:  # whatever the package's own code raises
        raise ConfigError(f"{described(name)} cannot be loaded: {type(error).__name__}: {error}") from error
