"""Defaults of a suite's own flags, from "suites" in config.json."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from assay.config import near
from assay.errors import ConfigError


def take_defaults(group: argparse._ArgumentGroup, suite: str, given: Mapping[str, Any]) -> None:
    """What `given` says is the default of the suite's flags; it is checked as if it were typed.

    Raises ConfigError for an unknown flag, or a value that it does not take.
    """
    flags = {action.dest: action for action in group._group_actions}
    for name, value in given.items():
        where = f"suites.{suite}.{name} in config.json"
        action = flags.get(name.replace("-", "_"))
        if action is None:
            raise ConfigError(f"{where}: suite {suite} has no such flag.{near(name, flags)}")
        if isinstance(value, (str, int, float)) and not isinstance(value, bool) and callable(action.type):
            try:
                value = action.type(str(value))
            except (argparse.ArgumentTypeError, ValueError) as error:
                raise ConfigError(f"{where}: {error}") from None
        if action.choices is not None and not set(value if isinstance(value, list) else [value]) <= set(
            action.choices
        ):
            raise ConfigError(f"{where}: choose from {', '.join(map(str, action.choices))}")
        action.default = value
