"""The samples of Rows, made one by one during a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.errors import TestFileError
from assay.results.trial_index import TrialIndex
from assay.suites.sample import SameId, Sample, unique_ids

if TYPE_CHECKING:
    from assay.suites.rows import Rows, RowTest


@dataclass
class RowSamples:
    """The samples of Rows, made again at each call, so that none are kept. `name`: their id before the key.
    `sample`: makes one, or None if it is not wanted. `shown`: a message about these Rows with its place.
    `source`: their file, as of a Sample; '' if they were given from Python. `warnings`: those of the calls so
    far."""

    name: str
    rows: Rows
    sample: Callable[[RowTest], Sample | None]
    shown: Callable[[str], str] = str
    source: str = ""
    warnings: list[str] = field(default_factory=list)

    def __call__(self) -> Iterator[Sample]:
        try:
            for row in self.rows.tests(lambda text: self.warnings.append(self.shown(text))):
                if (sample := self.sample(row)) is not None:
                    yield sample.but(extra={**sample.extra, "row": row.row})
        except TestFileError as error:
            raise TestFileError(self.shown(str(error))) from error

    def only(self, wants: Callable[[str, Sequence[str]], bool]) -> RowSamples:
        def kept(row: RowTest) -> Sample | None:
            sample = self.sample(row)
            return sample if sample is not None and wants(sample.id, sample.tags) else None

        return replace(self, sample=kept, warnings=[])

    def unique(self, seen: TrialIndex) -> Iterator[Sample]:
        """The samples, lazily. Raises TestFileError, naming both rows, at a second one of one id."""
        try:
            yield from unique_ids(self(), seen)
        except SameId as error:
            key = error.id.removeprefix(f"{self.name}[").removesuffix("]")
            if not (said := self.rows.same_id(key)):
                raise  # the other one is in another file
            raise TestFileError(self.shown(said)) from error
