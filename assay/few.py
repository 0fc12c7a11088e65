"""The first few of many names, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def few(names: Sequence[str], most: int) -> str:
    """
    >>> few(["a", "b", "c", "d"], 2), few(["a", "b"], 2)
    ('a, b and 2 more', 'a, b')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
