"""Trials in the files of saved runs: found by a scan that keeps no explanation, read one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from assay.records import TrialKey, TrialRecord
from assay.results.conditions import kind_of, rank
from assay.results.merging import Merge
from assay.results.schema import LightLine
from assay.results.serialize import decode_line, record_of
from assay.results.store import scan, scan_lines
from assay.results.strangers import MAX_LINE, lines, run_file

T = TypeVar("T", bound=LightLine)


@dataclass(frozen=True)
class SavedTrial:
    """A line of a run's file. `record`: without explanation and replies; `whole` reads these as well."""

    path: Path
    offset: int  # bytes
    record: TrialRecord

    @property
    def key(self) -> TrialKey:
        return self.record.key

    def whole(self) -> TrialRecord:
        """Raises ValueError or OSError if the file was changed meanwhile."""
        with run_file(self.path) as file:
            file.seek(self.offset)
            found = decode_line(file.readline(MAX_LINE))
        if found.key != self.key:
            raise ValueError(f"{self.path} was changed meanwhile")
        return found


def is_run_file(path: Path) -> bool:
    """Whether the first lines of a file are those of a run of ours."""
    try:
        with run_file(path) as file:
            for _, line in zip(range(20), lines(file), strict=False):
                value = json.loads(line) if line.strip().startswith(b"{") else None
                if isinstance(value, dict):
                    return {"test", "epoch", "outcome", "suite"} <= set(value)
    except (OSError, ValueError, RecursionError):
        return False
    return False


def run_files(path: Path) -> list[Path]:
    """The files of runs of ours at `path`, a file or a folder; what was judged again lies apart."""
    if path.is_dir():
        files = sorted(path.rglob("run-*.jsonl"))
        files = [file for file in files if "rescored" not in file.relative_to(path).parts]
    else:
        files = [path.resolve()]
    return [file for file in files if is_run_file(file)]


def newest_trials(files: Iterable[Path], problems: list[str]) -> dict[str, dict[TrialKey, SavedTrial]]:
    """Model -> its trials: for each suite, test and epoch the newest verdict, else the newest try."""
    found: dict[str, dict[TrialKey, SavedTrial]] = {}
    for file in files:
        for offset, record in scan(file, problems):
            trial = SavedTrial(file, offset, record)
            its = found.setdefault(trial.record.model, {})
            old = its.get(trial.key)
            if old is None or rank(trial.record) >= rank(old.record):
                its[trial.key] = trial
    return found


def lines_that_count(files: Sequence[Path], problems: list[str], kind: type[T]) -> Iterator[T]:
    """A line for each trial, as assay.results.merging says, file by file: nothing of them is kept but two
    hashes each, and the records of tests that were tried again or in several versions."""
    contested = _contested(files, problems)
    merge: Merge[tuple[Path, int]] = Merge()
    for path in files if contested else ():
        for at, light in scan_lines(path, [], LightLine):
            if not contested.isdisjoint(_hashes(light)):
                merge.add(record_of(light), (path, at))
    chosen = {where: record.later for record, where in merge.all_shown()}
    for path in files:
        for at, line in scan_lines(path, [], kind):
            if contested and not contested.isdisjoint(_hashes(line)):
                if (path, at) not in chosen:
                    continue
                line.later = chosen[path, at]
            yield line


def _hashes(line: LightLine) -> tuple[int, int]:
    """Of its test and of its suite; two that are the same by chance cost time only."""
    return hash((line.suite, line.test)), hash(line.suite)


def _contested(files: Iterable[Path], problems: list[str]) -> set[int]:
    """The tests of which not all that was tried counts, and the suites with models that were tried under
    several conditions, by `_hashes`."""
    found: set[int] = set()
    trials: set[int] = set()
    versions: dict[int, int] = {}  # of tests
    kinds: dict[tuple[str, str], str] = {}  # of suites and models
    for path in files:
        for _, line in scan_lines(path, problems, LightLine):
            test, suite = _hashes(line)
            trial, version = hash((test, line.model, line.epoch)), hash(line.fingerprint)
            if trial in trials or versions.setdefault(test, version) != version:
                found.add(test)
            trials.add(trial)
            kind = kind_of(line)
            if kinds.setdefault((line.suite, line.model), kind) != kind:
                found.add(suite)
    return found
