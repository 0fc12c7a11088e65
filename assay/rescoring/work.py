"""What rescoring does for one model: which trials it judges, and who answers in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.records import TrialRecord
from assay.running.roles import Roles
from assay.running.trial import Planned
from assay.suites.suite import Suite


def _as_it_is(record: TrialRecord) -> TrialRecord:
    return record


@dataclass
class Work:
    """The answers of one model at `path`. `suites`: those that have a folder of their own. `ours`: of a run
    of ours, so that what is judged again can be compared. `finish` completes a record from what the saved one
    says; `gone`: tests of saved trials that there are no more, with how many trials of each."""

    path: Path
    model: str
    suites: Sequence[Suite]
    planned: Sequence[Planned]
    roles: Roles
    problems: Sequence[str] = ()
    ours: bool = False
    finish: Callable[[TrialRecord], TrialRecord] = _as_it_is
    gone: dict[str, int] = field(default_factory=dict)
