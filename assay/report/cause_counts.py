"""How many trials have which cause."""

from __future__ import annotations

from assay.records import Cause

EXCUSED = frozenset((Cause.CUT_OFF, Cause.FILTERED))
"""Causes of a FAIL that are a limit of the run or of the provider, not the model's answer."""

Causes = tuple[tuple[str, int], ...]
"""How many trials have which cause, by cause."""
SHARED = 20  # trials of a cell; up to here its causes are kept once for all cells alike

_shared: dict[Causes, Causes] = {}


def joined(one: Causes, other: Causes) -> Causes:
    """The sums of both. Those of a few trials are kept once, because thousands of cells are alike.

    >>> joined((("wrong", 1),), (("cut off", 2), ("wrong", 1)))
    (('cut off', 2), ('wrong', 2))
    """
    if not other:
        return one
    found = dict(one)
    for cause, n in other:
        found[cause] = found.get(cause, 0) + n
    causes = tuple(sorted(found.items()))
    return _shared.setdefault(causes, causes) if sum(found.values()) <= SHARED else causes
