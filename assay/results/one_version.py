"""What to do about results that cannot be compared because their test was changed in between."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from assay.home import typed
from assay.records import TrialRecord
from assay.results.merging import ways_to_count
from assay.results.result_set import ResultSet, changed_tests, model_files
from assay.results.saved_runs import RESCORED
from assay.results.store import Results, load_records
from assay.results.workspace import Workspace

NAMED = 5  # tests in a command


def ways_to_compare(
    first: ResultSet, second: ResultSet, workspace: Workspace, folders: Sequence[str] = ()
) -> str:
    """How the tests that were changed in between can be compared all the same, with the command to copy.
    `folders`: of --tests."""
    changed = changed_tests(first, second)
    if not (first.whole and second.whole):
        return ways_to_count(len(changed) == 1)
    pair = shlex.join([first.model, second.model])
    where = "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
    results = Results(workspace.results.root / RESCORED)
    judged = replace(workspace, results=results)
    left, right = (_newest(changed, results, model) for model in (first.model, second.model))
    if all({r.fingerprint for r in left[test]} & {r.fingerprint for r in right[test]} for test in changed):
        return (
            f"their saved replies were judged again, by one version: {typed()} compare {pair}"
            f"{_named(changed)}{where}{judged.logdir}"
        )
    sides = [_newest(changed, workspace.results, model) for model in (first.model, second.model)]
    now = _newest(changed, workspace.results)
    asked = [test for test in changed if any(_ask_other(side[test], now[test]) for side in sides)]
    one, paid = len(asked) == 1, "something else now, so only another run, which is paid, gives"
    verdicts = "a verdict on it" if one else "verdicts on them"
    if len(asked) == len(changed):
        return f"{'it asks' if one else 'they ask'} {paid} {verdicts}"
    rest = [test for test in changed if test not in asked]
    named, them = _named(rest), ", ".join(asked[:NAMED]) + (" ..." if asked[NAMED:] else "")
    return (
        "if only the checks were changed, judge the saved replies by the current "
        f"test{'s'[: len(rest) != 1]}: {typed()} rescore {pair}{named}{where}{workspace.logdir}"
        + (f"; {len(asked)} of them ({them}) {'asks' if one else 'ask'} {paid} {verdicts}" if asked else "")
        + " (rescored, an ERROR)" * bool(asked and not named)
    )


def _named(tests: Sequence[str]) -> str:
    return "" if len(tests) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in tests)


def _newest(tests: Sequence[str], results: Results, model: str = "") -> dict[str, list[TrialRecord]]:
    """The trials of the newest version of these tests, by test; `model`: of its own newest version."""
    found: dict[str, list[TrialRecord]] = {test: [] for test in tests}

    def wanted(record: TrialRecord) -> bool:
        return model in ("", record.model) and record.test in found

    files = model_files(results, model) if model else results.files()
    for record in load_records(files, keep=wanted, light=True).records:
        found[record.test].append(record)
    return found


def _ask_other(one: Sequence[TrialRecord], other: Sequence[TrialRecord]) -> bool:
    """Whether no question of a test is the same in trials of one version and in those of another."""
    questions, others = ({each.question for each in side if each.question} for side in (one, other))
    return bool(questions and others) and not questions & others
