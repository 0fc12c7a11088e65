"""What to do about results that cannot be compared because their test was changed in between."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from assay.home import typed
from assay.records import TrialRecord
from assay.results.merging import asks_anew, ways_to_count
from assay.results.result_set import ResultSet, TestKind, changed_kinds, changed_tests, model_files, test_kind
from assay.results.saved_runs import RESCORED
from assay.results.store import Results, load_records
from assay.results.workspace import Workspace

NAMED = 5  # tests in a command


def ways_to_compare(
    first: ResultSet,
    second: ResultSet,
    workspace: Workspace,
    folders: Sequence[str] = (),
    flags: str = "",
) -> str:
    """How the tests that were changed in between can be compared all the same, with the command to copy if
    the sides are all of their models' results. `folders`: of --tests. `flags`: of the conditions that were
    typed."""
    changed, kinds = changed_tests(first, second), changed_kinds(first, second)
    whole, sides = first.whole and second.whole, (first, second)
    pair = shlex.join([first.model, second.model])
    where = flags + "".join(f" --tests {shlex.quote(folder)}" for folder in folders)
    results = Results(workspace.results.root / RESCORED)
    left, right = (_by_test(changed, _newest(kinds, results, side.model)) for side in sides)
    if whole and all(
        {r.fingerprint for r in left[test]} & {r.fingerprint for r in right[test]} for test in changed
    ):
        return (
            f"their saved replies were judged again, by one version: {typed()} compare {pair}"
            f"{_named(changed)}{where}{replace(workspace, results=results).logdir}"
        )
    runs = workspace.results
    then = [_by_test(changed, _newest(kinds, runs, side.model) if whole else side.records) for side in sides]
    now = _by_test(changed, _newest(kinds, runs))
    asked = [test for test in changed if any(_ask_other(side[test], now[test]) for side in then)]
    one = len(asked) == 1
    if len(asked) == len(changed):
        return asks_anew(one)
    rest = [test for test in changed if test not in asked]
    named, them = _named(rest), ", ".join(asked[:NAMED]) + (" ..." if asked[NAMED:] else "")
    anew = f"; {asks_anew(one, f'{len(asked)} of them ({them})')}" if asked else ""
    if not whole:
        return ways_to_count(len(changed) == 1) + anew
    return (
        "if only the checks were changed, judge the saved replies by the current "
        f"test{'s'[: len(rest) != 1]}: {typed()} rescore {pair}{named}{where}{workspace.logdir}"
        + anew
        + " (rescored, an ERROR)" * bool(asked and not named)
    )


def _named(tests: Sequence[str]) -> str:
    return "" if len(tests) > NAMED else "".join(f" --test {shlex.quote(test)}" for test in tests)


def _newest(kinds: Collection[TestKind], results: Results, model: str = "") -> list[TrialRecord]:
    """The trials of the newest version of these tests; `model`: of its own newest version."""
    files = model_files(results, model) if model else results.files()

    def wanted(record: TrialRecord) -> bool:
        return model in ("", record.model) and test_kind(record) in kinds

    return load_records(files, keep=wanted, light=True).records


def _by_test(tests: Iterable[str], records: Iterable[TrialRecord]) -> dict[str, list[TrialRecord]]:
    found: dict[str, list[TrialRecord]] = {test: [] for test in tests}
    for record in records:
        if record.test in found:
            found[record.test].append(record)
    return found


def _ask_other(one: Sequence[TrialRecord], other: Sequence[TrialRecord]) -> bool:
    """Whether no question of a test is the same in trials of one version and in those of another."""
    questions, others = ({each.question for each in side if each.question} for side in (one, other))
    return bool(questions and others) and not questions & others
