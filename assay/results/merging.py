"""Which of a trial's tries counts, where several runs tried it: the one rule of every table and page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from assay.records import Outcome, TrialRecord
from assay.results.conditions import kind_of, left_out_kinds, rank
from assay.results.test_versions import covers_assay, is_other

NAMED = 5  # tests in a message
VERDICTS = (Outcome.PASS, Outcome.FAIL)

W = TypeVar("W")
Group = tuple[str, str]  # suite and model
Test = tuple[str, str]  # suite and test
Age = tuple[str, int]  # when it began, and the how manyth it was


@dataclass(frozen=True, slots=True)
class Try(Generic[W]):
    """One record, where it stands, and the how manyth it was: of two equally old ones the later counts."""

    record: TrialRecord
    where: W
    number: int

    @property
    def age(self) -> Age:
        return self.record.started_at, self.number


@dataclass(slots=True)
class Versions:
    """The versions of a test that were judged under one set of conditions, by any model; of those the newest
    verdict's, `name`, counts ('' while none is known)."""

    name: str = ""
    age: Age = ("", 0)
    judged: set[str] = field(default_factory=set)

    def add(self, version: str, age: Age) -> bool:
        """One more verdict. Returns whether another version counts from now on."""
        self.judged.add(version)
        if age < self.age:
            return False
        changed = bool(self.name) and self.name != version
        self.name, self.age = version, age
        return changed

    def outdates(self, its: Try[Any]) -> bool:
        """Whether a try is of a version that counts no more. One that nobody was judged by yet, and that was
        tried since the newest verdict, is to come; a record without a fingerprint may be of any."""
        version = its.record.fingerprint
        return is_other(version, self.name) and (version in self.judged or its.age < self.age)


Tries = dict[tuple[bool, str], Try[W]]
"""All that is known of one trial under one set of conditions: whether it is a verdict, and the version of the
test (by its fingerprint) -> the newest try of the kind."""


def _newest(tries: Iterable[Try[W]]) -> Try[W] | None:
    return max(tries, key=lambda its: its.age, default=None)


def _standing(tries: Tries[W], versions: Versions) -> tuple[TrialRecord, W] | None:
    """What counts of them: the newest verdict of the version that counts, which says so if a later try ended
    in none; without one the try that broke; None if all are outdated."""
    verdict = _newest(
        its for (judged, name), its in tries.items() if judged and not is_other(name, versions.name)
    )
    broken = _newest(its for (judged, _), its in tries.items() if not judged and not versions.outdates(its))
    if verdict is None:
        return (broken.record, broken.where) if broken is not None else None
    if broken is None or broken.age < verdict.age:
        return verdict.record, verdict.where
    later = f"{broken.record.outcome.upper()}: {broken.record.error or 'no reason given'}"
    return replace(verdict.record, later=later), verdict.where


def _outdated(tries: Tries[Any], versions: Versions) -> TrialRecord | None:
    """The newest of those that are left out for their version, if that leaves the trial without a verdict
    that it had, or without anything."""
    verdicts = [its for (judged, _), its in tries.items() if judged]
    if verdicts:
        left = any(not is_other(its.record.fingerprint, versions.name) for its in verdicts)
    else:
        left = not all(map(versions.outdates, tries.values()))
    newest = _newest(verdicts or tries.values())
    return None if left or newest is None else newest.record


@dataclass(frozen=True)
class Change:
    """What one more record changed: `kind`, its suite and model are now shown under other conditions;
    `version`, its test is now another one."""

    kind: bool
    version: bool


class Merge(Generic[W]):
    """Records of any runs, of which one counts for each (suite, test, model, epoch).

    A verdict is displaced by a newer verdict only, never by an ERROR or SKIPPED: that is said in the record
    (`TrialRecord.later`). Of a suite and model only those made under the conditions of its newest verdict
    count, and of a test (under the same conditions, which may be part of the question) only those of the
    version that the newest verdict is of: others answer another question, and a mean over both would answer
    none. The version is decided over all that is known, also by `know`.
    """

    def __init__(self) -> None:
        self._tries: dict[Test, dict[tuple[str, str], dict[int, Tries[W]]]] = {}  # model and kind -> epoch
        self._kinds: dict[Group, tuple[tuple[bool, str], str, TrialRecord]] = {}
        self._versions: dict[tuple[Test, str], Versions] = {}  # kind
        self._unjudged: dict[tuple[Test, str], set[str]] = {}  # versions of tries that ended in no verdict
        self._number = 0

    def add(self, record: TrialRecord, where: W) -> Change:
        """Take one more record. `where` is given back with it."""
        version = self.know(record)
        test, kind = (record.suite, record.test), kind_of(record)
        epochs = self._tries.setdefault(test, {}).setdefault((record.model, kind), {})
        tries, its = epochs.setdefault(record.epoch, {}), Try(record, where, self._number)
        judged = record.outcome in VERDICTS
        old = tries.get((judged, record.fingerprint))
        if old is None or its.age >= old.age:
            tries[judged, record.fingerprint] = its
        if not judged and record.fingerprint:
            self._unjudged.setdefault((test, kind), set()).add(record.fingerprint)
        return Change(self._new_kind(record, kind), version)

    def know(self, record: TrialRecord) -> bool:
        """Take what a record that is not shown tells of its test's version. Returns whether that changes what
        counts of those that are."""
        self._number += 1
        if record.outcome not in VERDICTS or not record.fingerprint:
            return False
        at = (record.suite, record.test), kind_of(record)
        versions = self._versions.setdefault(at, Versions())
        changed = versions.add(record.fingerprint, (record.started_at, self._number))
        # A try without a verdict, of a version that does not count, may be outdated by any verdict: a newer
        # one, or an older one of its own version, which shows that this is not one to come.
        return changed or not self._unjudged.get(at, set()) <= {versions.name}

    def _new_kind(self, record: TrialRecord, kind: str) -> bool:
        group = (record.suite, record.model)
        known = self._kinds.get(group)
        if known is not None and rank(record) < known[0]:
            return False
        self._kinds[group] = (rank(record), kind, record)
        return known is not None and known[1] != kind

    def _of(self, test: Test, kind: str) -> Versions:
        return self._versions.get((test, kind), NONE_KNOWN)

    def models(self, suite: str, test: str) -> list[str]:
        """Those that tried a test."""
        return list(dict.fromkeys(model for model, _ in self._tries.get((suite, test), ())))

    def shown(self, suite: str, test: str, model: str) -> Iterator[tuple[TrialRecord, W]]:
        """What counts of a model's trials of a test, by the order of their first tries."""
        if (known := self._kinds.get((suite, model))) is not None:
            versions = self._of((suite, test), known[1])
            for tries in self._tries.get((suite, test), {}).get((model, known[1]), {}).values():
                if (found := _standing(tries, versions)) is not None:
                    yield found

    def all_shown(self) -> Iterator[tuple[TrialRecord, W]]:
        """What counts of all."""
        for suite, test in self._tries:
            for model in self.models(suite, test):
                yield from self.shown(suite, test, model)

    def left_out(self) -> list[str]:
        """What does not count and why, in a sentence each."""
        return [*self.other_kinds(), *said_of(self.outdated())]

    def other_kinds(self) -> list[str]:
        """What is left out for its conditions, in a sentence each."""
        kinds: dict[Group, list[TrialRecord]] = {}
        for (suite, _), its in self._tries.items():
            for (model, kind), epochs in its.items():
                if kind != self._kinds[suite, model][1]:
                    newest = (_newest(tries.values()) for tries in epochs.values())
                    kinds.setdefault((suite, model), []).extend(each.record for each in newest if each)
        return [
            left_out_kinds(suite, model, self._kinds[suite, model][2], records)
            for (suite, model), records in kinds.items()
        ]

    def outdated(self) -> list[Outdated]:
        """The trials that are left out since their test is another one now."""
        found = []
        for (suite, test), its in self._tries.items():
            for (model, kind), epochs in its.items():
                if kind != self._kinds[suite, model][1]:
                    continue
                versions = self._of((suite, test), kind)
                for tries in epochs.values():
                    if (old := _outdated(tries, versions)) is not None:
                        found.append(Outdated(old, covers_assay(old.fingerprint, versions.name)))
        return found


NONE_KNOWN = Versions()


@dataclass(frozen=True, slots=True)
class Outdated:
    """A record that is left out. `unknown`: whether its version is another one cannot be told."""

    record: TrialRecord
    unknown: bool


def said_of(outdated: Iterable[Outdated]) -> list[str]:
    """What is left out for its version, in a sentence for each suite and reason."""
    groups: dict[tuple[str, bool], list[TrialRecord]] = {}
    for each in outdated:
        groups.setdefault((each.record.suite, each.unknown), []).append(each.record)
    return [_said(suite, unknown, records) for (suite, unknown), records in groups.items()]


def _said(suite: str, unknown: bool, records: list[TrialRecord]) -> str:
    one = len(records) == 1
    models, names = sorted({each.model for each in records}), sorted({each.test for each in records})
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    what, it = ("result", "it") if one else ("results", "them")
    begin = f"{len(records):,} {what} of suite {suite} by {_listed(models)} {'is' if one else 'are'} left out"
    why = f"{'it was' if one else 'they were'} made by another version of the test than its newest verdict"
    if unknown:
        why = (
            "whether the test was the same then as for its newest verdict cannot be told, since fingerprints "
            "covered Assay's own code too"
        )
    return f"{begin}: {why} ({listed}); to run {it} again is free if the replies are still in the cache"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} other models" if names[NAMED:] else "")
