"""Runs that were stopped before all their trials had ended: beside the file of each is the number of trials
that it will have, and a hash of what chose its tests. The last trial removes it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.files import modified_ns, replace_file
from assay.records import Outcome, TrialKey, TrialRecord
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


def end(run_file: Path, trials: int, chosen: str = "", tried: int = 0) -> None:
    """All `trials` of this part have ended. With `tried`, all that were asked for, whose verdicts may be in
    other files, it stands for the earlier runs of these tests that were stopped."""
    if _note(run_file)[0] <= trials:
        with contextlib.suppress(OSError):
            run_file.with_suffix(SUFFIX).unlink(missing_ok=True)
    for other in run_file.parent.glob(f"*{SUFFIX}") if chosen else ():
        noted = _note(other)
        if noted[1] == chosen and noted[0] <= tried:
            with contextlib.suppress(OSError):
                other.unlink(missing_ok=True)


def _note(run_file: Path) -> tuple[int, str]:
    """The trials, and the hash."""
    try:
        trials, _, chosen = content(run_file.with_suffix(SUFFIX), LONGEST).partition(b" ")
        return int(trials), chosen.decode()
    except (OSError, ValueError):
        return 0, ""


@dataclass(frozen=True)
class Stopped:
    """A run with trials that are `lacking`, of all that it will have. `last`: of its model."""

    file: Path
    trials: int
    lacking: int
    last: bool


def unfinished(
    run_files: Iterable[Path], keep: Callable[[TrialRecord], bool], models: Iterable[str] = ()
) -> dict[str, Stopped]:
    """Model -> its last run, at the commit of its newest results, that lacks trials and all of whose trials
    no later run has. `keep`: of which a run must have one trial. If it has none at all, the trials of the
    model's other runs stand for it, or its name alone; those of `models` need none."""
    names = {folder_name(model): model for model in models}
    runs: dict[str, list[Path]] = {}
    for path in sorted(run_files, key=lambda path: (modified_ns(path), path), reverse=True):
        runs.setdefault(path.parent.name, []).append(path)

    @cache
    def keys(path: Path) -> set[TrialKey]:
        return {record.key for _, record in scan(path, [])}

    found: dict[str, Stopped] = {}
    for folder, files in runs.items():
        last = files[0]
        for at, path in enumerate(files):
            trials = _note(path)[0]
            if path.parent != last.parent or trials <= len(has := keys(path) if trials else set()):
                continue
            if any(len(keys(later)) >= trials and keys(later) >= has for later in files[:at]):
                continue
            like = [record for each in ([path] if has else files) for _, record in scan(each, [])]
            like = like or [TrialRecord("", model_of(folder), 1, Outcome.ERROR)]
            name = next((each.model for each in like if keep(each)), None)
            name = name if has else names.get(folder, name)
            if name is not None:
                found[name] = Stopped(path, trials, trials - len(has), path == last)
                break
    return found
