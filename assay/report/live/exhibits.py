"""The suites' own tables, pictures and pages during a run, refreshed now and then in a thread."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from assay.report.aggregate import make_grid
from assay.report.environment import version
from assay.report.fingerprint import fingerprint
from assay.report.folder import FIGURES, ReportFolder
from assay.report.grid_page import SectionView
from assay.report.live.board import Board
from assay.report.live.follow import read_at
from assay.report.suite_section import SuiteSection, SuiteState, pages_of_one_test
from assay.suites.suite import Suite

REST_S = 4.0  # between two refreshes of a suite's part
SHARE = 10  # rests this many times as long as a refresh took: at most a tenth of one core
QUICK_S = 1.5  # that the end of a run may wait


class Exhibits:
    """`find` returns the suite of a name, None for one without its own part. `problems` is told each error in
    a suite's code once."""

    def __init__(
        self,
        board: Board,
        folder: ReportFolder,
        find: Callable[[str], Suite | None],
        problems: Callable[[str], None],
    ) -> None:
        self.version = 0
        self.views: list[SectionView] = []
        self.about: dict[tuple[str, str], tuple[str, str]] = {}
        self._board, self._folder, self._find, self._problems = board, folder, find, problems
        self._suites: dict[str, Suite | None] = {}
        self._sections: dict[str, SuiteSection] = {}
        self._made_at: dict[str, int] = {}
        self._said: set[str] = set()
        self._old_figures: set[str] = set()
        self._stop = threading.Event()
        self._took = 0.0
        self._thread = threading.Thread(target=self._keep, name="assay-exhibits", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> None:
        """Stop after a last refresh, if that is quick."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(QUICK_S)
        if not self._thread.is_alive() and self._took < QUICK_S:
            self.refresh()

    def _keep(self) -> None:
        while not self._stop.wait(max(REST_S, SHARE * self._took)):
            self.refresh()

    def refresh(self) -> None:
        """Refresh the parts of the suites that have new trials."""
        begin = time.monotonic()
        stale = [name for name, at in self._board.touched.items() if self._made_at.get(name, 0) < at]
        for name in stale:
            if name not in self._suites:
                self._suites[name] = self._find(name)
            suite = self._suites[name]
            self._made_at[name] = self._board.touched[name]
            if suite is not None:
                self._make(suite)
        if any(self._suites[name] is not None for name in stale):
            sections = list(self._sections.values())
            links = self._board.links()
            self.views = [section.view(links) for section in sections]
            self.about = pages_of_one_test(sections)
            self.version += 1
            self._remove_old_figures()
        self._took = time.monotonic() - begin

    def _make(self, suite: Suite) -> None:
        records, old = read_at(self._board.places(suite.name)), self._sections.get(suite.name)
        hashes = {row.test: [*map(fingerprint, row.trials.values())] for row in make_grid(records).rows}
        section = SuiteSection(suite, records, hashes, old.state if old else SuiteState(), version())
        section.plan(self._folder)
        section.write(self._folder, self._board.links())
        for problem in section.problems:
            if problem not in self._said:
                self._said.add(problem)
                self._problems(f"suite {suite.name}: {problem}")
        section.records = ()
        self._sections[suite.name] = section

    def _remove_old_figures(self) -> None:
        """Remove figures that no page shows now or showed a moment ago."""
        used = {name for section in self._sections.values() for name in section.state.figure_files}
        with contextlib.suppress(OSError):
            for name in self._folder.names(FIGURES) - used - self._old_figures:
                (self._folder.path / FIGURES / name).unlink(missing_ok=True)
        self._old_figures = used
