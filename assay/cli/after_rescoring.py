"""What `assay rescore` says last: how its results are shown and compared, and whose were not judged again."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Sequence

from assay.home import typed
from assay.records import TrialRecord
from assay.results.saved_runs import newest_trials
from assay.results.store import Results, load_records
from assay.results.workspace import Workspace

NAMED = 5  # tests in a command, and models
Test = tuple[str, str, str]  # suite, test, its version


def next_commands(
    records: Sequence[TrialRecord], place: Workspace, judged: Workspace, folders: Sequence[str]
) -> list[str]:
    """Messages after `records`, the new verdicts. `place`: where runs are saved; `judged`: where these are.
    `folders`: of --tests."""
    models = list(dict.fromkeys(record.model for record in records))
    said = [f"these results again: {typed()} show{judged.logdir}"]
    ours = [record for record in records if record.rescored]  # not another program's answers
    before = _judged(ours, judged.results) - {*models}
    if others := _others(ours, {*models, *before}, place.results) if ours else []:
        several, flags = len(others) > 1, "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
        listed = ", ".join(others[:NAMED]) + (f" and {len(others) - NAMED} more" if others[NAMED:] else "")
        said.append(
            f"{listed} {'have' if several else 'has'} results of the same tests that were not judged again; "
            f"to compare {'them' if several else 'it'} too: {typed()} rescore "
            f"{shlex.join([*models, *others])}{_chosen(ours)}{flags}{place.logdir}"
        )
    if len(models) == 1 and ours:
        models += sorted(before)
    if len(models) > 1:
        pair = f"{typed()} compare {shlex.join(models[:2])}{judged.logdir}"
        said.append(f"two models by these verdicts: {pair}")
    return said


def _others(records: Sequence[TrialRecord], judged: Container[str], runs: Results) -> list[str]:
    """The models whose runs tried the tests of `records` and whose replies were not judged by them."""
    tests = {(record.suite, record.test) for record in records}
    now = {_version(record) for record in records}
    found = []
    for model, trials in sorted(newest_trials(runs.files(), []).items()):
        its = [each.record for each in trials.values()] if model not in judged else []
        if any((each.suite, each.test) in tests and _version(each) not in now for each in its):
            found.append(model)
    return found


def _judged(records: Sequence[TrialRecord], judged: Results) -> set[str]:
    """The models whose saved replies were judged by the tests of `records`."""
    now = {_version(record) for record in records}
    files = judged.files() if records else ()
    return {each.model for each in load_records(files, light=True).records if _version(each) in now}


def _version(record: TrialRecord) -> Test:
    return record.suite, record.test, record.fingerprint


def _chosen(records: Iterable[TrialRecord]) -> str:
    """The flags that choose the tests, if they are few."""
    tests = list(dict.fromkeys(record.test for record in records))
    return "" if len(tests) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in tests)
