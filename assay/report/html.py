"""Write the HTML report: only what changed, and never half a file.

A manifest in the report's folder remembers, for each cell's page, the hash of the records, template version
and links that its data were made from, and the pictures it shows. A file of data (packs.py) itself says what
it was made from, whoever wrote it last: one that is right is left alone. Pages of tests or models that are
gone are removed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from assay.files import LEFT_OVER, replace_file
from assay.records import Table, TrialRecord
from assay.report.aggregate import Grid, Row, make_grid
from assay.report.cell_page import cell_data, page_name, render_cells, render_side_by_side
from assay.report.changes import changes_table
from assay.report.environment import DRAWS, STYLE_SHEET, TEMPLATES, drawing, version
from assay.report.explanation import Pictures
from assay.report.figures import OUR_FIGURE
from assay.report.files import names_in, write_if_other
from assay.report.fingerprint import fingerprint
from assay.report.forked import in_processes
from assay.report.grid_page import SectionView, render_grid
from assay.report.html_table import Links, TableView, table_view
from assay.report.neighbours import Cell, neighbours
from assay.report.packs import DATA, OUR_DATA, data_file, digits_for, number_of, packed, spread, stamp_of
from assay.report.suite_section import OUR_SUITE_PAGE, Folders, SuiteSection, SuiteState
from assay.results.conditions import mixed
from assay.results.strangers import picture
from assay.suites.suite import Suite
from assay.uncollected import uncollected

MANIFEST = "manifest.json"
CELLS = "cells"
SIDE_BY_SIDE = "side.html"
IMAGES = "images"
PAGES = "pages"
OLD_SEARCH = "search"  # where reports held their texts a second time
FIGURES = "figures"
OUR_PAGE = re.compile(r"[a-z0-9-]*[0-9a-f]{10}\.html")
OUR_PICTURE = re.compile(r"[0-9a-f]{64}\.(?:png|jpe?g|gif|webp)")


@dataclass(frozen=True)
class ReportSummary:
    """What a call of write_report did. `index` is the page to open; the counts are of cell pages.
    `problems`: what in a suite's own tables, pictures and pages went wrong."""

    index: Path
    written: int
    unchanged: int
    removed: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Page:
    """What the manifest remembers of a page."""

    hash: str
    pictures: tuple[str, ...] = ()


@dataclass
class _Manifest:
    pages: dict[str, _Page] = field(default_factory=dict)
    suites: dict[str, SuiteState] = field(default_factory=dict)


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
    for name in ("", CELLS, DATA, IMAGES):
        (out / name).mkdir(parents=True, exist_ok=True)
    store = PictureStore(images, out / IMAGES, set(names_in(out / IMAGES)))
    known = _read_manifest(out / MANIFEST)
    sources = {row.source: _source_link(row.source, root, out) for row in grid.rows}
    names, hashes = _names_and_hashes(grid)
    links = {cell: f"{CELLS}/{name}" for cell, name in names.items()}

    sections = [SuiteSection(suite, _records_of(grid, suite.name), hashes.get(suite.name, {}),
                             known.suites.get(suite.name, SuiteState()), version())
                for suite in suites]  # fmt: skip
    folders = suite_folders(out, sections, store)
    for section in sections:
        section.plan(folders)
    about = pages_of_one_test(sections)

    cells = _Cells(grid, names, hashes, sources, about, out, store)
    pages = cells.unchanged(known.pages)
    kept = {section.suite.name: section.state for section in sections if section.state.hash}
    unchanged, written = len(pages), len(names) - len(pages)
    if written or cells.due or len(kept) < len(sections):
        # cut short, the next run must not trust what this one was writing
        _write_manifest(out / MANIFEST, _Manifest(dict(pages), kept))
    write_if_other(out / STYLE_SHEET, (TEMPLATES / STYLE_SHEET).read_bytes())
    write_if_other(out / DRAWS, drawing())
    write_if_other(out / SIDE_BY_SIDE, render_side_by_side().encode())
    with in_processes(cells.write, sorted(cells.due), trials=grid.trials) as data_of:
        cells.spread()
        for section in sections:
            section.write(folders, links_of(section, links, ".."))
        views = [section_view(section, links) for section in sections]
        views += [SectionView("", tables=[table_view(table, _no_link)]) for table in tables]
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
    _write_manifest(out / MANIFEST, manifest)
    removed = _remove_stale(out, manifest, cells.files)
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
    out: Path
    store: PictureStore
    files: dict[str, list[tuple[str, str, Row, str]]] = field(default_factory=dict)  # name, hash, row, model
    stamps: dict[str, str] = field(default_factory=dict)  # what is to stand in each of `files`
    due: set[str] = field(default_factory=set)  # those of `files` that must be written

    def __post_init__(self) -> None:
        self._digits = digits_for(self.grid.trials)
        self._around = neighbours(self.grid, self.names)

    def _file(self, name: str) -> str:
        return f"{number_of(name)[: self._digits]}.js"

    @uncollected()
    def unchanged(self, known: Mapping[str, _Page]) -> dict[str, _Page]:
        """Those of the pages that need not be written; also finds out what must be."""
        there, data = set(names_in(self.out / CELLS)), set(names_in(self.out / DATA))
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
                if (
                    old
                    and old.hash == now
                    and name in there
                    and file in data
                    and self.store.has(old.pictures)
                ):
                    right[name] = old
                else:
                    self.due.add(file)
        for file, cells in self.files.items():
            stamp = self.stamps[file] = _digest(*sorted(f"{name} {now}" for name, now, *_ in cells))
            if stamp_of(self.out / DATA / file) != stamp:
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
            self.store.add(pictures)
            found.append((name, packed(shown)))
            pages[name] = _Page(now, tuple(pictures.names))
        replace_file(self.out / DATA / file, data_file(found, self.stamps[file]))
        return pages

    def spread(self) -> None:
        """Let every cell have its page."""
        spread(self.out / CELLS, self.names.values(), render_cells(self._digits).encode())


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
    return table_view(table, lambda to: "" if isinstance(to, str) else by_test.get(to, ""))


def _no_link(to: str | tuple[str, str]) -> str:
    return ""


def links_of(section: SuiteSection, cells: Mapping[tuple[str, str, str], str], up: str) -> Links:
    """Where the links of a suite's cells lead: to its own pages by name, to trials by test and model."""
    pages = {entry.name: f"{PAGES}/{entry.file}" for entry in section.entries}

    def link(to: str | tuple[str, str]) -> str:
        found = pages.get(to, "") if isinstance(to, str) else cells.get((section.suite.name, *to), "")
        return f"{up}/{found}" if up and found else found

    return link


def pages_of_one_test(sections: Sequence[SuiteSection]) -> dict[tuple[str, str], tuple[str, str]]:
    """(suite, test) -> title of and link to the suite's page about it."""
    return {
        (section.suite.name, test): (entry.title, f"{PAGES}/{entry.file}")
        for section in sections
        for entry in section.entries
        for test in entry.tests
        if entry.of_tests
    }


def section_view(section: SuiteSection, cells: Mapping[tuple[str, str, str], str]) -> SectionView:
    link = links_of(section, cells, "")
    return SectionView(
        section.suite.name,
        section.suite.description,
        [(entry.title, f"{PAGES}/{entry.file}") for entry in section.entries if not entry.of_tests],
        [table_view(table, link) for table in section.tables],
        section.state.figures,
    )


# ---------------------------------------------------------------- files


@dataclass
class PictureStore:
    """The report's folder of pictures: what models and programs drew."""

    source: Path
    folder: Path
    shown: set[str]

    def has(self, names: Sequence[str] | set[str]) -> bool:
        return self.shown.issuperset(names)

    def add(self, pictures: Pictures) -> None:
        for name in pictures.names:
            if name in self.shown:
                continue
            if name in pictures.data:
                replace_file(self.folder / name, pictures.data[name])
            elif (data := picture(self.source, name)) is not None:
                replace_file(self.folder / name, data)
            else:
                continue  # named in the manifest all the same: looked for again at the next report
            self.shown.add(name)


def suite_folders(out: Path, sections: Sequence[SuiteSection], store: PictureStore) -> Folders:
    there: set[str] = set()
    for name in (PAGES, FIGURES):
        if sections:
            (out / name).mkdir(exist_ok=True)
        if (out / name).is_dir():
            there.update(names_in(out / name))
    return Folders(out / PAGES, out / FIGURES, there, store.has, store.add)


def _remove_stale(out: Path, manifest: _Manifest, files: Container[str]) -> int:
    """Remove pages and pictures of ours that nothing names any more, and what a kill left half written."""
    states = manifest.suites.values()
    used = {name for page in manifest.pages.values() for name in page.pictures}
    used.update(*(state.picture_files for state in states))
    shown = {name for state in states for name in state.figure_files}
    written = {page.file for state in states for page in state.pages}
    removed = _remove(out / CELLS, lambda name: name not in manifest.pages and _is(OUR_PAGE, name))
    _remove(out / DATA, lambda name: name not in files and _is(OUR_DATA, name))
    _remove(out / IMAGES, lambda name: name not in used and _is(OUR_PICTURE, name))
    _remove(out / FIGURES, lambda name: name not in shown and _is(OUR_FIGURE, name))
    _remove(out / PAGES, lambda name: name not in written and _is(OUR_SUITE_PAGE, name))
    for folder in ("", CELLS, DATA, IMAGES, FIGURES, PAGES):
        _remove(out / folder, lambda name: _is(LEFT_OVER, name))
    _remove(out / OLD_SEARCH, lambda name: _is(OUR_DATA, name))
    return removed


def _is(pattern: re.Pattern[str], name: str) -> bool:
    return pattern.fullmatch(name) is not None


def _remove(folder: Path, unwanted: Callable[[str], bool]) -> int:
    removed = 0
    for name in names_in(folder) if folder.is_dir() else ():
        if unwanted(name):
            (folder / name).unlink(missing_ok=True)
            removed += 1
    return removed


def _read_manifest(path: Path) -> _Manifest:
    """What is known of the pages; nothing, if there is no manifest or it cannot be read."""
    try:
        data = json.loads(path.read_bytes())
        pages = {
            str(name): _Page(str(hash_), tuple(map(str, names)))
            for name, (hash_, *names) in data["pages"].items()
        }
        suites = {str(name): SuiteState.from_json(state) for name, state in data.get("suites", {}).items()}
        return _Manifest(pages, suites)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return _Manifest()


def _write_manifest(path: Path, manifest: _Manifest) -> None:
    pages = {name: (page.hash, *page.pictures) for name, page in manifest.pages.items()}
    suites = {name: asdict(state) for name, state in manifest.suites.items()}
    replace_file(path, json.dumps({"pages": pages, "suites": suites}).encode())
