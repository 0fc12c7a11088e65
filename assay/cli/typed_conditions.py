"""Conditions of suites on a command line: those of saved results that it chooses, and the flags for them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.errors import ConfigError
from assay.records import TrialRecord
from assay.results.conditions import differing, in_words, is_under
from assay.results.store import read_file
from assay.suites.selection import Selection

Conditions = Mapping[str, Mapping[str, Any]]
"""By suite."""


def check_saved(selection: Selection, files: Iterable[Path], models: Collection[str] = ()) -> None:
    """Raise ConfigError, which names those there are, if results of a suite, or of one of the `models` that
    are named, are in `files`, but none under the conditions that were typed."""
    if not (wanted := selection.conditions):
        return
    keep, found = replace(selection, typed={}).keeps(), dict[tuple[str, str], list[TrialRecord]]()
    for record in (record for path in files for record in read_file(path, [], light=True)):
        if record.suite in wanted and record.model in (models or [record.model]) and keep(record):
            found.setdefault((record.suite, record.model if models else ""), []).append(record)
    for (suite, model), its in found.items():
        if not any(is_under(record, wanted) for record in its):
            names = wanted[suite]
            there = dict.fromkeys(in_words(record.conditions, names) for record in its)
            raise ConfigError(
                f"no saved results of suite {suite}{f' by {model}' * bool(model)} are under "
                f"{in_words(names, names)}; there are some under {' and under '.join(there)}"
            )


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
