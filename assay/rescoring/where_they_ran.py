"""Where the tests of saved runs are: in the folders of the commands that started these."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.errors import TestFileError
from assay.results.saved_command import SUFFIX, load_command
from assay.suites.listing import test_files
from assay.suites.selection import Selection


def folders_then(run_files: Iterable[Path], selection: Selection) -> tuple[str, ...]:
    """The folders of the runs in these files, as for --tests; none if they are where `selection` looks
    anyway, as it does for runs without a command, or if they do not go together, because files have the same
    name. Only commands of this user count: tests are imported."""
    commands = [load_command(file.with_suffix(SUFFIX)) for file in run_files]
    usual = [place.resolve() for place in selection.places()]
    found: dict[Path, None] = {}
    for places in dict.fromkeys(each.places if each else () for each in commands):
        found |= dict.fromkeys([place for place in map(Path, places) if place.exists()] or usual)
    try:
        list(test_files([*found]))
    except TestFileError:
        return ()
    if [*found] == usual:
        return ()
    here = Path.cwd()
    return tuple(str(place.relative_to(here) if place.is_relative_to(here) else place) for place in found)
