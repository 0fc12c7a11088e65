"""The trials to export, read from disk one by one: memory does not grow with the models' texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from assay.records import TrialRecord
from assay.results.export.dialogue import Leaf, Turn, dialogue, leaves
from assay.results.scores import filled, scored_tests
from assay.results.store import Read, load_records, scan


def run_name(path: Path) -> str:
    """The id of the run that this file belongs to: run-2.jsonl is run 2."""
    return path.stem.removeprefix("run-")


class Trial:
    """One record and the id of its run."""

    __slots__ = ("_leaves", "_said", "record", "run")

    def __init__(self, record: TrialRecord, run: str = "") -> None:
        self.record = record
        self.run = run
        self._leaves: list[Leaf] | None = None  # cached_property takes a lock
        self._said: list[Turn] | None = None

    @property
    def leaves(self) -> list[Leaf]:
        """The blocks of its explanation that say something."""
        if self._leaves is None:
            self._leaves = leaves(self.record.reason)
        return self._leaves

    @property
    def said(self) -> list[Turn]:
        """The messages of the model under test."""
        if self._said is None:
            self._said = dialogue(self.record, self.leaves)
        return self._said


def _same_trial(one: TrialRecord, other: TrialRecord) -> bool:
    return one.key == other.key and one.model == other.model


class Source:
    """The record of every trial in `files` that counts, as in the tables and the report.

    `records` have no explanations; `trials()` reads them again with these, one at a time. In both, every
    verdict of a scored test has a score (assay.results.scores). `images`: the folder of their pictures.
    `scored`: the scored tests, if more is known than `files` hold. `read`: the records of `files`, if they
    were read without explanations. `lacking`: a sentence for each part of the run that has no trials: a file
    that could not be loaded, the rest of a run that was stopped.
    """

    def __init__(
        self,
        files: Iterable[Path],
        keep: Callable[[TrialRecord], bool] = lambda record: True,
        scored: Collection[tuple[str, str]] | None = None,
        images: Path = Path("images"),
        read: Read | None = None,
    ) -> None:
        self.files, self.images = list(files), images
        self._keep = keep
        read = read or load_records(self.files, keep=keep, light=True)
        self._wanted: dict[Path, dict[int, TrialRecord]] = {}
        for record, (path, at) in zip(read.records, read.places, strict=True):
            self._wanted.setdefault(path, {})[at] = record
        self.scored = scored_tests(read.records) if scored is None else scored
        self.records = [filled(record, self.scored) for record in read.records]
        self.problems = read.problems
        self.lacking: Sequence[str] = ()

    def of_run(self, path: Path) -> Source:
        """All trials of one file; tables use only the newest trial of each test."""
        run = Source([path], self._keep, self.scored, self.images)
        run.problems = self.problems
        return run

    def trials(self, select: Callable[[TrialRecord], bool] = lambda record: True) -> Iterator[Trial]:
        """Every trial with its explanation, run by run in the order in which the trials ended. One whose
        explanation cannot be read is left out, and told in `problems`."""
        for path in self.files:
            wanted = self._wanted.get(path, {})
            if not any(select(record) for record in wanted.values()):
                continue
            unreadable: list[str] = []
            for at, record in scan(path, unreadable, light=False):
                light = wanted.get(at)
                if light is not None and _same_trial(light, record) and select(record):
                    record = replace(record, later=light.later) if light.later else record
                    yield Trial(filled(record, self.scored), run_name(path))
            self.problems += [each for each in unreadable if each not in self.problems]
