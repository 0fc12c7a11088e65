"""Trials in the files of saved runs: found by a scan that keeps no explanations, read one by one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec

from assay.records import TrialKey, TrialRecord
from assay.results.conditions import kind_of, left_out_kinds, rank
from assay.results.merging import Merge
from assay.results.run_notes import SUFFIX as UNFINISHED
from assay.results.schema import KeyLine, LightLine
from assay.results.serialize import decode_line, read_line, record_of
from assay.results.store import scan, scan_lines
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
    """Whether a file has a trial."""
    return next(scan(path, []), None) is not None


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
    files: Iterable[Path],
    problems: list[str],
    keep: Callable[[TrialRecord], bool] = lambda record: True,
    given: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, dict[TrialKey, SavedTrial]]:
    """Model -> its trials that `keep` keeps: the newest verdict for each suite, test and epoch, else the
    newest try. Of a suite, only those under the conditions of its newest verdict count; `problems` gets what
    is left out. `given`: conditions that are wanted: if a model has trials of a suite under them, it has no
    others, and if not, all are as if made under them."""
    tries: dict[tuple[str, TrialKey, str], SavedTrial] = {}
    newest: dict[tuple[str, str], SavedTrial] = {}

    def kind(record: TrialRecord) -> str:
        now = {name: given[name] for name in record.conditions if name in given}
        return kind_of(replace(record, conditions={**record.conditions, **now}) if now else record)

    def is_as_given(record: TrialRecord) -> bool:
        return not given or kind(record) == kind_of(record)

    def order(trial: SavedTrial) -> tuple[bool, Any]:
        return is_as_given(trial.record), rank(trial.record)

    for file in files:
        for offset, record in scan(file, problems):
            if keep(record):
                trial = SavedTrial(file, offset, record)
                _keep_newest(tries, (record.model, trial.key, kind_of(record)), trial)
                its = record.model, record.suite
                if its not in newest or order(trial) >= order(newest[its]):
                    newest[its] = trial
    found: dict[str, dict[TrialKey, SavedTrial]] = {}
    others: dict[tuple[str, str], list[TrialRecord]] = {}
    for (model, key, _), trial in tries.items():
        shown = newest[model, key.suite]
        if kind(trial.record) != kind(shown.record):
            others.setdefault((model, key.suite), []).append(trial.record)
        elif is_as_given(trial.record) or not is_as_given(shown.record):
            _keep_newest(found.setdefault(model, {}), key, trial)
    problems += [
        left_out_kinds(suite, model, newest[model, suite].record, records)
        for (model, suite), records in others.items()
    ]
    return found


def _keep_newest(tries: dict[K, SavedTrial], key: K, trial: SavedTrial) -> None:
    old = tries.get(key)
    if old is None or rank(trial.record) >= rank(old.record):
        tries[key] = trial


def lines_that_count(
    files: Sequence[Path],
    problems: list[str],
    kind: type[T],
    keep: Callable[[Any], bool] = lambda line: True,
) -> Iterator[T]:
    """One line for each trial that `keep` keeps, chosen by assay.results.merging, file by file. `problems`
    gets what cannot be read and what is left out. Only two hashes of each line are kept, and the records of
    tests that were tried again or in several versions."""
    contested = _contested(files)
    merge: Merge[tuple[Path, int]] = Merge()
    for path in files if contested else ():
        for at, light in scan_lines(path, [], LightLine):
            if not contested.isdisjoint(_hashes(light)) and keep(light):
                merge.add(record_of(light), (path, at))
    chosen = {where: record.later for record, where in merge.all_shown()}
    for path in files:
        for at, line in scan_lines(path, problems, kind):
            if not keep(line):
                continue
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
