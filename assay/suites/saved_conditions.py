"""Which saved results are under the conditions that were asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.config import near
from assay.errors import ConfigError
from assay.records import TrialRecord, suite_title
from assay.results.conditions import in_words, is_under
from assay.results.store import read_file
from assay.suites.selection import Selection


def check_saved(selection: Selection, files: Iterable[Path], models: Collection[str] = ()) -> None:
    """Raise ConfigError, which names those there are, if results of a suite, or of one of the `models` that
    are named, are in `files`, but none under the conditions that were asked for."""
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


def saved_selection(files: Collection[Path], selection: Selection) -> Selection:
    """The selection of the results in `files` under its flags, which must be conditions; a text may stand for
    a number. Raises TypeError for one that no result has, ConfigError if there are no results of a suite, or
    none under the conditions."""
    titles, found, values = set[str](), dict[str, set[str]](), dict[tuple[str, str], Any]()
    for record in (record for path in files for record in read_file(path, [], light=True)):
        titles.add(suite_title(record))
        if selection.wants_record(record):
            found.setdefault(record.suite, set()).update(record.conditions)
            values |= {(name, str(value)): value for name, value in record.conditions.items()}
    for name in selection.suites:
        if name not in {*titles, "all"}:
            listed = f"There are results of {', '.join(sorted(titles))}"
            raise ConfigError(f"no saved results of suite {name!r}.{near(name, titles)} {listed}")
    known, given = {name for its in found.values() for name in its}, selection.flags.keys()
    if unknown := sorted(given - known):
        there = f"the conditions of these results: {', '.join(sorted(known)) or 'none'}"
        raise TypeError(f"there is no condition {unknown[0]!r}.{near(unknown[0], known, 1)} ({there})")
    flags = {name: values.get((name, str(value)), value) for name, value in selection.flags.items()}
    typed = {suite: sorted(its & given) for suite, its in found.items()}
    selection = replace(selection, flags=flags, typed=typed)
    check_saved(selection, files)
    return selection
