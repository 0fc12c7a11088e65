"""A suite's part of the report: a section of the index page, and the pages that it links to.

Nothing is drawn or rendered again if records and code are unchanged and the files exist. An error in a
suite's code costs only the table, picture or page concerned, and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar

from msgspec import Struct

from assay.errors import AssayError
from assay.records import Table, TrialRecord
from assay.report.aggregate import CellKey, each_test_once
from assay.report.figures import Drawings, FigureView
from assay.report.folder import FIGURES, OURS, PAGES, ReportFolder, unique, write_if_other
from assay.report.grid_page import SectionView
from assay.report.html_table import Links, TableView
from assay.report.suite_page import PageMaker
from assay.results.scores import with_scores
from assay.suites.blame import blame
from assay.suites.exhibits import Figure, Page
from assay.suites.suite import Suite, tables_by

_PAGE_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
Hashes = Mapping[str, Sequence[str]]
"""Test -> the hashes of its cells' trials."""
Cells = Mapping[CellKey, str]
"""The address of each cell's page."""
T = TypeVar("T")


class PageEntry(Struct, frozen=True, array_like=True):
    """A suite's page in the manifest. `file`: its name in the folder of pages."""

    title: str
    file: str
    tests: tuple[str, ...]
    hash: str = ""
    pictures: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    listed: bool = True

    @property
    def of_tests(self) -> bool:
        """Whether its tests link to it, rather than the suite's head."""
        return len(self.tests) == 1 or (bool(self.tests) and not self.listed)

    @property
    def name(self) -> str:
        """The suite's name for it."""
        return self.file.partition("--")[2].removesuffix(".html")


class SuiteState(Struct, frozen=True):
    """A suite in the manifest: the hash of all that it was made from, and what was made. Raises ValueError
    for a file that is not a report's."""

    hash: str = ""
    figures: tuple[FigureView, ...] = ()
    pages: tuple[PageEntry, ...] = ()

    @property
    def figure_files(self) -> set[str]:
        own = {name for view in self.figures for name in view.files}
        return own.union(*(page.figures for page in self.pages))

    @property
    def picture_files(self) -> set[str]:
        return {name for page in self.pages for name in page.pictures}

    def __post_init__(self) -> None:
        names = {FIGURES: self.figure_files, PAGES: {page.file for page in self.pages}}
        if not all(OURS[folder].fullmatch(name) for folder, its in names.items() for name in its):
            raise ValueError("not a file name of a report")


def draws(suite: Suite) -> bool:
    """Whether a suite has pictures or pages, so that its section needs the hashes of its trials."""
    return suite.defines("figures") or suite.defines("pages")


@dataclass
class SuiteSection:
    """A suite's part of the report, being made. `hashes` may be empty unless the suite `draws`. `problems`:
    what went wrong."""

    suite: Suite
    records: Sequence[TrialRecord]
    hashes: Hashes
    known: SuiteState
    version: str
    problems: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    entries: list[PageEntry] = field(default_factory=list)
    state: SuiteState = field(default_factory=SuiteState)
    drawn: int = 0  # pictures whose files were missing or differed

    def plan(self, folder: ReportFolder) -> None:
        """Compute the tables and decide which pages there will be; nothing is drawn yet."""
        suite, self.records = self.suite, with_scores(each_test_once(self.records))
        self.tables = self._attempt("tables", lambda: tables_by(suite, self.records), [])
        self._hash = self._digest("suite", suite.description, tests=())
        known = self.known
        names = known.figure_files | {page.file for page in known.pages}
        if known.hash == self._hash and names <= _there(folder) and folder.has_pictures(known.picture_files):
            self.state, self.entries = known, list(known.pages)
            return
        self.pages = self._attempt("pages", lambda: list(suite.each_of("pages", Page, self.records)), [])
        for page in self.pages:
            self.entries.append(PageEntry(page.title, self._file(page), page.tests, listed=page.listed))

    def _file(self, page: Page) -> str:
        name = page.name
        if not _PAGE_NAME.fullmatch(name) or len(name) > 100:
            self.problems.append(
                f"page {page.title!r}: {name!r} may have only lower-case letters, digits and hyphens"
            )
            name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:100].strip("-") or "page"
        taken = {entry.file.removesuffix(".html") for entry in self.entries}
        return unique(f"{self.suite.name.lower()}--{name}", taken) + ".html"

    def write(self, folder: ReportFolder, cells: Cells) -> None:
        """Draw the due pictures and write the due pages."""
        if self.state.hash:
            return
        before = len(self.problems)
        prefix = self.suite.name.lower()
        drawings = Drawings(prefix, self.problems)
        its = self.suite.each_of
        figures: list[Figure] = self._attempt("figures", lambda: [*its("figures", Figure, self.records)], [])
        views = tuple(drawings.add(each) for each in figures)
        self.drawn += drawings.save(folder.path / FIGURES)
        old, names = {page.file: page for page in self.known.pages}, _there(folder)
        entries = []
        for page, entry in zip(self.pages, self.entries, strict=True):
            now = self._digest("page", page.title, page.name, tests=page.tests)
            was = old.get(entry.file)
            there = was is not None and {was.file, *was.figures} <= names
            if was is not None and was.hash == now and there and folder.has_pictures(was.pictures):
                entries.append(was)
            else:
                entries.append(self._write_page(page, entry, now, folder, cells))
        self.entries = entries
        whole = len(self.problems) == before and not self.problems
        self.state = SuiteState(self._hash if whole else "", views, tuple(entries))

    def _write_page(
        self, page: Page, entry: PageEntry, now: str, folder: ReportFolder, cells: Cells
    ) -> PageEntry:
        before = len(self.problems)
        prefix = entry.file.removesuffix(".html").replace("--", "-", 1)
        maker = PageMaker(self.links(cells, "../"), Drawings(prefix, self.problems))
        html = self._attempt(
            f"page {page.title!r}", lambda: maker.render(page.title, self.suite.name, page.items()), ""
        )
        if not html:
            html = maker.render(page.title, self.suite.name, ["*This page could not be made.*"])
        folder.add(maker.pictures)
        self.drawn += maker.drawings.save(folder.path / FIGURES)
        write_if_other(folder.path / PAGES / entry.file, html.encode("utf-8", "replace"))
        return PageEntry(
            entry.title, entry.file, entry.tests,
            now if len(self.problems) == before else "",
            tuple(maker.pictures.names),
            tuple(name for view in maker.drawn for name in view.files), entry.listed,
        )  # fmt: skip

    def links(self, cells: Cells, up: str = "") -> Links:
        """The addresses of its tables' links: its own pages by name, trials by test and model."""
        pages = {entry.name: f"{PAGES}/{entry.file}" for entry in self.entries}

        def link(to: str | tuple[str, str]) -> str:
            found = pages.get(to) if isinstance(to, str) else cells.get(CellKey(self.suite.name, *to))
            return f"{up}{found}" if found else ""

        return link

    def view(self, cells: Cells) -> SectionView:
        """The section of the index page."""
        link = self.links(cells)
        return SectionView(
            self.suite.name,
            self.suite.description,
            [(entry.title, link(entry.name)) for entry in self.entries if not entry.of_tests],
            [TableView(table, link) for table in self.tables],
            self.state.figures,
        )

    def _digest(self, *facts: str, tests: Sequence[str]) -> str:
        digest = blake2b(digest_size=16)
        for fact in (self.version, self.suite.name, self.suite.code, *facts):
            digest.update(fact.encode("utf-8", "surrogatepass") + b"\0")
        for test in tests or sorted(self.hashes):
            digest.update(test.encode("utf-8", "surrogatepass") + b"\0")
            digest.update("".join(self.hashes.get(test, ())).encode())
        return digest.hexdigest()

    def _attempt(self, what: str, work: Callable[[], T], otherwise: T) -> T:
        try:
            with blame(self.suite.name, self.suite.folder):
                return work()
        except AssayError as error:  # an error in a suite must not lose the report
            self.problems.append(f"{what} failed: {error}")
            return otherwise


def _there(folder: ReportFolder) -> set[str]:
    return folder.names(FIGURES) | folder.names(PAGES)


def pages_of_one_test(sections: Sequence[SuiteSection]) -> dict[tuple[str, str], tuple[str, str]]:
    """(suite, test) -> title of and link to the suite's page about it."""
    return {
        (section.suite.name, test): (entry.title, f"{PAGES}/{entry.file}")
        for section in sections
        for entry in section.entries
        for test in entry.tests
        if entry.of_tests
    }
