"""The order in which tests are listed: numbers in their names count as numbers."""

from __future__ import annotations

import re

_numbers = re.compile("[0-9]+").sub


def natural(name: str) -> str:
    """A sort key by which "t[2]" comes before "t[10]".

    >>> sorted(["t[10]", "t[2]", "t[b]", "t[02]"], key=natural)
    ['t[02]', 't[2]', 't[10]', 't[b]']
    """
    return f"{_numbers(_padded, name)}\0{name}"


def _padded(number: re.Match[str]) -> str:
    return number[0].zfill(20)
