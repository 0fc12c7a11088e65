"""Which trials a run consists of, lazily."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from assay.records import Outcome, TrialKey, TrialRecord
from assay.results.test_versions import is_other
from assay.running.roles import ModelSource
from assay.running.trial import Planned
from assay.suites.suite import Sample

Samples = Callable[[], Iterable[Sample]]
NO_REFERENCES = "no references: nothing proves this test (tests/references/ holds them)"


@dataclass(frozen=True)
class Plan:
    """The trials of one model: every first epoch, then every second, so that a run that is cut short
    has seen every test. `samples` can be asked again and again; nothing of them is kept."""

    samples: Samples
    times: Callable[[Sample], int]
    most: int | None  # epochs, where that is the same for every sample
    done: Collection[tuple[str, str, int]] = frozenset()  # (suite, test, epoch)

    def __iter__(self) -> Iterator[Planned]:
        epoch = 0
        while self.most is None or epoch < self.most:
            epoch += 1
            any_left = False
            for sample in self.samples():
                if epoch <= self.times(sample):
                    any_left = True
                    if (sample.suite, sample.id, epoch) not in self.done:
                        yield Planned(sample, epoch)
            if not any_left:
                return

    def size(self) -> int:
        return sum(1 for _ in self)


def make_plan(
    samples: Samples,
    model: str,
    source: ModelSource,
    times: int | None,
    done: Collection[tuple[str, str, int]] = frozenset(),
) -> Plan:
    """`times` trials of each sample; None means as many as the sample says, or as many as a model
    that judges itself has for it."""
    if times is not None:
        return Plan(samples, lambda sample: times, times, done)
    if not source.traits(model).self_judged:
        return Plan(samples, lambda sample: sample.times, None, done)
    return Plan(samples, lambda sample: max(1, variants(source, model, sample)), None, done)


def overtaken(plan: Plan, done: Mapping[tuple[str, str, int], str]) -> set[tuple[str, str, int]]:
    """Of the trials that are `done` (with the fingerprint of their test) those that an earlier version of a
    test made, and of which others are still to be run or are of today's version: tables count one version
    only."""
    mixed: set[tuple[str, str]] = set()
    old: dict[tuple[str, str], set[tuple[str, str, int]]] = {}
    for trial in plan if done else ():
        sample, test = trial.sample, (trial.sample.suite, trial.sample.id)
        version = done.get((*test, trial.epoch))
        if version is not None and is_other(version, sample.fingerprint):
            old.setdefault(test, set()).add((*test, trial.epoch))
        elif version != "":  # not a record that does not tell its version
            mixed.add(test)
    return set().union(*(old.get(test, set()) for test in mixed))


def variants(source: ModelSource, model: str, sample: Sample) -> int:
    """How many different trials of a test a model that judges itself has; 1 for any other model."""
    return source.variants(model, TrialKey(sample.id, 1, sample.suite, sample.source))


def without_references(trial: Planned, model: str, commit: str) -> TrialRecord:
    """The record of a trial that a model which judges itself has no reply for."""
    sample = trial.sample
    return TrialRecord(
        sample.id,
        model,
        trial.epoch,
        Outcome.SKIPPED,
        suite=sample.suite,
        error=NO_REFERENCES,
        cost=0.0,
        commit=commit,
        fingerprint=sample.fingerprint,
        description=sample.description,
        tags=sample.tags,
        source=sample.source,
        extra=sample.extra,
        conditions=sample.conditions,
    )
