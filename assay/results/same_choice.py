"""Stopped runs of the same choice of tests as a run that begins: by now rows may be gone, and others new."""

from __future__ import annotations

import glob
from dataclasses import replace
from pathlib import Path

from assay.results.run_notes import SUFFIX, TEST, TRIAL, Trials, marks_in, note_of, packed, save
from assay.results.unfinished import marks_of


def renew(run_file: Path, chosen: str, which: Trials, asked: bytes | bytearray) -> None:
    """Let the notes of other stopped runs at this commit, of any model, name the tests that there are now,
    and their versions: with these they would go on. `which`: the trials of a run of this choice; `asked`:
    their ids, also of those that it leaves out."""
    there = {bytes(asked[at : at + TEST]) for at in range(0, len(asked), TRIAL)}
    for path in run_file.parent.parent.glob(f"*/*{SUFFIX}"):
        note = note_of(path)
        if path == run_file.with_suffix(SUFFIX) or note.chosen != chosen or not note.parts:
            continue
        if dict(note.parts) == which:
            continue
        noted = note.marks()
        trials = [each for its in noted.values() for each in its]
        known, epochs = {each[:TEST] for each in trials}, {each[TEST:] for each in trials}
        if there - known:  # it may have left out some that other runs of its model had
            runs = run_file.parent.parent.parent.glob(f"*/{glob.escape(path.parent.name)}/run-*.jsonl")
            known |= {each[:TEST] for run in runs for each in marks_of(run)}
        for tests, its in which.items():
            of_file = tests.suite != "applied" or tests.source  # else given from Python, each call its own
            versions = {each[:TEST]: mark for each, mark in marks_in(its).items()}
            then = noted.get(tests, {})
            left = {each: mark for each, mark in then.items() if each[:TEST] in there or not of_file}
            new = {test for test in versions if test not in known and of_file}
            noted[tests] = {each: versions.get(each[:TEST], mark) for each, mark in left.items()}
            noted[tests] |= {test + epoch: versions[test] for test in new for epoch in epochs}
        number = len(marks_of(path.with_suffix(".jsonl")).keys() | set().union(*noted.values()))
        parts = [(tests, packed(its)) for tests, its in noted.items()]
        save(path, replace(note, trials=number, parts=parts, began=""))
