"""Conditions of suites as the flags of a command line."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.records import TrialRecord
from assay.results.conditions import differing

Conditions = Mapping[str, Mapping[str, Any]]
"""By suite."""


def conditions_apart(records: Sequence[TrialRecord], others: Iterable[TrialRecord]) -> Conditions | None:
    """By suite, the conditions of `records` that `others` do not have; None if they are of several kinds or
    no flag can say them."""
    found: dict[str, Mapping[str, Any]] = {}
    if any(found.setdefault(each.suite, each.conditions) != each.conditions for each in records):
        return None
    kinds: dict[str, list[Mapping[str, Any]]] = {suite: [its] for suite, its in found.items()}
    for each in others:
        if each.suite in kinds and each.conditions not in kinds[each.suite]:
            kinds[each.suite].append(each.conditions)
    apart = {suite: {name: found[suite].get(name) for name in differing(its)} for suite, its in kinds.items()}
    values = (value for its in apart.values() for value in its.values())
    return apart if all(value is True or type(value) in (str, int, float) for value in values) else None


def flags_for(conditions: Conditions) -> str:
    """The flags that choose suites, each with its conditions."""
    words = [word for suite in conditions for word in ("--suite", suite)]
    for name, value in ((name, value) for its in conditions.values() for name, value in its.items()):
        words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return "".join(f" {shlex.quote(word)}" for word in words)
