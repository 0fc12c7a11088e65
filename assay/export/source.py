"""The trials to export, read from disk one by one: memory does not grow with what models wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.harness.store import load_records, read_file
from assay.records import TrialRecord

Key = tuple[str, str, str, int]


def key_of(record: TrialRecord) -> Key:
    return record.suite, record.test, record.model, record.epoch


def run_name(path: Path) -> str:
    """The id of the run whose file this is: run-2.jsonl is run 2."""
    return path.stem.removeprefix("run-")


@dataclass(frozen=True)
class Trial:
    """One record and the id of the run that it is from."""

    record: TrialRecord
    run: str


class Source:
    """The newest record of every trial in `files`, as the tables and the report have them.

    `records` are without explanations; `trials()` reads them again with these, one at a time.
    """

    def __init__(
        self, files: Iterable[Path], keep: Callable[[TrialRecord], bool] = lambda record: True
    ) -> None:
        self._files = list(files)
        self._keep = keep
        # Where the last record of its key and time stands: of two equally old ones the later line counts.
        places: dict[tuple[Key, str], tuple[Path, int]] = {}
        current, number = Path(), 0

        def one_by_one() -> Iterator[Path]:
            nonlocal current, number
            for current in self._files:
                number = 0
                yield current

        def noted(record: TrialRecord) -> bool:
            nonlocal number
            if not keep(record):
                return False
            number += 1
            places[key_of(record), record.started_at] = current, number
            return True

        read = load_records(one_by_one(), keep=noted, light=True)
        self.records = read.records
        self.problems = read.problems
        self._wanted: dict[Path, dict[int, TrialRecord]] = {}
        for record in self.records:
            path, place = places[key_of(record), record.started_at]
            self._wanted.setdefault(path, {})[place] = record

    def trials(self, select: Callable[[TrialRecord], bool] = lambda record: True) -> Iterator[Trial]:
        """Every trial with its explanation, run by run in the order in which they ended."""
        for path in self._files:
            wanted = self._wanted.get(path, {})
            if not any(select(record) for record in wanted.values()):
                continue
            for number, record in enumerate(read_file(path, [], self._keep), 1):
                light = wanted.get(number)
                if light is not None and key_of(light) == key_of(record) and select(record):
                    yield Trial(record, run_name(path))
