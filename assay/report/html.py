"""Write the HTML report: only what changed, and never half a page.

A manifest in the report's folder remembers, for each page, the hash of the records, template version
and links that it was made from, and the pictures it shows. A page whose hash is unchanged and whose
file is still there is left alone; pages of tests or models that are gone are removed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from assay.records import Table, TrialRecord
from assay.report.aggregate import Row, make_grid
from assay.report.cell_page import page_name, render_cell
from assay.report.environment import STYLE_SHEET, TEMPLATES, version
from assay.report.explanation import Pictures
from assay.report.fingerprint import fingerprint
from assay.report.grid_page import render_grid

MANIFEST = "manifest.json"
CELLS = "cells"
IMAGES = "images"
_OUR_PAGE = re.compile(r"[a-z0-9-]*[0-9a-f]{10}\.html")
_OUR_PICTURE = re.compile(r"[0-9a-f]{64}\.(?:png|jpe?g|gif|webp)")
_LEFT_OVER = re.compile(r"\.[^/]*\.[0-9]+\.part")


@dataclass(frozen=True)
class ReportSummary:
    """What a call of write_report did. `index` is the page to open; the counts are of cell pages."""

    index: Path
    written: int
    unchanged: int
    removed: int


@dataclass(frozen=True)
class _Page:
    """What the manifest remembers of a page."""

    hash: str
    pictures: tuple[str, ...] = ()


def write_report(
    records: Sequence[TrialRecord],
    out: Path,
    *,
    images: Path,
    tables: Sequence[Table] = (),
    root: Path,
) -> ReportSummary:
    """Render `records` into the folder `out`; open `index.html` there with any browser.

    `images`: where the stored pictures lie (content-addressed files). `tables`: what the suites
    computed. `root`: the repository, which the tests' source paths are relative to.
    """
    grid = make_grid(records)
    for folder in (out, out / CELLS, out / IMAGES):
        folder.mkdir(parents=True, exist_ok=True)
    there = {name for name in _names(out / CELLS) if _OUR_PAGE.fullmatch(name)}
    shown = set(_names(out / IMAGES))
    known = _read_manifest(out / MANIFEST)
    sources = {row.source: _source_link(row.source, root, out) for row in grid.rows}

    pages: dict[str, _Page] = {}
    stale: list[tuple[str, str, Row, str]] = []
    links: dict[tuple[str, str, str], str] = {}
    for row in grid.rows:
        for model, trials in row.trials.items():
            name = page_name(row.suite, row.test, model)
            links[row.suite, row.test, model] = f"{CELLS}/{name}"
            now = fingerprint(trials, version(), sources[row.source])
            old = known.get(name)
            if old and old.hash == now and name in there and shown.issuperset(old.pictures):
                pages[name] = old
            else:
                stale.append((name, now, row, model))

    unchanged = len(pages)
    if stale:  # if this run is cut short, the next one must not trust the pages that it was writing
        _write_manifest(out / MANIFEST, pages)
    _write(out / STYLE_SHEET, (TEMPLATES / "report.css").read_bytes())
    for name, now, row, model in stale:
        pictures = Pictures()
        page = render_cell(row, model, _from_cell(sources[row.source]), pictures)
        _copy_pictures(pictures, images, out / IMAGES, shown)
        _write(out / CELLS / name, page.encode("utf-8", "replace"))
        pages[name] = _Page(now, tuple(pictures.names))
    index = render_grid(grid, tables, links, sources)
    _write(out / "index.html", index.encode("utf-8", "replace"))
    _write_manifest(out / MANIFEST, pages)
    removed = _remove_stale(out, pages)
    return ReportSummary(out / "index.html", len(stale), unchanged, removed)


def _source_link(source: str, root: Path, out: Path) -> str:
    """A relative link from the report to a test's file; '' if there is no such file below `root`."""
    if not source:
        return ""
    try:
        path = (root / source).resolve()
        if not path.is_relative_to(root.resolve()) or not path.is_file():
            return ""
    except (OSError, ValueError):  # too long, a loop of links, a null byte: no name of a file of ours
        return ""
    return quote(os.path.relpath(path, out.resolve()).replace(os.sep, "/"))


def _from_cell(link: str) -> str:
    return f"../{link}" if link else ""


def _copy_pictures(pictures: Pictures, images: Path, folder: Path, shown: set[str]) -> None:
    for name in pictures.names:
        if name in shown:
            continue
        if name in pictures.data:
            _write(folder / name, pictures.data[name])
        elif (images / name).is_file():
            part = _part(folder / name)
            shutil.copyfile(images / name, part)
            part.replace(folder / name)
        else:
            continue  # named in the manifest all the same: looked for again at the next report
        shown.add(name)


def _remove_stale(out: Path, pages: dict[str, _Page]) -> int:
    """Remove pages and pictures of ours that nothing names any more, and what a kill left half written."""
    used = {name for page in pages.values() for name in page.pictures}
    removed = 0
    for name in _names(out / CELLS):
        if name not in pages and _OUR_PAGE.fullmatch(name):
            (out / CELLS / name).unlink(missing_ok=True)
            removed += 1
    for name in _names(out / IMAGES):
        if name not in used and _OUR_PICTURE.fullmatch(name):
            (out / IMAGES / name).unlink(missing_ok=True)
    for folder in (out, out / CELLS, out / IMAGES):
        for name in _names(folder):
            if _LEFT_OVER.fullmatch(name):
                (folder / name).unlink(missing_ok=True)
    return removed


def _names(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are all we need, and there may be thousands


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _write(path: Path, content: bytes) -> None:
    """Replace `path` in one step."""
    part = _part(path)
    part.write_bytes(content)
    part.replace(path)


def _read_manifest(path: Path) -> dict[str, _Page]:
    """What is known of the pages; nothing, if there is no manifest or it cannot be read."""
    try:
        pages = json.loads(path.read_bytes())["pages"]
        return {
            str(name): _Page(str(hash_), tuple(map(str, names))) for name, (hash_, *names) in pages.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_manifest(path: Path, pages: dict[str, _Page]) -> None:
    lines = {name: (page.hash, *page.pictures) for name, page in pages.items()}
    _write(path, json.dumps({"pages": lines}).encode())
