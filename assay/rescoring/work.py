"""The rescoring of one model: its trials, and who answers in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.records import TrialRecord
from assay.results.unfinished import Stopped
from assay.running.roles import Roles
from assay.running.trial import Planned
from assay.suites.sample import Sample
from assay.suites.suite import Suite


def _as_it_is(record: TrialRecord) -> TrialRecord:
    return record


@dataclass
class Work:
    """The answers of one model at `path`. `suites`: those with their own folder. `ours`: from one of our
    runs, so that verdicts can be compared. `errors`: of files and suites, which were said. `finish` completes
    a record from the saved one. `gone`: tests of saved trials that are not found, with their number of
    trials, and `elsewhere` the folders, for --tests, of those whose file is there, but where no tests are
    looked for; `broken`: those whose file cannot be loaded; `from_python`: those that were given from Python,
    and are not given now; `renamed`: the names of tests in the saved trials -> their new names; `lacking`:
    the runs that were stopped."""

    path: Path
    model: str
    suites: Sequence[Suite]
    planned: Sequence[Planned]
    roles: Roles
    problems: Sequence[str] = ()
    errors: Sequence[str] = ()
    ours: bool = False
    finish: Callable[[TrialRecord], TrialRecord] = _as_it_is
    gone: dict[str, int] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    broken: dict[str, int] = field(default_factory=dict)
    from_python: dict[str, int] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    lacking: Sequence[Stopped] = ()

    def keep(self, wants: Callable[[Sample], bool]) -> None:
        """Leave out the tests that are not wanted. Those that are not among today's are told of only if no
        other is left."""
        self.planned = [each for each in self.planned if wants(each.sample)]
        now = {each.sample.id for each in self.planned}
        self.renamed = {old: new for old, new in self.renamed.items() if new in now}
        if now:
            self.gone, self.from_python = {}, {}
