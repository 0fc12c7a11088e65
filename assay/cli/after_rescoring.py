"""What `assay rescore` says last: how its results are shown and compared, and whose were not judged again."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Sequence

from assay.home import typed
from assay.records import TrialRecord
from assay.results.result_set import model_files
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
    if others := _others(ours, models, place.results, judged.results) if ours else []:
        several, flags = len(others) > 1, "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
        listed = ", ".join(others[:NAMED]) + (f" and {len(others) - NAMED} more" if others[NAMED:] else "")
        said.append(
            f"{listed} {'have' if several else 'has'} results of the same tests that were not judged again; "
            f"to compare {'them' if several else 'it'} too: {typed()} rescore "
            f"{_words([*models, *others])}{_chosen(ours)}{flags}{place.logdir}"
        )
    if len(models) == 1 and ours:
        models += _judged_before(ours, models[0], judged.results)
    if len(models) > 1:
        pair = f"{typed()} compare {_words(models[:2])}{judged.logdir}"
        said.append(f"two models by these verdicts: {pair}")
    return said


def _others(
    records: Sequence[TrialRecord], models: Container[str], runs: Results, judged: Results
) -> list[str]:
    """The other models whose runs tried the tests of `records`, and whose replies were not judged by them."""
    tests = {(record.suite, record.test) for record in records}
    now = {_version(record) for record in records}
    found = []
    for model, trials in sorted(newest_trials(runs.files(), []).items()):
        its = [each.record for each in trials.values()] if model not in models else []
        old = any((each.suite, each.test) in tests and _version(each) not in now for each in its)
        if old and not _judged(model, now, judged):
            found.append(model)
    return found


def _judged_before(records: Sequence[TrialRecord], model: str, judged: Results) -> list[str]:
    """The other models whose saved replies were judged earlier by the tests of `records`."""
    now = {_version(record) for record in records}
    found = {each.model for each in load_records(judged.files(), light=True).records if _version(each) in now}
    return sorted(found - {model})


def _judged(model: str, now: Container[Test], judged: Results) -> bool:
    files = model_files(judged, model)
    return any(_version(each) in now for each in load_records(files, light=True).records)


def _version(record: TrialRecord) -> Test:
    return record.suite, record.test, record.fingerprint


def _chosen(records: Iterable[TrialRecord]) -> str:
    """The flags that choose the tests, if they are few."""
    tests = list(dict.fromkeys(record.test for record in records))
    return "" if len(tests) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in tests)


def _words(names: Iterable[str]) -> str:
    return shlex.join(names)
