"""Runs that were stopped before all their trials had ended: beside the file of each is the number of trials
that it will have. The last trial removes it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

from assay.files import modified_ns, replace_file
from assay.records import TrialRecord
from assay.results.store import folder_name, scan
from assay.results.untrusted_files import content

SUFFIX = ".unfinished"
LONGEST = 20  # digits


def begin(run_file: Path, trials: int, *, resumed: bool) -> None:
    """Note how many trials a run will have. If a part of it is resumed, the others still count."""
    trials = max(trials, _trials(run_file)) if resumed else trials
    with contextlib.suppress(OSError):  # it costs the note, not the run
        replace_file(run_file.with_suffix(SUFFIX), str(trials).encode())


def end(run_file: Path, trials: int) -> None:
    """All `trials` of this part have ended."""
    if _trials(run_file) <= trials:
        with contextlib.suppress(OSError):
            run_file.with_suffix(SUFFIX).unlink(missing_ok=True)


def _trials(run_file: Path) -> int:
    try:
        return int(content(run_file.with_suffix(SUFFIX), LONGEST))
    except (OSError, ValueError):
        return 0


def unfinished(
    run_files: Iterable[Path], keep: Callable[[TrialRecord], bool], models: Iterable[str] = ()
) -> dict[str, tuple[int, int, Path]]:
    """Model -> the trials that its last run lacks, all that it will have, and its file, if that run is not
    finished. `keep`: of which a run must have one trial; one of `models` may have none at all."""
    names = {folder_name(model): model for model in models}
    last: dict[str, Path] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path)):
        last[path.parent.name] = path
    found = {}
    for path in last.values():
        if trials := _trials(path):
            records = [record for _, record in scan(path, [])]
            lacking = trials - len({record.key for record in records})
            kept = [each.model for each in records if keep(each)]
            name = next(iter(kept), None if records else names.get(path.parent.name))
            if lacking > 0 and name is not None:
                found[name] = lacking, trials, path
    return found
