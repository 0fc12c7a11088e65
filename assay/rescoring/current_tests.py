"""The current tests for trials that were made when the tests may have differed."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from assay.errors import ConfigError, TestFileError
from assay.records import TrialRecord
from assay.report.messages import say
from assay.rescoring.renamed import Renamed
from assay.results.conditions import kind_of
from assay.results.saved_suites import no_longer_here
from assay.running.session import Session
from assay.suites.blame import blame
from assay.suites.choice import Choice, choose
from assay.suites.flags import SuiteOptions, flags_of
from assay.suites.listing import is_among
from assay.suites.sample import Sample
from assay.suites.selected import load_chosen
from assay.suites.selection import APPLIED, Selection
from assay.suites.suite import Suite


class _Then(NamedTuple):
    """A suite under a record's conditions; made once for all of its trials."""

    options: SuiteOptions
    conditions: Mapping[str, Any]
    tiers: Mapping[str, str]


class CurrentTests:
    """Find the current sample of a record, under the record's conditions.

    Flags of a suite given now take precedence over the record's conditions, and these over config.json.
    `wanted`: ids of the applied suite that may be asked for; no other file is imported. The session's
    selected tests come before the files.
    """

    def __init__(self, session: Session, wanted: Collection[str]):
        self._selection, self._cache = session.request.selection, session.cache
        self._configured = session.config.suites
        chosen = {each.id: each for each in session.selected() if each.suite == APPLIED}
        self._given = {name: chosen[name] for name in wanted if name in chosen}
        self._chosen = list(chosen.values())
        self._wanted = set(wanted) - self._given.keys()
        self._renamed: dict[str | tuple[str, str], Renamed] = {}  # by file, or suite and conditions
        self.errors: list[str] = []  # that were said
        self._broken: set[str] = set()  # files
        self._suites: dict[str, Suite | None] = {}
        self._samples: dict[tuple[str, str], dict[str, Sample]] = {}
        self._then: dict[tuple[str, str], _Then] = {}

    def _tell(self, error: str) -> None:
        say(error)
        self.errors.append(error)

    def sample(self, record: TrialRecord) -> Sample | None:
        """The current sample, None if the test no longer exists. Raises TestFileError for an error in a
        suite."""
        if record.suite == APPLIED:
            return self._given.get(record.test) or self._applied.get(record.test)
        suite = self.suite(record.suite)
        if suite is None:
            return None
        options = self._as_then(suite, record).options
        with blame(suite.name, suite.folder):
            sample = suite.sample_for(record, options)
        if sample is None:
            sample = self._all_of_suite(suite, record).get(record.test)
        return self._under_conditions(suite, sample, record)

    def renamed(self, record: TrialRecord, known: Container[str]) -> Sample | None:
        """The current sample of a record whose test has another name now, in the same file or suite or, from
        Python, among the selected tests; none of those `known` as other tests. Raises TestFileError for an
        error in a suite."""
        if record.suite != APPLIED:
            if (suite := self.suite(record.suite)) is None:
                return None
            if (key := _conditions_key(record)) not in self._renamed:
                samples = self._all_of_suite(suite, record).values()
                with blame(suite.name, suite.folder):  # which may make their tests only now
                    self._renamed[key] = Renamed(samples)
            return self._under_conditions(suite, self._renamed[key].find(record, known), record)
        stem = record.test.partition(".")[0]
        if stem not in self._renamed:
            its = [each for each in self._chosen if each.id.partition(".")[0] == stem]
            self._renamed[stem] = Renamed(its or self._all_of(stem))
        return self._renamed[stem].find(record, known)

    def _all_of_suite(self, suite: Suite, record: TrialRecord) -> dict[str, Sample]:
        """The suite's samples under the record's conditions, by id."""
        key = _conditions_key(record)
        if key not in self._samples:
            options = self._as_then(suite, record).options
            with blame(suite.name, suite.folder):
                its = suite.owned(options)
                self._samples[key] = {each.id: each for each in its}
        return self._samples[key]

    def _under_conditions(self, suite: Suite, sample: Sample | None, record: TrialRecord) -> Sample | None:
        then = self._as_then(suite, record)
        return None if sample is None else suite.own(sample, then.tiers).but(conditions=then.conditions)

    def suite(self, name: str) -> Suite | None:
        """The suite of that name, None if it is gone."""
        if name not in self._suites:
            try:
                self._suites[name] = self._selection.suite(name)
            except TestFileError:
                raise
            except ConfigError as error:
                saved = self._selection.root / "results"
                gone = name not in self._selection.own_suites() and no_longer_here(name, saved)
                self._tell(f"error: {gone or error}")
                self._suites[name] = None
        return self._suites[name]

    @cached_property
    def _everything(self) -> Selection:
        return replace(self._selection, tests=(), tags=(), tiers=(), only_changed=None)

    @cached_property
    def _choice(self) -> Choice:
        return choose(self._everything, self._cache / "listing.json" if self._cache else None, strict=False)

    def _all_of(self, stem: str) -> Iterator[Sample]:
        """The samples of a file."""
        files = [file for file in self._choice.files if file.path.stem == stem]
        return load_chosen(self._everything, replace(self._choice, files=files), self._cache).every()

    @cached_property
    def _applied(self) -> dict[str, Sample]:
        files = [
            file for file in self._choice.files if any(is_among(each.id, self._wanted) for each in file.tests)
        ]
        choice = replace(self._choice, files=files)
        loaded = load_chosen(self._everything, choice, self._cache, self._wanted)
        samples = {sample.id: sample for sample in loaded.every()}
        stems = {each.partition(".")[0] for each in self._wanted}
        broken = {stem: error for error in choice.errors if (stem := _stem(error)) in stems}
        for error in (*broken.values(), *loaded.errors):
            self._tell(f"error: {error}")
        self._broken |= {*broken, *map(_stem, loaded.errors)}
        return samples

    def cannot_be_loaded(self, record: TrialRecord) -> bool:
        """Whether the file of a record's test cannot, or its suite is not here, so that it may exist."""
        if record.suite != APPLIED:
            return self.suite(record.suite) is None
        return record.test.partition(".")[0] in self._broken

    def elsewhere(self, record: TrialRecord) -> str:
        """The folder of a record's test file, if that is there but not looked for; else ''."""
        return self._selection.elsewhere(record.source) if record.suite == APPLIED else ""

    def _as_then(self, suite: Suite, record: TrialRecord) -> _Then:
        """The suite's flags as they were when the record was made, as far as it tells."""
        if (key := _conditions_key(record)) not in self._then:
            flags, now = flags_of(suite, self._configured.get(suite.name, {})), self._selection
            given = now.given_to(suite, flags)
            then = replace(now, flags={**now.flags, **flags.defaults, **record.conditions, **given})
            self._then[key] = _Then(then.options, then.conditions_of(suite), suite.tiers())
        return self._then[key]


def _conditions_key(record: TrialRecord) -> tuple[str, str]:
    return record.suite, kind_of(record)


def _stem(error: str) -> str:
    """The name of the test file that an error is about."""
    return Path(error.partition(":")[0]).stem
