"""What other installed packages add to Assay: entry points of the groups assay.providers and the like."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import ConfigError


@dataclass(frozen=True)
class Extension:
    """One entry point. `package`: the name and version of what it came with; `rival`: of another with the
    same name, so that neither can be used."""

    group: str
    name: str
    package: str
    entry: Any
    rival: str = ""

    def load(self) -> Any:
        """What it names. Raises ConfigError, naming the package, for whatever goes wrong in importing it."""
        if self.rival:
            raise self.broken(f"{self.rival} has one of that name too")
        try:
            return self.entry.load()
        except (Exception, SystemExit) as error:  # somebody else's code may raise anything
            raise self.broken(f"{type(error).__name__}: {error}") from error

    def broken(self, why: str) -> ConfigError:
        """The error of an extension that cannot be used."""
        return ConfigError(
            f"{self.name!r} ({self.group}) of the package {self.package} cannot be used: {why}; "
            "update or uninstall that package"
        )


@functools.cache
def extensions(group: str) -> Mapping[str, Extension]:
    """The entry points of a group, by name. Imports none of them."""
    import importlib.metadata  # whose import takes a twentieth of a short run

    found: dict[str, Extension] = {}
    for entry in importlib.metadata.entry_points(group=group):
        package = f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
        earlier = found.get(entry.name)
        rival = earlier.package if earlier is not None and earlier.entry != entry else ""
        found[entry.name] = Extension(group, entry.name, package, entry, rival)
    return found
