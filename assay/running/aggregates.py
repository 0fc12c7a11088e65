"""aggregate.jsonl beside run files: one line with the summary of each finished run, for suites that define
`aggregate`."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.errors import StoreError, TestFileError
from assay.records import TrialRecord
from assay.results.scores import with_scores
from assay.results.serialize import plain
from assay.results.store import Results, load_records
from assay.results.untrusted_files import LARGEST, content, regular
from assay.suites.blame import blame
from assay.suites.suite import Suite

FILE = "aggregate.jsonl"


def read_light(path: Path) -> list[TrialRecord]:
    """The newest trials of one run's file, without their explanations."""
    return load_records([path], light=True).records


def write_aggregates(
    files: Sequence[Path],
    suites: Iterable[Suite],
    results: Results,
    read: Callable[[Path], Sequence[TrialRecord]] = read_light,
) -> list[str]:
    """Append the summary of each finished run in `files`; the last of several lines of one run counts.
    `read`: for who has read them already. Returns what could not be summarized. Raises StoreError if nothing
    can be written."""
    problems: list[str] = []
    for suite in suites:
        for path in files if suite.defines("aggregate") else ():
            records = [each for each in read(path) if each.suite == suite.name]
            if not records:
                continue
            try:
                with blame(suite.name, suite.folder):
                    facts = plain(suite.aggregate(with_scores(records)))
            except TestFileError as error:  # the trials are saved
                problems.append(f"{path} could not be summarized: {error}")
                continue
            if not facts:
                continue
            newest = max(records, key=lambda record: record.started_at)
            line = {
                "suite": suite.name,
                "model": newest.model,
                "run": path.stem.removeprefix("run-"),
                "commit": newest.commit,
                "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
                "conditions": plain(newest.conditions),
                "parameters": plain(newest.parameters),
                **facts,
            }
            if {**_last(path.with_name(FILE), suite.name, line["run"]), "finished_at": ""} == {
                **json.loads(results.scrub(json.dumps(line))),
                "finished_at": "",
            }:
                continue  # resumed with nothing left to do
            _append(path.with_name(FILE), results.scrub(json.dumps(line)) + "\n")
    return problems


def _last(path: Path, suite: str, run: str) -> dict[str, Any]:
    """The last line about a run in the file, {} if there is none."""
    found: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        for text in content(path, LARGEST).decode("utf-8", "replace").splitlines():
            with contextlib.suppress(ValueError):
                line = json.loads(text)
                if isinstance(line, dict) and (line.get("suite"), line.get("run")) == (suite, run):
                    found = line
    return found


def _append(path: Path, line: str) -> None:
    try:
        with os.fdopen(regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "a", encoding="utf-8") as file:
            file.write(line)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from None
