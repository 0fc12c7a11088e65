"""Runs that were stopped before all their trials had ended, and what they lack."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from assay.files import modified_ns
from assay.records import Outcome, TrialRecord
from assay.results.run_notes import NOTED, Marks, Tests, Trials, id_of, marks_in, note_of
from assay.results.store import folder_name, model_of, scan


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
    counted: Callable[[str, str, Tests, Marks], Iterable[bytes]] | None = None,
) -> list[Stopped]:
    """The runs that lack trials, those of a model from the newest: trials that neither a later run of it has,
    nor a later one that is told of will have. `keep`: of which a run must have one trial. If it has none at
    all, the trials of the model's other runs stand for it, or its name alone; those of `models` need none.
    `counted`, if results of all commits are merged: which trials count, by the model's folder, when the run
    began, and the tests of a file with their trials."""
    names = {folder_name(model): model for model in models}
    runs: dict[str, list[Path]] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path), reverse=True):
        runs.setdefault(path.parent.name, []).append(path)

    @cache
    def keys(path: Path) -> set[bytes]:
        return {id_of(record.key) for _, record in scan(path, [])}

    found: list[Stopped] = []
    for folder, files in runs.items():
        told: set[bytes] = set()
        for at, path in enumerate(files):
            note = note_of(path)
            if not note.trials or (note.over and counted):
                continue
            had = set().union(*map(keys, files[: at + 1]))
            which: Trials = {}
            for tests, packed in note.parts:
                its = marks_in(packed)
                left = its.keys() - had - told
                if left and counted:
                    left.intersection_update(counted(folder, note.began, tests, its))
                if left:
                    lacks = {each: its[each] for each in left} | marks_in(which.get(tests, b""))
                    which[tests] = bytearray().join(map(b"".join, lacks.items()))
            lacking = sum(map(len, which.values())) // NOTED if note.parts else note.trials - len(had)
            has = keys(path)
            like = [record for each in ([path] if has else files) for _, record in scan(each, [])]
            like = like or [TrialRecord("", model_of(folder), 1, Outcome.ERROR)]
            name = next((each.model for each in like if keep(each)), None)
            name = name if has else names.get(folder, name)
            if lacking > 0 and name is not None:
                told.update(*(marks_in(packed) for _, packed in note.parts))
                found.append(Stopped(name, path, note.trials, lacking, not at, which, note.judged))
    return found
