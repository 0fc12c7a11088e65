"""The answers to a browser during a run: the grid, what is new in it, and the pages of its cells."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assay.report import wording
from assay.report.aggregate import CellKey
from assay.report.cell_page import cell_data, render_cells
from assay.report.environment import DRAWS, STYLE_SHEET, TEMPLATES, drawing
from assay.report.explanation import Pictures
from assay.report.folder import CELLS, DATA, OURS, ReportFolder
from assay.report.grid_page import (
    LiveState,
    headline,
    render_grid,
    render_models,
    render_sections,
    render_statistics,
)
from assay.report.live.board import Board
from assay.report.live.exhibits import Exhibits
from assay.report.live.follow import read_at
from assay.report.packs import NUMBER, data_file, line_of, number_of, packed
from assay.report.sanitise import visible

TYPES = {
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    "json": "application/json", "js": "text/javascript; charset=utf-8", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
}  # fmt: skip
ENDED = ("ended", "stopped")
ASKS_WITHIN_S = 4.0  # a visible page asks each second
STATISTICS_REST_S = 2.0
STATISTICS_SHARE = 20  # comparisons of models rest this many times as long as they took


@dataclass
class Status:
    """The state of the run. `state`: running, ended, stopped; or watching, if no run is known.

    `total`: trials to run; `done`: finished ones. `under_way`: cell -> running trials. `note`: shown at the
    end.
    """

    state: str = "watching"
    total: int = 0
    done: int = 0
    under_way: dict[CellKey, int] = field(default_factory=dict)
    note: str = ""
    writers: int = 0  # known files that a process is writing to
    began: float = field(default_factory=time.monotonic)
    last_end: float = 0.0  # of a trial
    ended: float = 0.0

    def text(self, cost: float, unknown: bool) -> str:
        """The state in one line, as on the terminal."""
        if self.state == "watching":
            if self.writers:
                return f"{wording.count(self.writers, 'run')} in progress; new trials appear here"
            return "no run is in progress; the trials of the next run will appear here"
        now = self.ended or time.monotonic()
        elapsed = now - self.began
        said = [f"{self.done:,} of {self.total:,} trials"]
        if self.state == "running":
            if running := sum(self.under_way.values()):
                said.append(f"{running} running")
            said += filter(None, wording.pace(self.done, self.total, elapsed, now - (self.last_end or now)))
        else:
            said = [f"{self.state} after {wording.duration(elapsed)}", *said]
        if cost or unknown:
            spent = wording.money(cost) if cost else "cost unknown"
            said.append(f"≥ {spent}" if unknown and cost else spent)
        return " · ".join([*said, *([self.note] if self.note else [])])


class Pages:
    """Answers for the server's paths, thread-safe. `folder`: has the suites' pages, figures and pictures."""

    def __init__(self, board: Board, exhibits: Exhibits, folder: ReportFolder) -> None:
        self.board, self.exhibits, self.status = board, exhibits, Status()
        self._folder = folder
        self._statistics: dict[str, Any] = {}
        self._at, self._computed, self._took = 0, 0.0, 0.0
        self._writing, self._computing = threading.Lock(), threading.Lock()
        self._readers: dict[str, tuple[float, bool]] = {}  # last time it asked, knows of the end

    def find(self, path: str, query: Callable[[str], int]) -> tuple[str, bytes] | None:
        """Type and content for a path; None if there is none. `query`: a number in the query, -1 for none."""
        if path in ("/", "/index.html"):
            return TYPES["html"], self.index().encode("utf-8", "replace")
        if path == "/changes":
            news = self.changes(query("since"), query("shape"), query("statistics"))
            return TYPES["json"], json.dumps(news, separators=(",", ":")).encode()
        if path == "/exhibits":
            return TYPES["html"], render_sections(self.exhibits.views).encode("utf-8", "replace")
        if path == f"/{STYLE_SHEET}":
            return TYPES["css"], (TEMPLATES / STYLE_SHEET).read_bytes()
        if path == f"/{DRAWS}":
            return TYPES["js"], drawing()
        if path == "/favicon.ico":  # every browser asks for it
            return "image/x-icon", b""
        folder, _, name = path[1:].partition("/")
        if folder not in OURS or not OURS[folder].fullmatch(name):
            return None
        if folder == CELLS:
            known = self.board.cell(number_of(name)) is not None
            return (TYPES["html"], render_cells(NUMBER).encode()) if known else None
        if folder == DATA:
            data = self.cell(name.removesuffix(".js"))
            return None if data is None else (TYPES["js"], data)
        file = self._folder.path / folder / name
        return (TYPES[name.rpartition(".")[2]], file.read_bytes()) if file.is_file() else None

    def note_reader(self, name: str) -> None:
        """Note that a browser's page has asked for news."""
        if len(self._readers) < 1000 or name in self._readers:
            self._readers[name] = (time.monotonic(), self.status.state in ENDED)

    def all_know(self) -> bool:
        """Whether every page that still asks knows that the run has ended."""
        now = time.monotonic()
        return all(knows for last, knows in list(self._readers.values()) if now - last < ASKS_WITHIN_S)

    def index(self) -> str:
        """The whole page as of now."""
        with self.board.lock:
            state = LiveState(self.board.version, self.board.shape)
            grid, links = self.board.grid(), self.board.links()
        return render_grid(grid, self.exhibits.views, links, {}, self.exhibits.about, live=state)

    def changes(self, since: int, shape: int, known: int) -> dict[str, Any]:
        """The news for a page of version `since`; only the new shape if that differs. `known`: the number of
        the statistics that the page shows."""
        with self.board.lock:
            version = self.board.version
            said: dict[str, Any] = {"version": version, "shape": self.board.shape}
            grid = self.board.grid(rows=False)
            said["status"] = self._status(grid.totals.values())
            if shape != self.board.shape or not 0 <= since <= version:
                return said
            said.update(self.board.changes(since))
            said["running"] = self.board.positions(self.status.under_way)
            if said["cells"]:
                said["headline"] = headline(grid)
                said["models"] = render_models(grid)
        with self._computing:
            self._compute()
        if self._statistics and self._statistics["number"] != known:
            said["statistics"] = self._statistics
        said["exhibits"] = self.exhibits.version
        return said

    def _status(self, totals: Any) -> dict[str, Any]:
        status = self.status
        cost, unknown = sum(each.cost for each in totals), any(each.cost_unknown for each in totals)
        share = status.done / status.total if status.total else None
        return {"state": status.state, "text": visible(status.text(cost, unknown)), "share": share}

    def _compute(self) -> None:
        """Compute the statistics over all tests if they are due: they take longer the more cells there
        are."""
        now = time.monotonic()
        due = now - self._computed >= max(STATISTICS_REST_S, STATISTICS_SHARE * self._took)
        if self._at != self.board.version and (due or self.status.state in ENDED):
            self._at = self.board.version
            self._statistics = {**render_statistics(self.board.grid()), "number": self._at}
            self._computed = time.monotonic()
            self._took = self._computed - now

    def cell(self, number: str) -> bytes | None:
        """The data of one test and model's page, from its trials so far."""
        found = self.board.cell(number)
        if found is None:
            return None
        row, model, places = found
        trials = read_at(places)
        if not trials or model not in row.cells:
            return None
        row.trials[model] = trials
        pictures = Pictures()
        about = self.exhibits.about.get((row.suite, row.test))
        shown = cell_data(
            row, model, "", pictures, (about[0], f"../{about[1]}") if about else None,
            self.board.around(row, model), beside=False,
        )  # fmt: skip
        with self._writing:
            self._folder.add(pictures)
        return data_file([line_of(number, packed(shown))])
