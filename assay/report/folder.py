"""A report's folder: what lies where in it, written never in half, and not at all if it is there already."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from assay.files import LEFT_OVER, replace_file
from assay.report.explanation import Pictures
from assay.results.strangers import picture

CELLS, DATA, IMAGES, FIGURES, PAGES = "cells", "data", "images", "figures", "pages"
# What files of ours are called, by their folder
OURS = {
    CELLS: re.compile(r"[a-z0-9-]*[0-9a-f]{10}\.html"),
    DATA: re.compile(r"[0-9a-f]{1,10}\.js"),
    IMAGES: re.compile(r"[0-9a-f]{64}\.(?:png|jpe?g|gif|webp)"),
    FIGURES: re.compile(r"[a-z0-9_-]+(?:\.dark)?\.(?:svg|png)"),
    PAGES: re.compile(r"[a-z0-9_]+--[a-z0-9-]+\.html"),
}
OLD_SEARCH = "search"  # where reports held their texts a second time


class ReportFolder:
    """`path`: the folder, which is made. `images`: where the pictures lie that records name."""

    def __init__(self, path: Path, images: Path) -> None:
        self.path, self._source = path, images
        for folder in ("", *OURS):
            (path / folder).mkdir(parents=True, exist_ok=True)
        self._pictures = self.names(IMAGES)

    def names(self, folder: str) -> set[str]:
        """Of what is there now."""
        return set(os.listdir(self.path / folder))  # noqa: PTH208 - names are all we need, of thousands

    def has_pictures(self, names: Iterable[str]) -> bool:
        return self._pictures.issuperset(names)

    def add(self, pictures: Pictures) -> None:
        """Store those that are not there."""
        for name in pictures.names:
            if name in self._pictures:
                continue
            data = pictures.data[name] if name in pictures.data else picture(self._source, name)
            if data is None:
                continue  # named in the manifest all the same: looked for again at the next report
            replace_file(self.path / IMAGES / name, data)
            self._pictures.add(name)

    def remove_all_but(self, used: Mapping[str, Container[str]]) -> int:
        """Remove files of ours that `used` does not name, by their folder, and what a kill left half written.
        Returns how many were cells' pages."""
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
    """Replace `path` in one step unless it has this content already. Returns whether it was written."""
    try:
        if path.stat().st_size == len(content) and path.read_bytes() == content:
            return False
    except FileNotFoundError:
        pass
    replace_file(path, content)
    return True
