"""Trials in the files of saved runs: found by a scan that keeps no explanation, read whole one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.records import TrialRecord
from assay.results.conditions import rank
from assay.results.serialize import record_from_json
from assay.results.store import lightened
from assay.results.strangers import MAX_LINE, TooLong, lines, run_file

Key = tuple[str, str, int]  # suite, test, epoch


@dataclass(frozen=True)
class SavedTrial:
    """A line of a run's file. `record`: without explanation and replies; `whole` reads these as well."""

    path: Path
    offset: int  # bytes
    record: TrialRecord

    @property
    def key(self) -> Key:
        return self.record.suite, self.record.test, self.record.epoch

    def whole(self) -> TrialRecord:
        """Raises ValueError or OSError if the file was changed meanwhile."""
        with run_file(self.path) as file:
            file.seek(self.offset)
            found = record_from_json(json.loads(file.readline(MAX_LINE)))
        if (found.suite, found.test, found.epoch) != self.key:
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


def scan(path: Path, problems: list[str]) -> Iterator[SavedTrial]:
    """The trials of one file; lines that cannot be read go to `problems`, by file and line."""
    offset = 0
    try:
        with run_file(path) as file:
            for number, line in enumerate(lines(file), 1):
                at, offset = offset, offset + len(line)
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)
                    record = record_from_json(lightened(value))
                except (ValueError, RecursionError) as error:
                    problems.append(f"{path}:{number}: broken line skipped: {error}")
                    continue
                yield SavedTrial(path, at, record)
    except TooLong as error:
        problems.append(f"{path}: a line is {error}")
    except OSError as error:
        problems.append(f"{path}: cannot be read: {error.strerror or error}")


def newest_trials(files: Iterable[Path], problems: list[str]) -> dict[str, dict[Key, SavedTrial]]:
    """Model -> its trials: for each suite, test and epoch the newest verdict, else the newest try."""
    found: dict[str, dict[Key, SavedTrial]] = {}
    for file in files:
        for trial in scan(file, problems):
            its = found.setdefault(trial.record.model, {})
            old = its.get(trial.key)
            if old is None or rank(trial.record) >= rank(old.record):
                its[trial.key] = trial
    return found
