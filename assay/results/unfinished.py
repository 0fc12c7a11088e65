"""Runs that were stopped before all their trials had ended: beside the file of each is the number of trials
that it will have, and a hash of what chose its tests. The last trial removes it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

from assay.files import modified_ns, replace_file
from assay.records import Outcome, TrialRecord
from assay.results.store import folder_name, model_of, scan
from assay.results.untrusted_files import content

SUFFIX = ".unfinished"
LONGEST = 100  # characters of a note


def begin(run_file: Path, trials: int, chosen: str = "", *, part: bool = False) -> None:
    """Note how many trials a run will have. If what is resumed may be a `part` of it, which something else
    has `chosen`, the others still count."""
    noted = _note(run_file)
    if part and not (chosen and chosen == noted[1]):
        trials, chosen = max((trials, chosen), noted)
    with contextlib.suppress(OSError):  # it costs the note, not the run
        replace_file(run_file.with_suffix(SUFFIX), f"{trials} {chosen}".encode())


def end(run_file: Path, trials: int) -> None:
    """All `trials` of this part have ended."""
    if _note(run_file)[0] <= trials:
        with contextlib.suppress(OSError):
            run_file.with_suffix(SUFFIX).unlink(missing_ok=True)


def _note(run_file: Path) -> tuple[int, str]:
    """The trials, and the hash."""
    try:
        trials, _, chosen = content(run_file.with_suffix(SUFFIX), LONGEST).partition(b" ")
        return int(trials), chosen.decode()
    except (OSError, ValueError):
        return 0, ""


def unfinished(
    run_files: Iterable[Path], keep: Callable[[TrialRecord], bool], models: Iterable[str] = ()
) -> dict[str, tuple[int, int, Path]]:
    """Model -> the trials that its last run lacks, all that it will have, and its file, if that run is not
    finished. `keep`: of which a run must have one trial. If it has none at all, the trials of the model's
    other runs stand for it, or its name alone; those of `models` need none."""
    names = {folder_name(model): model for model in models}
    runs: dict[str, list[Path]] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path), reverse=True):
        runs.setdefault(path.parent.name, []).append(path)
    found = {}
    for folder, (last, *others) in runs.items():
        if trials := _note(last)[0]:
            records = [record for _, record in scan(last, [])]
            lacking = trials - len({record.key for record in records})
            like = records or [record for path in others for _, record in scan(path, [])]
            like = like or [TrialRecord("", model_of(folder), 1, Outcome.ERROR)]
            name = next((each.model for each in like if keep(each)), None)
            name = name if records else names.get(folder, name)
            if lacking > 0 and name is not None:
                found[name] = lacking, trials, last
    return found
