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
    which = "" if len(changed) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in changed)
    where = "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
    results = Results(workspace.results.root / RESCORED)
    judged = replace(workspace, results=results)
    if all(
        _versions(first.model, test, results) & _versions(second.model, test, results) for test in changed
    ):
        return (
            f"their saved replies were judged again, by one version: {typed()} compare {pair}"
            f"{which}{where}{judged.logdir}"
        )
    them = "it" if len(changed) == 1 else "them"
    return (
        f"running {them} again is free if the replies are still in the cache; to judge the saved ones by the "
        f"current test{'s'[: len(changed) != 1]}: {typed()} rescore {pair}{which}{where}{workspace.logdir}"
    )


def _versions(model: str, test: str, results: Results) -> set[str]:
    def wanted(record: TrialRecord) -> bool:
        return record.model == model and record.test == test

    found = load_records(model_files(results, model), keep=wanted, light=True).records
    return {record.fingerprint for record in found}
