"""What `assay rescore` says last: how its results are shown and compared, and whose were not judged again."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import combinations

from assay.cli.typed_conditions import conditions_apart, flags_for
from assay.few import few
from assay.home import typed
from assay.records import TrialRecord
from assay.results.conditions import is_under, kind_of, self_judged
from assay.results.result_set import TestKind, test_kind
from assay.results.saved_runs import newest_trials
from assay.results.store import Results, load_records
from assay.results.test_versions import is_other
from assay.results.workspace import Workspace

NAMED = 5  # tests in a command, and models
Versions = Mapping[TestKind, Collection[str]]


def next_commands(
    records: Sequence[TrialRecord], place: Workspace, judged: Workspace, folders: Sequence[str]
) -> list[str]:
    """Messages after `records`, the new verdicts. `place`: where runs are saved; `judged`: where these are.
    `folders`: of --tests."""
    read = load_records(judged.results.files(), light=True).records
    chosen, where = "", "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
    if not (shown := _are_shown(records, read)) and (apart := conditions_apart(records, read)) is not None:
        files, chosen = judged.results.files(), flags_for(apart) + where
        read = load_records(files, keep=lambda record: is_under(record, apart), light=True).records
        shown = _are_shown(records, read)
    again = f"{typed()} show{chosen * shown}{judged.logdir}"
    if shown:
        said = [f"these results again: {again}"]
    else:
        said = [f"{again} leaves some of these results out: newer answers have other conditions"]
    records = [record for record in records if not self_judged(record)]  # others are compared with nobody
    models = list(dict.fromkeys(record.model for record in records))
    ours = [record for record in records if record.rescored]  # not another program's answers
    before = _judged(ours, read) - {*models}
    if others := _others(ours, {*models, *before}, place.results) if ours else []:
        several = len(others) > 1
        said.append(
            f"{few(others, NAMED)} {'have' if several else 'has'} results of the same tests that were not "
            f"judged again; to compare {'them' if several else 'it'} too: {typed()} rescore "
            f"{shlex.join([*models, *others])}{_chosen(ours)}{where}{place.logdir}"
        )
    if len(models) == 1 and ours:
        models += sorted(before)
    if shown and (pair := _pair(models, [*records, *read])):
        pair = f"{typed()} compare {shlex.join(pair)}{chosen}{judged.logdir}"
        said.append(f"two models by these verdicts: {pair}")
    return said


def _pair(models: Sequence[str], records: Iterable[TrialRecord]) -> Sequence[str]:
    """The first two of the models that have a test in common, under the same conditions."""
    tests: dict[str, set[TestKind]] = {}
    for record in records:
        tests.setdefault(record.model, set()).add(test_kind(record))
    pairs = (pair for pair in combinations(models, 2) if not tests[pair[0]].isdisjoint(tests[pair[1]]))
    return next(pairs, ())


def _are_shown(records: Iterable[TrialRecord], shown: Iterable[TrialRecord]) -> bool:
    """Whether `records` are under the conditions of those that are `shown` of the same model and suite."""
    kinds = {(each.model, each.suite): kind_of(each) for each in shown}
    return all(kinds.get((each.model, each.suite)) in (None, kind_of(each)) for each in records)


def _others(records: Sequence[TrialRecord], judged: Container[str], runs: Results) -> list[str]:
    """The models whose runs tried the tests of `records` and whose replies were not judged by them. None,
    if a command that names models would judge other replies than those of `records`."""
    now, newest = _versions(records), newest_trials(runs.files(), [])
    if any(
        (trial := newest.get(each.model, {}).get(each.key)) and kind_of(trial.record) != kind_of(each)
        for each in records
    ):
        return []
    found = []
    for model, trials in sorted(newest.items()):
        its = [each.record for each in trials.values()] if model not in judged else []
        its = [each for each in its if test_kind(each) in now and not self_judged(each)]
        if not all(_is_of(each, now) for each in its):
            found.append(model)
    return found


def _judged(records: Sequence[TrialRecord], judged: Iterable[TrialRecord]) -> set[str]:
    """The models whose saved replies were judged by the tests of `records`."""
    now = _versions(records)
    return {each.model for each in judged if _is_of(each, now) and not self_judged(each)}


def _versions(records: Iterable[TrialRecord]) -> Versions:
    found: dict[TestKind, set[str]] = {}
    for record in records:
        found.setdefault(test_kind(record), set()).add(record.fingerprint)
    return found


def _is_of(record: TrialRecord, now: Versions) -> bool:
    """Whether a record is of one of these versions."""
    its = now.get(test_kind(record), ())
    return any(not is_other(record.fingerprint, each) for each in its)


def _chosen(records: Iterable[TrialRecord]) -> str:
    """The flags that choose the tests, if they are few."""
    tests = list(dict.fromkeys(record.test for record in records))
    return "" if len(tests) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in tests)
