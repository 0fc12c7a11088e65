"""Trials in the files of saved runs: found by a scan that keeps no explanation, read whole one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.records import TrialKey, TrialRecord
from assay.results.conditions import rank
from assay.results.serialize import decode_line
from assay.results.store import scan
from assay.results.strangers import MAX_LINE, lines, run_file


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
