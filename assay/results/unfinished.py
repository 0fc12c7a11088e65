"""Runs that were stopped before all their trials had ended, and what they lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from assay.files import modified_ns
from assay.records import VERDICTS, Outcome, TrialRecord
from assay.results.run_notes import NOTED, TEST, Marks, Tests, Trials, id_of, note_of, packed
from assay.results.store import folder_name, model_of, scan
from assay.results.test_versions import UNKNOWN, differ, mark_of


@dataclass(frozen=True)
class Stopped:
    """A run with trials that are `lacking`, of all that it will have: `which`, as far as that is known.
    `last`: of its model. `judged`: as of its note."""

    model: str
    file: Path
    trials: int
    lacking: int
    last: bool
    which: Trials = field(default_factory=dict)
    judged: str = ""


def unfinished(
    run_files: Iterable[Path],
    keep: Callable[[TrialRecord], bool],
    models: Iterable[str] = (),
    counted: Callable[[Path, str, Tests, Marks], Marks] | None = None,
) -> list[Stopped]:
    """The runs that lack trials, those of a model from the newest: trials that neither a later run of it has,
    nor a later one that is told of will have. `keep`: of which a run must have one trial. If it has none at
    all, the trials of the model's other runs stand for it, or its name alone; those of `models` need none.
    `counted`, if results of all commits are merged: which trials count, by the run's file, when it began, and
    the tests of a file with their trials; each with the mark of its test's version by now."""
    names = {folder_name(model): model for model in models}
    runs: dict[str, list[Path]] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path), reverse=True):
        runs.setdefault(path.parent.name, []).append(path)
    marks = cache(marks_of)
    found: list[Stopped] = []
    for folder, files in runs.items():
        told: set[bytes] = set()
        for at, path in enumerate(files):
            note = note_of(path)
            if not note.trials or (note.over and counted):
                continue
            has, later, noted = marks(path), told.union(*map(marks, files[:at])), note.marks()
            which: Trials = {}
            for tests, its in noted.items():
                now = counted(path, note.began, tests, its) if counted else its
                if left := _left(tests, now, has, judged=not note.chosen) - later:
                    which[tests] = packed({each: its[each] for each in left})
            lacking = sum(map(len, which.values())) // NOTED
            if not note.parts:
                lacking = note.trials - len(later | has.keys())
            like = [record for each in ([path] if has else files) for _, record in scan(each, [])]
            like = like or [TrialRecord("", model_of(folder), 1, Outcome.ERROR)]
            name = next((each.model for each in like if keep(each)), None)
            name = name if has else names.get(folder, name)
            if lacking > 0 and name is not None:
                told.update(*noted.values())
                found.append(Stopped(name, path, note.trials, lacking, not at, which, note.judged))
    return found


def marks_of(path: Path) -> Marks:
    """The trials of a run's file; those without a verdict with no mark."""
    found: Marks = {}
    for _, record in scan(path, []):
        key = id_of(record.key)
        found.setdefault(key, b"")
        if record.outcome in VERDICTS:
            found[key] = mark_of(record.fingerprint)
    return found


def _left(tests: Tests, now: Marks, has: Marks, *, judged: bool) -> set[bytes]:
    """The trials that a run makes if it goes on: those that it lacks and, as `run_again` of a plan has it,
    those by an earlier version of a test that has others, or has no file. `judged`: it judges saved replies,
    each once."""
    lacks = now.keys() - has.keys()
    if judged:
        return lacks
    old = {each for each, mark in now.items() if differ(has.get(each) or UNKNOWN, mark)}
    mixed = {each[:TEST] for each in now if each not in old and has.get(each) != UNKNOWN}
    anew = {each for each in old if each[:TEST] in mixed or (tests.suite == "applied" and not tests.source)}
    return lacks | anew
