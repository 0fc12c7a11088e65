"""The trials of a run, lazily."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.errors import TestFileError
from assay.records import Outcome, TrialKey, TrialRecord
from assay.results.test_versions import ASKS, SAMPLE, asks_other, is_other
from assay.results.trial_index import TrialIndex
from assay.running.roles import ModelSource
from assay.running.trial import Planned, facts_of
from assay.suites.diagnostics import shown_path
from assay.suites.sample import Sample
from assay.suites.selection import APPLIED

Samples = Callable[[], Iterable[Sample]]
NO_REFERENCES = ("no references: ", "its references have no ")  # how an error of a test without them begins
PROVES = {"oracle": ("right", "passed"), "saboteur": ("wrong", "failed")}  # whose answers show what


@dataclass(frozen=True)
class Plan:
    """The trials of one model: every first epoch, then every second, so that an interrupted run has tried
    every test. `samples` can be called repeatedly; no sample is kept."""

    samples: Samples
    times: Callable[[Sample], int]
    most: int | None  # epochs, if equal for every sample
    done: Container[TrialKey] = frozenset()

    def __iter__(self) -> Iterator[Planned]:
        done = self.done or ()  # an index that is empty is not asked for each trial
        epoch, last = 1, 1  # making the samples again costs more than a trial of some suites
        while epoch <= last and (self.most is None or epoch <= self.most):
            for sample in self.samples():
                times = self.times(sample)
                last = max(last, times)
                trial = Planned(sample, epoch)
                if epoch <= times and not (done and trial.key in done):
                    yield trial
            epoch += 1

    def size(self) -> int:
        return sum(1 for _ in self)


def make_plan(
    samples: Samples,
    model: str,
    source: ModelSource,
    times: int | None,
    done: Container[TrialKey] = frozenset(),
) -> Plan:
    """`times` trials of each sample. None: as many as the sample says, or as many as a self-judging model has
    variants."""
    if times is not None:
        return Plan(samples, lambda sample: times, times, done)
    if not source.traits(model).self_judged:
        return Plan(samples, lambda sample: sample.times, None, done)
    return Plan(samples, lambda sample: max(1, variants(source, model, sample)), None, done)


def run_again(plan: Plan, done: TrialIndex) -> tuple[list[TrialKey], list[TrialKey]]:
    """Take out of `done` the trials of tests that ask something else now, and those that are overtaken."""
    others = _asking_other(plan, done) if done else []
    for key in others:
        done.discard(key)
    anew = _overtaken(plan, done)
    for key in anew:
        done.discard(key)
    return others, anew


def _asking_other(plan: Plan, done: TrialIndex) -> list[TrialKey]:
    """The trials in `done` of samples without a fingerprint of their own that ask or check something else
    now, as those of another seed may do: their answers are to another question."""
    return [
        trial.key
        for trial in plan
        if (then := done.get(trial.key) or "").startswith((ASKS, SAMPLE))
        and not trial.sample.fingerprint
        and asks_other(then, trial.sample.version, trial.sample.expression)
    ]


def is_done_by_other(trial: Planned, done: TrialIndex) -> bool:
    """Whether a trial in `done` was made by another version of its test."""
    then = done.get(trial.key)
    return bool(then) and is_other(str(then).partition(ASKS)[0], trial.sample.version)


def _overtaken(plan: Plan, done: TrialIndex) -> list[TrialKey]:
    """The trials in `done` (with their tests' versions) made by an earlier version of a test of which
    other trials are still to run or are of the current version: tables count only one version. For a test
    without a file, as in a notebook, all trials made by an earlier test of its name."""
    old: dict[tuple[str, str], list[TrialKey]] = {}
    for trial in plan if done else ():
        if is_done_by_other(trial, done):
            old.setdefault((trial.sample.suite, trial.sample.id), []).append(trial.key)
    mixed: dict[tuple[str, str], list[TrialKey]] = {}
    for trial in plan if old else ():
        test, version = (trial.sample.suite, trial.sample.id), done.get(trial.key)
        # "": the record does not tell its version
        same = version != "" and not is_done_by_other(trial, done)
        if test in old and (same or (test[0] == APPLIED and not trial.sample.source)):
            mixed[test] = old[test]
    return [key for keys in mixed.values() for key in keys]


def variants(source: ModelSource, model: str, sample: Sample) -> int:
    """The number of different trials of a test that a self-judging model has; 1 for any other model, and for
    references that cannot be read: the trial reports the error."""
    try:
        return source.variants(model, Planned(sample, 1).key)
    except TestFileError:
        return 1


def without_references(trial: Planned, model: str, commit: str, source: ModelSource) -> TrialRecord:
    """The SKIPPED record for a test that a self-judging model has no reply for."""
    said = f"{NO_REFERENCES[0]}nothing proves this test"
    if model in PROVES and any(variants(source, each, trial.sample) for each in PROVES):
        answer, shown = PROVES[model]
        said = f"{NO_REFERENCES[1]}{answer} answer: nothing proves that it can be {shown}"
    suite, file = trial.sample.suite, trial.sample.source
    where = f"{shown_path(Path(file or 'tests/x.py').parent)}/references/ holds them"
    if suite != APPLIED:
        where = f"references() of the suite {suite} gives none for it, nor does references/suite.py beside it"
    return TrialRecord(
        **facts_of(trial.sample), model=model, epoch=trial.epoch, outcome=Outcome.SKIPPED,
        error=f"{said} ({where})", cost=0.0, commit=commit, extra=trial.sample.extra,
    )  # fmt: skip
