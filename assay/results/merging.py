"""Which try of a trial counts if several runs tried it: the one rule of every table and page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from assay.few import few
from assay.home import typed
from assay.records import VERDICTS, TrialKey, TrialRecord, suite_title
from assay.results.conditions import kind_of, left_out_kinds, rank
from assay.results.natural_order import natural
from assay.results.test_versions import covers_assay, is_other

NAMED = 5  # tests in a message

W = TypeVar("W")
Group = tuple[str, str]  # suite and model
Test = tuple[str, str]  # suite and test
ModelKind = tuple[str, str]  # a model, and the conditions that it was tried under (kind_of)
Age = tuple[str, int]  # when it began, and its number


@dataclass(frozen=True, slots=True)
class Try(Generic[W]):
    """One record, its place, and its number: of two equally old tries, the later added counts."""

    record: TrialRecord
    where: W
    number: int

    @property
    def age(self) -> Age:
        return self.record.started_at, self.number


@dataclass(slots=True)
class Versions:
    """The versions of a test that were judged under the same conditions, by any model. `name`: the version of
    the newest verdict, which counts; '' if none is known. `judged`: each version -> what it asks first, by
    `record.question`; '' if that is not known or several questions."""

    name: str = ""
    age: Age = ("", 0)
    judged: dict[str, str] = field(default_factory=dict)

    def add(self, record: TrialRecord, age: Age) -> bool:
        """Add a verdict. Returns whether another version counts from now on."""
        version = record.fingerprint
        if self.judged.setdefault(version, record.question) != record.question:
            self.judged[version] = ""
        if age < self.age:
            return False
        changed = bool(self.name) and self.name != version
        self.name, self.age = version, age
        return changed

    def outdates(self, its: Try[Any]) -> bool:
        """Whether a try is of a version that no longer counts. A version without a verdict that was tried
        after the newest verdict is newer, not outdated; a record without a fingerprint may be of any
        version."""
        version = its.record.fingerprint
        return is_other(version, self.name) and (version in self.judged or its.age < self.age)

    def asks_anew(self, record: TrialRecord) -> bool:
        """Whether the version that counts is known to ask something else than the record's."""
        now = self.judged.get(self.name)
        return bool(now and record.question) and record.question != now


Tries = dict[tuple[bool, str], Try[W]]
"""All known tries of one trial under the same conditions: (whether it is a verdict, the test's fingerprint)
-> the newest such try."""


def _newest(tries: Iterable[Try[W]]) -> Try[W] | None:
    return max(tries, key=lambda its: its.age, default=None)


def _standing(tries: Tries[W], versions: Versions) -> tuple[TrialRecord, W] | None:
    """The try that counts: the newest verdict of the current version, marked if a later try ended without a
    verdict; else the try that broke; None if all are outdated."""
    if len(tries) == 1 and (its := tries.get((True, versions.name))) is not None:
        return its.record, its.where
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


def _left_out(tries: Tries[Any], versions: Versions) -> tuple[list[TrialRecord], bool]:
    """The verdicts left out because of their version, or, of a trial without any, the newest try if all are.
    Whether a verdict takes their place."""
    verdicts = [its.record for (judged, _), its in tries.items() if judged]
    if verdicts:
        found = [each for each in verdicts if is_other(each.fingerprint, versions.name)]
        return found, len(found) < len(verdicts)
    newest = _newest(tries.values())
    return [newest.record] if newest and all(map(versions.outdates, tries.values())) else [], False


@dataclass(frozen=True)
class Change:
    """The effect of one more record. `kind`: its suite and model are now shown under other conditions.
    `version`: another version of its test now counts."""

    kind: bool
    version: bool


class Merge(Generic[W]):
    """Merge the records of several runs; one record counts for each model and trial.

    A verdict is replaced only by a newer verdict, never by an ERROR or SKIPPED, which the record mentions
    (`TrialRecord.later`). Of each suite and model, only trials under the conditions of its newest verdict
    count. Of each test under the same conditions, only trials of the version of its newest verdict count:
    other versions ask another question, and a mean over both would answer none. `know` adds records that only
    help to decide the version.
    """

    def __init__(self) -> None:
        self._tries: dict[Test, dict[ModelKind, dict[TrialKey, Tries[W]]]] = {}
        self._kinds: dict[Group, tuple[tuple[bool, str, str], str, TrialRecord]] = {}
        self._versions: dict[tuple[Test, str], Versions] = {}  # kind
        self._unjudged: dict[tuple[Test, str], set[str]] = {}  # versions of tries without a verdict
        self._number = 0

    def add(self, record: TrialRecord, where: W) -> Change:
        """Add a record. `where` is returned with it."""
        test, kind = (record.suite, record.test), kind_of(record)
        version = self._know(record, (test, kind))
        trials = self._tries.setdefault(test, {}).setdefault((record.model, kind), {})
        tries, its = trials.setdefault(record.key, {}), Try(record, where, self._number)
        judged = record.outcome in VERDICTS
        old = tries.get((judged, record.fingerprint))
        if old is None or its.age >= old.age:
            tries[judged, record.fingerprint] = its
        if not judged and record.fingerprint:
            self._unjudged.setdefault((test, kind), set()).add(record.fingerprint)
        return Change(self._new_kind(record, kind), version)

    def know(self, record: TrialRecord) -> bool:
        """Note the version of a test from a record that is not shown. Returns whether this changes which of
        the shown records count."""
        return self._know(record, ((record.suite, record.test), kind_of(record)))

    def _know(self, record: TrialRecord, at: tuple[Test, str]) -> bool:
        self._number += 1
        if record.outcome not in VERDICTS or not record.fingerprint:
            return False
        versions = self._versions.setdefault(at, Versions())
        changed = versions.add(record, (record.started_at, self._number))
        # Any verdict may outdate a try without a verdict of a version that does not count: a newer verdict,
        # or an older one of the same version, which shows that this version is not a newer one.
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
        """The models that tried a test."""
        return list(dict.fromkeys(model for model, _ in self._tries.get((suite, test), ())))

    def shown(self, suite: str, test: str, model: str) -> Iterator[tuple[TrialRecord, W]]:
        """The records of a model's trials of a test that count, in the order of their first tries."""
        if (known := self._kinds.get((suite, model))) is not None:
            versions = self._of((suite, test), known[1])
            for tries in self._tries.get((suite, test), {}).get((model, known[1]), {}).values():
                if (found := _standing(tries, versions)) is not None:
                    yield found

    def all_shown(self) -> Iterator[tuple[TrialRecord, W]]:
        """All records that count."""
        for suite, test in self._tries:
            for model in self.models(suite, test):
                yield from self.shown(suite, test, model)

    def left_out(self) -> list[str]:
        """The records that do not count and why, a sentence each."""
        return [*self.other_kinds(), *said_of(self.outdated())]

    def other_kinds(self) -> list[str]:
        """The records left out because of their conditions, a sentence each."""
        kinds: dict[Group, list[TrialRecord]] = {}
        for (suite, _), its in self._tries.items():
            for (model, kind), trials in its.items():
                if kind != self._kinds[suite, model][1]:
                    newest = (_newest(tries.values()) for tries in trials.values())
                    kinds.setdefault((suite, model), []).extend(each.record for each in newest if each)
        return [
            left_out_kinds(suite, model, self._kinds[suite, model][2], records)
            for (suite, model), records in kinds.items()
        ]

    def outdated(self) -> list[Outdated]:
        """The results left out because their test has changed."""
        found = []
        for (suite, test), its in self._tries.items():
            for (model, kind), trials in its.items():
                if kind != self._kinds[suite, model][1]:
                    continue
                versions = self._of((suite, test), kind)
                counts = {(True, versions.name)}
                for tries in trials.values():
                    if tries.keys() != counts:
                        old, replaced = _left_out(tries, versions)
                        found += [
                            Outdated(
                                each,
                                covers_assay(each.fingerprint, versions.name),
                                replaced,
                                versions.asks_anew(each),
                            )
                            for each in old
                        ]
        return found


NONE_KNOWN = Versions()


@dataclass(frozen=True, slots=True)
class Outdated:
    """A record that is left out. `unknown`: it cannot be told whether its version differs. `replaced`: its
    trial has a verdict of the version that counts. `anew`: that version asks something else."""

    record: TrialRecord
    unknown: bool
    replaced: bool = False
    anew: bool = False


def said_of(outdated: Iterable[Outdated]) -> list[str]:
    """Messages on records left out because of their version, a sentence for each suite and reason."""
    groups: dict[tuple[str, bool, bool, bool], list[TrialRecord]] = {}
    for each in outdated:
        key = suite_title(each.record), each.unknown, each.replaced, each.anew and not each.replaced
        groups.setdefault(key, []).append(each.record)
    return [_said(*key, records) for key, records in groups.items()]


def _said(suite: str, unknown: bool, replaced: bool, anew: bool, records: list[TrialRecord]) -> str:
    one = len(records) == 1
    models, names = (
        sorted({each.model for each in records}),
        sorted({each.test for each in records}, key=natural),
    )
    what = "result" if one else "results"
    if replaced:
        why = "does not count: its test was " if one else "do not count: their tests were "
        why += "run again" if unknown else "changed and run again"
        begin = f"{len(records):,} earlier {what} of suite {suite} by {_listed(models)}"
        return f"{begin} {why} ({few(names, 1)})"
    begin = f"{len(records):,} {what} of suite {suite} by {_listed(models)} {'is' if one else 'are'} left out"
    why = f"{'it was' if one else 'they were'} made with another version of the test than its newest verdict"
    if unknown:
        why = (
            "it is unknown whether the test was the same as for its newest verdict, because fingerprints "
            "then covered Assay's own code"
        )
    return (
        f"{begin}: {why} ({few(names, NAMED)}); {asks_anew(len(names) == 1) if anew else ways_to_count(one)}"
    )


def ways_to_count(one: bool) -> str:
    """How results of an earlier version of a test become results of the current one. `one`: whether it is
    about a single thing."""
    it = "it" if one else "them"
    return (
        "if only the checks were changed, judge the saved replies by the current test: "
        f"{typed()} rescore MODEL; "
        f"if the question was, run {it} again, which is paid"
    )


def asks_anew(one: bool, subject: str = "") -> str:
    """What is said of tests that ask something else now. `one`: whether it is one; `subject`: which, if not
    those that were just named."""
    who, verdicts = (
        (f"{subject or 'it'} asks", "a verdict on it")
        if one
        else (f"{subject or 'they'} ask", "verdicts on them")
    )
    return f"{who} something else now, so only another run, which is paid, gives {verdicts}"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} other models" if names[NAMED:] else "")
