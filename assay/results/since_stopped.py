"""Runs that were stopped, and what has become of their tests since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from assay.git import head_commit
from assay.records import VERDICTS, TrialRecord
from assay.results.conditions import kind_of
from assay.results.run_notes import TEST, Marks, Tests, id_of
from assay.results.saved_runs import RESCORED
from assay.results.store import scan
from assay.results.test_versions import UNKNOWN, differ, mark_of
from assay.results.unfinished import Stopped, unfinished
from assay.results.workspace import Workspace

Verdict = tuple[str, str]  # when its trial began, and what is to know of it


def stopped_runs(
    workspace: Workspace,
    keep: Callable[[TrialRecord], bool],
    files: Iterable[Path] | None = None,
    models: Iterable[str] = (),
) -> list[Stopped]:
    """`unfinished` among `files`, by default all. If they are of several commits, whose results are merged,
    trials of tests that are gone or were changed do not count."""
    every = workspace.results.files()
    among = every if files is None else list(files)
    if files is None or len({path.parent.parent for path in among}) > 1:
        results, root = workspace.results.root.resolve(), workspace.root.resolve()
        beside = root in results.parents[: 2 if results.name == RESCORED else 1]
        since = Since(root if beside else None, every, head_commit(root), keep)
        return unfinished(among, keep, models, since.counted)
    return unfinished(among, keep, models)


class Since:
    """By the run files of all models and commits, and by the test files below `root`, if these are there.
    `commit`: that is checked out. `keep`: the records that decide under which conditions a model is shown."""

    def __init__(
        self,
        root: Path | None,
        files: Iterable[Path],
        commit: str,
        keep: Callable[[TrialRecord], bool] = lambda record: True,
    ) -> None:
        self._root, self._files, self._commit, self._keep = root, files, commit, keep

    def counted(self, run: Path, began: str, tests: Tests, trials: Marks) -> Marks:
        """Which `trials` of some `tests` that a `run` has or lacks would count, each with the mark of its
        test's version by now: none if their file is gone, or if since the run `began` there are verdicts
        under other conditions; of another commit than this one, where no run is resumed, none of a version
        that a test had and has no more."""
        file = tests.source if tests.suite == "applied" else ""  # of a suite it may be any text
        if self._root and file and not os.path.exists(self._root / file):  # noqa: PTH110 - nothing is raised
            return {}
        versions, kinds = self._newest
        when, kind = kinds.get((run.parent.name, tests.suite), ("", ""))
        if when > began and kind != tests.kind:
            return {}
        now = dict(trials)
        for each in trials:
            when, version = versions.get((each[:TEST], tests.kind), ("", ""))
            if when > began and (newest := mark_of(version)) != UNKNOWN:
                now[each] = newest
        if run.parent.parent.name == self._commit:
            return now
        past = {mark for each, mark in trials.items() if differ(mark, now[each])}
        return {each: mark for each, mark in trials.items() if mark not in past}

    @cached_property
    def _newest(self) -> tuple[dict[tuple[bytes, str], Verdict], dict[tuple[str, str], Verdict]]:
        """The version of each test's newest verdict under the same conditions, and the conditions of the
        newest verdict of a model's folder and a suite."""
        versions: dict[tuple[bytes, str], Verdict] = {}
        kinds: dict[tuple[str, str], Verdict] = {}
        for path in self._files:
            for _, record in scan(path, []):
                if record.outcome in VERDICTS:
                    kind, began = kind_of(record), record.started_at
                    test, suite = (id_of(record.key)[:TEST], kind), (path.parent.name, record.suite)
                    versions[test] = max(versions.get(test, ("", "")), (began, record.fingerprint))
                    if self._keep(record):
                        kinds[suite] = max(kinds.get(suite, ("", "")), (began, kind))
        return versions, kinds
