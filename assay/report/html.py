"""Write the HTML report: only what changed, and never half a file.

A manifest in the report's folder remembers, for each cell's page, the hash of the records, template version
and links that its data were made from, and the pictures it shows. A file of data (packs.py) itself says what
it was made from, whoever wrote it last: one that is right is left alone. Pages of tests or models that are
gone are removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

import msgspec

from assay.files import replace_file
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid, Row, make_grid
from assay.report.cell_page import cell_data, page_name, render_cells, render_side_by_side
from assay.report.changes import changes_table
from assay.report.environment import DRAWS, STYLE_SHEET, TEMPLATES, drawing, version
from assay.report.explanation import Pictures
from assay.report.fingerprint import fingerprint
from assay.report.folder import CELLS, DATA, FIGURES, IMAGES, PAGES, ReportFolder, write_if_other
from assay.report.forked import in_processes
from assay.report.grid_page import SectionView, render_grid
from assay.report.html_table import TableView
from assay.report.neighbours import Cell, neighbours
from assay.report.packs import data_file, digits_for, number_of, packed, spread, stamp_of
from assay.report.suite_section import SuiteSection, SuiteState, pages_of_one_test
from assay.results.conditions import mixed
from assay.suites.suite import Suite
from assay.uncollected import uncollected

MANIFEST = "manifest.json"
SIDE_BY_SIDE = "side.html"


@dataclass(frozen=True)
class ReportSummary:
    """What a call of write_report did. `index` is the page to open; the counts are of cell pages.
    `problems`: what in a suite's own tables, pictures and pages went wrong."""

    index: Path
    written: int
    unchanged: int
    removed: int
    problems: tuple[str, ...] = ()


class _Page(msgspec.Struct, frozen=True, array_like=True):
    """What the manifest remembers of a cell's page."""

    hash: str
    pictures: tuple[str, ...] = ()


class _Manifest(msgspec.Struct):
    pages: dict[str, _Page] = {}
    suites: dict[str, SuiteState] = {}

    @classmethod
    def read(cls, path: Path) -> _Manifest:
        """What is known of the pages; nothing, if there is no manifest or it cannot be read."""
        try:
            return msgspec.convert(json.loads(path.read_bytes()), cls)
        except (OSError, ValueError, RecursionError, msgspec.ValidationError):
            return cls()

    def write(self, path: Path) -> None:
        replace_file(path, json.dumps(msgspec.to_builtins(self)).encode())


def write_report(
    records: Sequence[TrialRecord],
    out: Path,
    *,
    images: Path,
    tables: Sequence[Table] = (),
    suites: Sequence[Suite] = (),
    root: Path,
    notes: Sequence[str] = (),
    grid: Grid | None = None,
    warnings: Sequence[str] | None = None,
) -> ReportSummary:
    """Render `records` into the folder `out`; open `index.html` there with any browser.

    `images`: where the stored pictures lie (content-addressed files). `suites`: those whose tables,
    pictures and pages are shown; `tables`: any further ones. `root`: the repository, which the tests'
    source paths are relative to. `notes`: what else a reader must know, such as what was left out. `grid`: of
    the same records, and `warnings`: what `mixed` says of them, if they are there already.
    """
    grid = grid or make_grid(records)
    folder, known = ReportFolder(out, images), _Manifest.read(out / MANIFEST)
    sources = {row.source: _source_link(row.source, root, out) for row in grid.rows}
    names, hashes = _names_and_hashes(grid)
    links = {cell: f"{CELLS}/{name}" for cell, name in names.items()}

    sections = [SuiteSection(suite, _records_of(grid, suite.name), hashes.get(suite.name, {}),
                             known.suites.get(suite.name, SuiteState()), version())
                for suite in suites]  # fmt: skip
    for section in sections:
        section.plan(folder)
    about = pages_of_one_test(sections)

    cells = _Cells(grid, names, hashes, sources, about, folder)
    pages = cells.unchanged(known.pages)
    kept = {section.suite.name: section.state for section in sections if section.state.hash}
    unchanged, written = len(pages), len(names) - len(pages)
    if written or cells.due or len(kept) < len(sections):
        # cut short, the next run must not trust what this one was writing
        _Manifest(pages, kept).write(out / MANIFEST)
    write_if_other(out / STYLE_SHEET, (TEMPLATES / STYLE_SHEET).read_bytes())
    write_if_other(out / DRAWS, drawing())
    write_if_other(out / SIDE_BY_SIDE, render_side_by_side().encode())
    with in_processes(cells.write, sorted(cells.due), trials=grid.trials) as data_of:
        cells.spread()
        for section in sections:
            section.write(folder, links)
        views = [section.view(links) for section in sections]
        views += [SectionView("", tables=[TableView(table)]) for table in tables]
        with uncollected():
            warnings = mixed(records) if warnings is None else warnings
            changes = _changes(records, links)
            index = render_grid(
                grid, views, links, sources, about, [*notes, *warnings], changes,
                searched=sorted(file.removesuffix(".js") for file in cells.files),
            )  # fmt: skip
        for found in data_of().values():
            pages.update(found)
    replace_file(out / "index.html", index.encode("utf-8", "replace"))
    manifest = _Manifest(pages, {section.suite.name: section.state for section in sections})
    manifest.write(out / MANIFEST)
    removed = _remove_stale(folder, manifest, cells)
    problems = tuple(f"suite {s.suite.name}: {problem}" for s in sections for problem in s.problems)
    return ReportSummary(out / "index.html", written, unchanged, removed, problems)


@uncollected()
def _names_and_hashes(grid: Grid) -> tuple[dict[Cell, str], dict[str, dict[str, list[str]]]]:
    """Of each cell the name of its page; suite -> test -> the hashes of its cells' records."""
    names: dict[Cell, str] = {}
    hashes: dict[str, dict[str, list[str]]] = {}
    for row in grid.rows:
        for model, trials in row.trials.items():
            names[row.suite, row.test, model] = page_name(row.suite, row.test, model)
            hashes.setdefault(row.suite, {}).setdefault(row.test, []).append(fingerprint(trials))
    return names, hashes


@dataclass
class _Cells:
    """The cells' pages, and the files of their data."""

    grid: Grid
    names: Mapping[Cell, str]
    hashes: Mapping[str, Mapping[str, Sequence[str]]]
    sources: Mapping[str, str]
    about: Mapping[tuple[str, str], tuple[str, str]]
    folder: ReportFolder
    files: dict[str, list[tuple[str, str, Row, str]]] = field(default_factory=dict)  # name, hash, row, model
    stamps: dict[str, str] = field(default_factory=dict)  # what is to stand in each of `files`
    due: set[str] = field(default_factory=set)  # those of `files` that must be written

    def __post_init__(self) -> None:
        self._digits = digits_for(self.grid.trials)
        self._around = neighbours(self.grid.rows, self.grid.models, self.names.__getitem__)

    def _file(self, name: str) -> str:
        return f"{number_of(name)[: self._digits]}.js"

    @uncollected()
    def unchanged(self, known: Mapping[str, _Page]) -> dict[str, _Page]:
        """Those of the pages that need not be written; also finds out what must be."""
        there, data = self.folder.names(CELLS), self.folder.names(DATA)
        right: dict[str, _Page] = {}
        for row in self.grid.rows:
            context = (version(), self.sources[row.source], *self.about.get((row.suite, row.test), ()))
            for model, its_hash in zip(row.trials, self.hashes[row.suite][row.test], strict=True):
                cell = (row.suite, row.test, model)
                name = self.names[cell]
                file = self._file(name)
                now = _digest(its_hash, *context, repr(self._around[cell]))
                self.files.setdefault(file, []).append((name, now, row, model))
                old = known.get(name)
                held = name in there and file in data
                if old and old.hash == now and held and self.folder.has_pictures(old.pictures):
                    right[name] = old
                else:
                    self.due.add(file)
        for file, cells in self.files.items():
            stamp = self.stamps[file] = _digest(*sorted(f"{name} {now}" for name, now, *_ in cells))
            if stamp_of(self.folder.path / DATA / file) != stamp:
                self.due.add(file)
        return right

    @uncollected()
    def write(self, file: str) -> dict[str, _Page]:
        """Write a file of data; what the manifest is to remember of its cells' pages."""
        found, pages = [], {}
        for name, now, row, model in self.files[file]:
            pictures, page = Pictures(), self.about.get((row.suite, row.test))
            shown = cell_data(
                row, model, _up(self.sources[row.source]), pictures,
                (page[0], _up(page[1])) if page else None, self._around[row.suite, row.test, model],
            )  # fmt: skip
            self.folder.add(pictures)
            found.append((name, packed(shown)))
            pages[name] = _Page(now, tuple(pictures.names))
        replace_file(self.folder.path / DATA / file, data_file(found, self.stamps[file]))
        return pages

    def spread(self) -> None:
        """Let every cell have its page."""
        spread(self.folder.path / CELLS, self.names.values(), render_cells(self._digits).encode())


def _digest(*facts: str) -> str:
    return blake2b("\0".join(facts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _records_of(grid: Grid, suite: str) -> list[TrialRecord]:
    """A suite's records, in an order that does not depend on how they came."""
    return [
        trial
        for row in grid.rows
        if row.suite == suite
        for model in grid.models
        for trial in row.trials.get(model, ())
    ]


# ---------------------------------------------------------------- links


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


def _up(link: str) -> str:
    return f"../{link}" if link else ""


def _changes(records: Sequence[TrialRecord], cells: Mapping[tuple[str, str, str], str]) -> TableView | None:
    """The table of verdicts that changed, each test linked to its trials."""
    table = changes_table(records)
    if table is None:
        return None
    by_test = {(test, model): page for (_, test, model), page in cells.items()}
    return TableView(table, lambda to: "" if isinstance(to, str) else by_test.get(to, ""))


def _remove_stale(folder: ReportFolder, manifest: _Manifest, cells: _Cells) -> int:
    """Remove what no page names any more. Returns how many cells' pages were removed."""
    suites = manifest.suites.values()
    its = [page.pictures for page in manifest.pages.values()]
    used: dict[str, Collection[str]] = {
        CELLS: manifest.pages,
        DATA: cells.files,
        IMAGES: {name for names in (*its, *(state.picture_files for state in suites)) for name in names},
        FIGURES: {name for state in suites for name in state.figure_files},
        PAGES: {page.file for state in suites for page in state.pages},
    }
    return folder.remove_all_but(used)
