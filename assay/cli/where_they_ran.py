"""Where the tests of saved runs are: in the folders of the commands that started these."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.cli.arguments import read
from assay.cli.request import selection_of
from assay.errors import AssayError, TestFileError
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
    for argv, cwd in dict.fromkeys((each.argv, each.cwd) if each else ((), "") for each in commands):
        found |= dict.fromkeys(_places(argv, cwd, selection.root) or usual)
    try:
        list(test_files([*found]))
    except TestFileError:
        return ()
    if [*found] == usual:
        return ()
    here = Path.cwd()
    return tuple(str(place.relative_to(here) if place.is_relative_to(here) else place) for place in found)


def _places(argv: Sequence[str], folder: str, root: Path) -> list[Path]:
    """Those places of a command given in `folder` that are still there."""
    with contextlib.suppress(AssayError, OSError), contextlib.chdir(folder):
        places = selection_of(read(["run", *argv], root), root).places()
        return [place.resolve() for place in places if place.exists()]
    return []
