"""Follow results files and serve their content: the whole of a live report, for any caller."""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.errors import AssayError
from assay.extensions import extensions
from assay.records import TrialRecord
from assay.report.folder import ReportFolder
from assay.report.live.board import Board
from assay.report.live.exhibits import Exhibits
from assay.report.live.follow import Follower, Rewritten
from assay.report.live.pages import Pages
from assay.report.live.server import Server
from assay.suites.finding import find_suite, has_suite
from assay.suites.listing import PLUGINS
from assay.suites.suite import Suite

TICK_S = 0.3
FOLDER_S = 2.0  # between two searches for new files


@dataclass(frozen=True)
class Source:
    """What is shown. `files` lists the current results files. `images`: the folder of stored pictures.
    `folders`: of tests and thus suites. `keep`: whether a trial is wanted."""

    files: Callable[[], Sequence[Path]]
    images: Path
    folders: Sequence[Path]
    keep: Callable[[TrialRecord], bool] = lambda record: True


class Reporter:
    """A board, kept up to date by `tick`, and its server. `secret`: the prefix of its paths. `problems`: gets
    messages for the user."""

    def __init__(
        self, listening: socket.socket, secret: str, source: Source, problems: Callable[[str], None]
    ) -> None:
        self.board = Board()
        self._source, self._problems = source, problems
        self._folder = Path(tempfile.mkdtemp(prefix="assay-live-"))
        folder = ReportFolder(self._folder, source.images)
        self._exhibits = Exhibits(self.board, folder, self._suite, problems)
        self.pages = Pages(self.board, self._exhibits, folder)
        self.status = self.pages.status
        self._server = Server(listening, secret, self.pages)
        self._followers: dict[Path, Follower] = {}
        self._looked = 0.0
        self._old_sizes: dict[Path, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Read the existing files, then serve."""
        self.tick()
        self._exhibits.refresh()
        self._server.start()
        self._exhibits.start()

    def begun_before(self, sizes: Iterable[tuple[Path, int]]) -> None:
        """Note how much of each file an earlier run wrote: its trials are shown, but do not count as this
        run's."""
        self._old_sizes = dict(sizes)

    def tick(self) -> None:
        """Read what was appended since the last call."""
        now = time.monotonic()
        if not self._looked or now - self._looked >= FOLDER_S:
            self._looked = now
            for path in self._source.files():
                if path not in self._followers:
                    self._followers[path] = Follower(path)
            if self.status.state == "watching":
                self.status.writers = written_to(self._followers)
        try:
            for follower in self._followers.values():
                for record, place in follower.news():
                    if not self._source.keep(record):
                        self.board.know(record)
                    elif self.board.add(record, place) and place.offset >= self._old_sizes.get(place.file, 0):
                        self.status.done += 1
                        self.status.last_end = now
        except Rewritten:
            self._followers = {path: Follower(path) for path in self._source.files()}
            self.board.clear()
            self.status.done = 0

    def finish(self, state: str, note: str) -> None:
        """Tell every open page that the run is over, once the last trials are in."""
        self.tick()
        self.status.under_way = {}
        self._exhibits.finish()
        self.status.note, self.status.ended = note, time.monotonic()
        self.status.state = state

    def _suite(self, name: str) -> Suite | None:
        if name in extensions(PLUGINS) or any(has_suite(name, folder) for folder in self._source.folders):
            try:
                return find_suite(name, self._source.folders)
            except AssayError as error:
                self._problems(f"the tables of suite {name} could not be made: {error}")
        return None


def written_to(paths: Iterable[Path], locks: Path = Path("/proc/locks")) -> int:
    """How many of `paths` are locked for writing by some process; 0 if the system does not tell."""
    try:
        lines = locks.read_text().splitlines()
    except OSError:
        return 0
    locked = set()
    for line in lines:
        words = line.split()
        if len(words) >= 6 and "FLOCK" in words and words[5].count(":") == 2:
            locked.add(int(words[5].rpartition(":")[2]))
    found = 0
    for path in paths:
        try:
            found += path.stat().st_ino in locked
        except OSError:
            continue
    return found
