"""Write the HTML report: only what changed, and never half a file.

A manifest in the report's folder has, for each cell's page, the pictures and the trials that it shows and a
hash of the records, template version and links that its data were made from. A data file (packs.py) also has
a stamp of what it was made from; a file with the right stamp is not written again. Pages of tests or models
that no longer exist are removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

import msgspec

from assay.files import replace_file
from assay.gc_pause import gc_paused
from assay.records import Table, TrialRecord
from assay.report import discrimination
from assay.report.aggregate import CellKey, Grid, Row, make_grid
from assay.report.cell_page import cell_data, page_name, render_cells, render_side_by_side
from assay.report.changes import changes_table
from assay.report.environment import DRAWS, STYLE_SHEET, TEMPLATES, drawing, version
from assay.report.explanation import Pictures
from assay.report.figures import Drawings
from assay.report.fingerprint import fingerprint
from assay.report.folder import CELLS, DATA, FIGURES, IMAGES, PAGES, ReportFolder, write_if_other
from assay.report.forked import in_processes
from assay.report.grid_page import SectionView, render_grid
from assay.report.html_table import TableView
from assay.report.neighbours import Neighbourhood, Neighbours
from assay.report.packs import data_file, digits_for, line_of, lines_in, number_of, packed, spread, stamp_of
from assay.report.suite_page import PageMaker
from assay.report.suite_section import SuiteSection, SuiteState, draws, pages_of_one_test
from assay.results.conditions import mixed
from assay.suites.suite import Suite

MANIFEST = "manifest.json"
SIDE_BY_SIDE = "side.html"


@dataclass(frozen=True)
class ReportSummary:
    """The result of write_report. `index`: the page to open. The counts are of cell pages; `drawn`: of the
    suites' figures that were written. `problems`: errors in a suite's own tables, pictures and pages."""

    index: Path
    written: int
    unchanged: int
    removed: int
    problems: tuple[str, ...] = ()
    drawn: int = 0


class _Page(msgspec.Struct, frozen=True, array_like=True):
    """A cell's page in the manifest."""

    hash: str
    pictures: tuple[str, ...] = ()
    trials: tuple[str, ...] = ()  # their `trial_id`s


class _Manifest(msgspec.Struct):
    pages: dict[str, _Page] = {}
    suites: dict[str, SuiteState] = {}

    @classmethod
    def read(cls, path: Path) -> _Manifest:
        """The manifest; empty if there is none or it cannot be read."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, ValueError, RecursionError):
            return cls()

    @gc_paused()
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
    meanwhile: Callable[[], None] = lambda: None,
) -> ReportSummary:
    """Render `records` into the folder `out`; open `index.html` there with any browser.

    `images`: the folder of stored pictures, named by their hash. `suites`: those whose tables, pictures and
    pages are shown. `tables`: further tables. `root`: the repository, to which the tests' source paths are
    relative. `notes`: what else a reader must know, such as what was left out. `grid`, `warnings`: the grid
    of the same records and what `mixed` says of them, if they exist already. `meanwhile` is called while
    other processes write.
    """
    grid = grid or make_grid(records)
    folder, known = ReportFolder(out, images), _Manifest.read(out / MANIFEST)
    sources = {source: _source_link(source, root, out) for source in {row.source for row in grid.rows}}
    hashes, names = _Hashes(), _names(grid)
    links = {cell: f"{CELLS}/{name}" for cell, name in names.items()}

    sections = [SuiteSection(suite, _records_of(grid, suite.name),
                             hashes.of_suite(grid, suite.name) if draws(suite) else {},
                             known.suites.get(suite.name, SuiteState()), version())
                for suite in suites]  # fmt: skip
    for section in sections:
        section.plan(folder)
    about = pages_of_one_test(sections)

    kept = {section.suite.name: section.state for section in sections if section.state.hash}
    if len(kept) < len(sections):
        # if this is killed, the next report must not trust the suites' files that it was writing
        _Manifest(known.pages, kept).write(out / MANIFEST)
    cells = _Cells(grid, names, hashes, sources, about, folder, known.pages)
    with in_processes(cells.write, sorted(cells.files), trials=grid.trials) as data_of:
        meanwhile()
        write_if_other(out / STYLE_SHEET, (TEMPLATES / STYLE_SHEET).read_bytes())
        write_if_other(out / DRAWS, drawing())
        write_if_other(out / SIDE_BY_SIDE, render_side_by_side().encode())
        cells.spread()
        for section in sections:
            section.write(folder, links)
        views = [section.view(links) for section in sections]
        views += [SectionView("", tables=[TableView(table)]) for table in tables]
        with gc_paused():
            which = _write_discrimination(grid, folder, links)
            warnings = mixed(records) if warnings is None else warnings
            index = render_grid(
                grid, views, links, sources, about, [*notes, *warnings], _changes(records, links),
                searched=sorted(file.removesuffix(".js") for file in cells.files), which=which,
            )  # fmt: skip
        data = data_of().values()
    replace_file(out / "index.html", index.encode("utf-8", "replace"))
    pages = {name: page for its, _ in data for name, page in its.items()}
    manifest = _Manifest(pages, {section.suite.name: section.state for section in sections})
    manifest.write(out / MANIFEST)
    removed = _remove_stale(folder, manifest, cells, which)
    problems = tuple(f"suite {s.suite.name}: {problem}" for s in sections for problem in s.problems)
    unchanged = sum(same for _, same in data)
    drawn, new = sum(section.drawn for section in sections), len(pages) - unchanged
    return ReportSummary(out / "index.html", new, unchanged, removed, problems, drawn)


@gc_paused()
def _names(grid: Grid) -> dict[CellKey, str]:
    """The name of each cell's page."""
    cells = (CellKey(row.suite, row.test, model) for row in grid.rows for model in row.trials)
    return {cell: page_name(*cell) for cell in cells}


class _Hashes:
    """The hash of each cell's records, computed on demand."""

    def __init__(self) -> None:
        self._known: dict[CellKey, str] = {}

    def of(self, row: Row, model: str) -> str:
        cell = CellKey(row.suite, row.test, model)
        if cell not in self._known:
            self._known[cell] = fingerprint(row.trials[model])
        return self._known[cell]

    def of_suite(self, grid: Grid, suite: str) -> dict[str, list[str]]:
        """Test -> the hashes of its cells."""
        rows = (row for row in grid.rows if row.suite == suite)
        return {row.test: [self.of(row, model) for model in row.trials] for row in rows}


@dataclass
class _Cells:
    """The cells' pages and data files. `known`: the pages of the last report."""

    grid: Grid
    names: Mapping[CellKey, str]
    hashes: _Hashes
    sources: Mapping[str, str]
    about: Mapping[tuple[str, str], tuple[str, str]]
    folder: ReportFolder
    known: Mapping[str, _Page]
    files: dict[str, list[tuple[str, Row, str]]] = field(default_factory=dict)  # name, row, model

    @gc_paused()
    def __post_init__(self) -> None:
        self._digits = digits_for(self.grid.trials)
        self._near = Neighbourhood(self.grid.rows, self.grid.models, self.names.__getitem__)
        self._there = self.folder.names(CELLS)
        for row in self.grid.rows:
            for model in row.trials:
                name = self.names[CellKey(row.suite, row.test, model)]
                self.files.setdefault(f"{number_of(name)[: self._digits]}.js", []).append((name, row, model))

    def _hash(self, row: Row, model: str, around: Neighbours) -> str:
        """The hash of everything that a page is made from."""
        context = (version(), self.sources[row.source], *self.about.get((row.suite, row.test), ()))
        return _digest(self.hashes.of(row, model), *context, packed(around))

    def _is_known(self, name: str, now: str) -> bool:
        """Whether the last report has the page, made from the same."""
        if (old := self.known.get(name)) is None or old.hash != now or name not in self._there:
            return False
        return self.folder.has_pictures(old.pictures)

    @gc_paused()
    def write(self, file: str) -> tuple[dict[str, _Page], int]:
        """Write a data file unless it is right. Returns the manifest's entries of its cells' pages, and the
        number of those that are unchanged."""
        cells = [
            (name, row, model, self._near.of(row.suite, row.test, model))
            for name, row, model in self.files[file]
        ]
        hashes = {name: self._hash(row, model, around) for name, row, model, around in cells}
        path, stamp = self.folder.path / DATA / file, _stamp(hashes)
        there = stamp_of(path)
        known = {
            name: self.known[name] for name, now in hashes.items() if there and self._is_known(name, now)
        }
        if there == stamp and len(known) == len(hashes):
            return known, len(known)
        # lines that are still right stay, if the manifest is of this file
        before = {name: self.known[name].hash for name in hashes if name in self.known}
        kept = lines_in(path) if known and there == _stamp(before) else {}
        lines, pages = [], {}
        for name, row, model, around in cells:
            if name in known and (line := kept.get(number_of(name))):
                lines.append(line)
                pages[name] = known[name]
                continue
            pictures, page = Pictures(), self.about.get((row.suite, row.test))
            shown = cell_data(
                row, model, _up(self.sources[row.source]), pictures,
                (page[0], _up(page[1])) if page else None, around,
            )  # fmt: skip
            self.folder.add(pictures)
            lines.append(line_of(name, packed(shown)))
            pages[name] = _Page(hashes[name], tuple(pictures.names), tuple(map(trial_id, row.trials[model])))
        replace_file(path, data_file(lines, stamp))
        return pages, len(known)

    def spread(self) -> None:
        """Create every cell's page."""
        spread(self.folder.path / CELLS, self.names.values(), render_cells(self._digits).encode())


def trial_id(record: TrialRecord) -> str:
    """What tells a trial of a cell from the others, of other runs too."""
    return _digest(str(record.epoch), record.started_at, record.fingerprint, record.outcome)[:8]


def trials_of_pages(out: Path) -> dict[str, tuple[str, ...]]:
    """The `trial_id`s of what each cell's page of the report in `out` shows, by the page's name."""
    return {name: page.trials for name, page in _Manifest.read(out / MANIFEST).pages.items()}


def _stamp(hashes: Mapping[str, str]) -> str:
    """The stamp of a data file with these pages: a hash of what it was made from."""
    return _digest(*sorted(f"{name} {now}" for name, now in hashes.items()))


def _digest(*facts: str) -> str:
    return blake2b("\0".join(facts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _records_of(grid: Grid, suite: str) -> list[TrialRecord]:
    """A suite's records, in an order independent of how they arrived."""
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
    except (OSError, ValueError):  # too long, a loop of links or a null byte: not one of our files
        return ""
    return quote(os.path.relpath(path, out.resolve()).replace(os.sep, "/"))


def _up(link: str) -> str:
    return f"../{link}" if link else ""


def _write_discrimination(grid: Grid, folder: ReportFolder, cells: Mapping[CellKey, str]) -> str:
    """Write the page about the tests. Returns its address, '' if there is none."""
    by_test = {(test, model): f"../{page}" for (_, test, model), page in cells.items()}
    maker = PageMaker(lambda to: "" if isinstance(to, str) else by_test.get(to, ""), Drawings("all", []))
    if not (items := list(discrimination.page(grid))):
        return ""
    html = maker.render(discrimination.TITLE, "", items)
    write_if_other(folder.path / PAGES / discrimination.FILE, html.encode("utf-8", "replace"))
    return f"{PAGES}/{discrimination.FILE}"


def _changes(records: Sequence[TrialRecord], cells: Mapping[CellKey, str]) -> TableView | None:
    """The table of changed verdicts, with each test linked to its trials."""
    table = changes_table(records, whole=True)
    if table is None:
        return None
    by_test = {(test, model): page for (_, test, model), page in cells.items()}
    return TableView(table, lambda to: "" if isinstance(to, str) else by_test.get(to, ""))


def _remove_stale(folder: ReportFolder, manifest: _Manifest, cells: _Cells, which: str) -> int:
    """Remove what no page names any more; `which` is the page about the tests, if there is one. Returns the
    number of removed cells' pages."""
    suites = manifest.suites.values()
    its = [page.pictures for page in manifest.pages.values()]
    used: dict[str, Collection[str]] = {
        CELLS: manifest.pages,
        DATA: cells.files,
        IMAGES: {name for names in (*its, *(state.picture_files for state in suites)) for name in names},
        FIGURES: {name for state in suites for name in state.figure_files},
        PAGES: {which.rpartition("/")[2], *(page.file for state in suites for page in state.pages)},
    }
    return folder.remove_all_but(used)
