"""Which of a trial's tries counts, where several runs tried it: the one rule of every table and page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from assay.harness.conditions import kind_of, left_out_kinds, rank
from assay.records import Outcome, TrialRecord

NAMED = 5  # tests in a message
VERDICTS = (Outcome.PASS, Outcome.FAIL)

W = TypeVar("W")
Group = tuple[str, str]  # suite and model
Test = tuple[str, str]  # suite and test


@dataclass(frozen=True, slots=True)
class Try(Generic[W]):
    """One record, where it stands, and the how manyth it was: of two equally old ones the later counts."""

    record: TrialRecord
    where: W
    number: int

    @property
    def age(self) -> tuple[str, int]:
        return self.record.started_at, self.number


@dataclass(slots=True)
class Tries(Generic[W]):
    """All that is known of one trial under one set of conditions: the newest verdict of each version of the
    test (by its fingerprint), and the newest try of any version that ended in none."""

    verdicts: dict[str, Try[W]] = field(default_factory=dict)
    broken: Try[W] | None = None

    def add(self, its: Try[W]) -> None:
        if its.record.outcome in VERDICTS:
            old = self.verdicts.get(its.record.fingerprint)
            if old is None or its.age >= old.age:
                self.verdicts[its.record.fingerprint] = its
        elif self.broken is None or its.age >= self.broken.age:
            self.broken = its

    def standing(self, version: str) -> tuple[TrialRecord, W] | None:
        """What counts of them: the newest verdict of that version of the test, which says so if a later try
        ended in none; without one the try that broke; None if there is neither. A record without a
        fingerprint may be of any version."""
        found = [its for name, its in self.verdicts.items() if name in ("", version)]
        verdict, broken = max(found, key=lambda its: its.age, default=None), self.broken
        if verdict is None:
            return (broken.record, broken.where) if broken is not None else None
        if broken is None or broken.age < verdict.age:
            return verdict.record, verdict.where
        later = f"{broken.record.outcome.upper()}: {broken.record.error or 'no reason given'}"
        return replace(verdict.record, later=later), verdict.where


@dataclass(frozen=True)
class Change:
    """What one more record changed: `first`, it is the first of its trial; `kind`, its suite and model are
    now shown under other conditions; `version`, its test is now another one."""

    first: bool
    kind: bool
    version: bool


class Merge(Generic[W]):
    """Records of any runs, of which one counts for each (suite, test, model, epoch).

    A verdict is displaced by a newer verdict only, never by an ERROR or SKIPPED: that is said in the record
    (`TrialRecord.later`). Of a suite and model only those made under the conditions of its newest verdict
    count, and of a test only those of the version that the newest verdict is of: others answer another
    question, and a mean over both would answer none.
    """

    def __init__(self) -> None:
        self._tries: dict[Test, dict[str, dict[str, dict[int, Tries[W]]]]] = {}  # model -> kind -> epoch
        self._kinds: dict[Group, tuple[tuple[bool, str], str, TrialRecord]] = {}
        self._versions: dict[Test, tuple[tuple[str, int], str]] = {}
        self._number = 0

    def add(self, record: TrialRecord, where: W) -> Change:
        """Take one more record. `where` is given back with it."""
        self._number += 1
        test, kind = (record.suite, record.test), kind_of(record)
        kinds = self._tries.setdefault(test, {}).setdefault(record.model, {})
        tries = kinds.setdefault(kind, {})
        first = record.epoch not in tries
        its = Try(record, where, self._number)
        tries.setdefault(record.epoch, Tries()).add(its)
        return Change(first, self._new_kind(record, kind), self._new_version(its, test))

    def _new_kind(self, record: TrialRecord, kind: str) -> bool:
        group = (record.suite, record.model)
        known = self._kinds.get(group)
        if known is not None and rank(record) < known[0]:
            return False
        self._kinds[group] = (rank(record), kind, record)
        return known is not None and known[1] != kind

    def _new_version(self, its: Try[W], test: Test) -> bool:
        if its.record.outcome not in VERDICTS or not its.record.fingerprint:
            return False
        known = self._versions.get(test)
        if known is not None and its.age < known[0]:
            return False
        self._versions[test] = (its.age, its.record.fingerprint)
        return known is not None and known[1] != its.record.fingerprint

    def _version(self, suite: str, test: str) -> tuple[tuple[str, int], str]:
        """The fingerprint of a test that counts, and since when."""
        return self._versions.get((suite, test), (("", 0), ""))

    def models(self, suite: str, test: str) -> list[str]:
        """Those that tried a test."""
        return list(self._tries.get((suite, test), ()))

    def shown(self, suite: str, test: str, model: str) -> Iterator[tuple[TrialRecord, W]]:
        """What counts of a model's trials of a test, by the order of their first tries."""
        kinds = self._tries.get((suite, test), {}).get(model)
        if kinds is None:
            return
        _, version = self._version(suite, test)
        for tries in kinds.get(self._kinds[suite, model][1], {}).values():
            if (found := tries.standing(version)) is not None:
                yield found

    def counts(self, record: TrialRecord) -> bool:
        """Whether this very record, which was added, is the one that counts of its trial."""
        kind, (_, version) = kind_of(record), self._version(record.suite, record.test)
        if kind != self._kinds[record.suite, record.model][1]:
            return False
        tries = self._tries[record.suite, record.test][record.model][kind][record.epoch]
        found = tries.standing(version)
        return found is not None and found[0] is record

    def all_shown(self) -> Iterator[tuple[TrialRecord, W]]:
        """What counts of all."""
        for (suite, test), models in self._tries.items():
            for model in models:
                yield from self.shown(suite, test, model)

    def left_out(self) -> list[str]:
        """What does not count and why, in a sentence each."""
        kinds: dict[Group, list[TrialRecord]] = {}
        outdated: dict[str, dict[str, int]] = {}  # suite -> test -> trials
        models: dict[str, dict[str, None]] = {}
        for (suite, test), its in self._tries.items():
            _, version = self._version(suite, test)
            for model, by_kind in its.items():
                shown = self._kinds[suite, model][1]
                for kind, tries in by_kind.items():
                    if kind != shown:
                        kinds.setdefault((suite, model), []).extend(map(_newest, tries.values()))
                        continue
                    old = sum(_outdated(each, version) for each in tries.values())
                    if old:
                        outdated.setdefault(suite, {})[test] = old + outdated.get(suite, {}).get(test, 0)
                        models.setdefault(suite, {})[model] = None
        said = [
            left_out_kinds(suite, model, self._kinds[suite, model][2], records)
            for (suite, model), records in kinds.items()
        ]
        return said + [_said(suite, tests, sorted(models[suite])) for suite, tests in outdated.items()]


def _newest(tries: Tries[W]) -> TrialRecord:
    found = [*tries.verdicts.values(), *([tries.broken] if tries.broken is not None else [])]
    return max(found, key=lambda its: its.age).record


def _outdated(tries: Tries[W], version: str) -> bool:
    """Whether a trial has verdicts, and only of other versions of its test."""
    return bool(tries.verdicts) and not any(name in ("", version) for name in tries.verdicts)


def _said(suite: str, tests: dict[str, int], models: list[str]) -> str:
    trials, names = sum(tests.values()), sorted(tests)
    one = trials == 1
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    what = "result" if one else "results"
    made = "is left out: it was" if one else "are left out: they were"
    return (
        f"{trials:,} {what} of suite {suite} by {_listed(models)} {made} made by another version of "
        f"the test, or of Assay, than its newest verdict ({listed}); to run "
        f"{'it' if one else 'them'} again is free where the replies are still in the cache"
    )


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} other models" if names[NAMED:] else "")
