"""Trials in the files of saved runs: found by a scan that keeps no explanations, read one by one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from assay.records import TrialKey, TrialRecord
from assay.results.conditions import is_under, kind_of, rank
from assay.results.merging import Merge
from assay.results.schema import KeyLine, LightLine
from assay.results.serialize import decode_line, read_line, record_of
from assay.results.store import scan, scan_lines
from assay.results.unfinished import SUFFIX as UNFINISHED
from assay.results.untrusted_files import MAX_LINE, TooLong, lines, run_file

RESCORED = "rescored"  # the folder of verdicts on saved replies, in that of results
T = TypeVar("T", bound=LightLine)
K = TypeVar("K")


@dataclass(frozen=True)
class SavedTrial:
    """A line of a run's file. `record`: without explanation and replies, which `whole` reads too."""

    path: Path
    offset: int  # bytes
    record: TrialRecord

    @property
    def key(self) -> TrialKey:
        return self.record.key

    def whole(self) -> TrialRecord:
        """The whole record. Raises ValueError or OSError if the file has changed."""
        with run_file(self.path) as file:
            file.seek(self.offset)
            found = decode_line(file.readline(MAX_LINE))
        if found.key != self.key:
            raise ValueError(f"{self.path} was changed meanwhile")
        return found


def is_run_file(path: Path) -> bool:
    """Whether the first lines of a file are those of a run."""
    try:
        with run_file(path) as file:
            for _, line in zip(range(20), lines(file), strict=False):
                with contextlib.suppress(ValueError, RecursionError):  # such as a line that is cut off
                    value = json.loads(line) if line.strip().startswith(b"{") else None
                    if isinstance(value, dict):
                        return {"test", "epoch", "outcome", "suite"} <= set(value)
    except (OSError, ValueError):
        return False
    return False


def run_files(path: Path) -> list[Path]:
    """The run files at `path`, a file or a folder; those of rescoring are apart and left out. With a run that
    was stopped before it had any trial, unless there is no other."""
    if path.is_dir():
        files = sorted(path.rglob("run-*.jsonl"))
        files = [file for file in files if RESCORED not in file.relative_to(path).parts]
    else:
        files = [path.resolve()]
    found = {file for file in files if is_run_file(file)}
    return [file for file in files if file in found or (found and file.with_suffix(UNFINISHED).exists())]


def newest_trials(
    files: Iterable[Path], problems: list[str], wanted: Mapping[str, Mapping[str, Any]] = {}
) -> dict[str, dict[TrialKey, SavedTrial]]:
    """Model -> its trials: the newest verdict for each suite, test and epoch, else the newest try. Those
    under the conditions of the suite's newest verdict, which alone count, come first. If a model has trials
    under the conditions `wanted` of a suite, it has no others of that suite."""
    tries: dict[tuple[str, TrialKey, str], SavedTrial] = {}
    newest: dict[tuple[str, str], SavedTrial] = {}
    for file in files:
        for offset, record in scan(file, problems):
            trial = SavedTrial(file, offset, record)
            _keep_newest(tries, (record.model, trial.key, kind_of(record)), trial)
            _keep_newest(newest, (record.model, record.suite), trial, wanted)

    def order(trial: SavedTrial) -> tuple[bool, Any]:
        shown = newest[trial.record.model, trial.record.suite].record
        return kind_of(trial.record) == kind_of(shown), rank(trial.record)

    found: dict[str, dict[TrialKey, SavedTrial]] = {}
    for (model, key, _), trial in tries.items():
        if is_under(newest[model, key.suite].record, wanted) > is_under(trial.record, wanted):
            continue
        its = found.setdefault(model, {})
        if key not in its or order(trial) > order(its[key]):
            its[key] = trial
    return found


def _keep_newest(
    tries: dict[K, SavedTrial], key: K, trial: SavedTrial, wanted: Mapping[str, Mapping[str, Any]] = {}
) -> None:
    old = tries.get(key)
    if old is None or _order(trial, wanted) >= _order(old, wanted):
        tries[key] = trial


def _order(trial: SavedTrial, wanted: Mapping[str, Mapping[str, Any]]) -> tuple[bool, tuple[bool, str, str]]:
    return is_under(trial.record, wanted), rank(trial.record)


def lines_that_count(files: Sequence[Path], problems: list[str], kind: type[T]) -> Iterator[T]:
    """One line for each trial, chosen by assay.results.merging, file by file. `problems` gets what
    cannot be read and what is left out. Only two hashes of each line are kept, and the records of tests that
    were tried again or in several versions."""
    contested = _contested(files)
    merge: Merge[tuple[Path, int]] = Merge()
    for path in files if contested else ():
        for at, light in scan_lines(path, [], LightLine):
            if not contested.isdisjoint(_hashes(light)):
                merge.add(record_of(light), (path, at))
    chosen = {where: record.later for record, where in merge.all_shown()}
    for path in files:
        for at, line in scan_lines(path, problems, kind):
            if contested and not contested.isdisjoint(_hashes(line)):
                if (path, at) not in chosen:
                    continue
                line.later = chosen[path, at]
            yield line
    problems += merge.left_out()


def _hashes(line: LightLine | KeyLine) -> tuple[int, int]:
    """Hashes of the line's test and suite; a collision costs only time."""
    return hash((line.suite, line.test)), hash(line.suite)


def _contested(files: Iterable[Path]) -> set[int]:
    """Tests with tries that do not count, and suites with models that were tried under several conditions, by
    `_hashes`."""
    found: set[int] = set()
    trials: set[int] = set()
    versions: dict[int, int] = {}  # of tests
    kinds: dict[tuple[str, str], str] = {}  # of suites and models
    for line in (line for path in files for line in _keys(path)):
        test, suite = _hashes(line)
        trial, version = hash((test, line.model, line.epoch)), hash(line.fingerprint)
        if trial in trials or versions.setdefault(test, version) != version:
            found.add(test)
        trials.add(trial)
        kind = kind_of(line)
        if kinds.setdefault((line.suite, line.model), kind) != kind:
            found.add(suite)
    return found


def _keys(path: Path) -> Iterator[KeyLine | LightLine]:
    """The keys of a file's lines, also of some that cannot be read."""
    decode = msgspec.json.Decoder(KeyLine).decode
    with contextlib.suppress(OSError, TooLong), run_file(path) as file:
        for text in lines(file):
            try:
                yield decode(text)
            except msgspec.DecodeError:
                with contextlib.suppress(ValueError, RecursionError):
                    yield read_line(text, LightLine)
