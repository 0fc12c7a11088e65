"""A report's folder: its layout, files that are never half written, and unchanged files left alone."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import StoreError
from assay.files import LEFT_OVER, replace_file, why_closed
from assay.results.untrusted_files import picture

if TYPE_CHECKING:
    from assay.report.explanation import Pictures

CELLS, DATA, IMAGES, FIGURES, PAGES = "cells", "data", "images", "figures", "pages"
# Names of our files, by folder
OURS = {
    CELLS: re.compile(r"[a-z0-9-]*[0-9a-f]{10}\.html"),
    DATA: re.compile(r"[0-9a-f]{1,10}\.js"),
    IMAGES: re.compile(r"[0-9a-f]{64}\.(?:png|jpe?g|gif|webp)"),
    FIGURES: re.compile(r"[a-z0-9_-]+(?:\.dark)?\.(?:svg|png)"),
    PAGES: re.compile(r"[a-z0-9_]+--[a-z0-9-]+\.html"),
}
OLD_SEARCH = "search"  # where older reports had a second copy of their texts
OUR_PAGE = b'<link rel="stylesheet" href="report.css'  # in the head of each report's first page
HEAD = 4096  # bytes


def check_free(folder: Path, how: str = "--report-dir") -> None:
    """Raise StoreError if a report in `folder` would replace a page that is not Assay's. `how`: what names
    another folder."""
    index = folder / "index.html"
    try:
        with index.open("rb") as page:
            ours = OUR_PAGE in page.read(HEAD)
    except IsADirectoryError:
        ours = False
    except OSError:  # there is none, or writing tells what is wrong
        return
    if not ours:
        raise StoreError(
            f"{index} was not written by Assay, and a report would replace it: name another folder for the "
            f"report ({how}), or move it away"
        )


def check_place(folder: Path, how: str = "--report-dir") -> None:
    """Raise StoreError if no report can be written to `folder`, before a run is paid for. `how`: as of
    `check_free`."""
    check_free(folder, how)
    if why := next(filter(None, (why_closed(folder / each) for each in ("", *OURS))), ""):
        raise StoreError(f"no report can be written to {folder}: {why}. Name another folder ({how})")


class ReportFolder:
    """`path`: the folder, which is created. `images`: the folder of the pictures that records name."""

    def __init__(self, path: Path, images: Path) -> None:
        self.path, self._source = path, images
        for folder in ("", *OURS):
            (path / folder).mkdir(parents=True, exist_ok=True)
        self._pictures = self.names(IMAGES)

    def names(self, folder: str) -> set[str]:
        """The names of the files that exist in `folder`."""
        return set(os.listdir(self.path / folder))  # noqa: PTH208 - names are all we need, of thousands

    def has_pictures(self, names: Iterable[str]) -> bool:
        return self._pictures.issuperset(names)

    def add(self, pictures: Pictures) -> None:
        """Store the pictures that are missing."""
        for name in pictures.names:
            if name in self._pictures:
                continue
            data = pictures.data[name] if name in pictures.data else picture(self._source, name)
            if data is None:
                continue  # still in the manifest, so the next report looks for it again
            replace_file(self.path / IMAGES / name, data)
            self._pictures.add(name)

    def remove_all_but(self, used: Mapping[str, Container[str]]) -> int:
        """Remove our files that `used` (folder -> names) does not have, and half-written files of a killed
        process. Returns the number of removed cells' pages."""
        removed = 0
        for folder, ours in {"": LEFT_OVER, **OURS, OLD_SEARCH: OURS[DATA]}.items():
            for name in self.names(folder) if (self.path / folder).is_dir() else ():
                stale = ours.fullmatch(name) is not None and name not in used.get(folder, ())
                removed += stale and folder == CELLS
                if stale or LEFT_OVER.fullmatch(name):
                    (self.path / folder / name).unlink(missing_ok=True)
        return removed


def unique(name: str, taken: Container[str]) -> str:
    """`name`, or the first of `name`-2, `name`-3 ... that is not taken."""
    numbered = (f"{name}-{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if each not in taken)


def write_if_other(path: Path, content: bytes) -> bool:
    """Replace `path` in one step unless its content is the same. Returns whether it was written."""
    try:
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    replace_file(path, content)
    return True
